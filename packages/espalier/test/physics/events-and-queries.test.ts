import {
  Collider,
  type Found,
  KINEMATIC,
  type Physics,
  type QueryOptions,
  RigidBody,
  STATIC,
} from "espalier/physics";
import { describe, expect, it } from "vitest";
import { box, circle, stage, thrown } from "./set-up.ts";

describe("contacts", () => {
  it("report which entities began and stopped touching, with the colliders' entities", () => {
    const { world, tree, space, physics, ground, run } = stage();
    const floor = ground();
    const ship = world.spawn(space.at(0, 3), RigidBody, box);
    const leg = tree.attachNew(ship, space.at(0, -1), circle);
    const reader = physics.contacts.reader();
    run(120);
    const [first] = reader.read();
    const sides = first!.a === floor ? [first!.b, first!.colliderB] : [first!.a, first!.colliderA];
    expect(first!.type).toBe("began");
    expect(sides).toEqual([ship, leg]);
    space.setPosition(ship, 0, 20);
    run(1);
    expect(reader.read().map(({ type }) => type)).toContain("ended");
  });

  it("end when a body is destroyed, and still name it", () => {
    const { world, physics, ground, ball, run } = stage();
    ground();
    const e = ball(0, 0.5);
    const reader = physics.contacts.reader();
    run(5);
    expect(reader.read()).toHaveLength(1);
    world.destroy(e);
    const later = ball(0, 0.5);
    run(2);
    const events = reader.read();
    expect(events.map(({ type, a, b }) => [type, a === e || b === e, a === later || b === later])).toEqual([
      ["ended", true, false],
      ["began", false, true],
    ]);
  });

  it("are not requested without readers", () => {
    const { physics, ground, ball, run } = stage();
    ground();
    ball(0, 0.5);
    run(5);
    expect(physics.contacts.reader().read()).toEqual([]);
  });
});

describe("hits", () => {
  it("give position, direction and speed of fast meetings", () => {
    const { physics, ground, ball, run } = stage();
    const floor = ground();
    const e = ball(3, 5);
    const reader = physics.hits.reader();
    run(70);
    const [hit] = reader.read();
    expect([hit!.a, hit!.b].sort()).toEqual([floor, e].sort());
    expect(hit!.x).toBeCloseTo(3, 3);
    expect(Math.abs(hit!.normalY)).toBeCloseTo(1, 3);
    expect(hit!.speed).toBeGreaterThan(8);
  });
});

describe("sensors", () => {
  it("report what enters and leaves, and stop nothing", () => {
    const { world, space, physics, run } = stage({ gravity: { x: 0, y: 0 } });
    const gate = world.spawn(
      space.at(5, 0),
      RigidBody({ type: STATIC }),
      Collider({ shapes: [{ type: "box", width: 1, height: 4, sensor: true }] }),
    );
    const e = world.spawn(space.at(0, 0), RigidBody({ velocityX: 10 }), circle);
    const reader = physics.sensors.reader();
    run(90);
    expect(reader.read().map(({ type, a, b }) => [type, a, b])).toEqual([
      ["entered", gate, e],
      ["left", gate, e],
    ]);
    expect(space.localOf(e).x).toBeGreaterThan(14);
  });
});

describe("queries", () => {
  const zone = (sensor: boolean) =>
    Collider({ shapes: [{ type: "box", width: 4, height: 4, sensor, layer: "zone" }] });

  /** Every query of the physics, at a point where a sensor and, behind it, a solid box are. */
  function everyQuery(physics: Physics, options?: QueryOptions): Record<string, number[]> {
    const entities = (found: readonly Found[]) => found.map(({ entity }) => entity).sort((a, b) => a - b);
    const first = physics.castRay(-10, 0, 10, 0, options);
    return {
      castRay: first === undefined ? [] : [first.entity],
      castRayAll: entities(physics.castRayAll(-10, 0, 10, 0, options)),
      castShape: entities(physics.castShape({ type: "circle", radius: 0.1 }, { x: -10 }, 20, 0, options)),
      overlapShape: entities(physics.overlapShape({ type: "circle", radius: 0.1 }, { x: 0 }, options)),
      overlapPoint: entities(physics.overlapPoint(0, 0, options)),
    };
  }

  it("find no sensors, unless these are requested", () => {
    const { world, space, physics } = stage({ gravity: { x: 0, y: 0 }, layers: ["world", "zone"] });
    const sensor = world.spawn(space.at(0, 0), RigidBody({ type: STATIC }), zone(true));
    const wall = world.spawn(space.at(1, 0), RigidBody({ type: STATIC }), box);
    expect(everyQuery(physics)).toEqual({
      castRay: [wall],
      castRayAll: [wall],
      castShape: [wall],
      overlapShape: [],
      overlapPoint: [],
    });
    expect(everyQuery(physics, { layers: ["zone"], sensors: false }).castRayAll).toEqual([]);
    expect(everyQuery(physics, { sensors: true })).toEqual({
      castRay: [sensor],
      castRayAll: [sensor, wall],
      castShape: [sensor, wall],
      overlapShape: [sensor],
      overlapPoint: [sensor],
    });
    expect(everyQuery(physics, { sensors: true, ignore: [sensor] }).castRayAll).toEqual([wall]);
  });

  it("follow a shape that becomes a sensor, and one that ceases to be one", () => {
    const { world, space, physics } = stage({ gravity: { x: 0, y: 0 }, layers: ["world", "zone"] });
    const e = world.spawn(space.at(0, 0), RigidBody({ type: STATIC }), zone(false));
    expect(everyQuery(physics).castRayAll).toEqual([e]);
    world.add(e, zone(true));
    expect(everyQuery(physics).castRayAll).toEqual([]);
    physics.rebuild();
    expect(everyQuery(physics).castRayAll).toEqual([]);
    world.add(e, zone(false));
    expect(everyQuery(physics).overlapPoint).toEqual([e]);
  });

  it("refuse a value of sensors that is not a boolean", () => {
    const { physics } = stage();
    const options = { sensors: 1 } as unknown as QueryOptions;
    expect(thrown(() => physics.castRay(0, 0, 1, 1, options)).code).toBe("ecs/invalid-option");
  });
});

describe("layers", () => {
  const options = { layers: ["world", "player", "ghost"] };

  it("keep shapes from colliding that exclude each other", () => {
    const { world, space, ground, run } = stage(options);
    ground();
    const ghost = world.spawn(
      space.at(0, 2),
      RigidBody,
      Collider({ shapes: [{ type: "circle", radius: 0.5, layer: "ghost", collidesWith: ["player"] }] }),
    );
    const player = world.spawn(
      space.at(5, 2),
      RigidBody,
      Collider({ shapes: [{ type: "circle", radius: 0.5, layer: "player" }] }),
    );
    run(120);
    expect(space.localOf(ghost).y).toBeLessThan(-5);
    expect(space.localOf(player).y).toBeCloseTo(0.5, 1);
  });

  it("are overruled by groups", () => {
    const { world, space, ground, run } = stage(options);
    ground();
    const shapes = [{ type: "circle", radius: 0.5, group: -1 } as const];
    const a = world.spawn(space.at(0, 0.5), RigidBody, Collider({ shapes }));
    const b = world.spawn(space.at(0, 0.6), RigidBody, Collider({ shapes }));
    run(60);
    expect(space.localOf(a).x).toBeCloseTo(space.localOf(b).x, 3);
  });

  it("narrow queries", () => {
    const { world, space, physics } = stage({ ...options, gravity: { x: 0, y: 0 } });
    const wall = world.spawn(space.at(2, 0), RigidBody({ type: STATIC }), box);
    const player = world.spawn(
      space.at(4, 0),
      RigidBody,
      Collider({ shapes: [{ type: "circle", radius: 0.5, layer: "player" }] }),
    );
    expect(physics.castRay(0, 0, 10, 0)?.entity).toBe(wall);
    expect(physics.castRay(0, 0, 10, 0, { layers: ["player"] })?.entity).toBe(player);
    expect(physics.castRay(0, 0, 10, 0, { ignore: [wall] })?.entity).toBe(player);
    expect(physics.castRay(0, 0, 10, 0, { layers: [] })).toBeUndefined();
    expect(thrown(() => physics.castRay(0, 0, 1, 1, { layers: ["plyer"] })).code).toBe(
      "physics/unknown-layer",
    );
  });

  it("can be 64, and no more", () => {
    const names = Array.from({ length: 64 }, (_, k) => `layer ${k}`);
    const { world, space, physics } = stage({ layers: names });
    const e = world.spawn(
      space.at(0, 0),
      RigidBody,
      Collider({ shapes: [{ type: "circle", radius: 1, layer: "layer 63" }] }),
    );
    expect(physics.overlapPoint(0, 0, { layers: ["layer 63"] })[0]?.entity).toBe(e);
    expect(physics.overlapPoint(0, 0, { layers: ["layer 31"] })).toEqual([]);
    expect(thrown(() => stage({ layers: [...names, "one more"] })).code).toBe("physics/invalid-options");
    expect(thrown(() => stage({ layers: ["a", "a"] })).code).toBe("physics/invalid-options");
  });
});

describe("queries", () => {
  it("give everything that a ray hits, nearest first", () => {
    const { world, space, physics } = stage({ gravity: { x: 0, y: 0 } });
    const far = world.spawn(space.at(8, 0), RigidBody, box);
    const near = world.spawn(space.at(3, 0), RigidBody, circle);
    const hits = physics.castRayAll(0, 0, 10, 0);
    expect(hits.map(({ entity }) => entity)).toEqual([near, far]);
    expect(hits[0]).toMatchObject({ x: 2.5, y: 0, normalX: -1, fraction: 0.25 });
  });

  it("see changes that no step has seen", () => {
    const { world, space, physics } = stage();
    const e = world.spawn(space.at(0, 0), RigidBody, circle);
    expect(physics.overlapPoint(0, 0)).toHaveLength(1);
    space.setPosition(e, 5, 0);
    expect(physics.overlapPoint(0, 0)).toEqual([]);
    expect(physics.overlapPoint(5, 0)).toHaveLength(1);
    world.destroy(e);
    expect(physics.overlapPoint(5, 0)).toEqual([]);
  });

  it("cast shapes through the world, and find what they overlap", () => {
    const { world, space, physics } = stage({ unitsPerMetre: 10 });
    const wall = world.spawn(
      space.at(50, 0),
      RigidBody({ type: STATIC }),
      Collider({ shapes: [{ type: "box", width: 10, height: 100 }] }),
    );
    const crate = { type: "box", width: 10, height: 10 } as const;
    const [hit] = physics.castShape(crate, { x: 0, y: 0 }, 100, 0);
    expect(hit!.entity).toBe(wall);
    expect(hit!.fraction).toBeCloseTo(0.4, 2);
    expect(physics.overlapShape(crate, { x: 41, y: 0 }).map(({ entity }) => entity)).toEqual([wall]);
    expect(physics.overlapShape(crate, { x: 30, y: 0 })).toEqual([]);
    expect(physics.overlapShape({ type: "circle", radius: 6 }, { x: 40, y: 0 })).toHaveLength(1);
    expect(thrown(() => physics.overlapShape({ type: "circle", radius: -1 })).code).toBe(
      "physics/invalid-shape",
    );
    expect(thrown(() => physics.castRay(0, Number.NaN, 1, 1)).code).toBe("physics/invalid-number");
  });

  it("hit every kind of shape", () => {
    const { world, space, physics } = stage();
    const shapes = [
      { type: "box", width: 1, height: 1, x: 0, rotation: 0.3, radius: 0.1 },
      { type: "circle", radius: 0.5, x: 3 },
      { type: "capsule", x1: 6, y1: -0.5, x2: 6, y2: 0.5, radius: 0.3 },
      {
        type: "polygon",
        points: [
          { x: 9, y: -1 },
          { x: 8, y: -1 },
          { x: 9, y: 1 },
        ],
      },
      { type: "segment", x1: 12, y1: -1, x2: 12, y2: 1 },
      {
        type: "chain",
        points: [
          { x: 15, y: -1 },
          { x: 15, y: 1 },
        ],
      },
      {
        type: "chain",
        loop: true,
        points: [
          { x: 18, y: -1 },
          { x: 20, y: -1 },
          { x: 20, y: 1 },
          { x: 18, y: 1 },
        ],
      },
    ] as const;
    world.spawn(space.at(0, 0), RigidBody({ type: STATIC }), Collider({ shapes }));
    const met = physics.castRayAll(25, 0.01, -5, 0.01).map(({ shape }) => shape);
    expect(met).toEqual([6, 5, 4, 3, 2, 1, 0]);
    expect(physics.counts.bodies).toBe(1);
  });

  it("find the material and the layer of a chain on each of its segments", () => {
    const { world, space, run, physics } = stage({ layers: ["ground", "ghost"] });
    const points = [
      { x: 50, y: 0 },
      { x: 0, y: 0 },
      { x: -50, y: 0 },
    ];
    const chain = { type: "chain", points, friction: 1, restitution: 1, collidesWith: ["ground"] } as const;
    world.spawn(space.at(0, 0), RigidBody({ type: STATIC }), Collider({ shapes: [chain] }));
    const crate = { type: "box", width: 1, height: 1, friction: 1 } as const;
    const sliding = world.spawn(
      space.at(10, 0.5),
      RigidBody({ velocityX: 5 }),
      Collider({ shapes: [crate] }),
    );
    const ghost = world.spawn(
      space.at(-10, 0.5),
      RigidBody,
      Collider({ shapes: [{ ...crate, layer: "ghost" }] }),
    );
    const ball = world.spawn(space.at(-20, 3), RigidBody, circle);
    const hits = physics.hits.reader();
    run(90);
    expect(Math.abs(physics.velocityOf(sliding).x)).toBeLessThan(0.5);
    expect(space.localOf(ghost).y).toBeLessThan(-3);
    expect(hits.read().some(({ a, b }) => a === ball || b === ball)).toBe(true);
    expect(space.localOf(ball).y).toBeGreaterThan(1);
  });

  it("let bodies slide along a chain that runs right to left, with y up", () => {
    const { world, space, run, ball } = stage();
    const points = [
      { x: 10, y: 0 },
      { x: 4, y: 0.5 },
      { x: 0, y: 0 },
      { x: -5, y: 1 },
    ];
    world.spawn(
      space.at(0, 0),
      RigidBody({ type: KINEMATIC }),
      Collider({ shapes: [{ type: "chain", points }] }),
    );
    const e = ball(-3, 3);
    run(300);
    expect(space.localOf(e).y).toBeGreaterThan(0);
  });
});
