import { createWorld, MissingResourceError, resource } from "espalier";
import { describe, expect, it } from "vitest";
import { refusal, strictWorld } from "../testing.ts";

const Score = resource<number>("Score");
const Settings = resource("Settings", () => ({ volume: 5 }));

describe("a resource", () => {
  it("is one value per world", () => {
    const [a, b] = [strictWorld(), strictWorld()];
    a.setResource(Score, 3);
    b.setResource(Score, 4);
    expect([a.resource(Score), b.resource(Score), a.hasResource(Score)]).toEqual([3, 4, true]);
    a.setResource(Score, 5);
    expect(a.resource(Score)).toBe(5);
  });

  it("starts with an own value in each world when it has an initial one", () => {
    const [a, b] = [strictWorld(), strictWorld()];
    expect(a.hasResource(Settings)).toBe(false);
    a.resource(Settings).volume = 9;
    expect([a.resource(Settings), b.resource(Settings), a.hasResource(Settings)]).toEqual([
      { volume: 9 },
      { volume: 5 },
      true,
    ]);
  });

  it("is found by its definition, not by its name", () => {
    const world = strictWorld();
    const other = resource<number>("Score");
    world.setResource(Score, 1);
    world.setResource(other, 2);
    expect([world.resource(Score), world.resource(other)]).toEqual([1, 2]);
  });

  it("may hold undefined", () => {
    const world = strictWorld();
    const Target = resource<string | undefined>("Target", () => undefined);
    expect([world.resource(Target), world.hasResource(Target)]).toEqual([undefined, true]);
  });

  it("cannot be read before it was set", () => {
    const world = createWorld();
    expect(() => world.resource(Score)).toThrow(MissingResourceError);
    expect(refusal(world, () => world.resource(Score))).toBe(
      "MissingResourceError: Cannot read resource Score: it was never set. Call world.setResource() first, or define it with an initial value. [ecs/missing-resource]",
    );
    expect(refusal(world, () => world.resource(undefined as never))).toBe(
      "MissingResourceError: Cannot read undefined: it is not a resource. Define one with resource(). [ecs/missing-resource]",
    );
  });

  it("is dropped with its world", () => {
    const world = strictWorld();
    world.setResource(Score, 1);
    world.dispose();
    expect(world.hasResource(Score)).toBe(false);
    for (const call of [() => world.resource(Score), () => world.setResource(Score, 2)]) {
      expect(call).toThrow("this world was disposed");
    }
  });
});
