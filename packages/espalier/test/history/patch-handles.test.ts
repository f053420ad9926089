import { checkWorld, component, createWorld, entityRef } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { applyPatch, diff, restoreSnapshot, takeSnapshot } from "espalier/history";
import { describe, expect, it } from "vitest";

const Aim = component("Aim", { at: entityRef() });

describe("a patch by handle", () => {
  it("does not restore references to entities that were dead", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const trees = [tree];
    const target = world.spawn();
    const gun = world.spawn(Aim({ at: target }));
    const alive = takeSnapshot(world, { trees });
    world.set(gun, Aim, { at: null });
    const wanted = takeSnapshot(world, { trees });
    restoreSnapshot(world, alive, { trees });
    // Now it refers to the dead, and reads nothing.
    world.destroy(target);
    expect(world.get(gun, Aim)).toEqual({ at: null });
    applyPatch(world, diff({ world, trees }, wanted), { trees });
    expect(world.isAlive(target)).toBe(true);
    expect(world.get(gun, Aim)).toEqual({ at: null });
    expect(diff({ world, trees }, wanted)).toEqual([]);
    expect(checkWorld(world)).toEqual([]);
  });

  it("restores those that the state contains", () => {
    const world = createWorld();
    const trees = [createHierarchy(world)];
    const target = world.spawn();
    const gun = world.spawn(Aim({ at: target }));
    const wanted = takeSnapshot(world, { trees });
    world.destroy(target);
    applyPatch(world, diff({ world, trees }, wanted), { trees });
    expect(world.get(gun, Aim)).toEqual({ at: target });
    expect(diff({ world, trees }, wanted)).toEqual([]);
  });
});
