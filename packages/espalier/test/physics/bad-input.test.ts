import { createCommands, createWorld, indexOf, observe } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import {
  Collider,
  type ColliderShape,
  createPhysics,
  KINEMATIC,
  type PhysicsEngine,
  RigidBody,
  STATIC,
} from "espalier/physics";
import { loadBox2D } from "espalier/physics/box2d";
import { createTransforms2D, Transform2D } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { dangerousKeys } from "../dangerous-keys.ts";
import { refused, strictWorld } from "../testing.ts";
import { circle, engine, stage, thrown } from "./set-up.ts";

const far = 1e9;
const point = (x: number, y: number) => ({ x, y });

const badShapes: readonly (readonly [string, unknown, string])[] = [
  [
    "a polygon without area",
    { type: "polygon", points: [point(0, 0), point(1, 0), point(2, 0)] },
    "the polygon has no area",
  ],
  ["a polygon of two points", { type: "polygon", points: [point(0, 0), point(1, 0)] }, "at least 3 points"],
  [
    "a hollow polygon",
    { type: "polygon", points: [point(0, 0), point(4, 0), point(1, 1), point(0, 4)] },
    "must be convex",
  ],
  [
    "a polygon of nine points",
    {
      type: "polygon",
      points: Array.from({ length: 9 }, (_, k) => point(Math.cos(k * 0.7), Math.sin(k * 0.7))),
    },
    "at most 8 points, got 9",
  ],
  ["a box without height", { type: "box", width: 1, height: 0 }, "a width and a height above 0"],
  ["a circle without radius", { type: "circle", radius: 0 }, "a radius above 0"],
  ["a negative density", { type: "circle", radius: 1, density: -1 }, "density must not be negative, got -1"],
  [
    "a friction that is not a number",
    { type: "circle", radius: 1, friction: Number.NaN },
    "friction must be a finite number, got NaN",
  ],
  ["an infinite radius", { type: "circle", radius: 1e39 }, "radius must be a finite number"],
  ["a segment of one point", { type: "segment", x1: 1, y1: 1, x2: 1, y2: 1 }, "its two ends are one point"],
  [
    "a chain that is a sensor",
    { type: "chain", points: [point(0, 0), point(1, 0)], sensor: true },
    "cannot be a sensor",
  ],
  ["a chain that stands still", { type: "chain", points: [point(0, 0), point(0, 0)] }, "points[1] repeats"],
  ["an unknown type", { type: "star" }, 'its type is "star", not one of box, circle'],
  ["no shape at all", 5, "it is not an object"],
];

describe("shapes", () => {
  it.each(badShapes)("are refused when they are added or set: %s", (_name, shape, why) => {
    const { world, ball, physics } = stage();
    const e = ball(0, 0);
    const shapes = [shape as ColliderShape];
    const { message } = refused(world, () => world.spawn(Collider({ shapes })));
    expect(message).toContain(why);
    expect(message).toContain("shapes[0]");
    expect(refused(world, () => world.set(e, Collider, { shapes })).message).toContain(why);
    expect(physics.counts.shapes).toBe(1);
  });

  it.each(badShapes)("are refused there in worlds without checks too: %s", (_name, shape, why) => {
    const world = strictWorld({ checks: false });
    const space = createTransforms2D(createHierarchy(world));
    const physics = createPhysics(space, engine);
    const e = world.spawn(space.at(0, 0), RigidBody, circle);
    const shapes = [shape as ColliderShape];
    for (const change of [
      () => world.spawn(Collider({ shapes })),
      () => world.set(e, Collider, { shapes }),
      () => world.add(e, Collider({ shapes })),
    ]) {
      const error = refused(world, change);
      expect(error).toMatchObject({ code: "physics/invalid-shape" });
      expect(error.message).toContain(why);
    }
    physics.dispose();
  });

  it.each(badShapes)("are refused by the next step when they were there before: %s", (_name, shape) => {
    const world = strictWorld({ checks: false });
    const space = createTransforms2D(createHierarchy(world));
    const falling = world.spawn(space.at(0, 0), RigidBody, circle);
    const e = world.spawn(space.at(0, 0), RigidBody, Collider({ shapes: [shape as ColliderShape] }));
    const physics = createPhysics(space, engine);
    const error = thrown(() => physics.step(1 / 60));
    expect(error.code).toBe("physics/invalid-shape");
    expect(error.entities).toEqual([e]);
    expect(space.localOf(falling).y).toBe(0);
    world.destroy(e);
    physics.step(1 / 60);
    expect(physics.counts.bodies).toBe(1);
    physics.dispose();
  });

  it("are refused where they are too small for the engine", () => {
    const { world, space, physics } = stage({ unitsPerMetre: 1000 });
    world.spawn(space.at(0, 0), RigidBody, Collider({ shapes: [{ type: "box", width: 2, height: 2 }] }));
    expect(thrown(() => physics.step(1 / 60)).message).toContain("smaller than 5 mm");
  });

  it("are refused on layers that do not exist", () => {
    const { world, space, ball } = stage({ layers: ["ground"] });
    const e = ball(0, 0);
    const shapes: ColliderShape[] = [
      { type: "circle", radius: 1 },
      { type: "circle", radius: 1, layer: "groud" },
    ];
    const error = refused(world, () => world.spawn(space.at(0, 0), RigidBody, Collider({ shapes })));
    expect(error).toMatchObject({ code: "physics/unknown-layer" });
    expect(error.message).toContain(
      'Cannot give a new entity a Collider: shapes[1] names the layer "groud", and there are ground. Add it',
    );
    const other: ColliderShape[] = [{ type: "circle", radius: 1, collidesWith: ["ground", "sky"] }];
    expect(refused(world, () => world.set(e, Collider, { shapes: other })).message).toContain('layer "sky"');
  });

  it("on layers that do not exist are refused by the next step when they were there before", () => {
    const world = strictWorld();
    const space = createTransforms2D(createHierarchy(world));
    world.spawn(
      space.at(0, 0),
      RigidBody,
      Collider({ shapes: [{ type: "circle", radius: 1, layer: "sky" }] }),
    );
    const physics = createPhysics(space, engine);
    expect(thrown(() => physics.step(1 / 60)).code).toBe("physics/unknown-layer");
    physics.dispose();
  });
});

describe("bodies", () => {
  it("need a shape if they are dynamic", () => {
    const { world, space, physics } = stage();
    world.spawn(space.at(0, 0), RigidBody({ type: STATIC }));
    world.spawn(space.at(0, 0), RigidBody({ type: KINEMATIC }));
    physics.step(1 / 60);
    const e = world.spawn(space.at(0, 0), RigidBody);
    const error = thrown(() => physics.step(1 / 60));
    expect(error.code).toBe("physics/no-shapes");
    expect(error.entities).toEqual([e]);
    world.add(e, circle);
    physics.step(1 / 60);
    world.set(e, Collider, { shapes: [] });
    expect(thrown(() => physics.step(1 / 60)).code).toBe("physics/no-shapes");
  });

  it("need a transform", () => {
    const { world, space, physics } = stage();
    const e = world.spawn(RigidBody, circle);
    expect(thrown(() => physics.step(1 / 60)).code).toBe("physics/no-transform");
    space.setPosition(e, 0, 5);
    physics.step(1 / 60);
    expect(space.localOf(e).y).toBeCloseTo(5, 1);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e39])("refuse a velocity of %s", (value) => {
    const { world, ball, physics } = stage();
    const e = ball(0, 0);
    expect(refused(world, () => world.set(e, RigidBody, { velocityX: value })).message).toContain(
      "finite number",
    );
    expect(refused(world, () => world.spawn(RigidBody({ angularVelocity: value }))).message).toContain(
      "finite number",
    );
    const before = physics.velocityOf(e);
    for (const call of [
      () => physics.setVelocity(e, value, 0),
      () => physics.setAngularVelocity(e, value),
      () => physics.applyForce(e, 0, value),
      () => physics.applyImpulse(e, 0, 1, { x: value, y: 0 }),
      () => physics.applyTorque(e, value),
      () => physics.applyAngularImpulse(e, value),
      () => physics.moveTo(e, value, 0, 0, 1),
      () => physics.setGravity(0, value),
    ]) {
      expect(thrown(call).code).toBe("physics/invalid-number");
    }
    expect(physics.velocityOf(e)).toEqual(before);
  });

  it.each([
    ["linearDamping -1", { linearDamping: -1 }],
    ["angularDamping -2", { angularDamping: -2 }],
    ["type", { type: 3 }],
  ])("refuse the %s, when added and when set, in every build", (why, values) => {
    for (const checks of [true, false]) {
      const world = strictWorld({ checks, onError: () => {} });
      const space = createTransforms2D(createHierarchy(world));
      const physics = createPhysics(space, engine);
      const e = world.spawn(space.at(0, 0), RigidBody, circle);
      physics.step(1 / 60);
      const commands = createCommands(world);
      for (const change of [
        () => world.spawn(RigidBody(values)),
        () => world.set(e, RigidBody, values),
        () => world.add(e, RigidBody(values)),
        () => world.query(RigidBody).update((body) => void Object.assign(body, values)),
      ]) {
        expect(refused(world, change).message).toContain(why);
      }
      // A world that checks refuses the type when it is asked for, not when it is carried out.
      if (!checks || why !== "type") {
        commands.set(e, RigidBody, values);
        expect(commands.flush().refused).toHaveLength(1);
      }
      physics.step(1 / 60);
      physics.dispose();
    }
  });

  it("are refused by the next step with values that were written past the world", () => {
    const { world, space, ball, physics } = stage();
    const e = ball(0, 0);
    physics.step(1 / 60);
    const { y } = space.localOf(e);
    world.columns(RigidBody).linearDamping[indexOf(e)] = -1;
    world.touch(e, RigidBody);
    expect(thrown(() => physics.step(1 / 60)).code).toBe("physics/invalid-body");
    expect(space.localOf(e).y).toBe(y);
  });

  it("are refused by the next step when there are more than the engine holds", () => {
    const world = strictWorld();
    const space = createTransforms2D(createHierarchy(world));
    const small = { ...engine, limits: { ...engine.limits, bodies: 2 } };
    const physics = createPhysics(space, small);
    const first = world.spawnMany(2, Transform2D, RigidBody, circle);
    physics.step(1 / 60);
    const { y } = space.localOf(first[0]!);
    const third = world.spawn(space.at(5, 5), RigidBody, circle);
    const error = thrown(() => physics.step(1 / 60));
    expect(error.code).toBe("physics/engine-limit");
    expect(error.message).toContain("Cannot simulate 3 bodies: Box2D holds 2");
    expect(space.localOf(first[0]!).y).toBe(y);
    world.destroy(third);
    physics.step(1 / 60);
    expect(physics.counts.bodies).toBe(2);
    physics.dispose();
  });

  it("refuse positions the engine cannot compute", () => {
    const { world, space, ball, physics } = stage();
    const e = ball(0, 0);
    physics.step(1 / 60);
    space.setPosition(e, far, 0);
    expect(thrown(() => physics.step(1 / 60)).code).toBe("physics/invalid-body");
    space.setPosition(e, 5, 0);
    physics.step(1 / 60);
    expect(space.localOf(e).x).toBe(5);
    world.spawn(space.at(0, -far), RigidBody, circle);
    expect(thrown(() => physics.step(1 / 60)).message).toContain("100000 metres");
  });

  it("that are destroyed, or never existed, are named by a typed error in every call", () => {
    const { world, ball, physics } = stage();
    const dead = ball(0, 0);
    physics.step(1 / 60);
    world.destroy(dead);
    const bare = world.spawn();
    for (const e of [dead, bare]) {
      for (const call of [
        () => physics.velocityOf(e),
        () => physics.angularVelocityOf(e),
        () => physics.setVelocity(e, 1, 1),
        () => physics.setAngularVelocity(e, 1),
        () => physics.applyForce(e, 1, 1),
        () => physics.applyImpulse(e, 1, 1),
        () => physics.applyTorque(e, 1),
        () => physics.applyAngularImpulse(e, 1),
        () => physics.massOf(e),
        () => physics.isAwake(e),
        () => physics.setAwake(e, true),
        () => physics.moveTo(e, 0, 0, 0, 1),
      ]) {
        expect(thrown(call).code).toBe("physics/no-body");
      }
      expect(physics.isSimulated(e)).toBe(false);
    }
    expect(thrown(() => physics.massOf(dead)).message).toContain("it was destroyed");
    expect(thrown(() => physics.massOf(bare)).message).toContain("it has no RigidBody");
    expect(thrown(() => physics.massOf({ id: bare })).message).toContain("it has no RigidBody");
    expect(thrown(() => physics.massOf({} as never)).message).toContain("an entity");
    physics.step(1 / 60);
  });
});

describe("createPhysics", () => {
  const space = () => createTransforms2D(createHierarchy(createWorld()));

  it("says that the engine must be awaited", () => {
    const error = thrown(() => createPhysics(space(), loadBox2D() as unknown as PhysicsEngine));
    expect(error.code).toBe("physics/engine-not-loaded");
    expect(error.message).toContain("the engine is still loading. Await it first");
    expect(thrown(() => createPhysics(space(), undefined as never)).code).toBe("physics/engine-not-loaded");
  });

  it("says when the engine cannot be loaded", async () => {
    const error = await loadBox2D({ locateFile: () => "/nowhere.wasm" }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "physics/engine-not-loaded", name: "EngineNotLoadedError" });
  });

  it.each([
    { unitsPerMetre: 0 },
    { gravity: { x: Number.NaN, y: 0 } },
    { substeps: 0 },
    { hitSpeed: -1 },
    { childBodies: "dynamic" as never },
    { onTeleport: "maybe" as never },
    { layers: [] },
    { layers: Array.from({ length: 65 }, (_, k) => `layer ${k}`) },
    { layers: ["twice", "twice"] },
  ])("refuses the options %j", (options) => {
    expect(thrown(() => createPhysics(space(), engine, options)).code).toBe("physics/invalid-options");
  });

  it("refuses more worlds than the engine holds", async () => {
    const own = await loadBox2D();
    const all = Array.from({ length: 128 }, () => createPhysics(space(), own));
    expect(thrown(() => createPhysics(space(), own)).code).toBe("physics/engine-limit");
    all[0]!.dispose();
    expect(createPhysics(space(), own).counts.bodies).toBe(0);
  });
});

describe("a collider", () => {
  it.each(dangerousKeys)("refuses the shape type %s, which every object has", (type) => {
    const { world } = stage();
    const shapes = [{ type }] as never;
    expect(thrown(() => world.spawn(Collider({ shapes }))).message).toContain(`its type is "${type}"`);
  });
});

describe("step", () => {
  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 61, 1e99])("refuses %s seconds", (dt) => {
    const { physics, ball, space } = stage();
    const e = ball(0, 0);
    expect(thrown(() => physics.step(dt)).code).toBe("physics/invalid-number");
    expect(space.localOf(e).y).toBe(0);
  });

  it("cannot be called from its callbacks, nor can dispose; queries can", () => {
    const codes: string[] = [];
    const { world, space, physics } = stage();
    const e = world.spawn(space.at(0, 0), RigidBody, circle);
    const end = observe(world, Transform2D, {
      set: () => {
        for (const call of [() => physics.step(1 / 60), () => physics.dispose(), () => physics.rebuild()])
          codes.push(thrown(call).code);
        expect(physics.velocityOf(e).y).toBeLessThan(0);
        physics.applyImpulse(e, 1, 0);
      },
    });
    physics.step(1 / 60);
    end();
    expect(codes).toEqual(["physics/busy", "physics/busy", "physics/busy"]);
    physics.step(1 / 60);
    expect(space.localOf(e).x).toBeGreaterThan(0);
    physics.dispose();
  });
});
