import { createHierarchy } from "espalier/hierarchy";
import { Active, TimeScale } from "espalier/inherit";
import { createPhysics, RigidBody } from "espalier/physics";
import { createTransforms2D } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { refused, strictWorld } from "../testing.ts";
import { circle, engine, stage } from "./set-up.ts";

const parts = [RigidBody, circle] as const;

function paced() {
  const world = strictWorld();
  const tree = createHierarchy(world);
  const game = world.spawn(TimeScale);
  const level = tree.attachNew(game, TimeScale, Active);
  return { world, tree, game, level, space: createTransforms2D(tree) };
}

describe("the option timeOf", () => {
  it("makes steps as long as time passes for the entity, and none at pace 0", () => {
    const { world, game, level, space } = paced();
    const physics = createPhysics(space, engine, { timeOf: level });
    const twin = stage();
    const plain = twin.ball(0, 10);
    const ball = world.spawn(space.at(0, 10), ...parts);
    world.set(game, TimeScale, { value: 0.5 });
    world.set(level, TimeScale, { value: 0.5 });
    for (let k = 0; k < 10; k++) {
      physics.step(1 / 60);
      twin.physics.step(1 / 240);
    }
    const y = space.localOf(ball).y;
    expect(y).toBe(twin.space.localOf(plain).y);
    expect(y).toBeLessThan(10);

    const { x: vx, y: vy } = physics.velocityOf(ball);
    world.set(game, TimeScale, { value: 0 });
    physics.step(1 / 60);
    world.set(game, TimeScale, { value: 1 });
    world.set(level, Active, { on: false });
    physics.step(1 / 60);
    expect([space.localOf(ball).y, physics.velocityOf(ball)]).toEqual([y, { x: vx, y: vy }]);

    world.set(level, Active, { on: true });
    physics.step(1 / 60);
    expect(space.localOf(ball).y).toBeLessThan(y);
  });

  it("carries over what changed even while nothing is simulated", () => {
    const { world, level, space } = paced();
    const physics = createPhysics(space, engine, { timeOf: level });
    world.set(level, TimeScale, { value: 0 });
    const ball = world.spawn(space.at(3, 0), ...parts);
    physics.step(1 / 60);
    expect(physics.overlapPoint(3, 0).map(({ entity }) => entity)).toEqual([ball]);
  });

  it("can be set later, by number or by an object with an id, and ends with null or with the entity", () => {
    const { world, level, space } = paced();
    const physics = createPhysics(space, engine);
    const ball = world.spawn(space.at(0, 10), ...parts);
    world.set(level, TimeScale, { value: 0 });
    const falls = () => {
      const before = space.localOf(ball).y;
      physics.step(1 / 60);
      return space.localOf(ball).y < before;
    };
    expect(falls()).toBe(true);
    physics.setTimeOf(level);
    expect(falls()).toBe(false);
    physics.setTimeOf(null);
    expect(falls()).toBe(true);
    physics.setTimeOf({ id: level });
    expect(falls()).toBe(false);
    world.destroy(level);
    expect(falls()).toBe(true);
  });

  it("refuses what is not a living entity, and steps that the pace makes too long", () => {
    const { world, level, space } = paced();
    const dead = world.spawn();
    world.destroy(dead);
    for (const timeOf of [dead, "level", {}, null]) {
      expect(
        refused(world, () => createPhysics(space, engine, { timeOf: timeOf as never })).message,
      ).toContain("physics/invalid-options");
    }
    const physics = createPhysics(space, engine, { timeOf: level });
    expect(refused(world, () => physics.setTimeOf(dead)).message).toContain("physics/invalid-options");
    world.set(level, TimeScale, { value: 1e9 });
    expect(refused(world, () => physics.step(1)).message).toContain("physics/invalid-number");
  });
});
