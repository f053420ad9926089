import { createWorld, DeadEntityError } from "espalier";
import { afterEach, describe, expect, it, vi } from "vitest";

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

afterEach(() => vi.unstubAllEnvs());

describe("what is printed of an error", () => {
  it("names the page of its room in development, in one line behind the message", () => {
    const error = refusal();
    const [first, second, third] = error.stack!.split("\n");
    expect(first).toBe(`DeadEntityError: ${error.message}`);
    expect(second).toBe("    see node_modules/espalier/docs/errors/ecs.md");
    expect(third).toMatch(/^ +at /);
  });

  it("does not in production, and the message is the same", () => {
    const { message } = refusal();
    vi.stubEnv("NODE_ENV", "production");
    const error = refusal();
    expect(error).toBeInstanceOf(DeadEntityError);
    expect(error.message).toBe(message);
    expect(error.stack).not.toContain("docs/errors");
  });
});
