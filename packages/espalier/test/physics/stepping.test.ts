import { changesOf, indexOf, observe } from "espalier";
import { Collider, createPhysics, DYNAMIC, KINEMATIC, RigidBody, STATIC } from "espalier/physics";
import { loadBox2D } from "espalier/physics/box2d";
import { rawTransforms, Transform2D, transformBatch } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { runGrowth } from "./growth-scene.ts";
import { circle, engine, stage, thrown } from "./set-up.ts";

describe("a step", () => {
  it("moves a falling ball onto the ground, and its children with it", () => {
    const { tree, space, ground, ball, run } = stage();
    ground();
    const e = ball(2, 5);
    const hat = tree.attachNew(e, space.at(0, 0.5));
    run(120);
    space.propagate();
    expect(space.worldPosition(e).x).toBe(2);
    expect(space.worldPosition(e).y).toBeCloseTo(0.5, 2);
    expect(space.worldPosition(hat).y).toBeCloseTo(1, 2);
  });

  it("writes only the transforms of bodies that moved", () => {
    const { world, ground, ball, run } = stage();
    const floor = ground();
    const falling = ball(0, 5);
    const resting = ball(5, 0.5);
    run(180);
    const reader = changesOf(world, Transform2D);
    world.set(falling, Transform2D, { y: 5 });
    run(2);
    expect(reader.read().changed).toEqual([falling]);
    expect([floor, resting].every((e) => world.isAlive(e))).toBe(true);
  });

  it("touches nothing while everything sleeps", () => {
    const { world, physics, ground, ball, run } = stage();
    ground();
    for (let k = 0; k < 10; k++) ball(k * 2, 0.6);
    run(240);
    expect(physics.counts.awake).toBe(0);
    const reader = changesOf(world, Transform2D);
    run(10);
    expect(reader.pending).toBe(0);
  });

  it("notifies readers and observers of the transforms it writes", () => {
    const { world, ball, run } = stage();
    const e = ball(0, 10);
    const seen: number[] = [];
    observe(world, Transform2D, { set: (entity) => seen.push(indexOf(entity)) });
    const reader = changesOf(world, Transform2D);
    run(1);
    expect(seen).toEqual([indexOf(e)]);
    expect(reader.read().changed).toEqual([e]);
  });

  it("survives observers that destroy bodies while transforms are written", () => {
    const { world, ball, physics, run } = stage();
    const balls = [ball(0, 10), ball(5, 10), ball(10, 10)];
    observe(world, Transform2D, {
      set: () => {
        for (const e of balls.slice(1)) world.destroy(e);
      },
    });
    run(3);
    expect(physics.counts.bodies).toBe(1);
  });

  it("turns children with a body that turns", () => {
    const { world, tree, space, run } = stage({ gravity: { x: 0, y: 0 } });
    const e = world.spawn(space.at(0, 0), RigidBody({ angularVelocity: Math.PI }), circle);
    const arm = tree.attachNew(e, space.at(2, 0));
    run(30);
    expect(space.localOf(e).rotation).toBeCloseTo(Math.PI / 2, 1);
    expect(space.worldPosition(arm).y).toBeCloseTo(2, 1);
  });

  it.each([0, 1e-7, 0.0001, -0.0001])(
    "leaves out shapes that the scale %d makes vanish, until they grow again",
    (scale) => {
      const { world, space, physics, run } = stage({ gravity: { x: 0, y: 0 } });
      const shapes = [
        { type: "box", width: 1, height: 1 },
        { type: "segment", x1: -1, y1: 0, x2: 1, y2: 0 },
      ] as const;
      const spawned = world.spawn(
        Transform2D({ scaleX: scale, scaleY: scale }),
        RigidBody({ type: STATIC }),
        Collider({ shapes }),
      );
      const shrunk = world.spawn(space.at(5, 0), RigidBody, Collider({ shapes: [shapes[0]] }));
      run(1);
      expect(physics.counts.shapes).toBe(1);
      space.setScale(shrunk, scale, scale);
      run(1);
      expect(physics.counts.shapes).toBe(0);
      for (const e of [spawned, shrunk]) space.setScale(e, 1, 1);
      run(1);
      expect(physics.overlapPoint(0.4, 0.4).map(({ entity }) => entity)).toEqual([spawned]);
      expect(physics.overlapPoint(5.4, 0.4).map(({ entity }) => entity)).toEqual([shrunk]);
    },
  );

  it.each([0, 0.0001, 1])("refuses a shape that is too small by itself, also at the scale %d", (scale) => {
    const { world, run } = stage();
    const tiny = Collider({ shapes: [{ type: "box", width: 0.001, height: 0.001 }] });
    const e = world.spawn(Transform2D({ scaleX: scale, scaleY: scale }), RigidBody, tiny);
    expect(thrown(() => run(1)).code).toBe("physics/invalid-shape");
    world.set(e, Transform2D, { scaleX: 1000, scaleY: 1000 });
    run(1);
  });

  it("keeps the scale of an entity, and scales its shapes by it", () => {
    const { world, space, ground, run } = stage();
    ground();
    const e = world.spawn(Transform2D({ x: 0, y: 4, scaleX: 2, scaleY: 2 }), RigidBody, circle);
    run(200);
    expect(space.localOf(e)).toMatchObject({ scaleX: 2, scaleY: 2 });
    expect(space.localOf(e).y).toBeCloseTo(1, 1);
    world.set(e, Transform2D, { scaleX: 4, scaleY: 4, y: 3 });
    run(200);
    expect(space.localOf(e).y).toBeCloseTo(2, 1);
  });

  it("computes in metres where units are pixels, with y down", () => {
    const { world, space, run, physics } = stage({ unitsPerMetre: 100, gravity: { x: 0, y: 1000 } });
    world.spawn(
      space.at(0, 500),
      RigidBody({ type: STATIC }),
      Collider({ shapes: [{ type: "box", width: 1000, height: 100, y: 50 }] }),
    );
    const e = world.spawn(
      space.at(0, 300),
      RigidBody({ velocityX: 60 }),
      Collider({ shapes: [{ type: "circle", radius: 50 }] }),
    );
    physics.step(1 / 60);
    expect(physics.velocityOf(e).x).toBeCloseTo(60, 3);
    expect(space.localOf(e).x).toBeCloseTo(1, 2);
    run(60);
    expect(space.localOf(e).y).toBeCloseTo(450, 0);
    expect(physics.massOf(e)).toBeCloseTo(Math.PI * 0.25, 4);
  });
});

describe("writing a transform by hand", () => {
  it("teleports the body and keeps its velocity", () => {
    const { space, ball, run, physics } = stage();
    const e = ball(0, 10);
    run(30);
    const speed = physics.velocityOf(e).y;
    space.setPosition(e, 100, 50);
    physics.sync();
    expect(physics.velocityOf(e).y).toBe(speed);
    run(1);
    expect(space.localOf(e).x).toBe(100);
    expect(space.localOf(e).y).toBeLessThan(50);
    expect(space.localOf(e).y).toBeGreaterThan(49);
  });

  it("stops the body where the physics says so", () => {
    const { space, ball, run, physics } = stage({ onTeleport: "stop" });
    const e = ball(0, 10);
    run(30);
    space.setPosition(e, 100, 50);
    expect(physics.velocityOf(e)).toEqual({ x: 0, y: 0 });
  });

  it("wakes a sleeping body", () => {
    const { world, space, ground, ball, run, physics } = stage();
    ground();
    const e = ball(0, 0.5);
    run(120);
    expect(physics.isAwake(e)).toBe(false);
    world.set(e, Transform2D, { y: 3 });
    run(100);
    expect(space.localOf(e).y).toBeCloseTo(0.5, 1);
  });

  it("works through views, setters, batches and raw records alike", () => {
    const { world, space, ball, physics, run } = stage({ gravity: { x: 0, y: 0 } });
    const writes: ((e: ReturnType<typeof ball>) => void)[] = [
      (e) => world.set(e, Transform2D, { x: 7 }),
      (e) => space.setPosition(e, 7, 0),
      (e) => space.setTransform(e, 7, 0),
      (e) => transformBatch(space, [e]).write(Float32Array.of(7, 0)),
      (e) => space.setWorldPosition(e, 7, 0),
      (e) => {
        rawTransforms(space).locals[rawTransforms(space).rowOf(e)] = 7;
        rawTransforms(space).touch(e);
      },
    ];
    for (const write of writes) {
      const e = ball(0, 0);
      run(1);
      write(e);
      expect(physics.overlapPoint(7, 0).map(({ entity }) => entity)).toEqual([e]);
      world.destroy(e);
    }
  });
});

describe("a RigidBody that is set", () => {
  it("carries over only what changed", () => {
    const { world, ball, run, physics } = stage();
    const e = ball(0, 100);
    run(30);
    const { y } = physics.velocityOf(e);
    world.set(e, RigidBody, { linearDamping: 0.5 });
    expect(physics.velocityOf(e).y).toBe(y);
    world.set(e, RigidBody, { velocityX: 3 });
    expect(physics.velocityOf(e)).toEqual({ x: 3, y });
  });

  it("changes type, gravity, rotation lock and sleep", () => {
    const { world, space, ball, run, physics } = stage();
    const e = ball(0, 100);
    run(10);
    world.set(e, RigidBody, { type: KINEMATIC, velocityY: 1 });
    const { y } = space.localOf(e);
    run(60);
    expect(space.localOf(e).y).toBeCloseTo(y + 1, 1);
    world.set(e, RigidBody, { type: DYNAMIC, gravityScale: 0, fixedRotation: true, velocityY: 0.5 });
    physics.applyAngularImpulse(e, 100);
    run(30);
    expect(space.localOf(e).rotation).toBe(0);
    expect(space.localOf(e).y).toBeCloseTo(y + 1.25, 1);
  });
});

describe("a RigidBody at the start", () => {
  it("has the velocity, damping, gravity and locks it says", () => {
    const { world, space, run, physics } = stage();
    const values = {
      velocityX: 2,
      angularVelocity: 3,
      gravityScale: 0,
      fixedRotation: true,
      linearDamping: 1,
    };
    const e = world.spawn(space.at(0, 0), RigidBody(values), circle);
    run(60);
    expect(space.localOf(e).rotation).toBe(0);
    expect(space.localOf(e).y).toBe(0);
    expect(physics.velocityOf(e).x).toBeCloseTo(2 / Math.E, 1);
  });

  it("keeps a bullet from passing through a thin body", () => {
    const { world, space, run } = stage({ gravity: { x: 0, y: 0 } });
    const wall = Collider({ shapes: [{ type: "box", width: 0.1, height: 4, density: 100 }] });
    world.spawn(space.at(10, 0), RigidBody, wall);
    const bullet = world.spawn(space.at(0, 0), RigidBody({ bullet: true, velocityX: 300 }), circle);
    run(10);
    expect(space.localOf(bullet).x).toBeLessThan(20);
  });

  it("never sleeps where it must not", () => {
    const { world, space, run, physics, ground } = stage();
    ground();
    const e = world.spawn(space.at(0, 0.5), RigidBody({ allowSleep: false }), circle);
    run(120);
    expect(physics.isAwake(e)).toBe(true);
    world.set(e, RigidBody, { allowSleep: true });
    run(120);
    expect(physics.isAwake(e)).toBe(false);
    physics.setAwake(e, true);
    expect(physics.isAwake(e)).toBe(true);
  });
});

describe("forces", () => {
  it("push at the centre or at a point", () => {
    const { space, ball, run, physics } = stage({ gravity: { x: 0, y: 0 } });
    const e = ball(0, 0);
    physics.applyImpulse(e, physics.massOf(e) * 2, 0);
    expect(physics.velocityOf(e).x).toBeCloseTo(2, 5);
    expect(physics.angularVelocityOf(e)).toBe(0);
    physics.applyImpulse(e, 0, 1, { x: 0.5, y: 0 });
    expect(physics.angularVelocityOf(e)).toBeGreaterThan(0);
    physics.setVelocity(e, 0, 0);
    physics.setAngularVelocity(e, 0);
    physics.applyForce(e, physics.massOf(e) * 60, 0);
    physics.applyTorque(e, 1);
    run(1);
    expect(physics.velocityOf(e).x).toBeCloseTo(1, 4);
    expect(physics.angularVelocityOf(e)).toBeGreaterThan(0);
    expect(space.localOf(e).x).toBeGreaterThan(0);
  });

  it("move a kinematic body so that it carries the bodies on it", () => {
    const { world, space, physics, run } = stage();
    const platform = world.spawn(
      space.at(0, 0),
      RigidBody({ type: KINEMATIC }),
      Collider({ shapes: [{ type: "box", width: 6, height: 1, friction: 1 }] }),
    );
    const rider = world.spawn(
      space.at(0, 1),
      RigidBody,
      Collider({ shapes: [{ type: "box", width: 1, height: 1, friction: 1 }] }),
    );
    run(30);
    for (let k = 1; k <= 120; k++) {
      physics.moveTo(platform, k / 60, 0, 0, 1 / 60);
      run(1);
    }
    expect(space.localOf(platform).x).toBeCloseTo(2, 3);
    expect(space.localOf(rider).x).toBeCloseTo(2, 0);
  });
});

describe("reading moves", () => {
  it("gives the same from the engine's memory and call by call", async () => {
    const slow = await loadBox2D({ memoryReads: false });
    const positions = [engine, slow].map((used) => {
      const { world, space, tree } = stage();
      const physics = createPhysics(space, used);
      for (let k = 0; k < 40; k++)
        world.spawn(space.at(k * 0.3, k, k), RigidBody({ angularVelocity: k }), circle);
      for (let k = 0; k < 60; k++) physics.step(1 / 60);
      return [...tree.roots()].map((e) => space.localOf(e));
    });
    expect(positions[0]).toEqual(positions[1]);
  });

  it("continues after the engine's memory has grown", async () => {
    const { grown, wrong } = runGrowth(await loadBox2D());
    expect(grown).toBeGreaterThan(16 * 2 ** 20);
    expect(wrong).toBe(0);
  });

  it("allocates memory at once on request", async () => {
    const roomy = await loadBox2D({ memory: 48 * 2 ** 20 });
    const { space } = stage();
    expect(createPhysics(space, roomy).counts.bodies).toBe(0);
  });
});
