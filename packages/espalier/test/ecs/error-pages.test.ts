import { createWorld, DEVELOPMENT } from "espalier";
import { describe, expect, it } from "vitest";

/** What using a dead entity throws. */
function refusal(): Error {
  const world = createWorld();
  const dead = world.spawn();
  world.destroy(dead);
  try {
    world.touch(dead);
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}

describe("what is printed of an error", () => {
  it.runIf(DEVELOPMENT)("names the page of its room in development, in one line behind the message", () => {
    const error = refusal();
    const [first, second, third] = error.stack!.split("\n");
    expect(first).toBe(`DeadEntityError: ${error.message}`);
    expect(second).toBe("    see node_modules/espalier/docs/errors/ecs.md");
    expect(third).toMatch(/^ +at /);
  });
});
