import { createCommands, destroyAll, type Entity } from "espalier";
import { createHistory, restoreSnapshot, takeSnapshot } from "espalier/history";
import { Active, HIDDEN, inheritComponents, Visibility } from "espalier/inherit";
import {
  Collider,
  type ColliderShape,
  createPhysics,
  Joint,
  physicsComponents,
  RigidBody,
  STATIC,
} from "espalier/physics";
import { createInterpolation } from "espalier/render";
import { clone, createSceneFormat } from "espalier/scene";
import { Transform2D, transformComponents } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { box, circle, engine, stage, thrown } from "./set-up.ts";

describe("a body", () => {
  it("is destroyed with its entity, its RigidBody or the parent of its colliders", () => {
    const { world, physics, ball, run } = stage();
    const e = ball(0, 0);
    run(1);
    world.remove(e, RigidBody);
    expect(physics.counts).toMatchObject({ bodies: 0, shapes: 0 });
    world.add(e, RigidBody);
    expect(physics.counts).toMatchObject({ bodies: 1, shapes: 1 });
    world.destroy(e);
    expect(physics.counts).toMatchObject({ bodies: 0, shapes: 0 });
  });

  it("is a new one for a new entity with the same index", () => {
    const { world, physics, space, ball, run } = stage();
    const first = ball(0, 0);
    run(30);
    world.destroy(first);
    const second = ball(50, 50);
    run(1);
    expect(physics.counts.bodies).toBe(1);
    expect(space.localOf(second).y).toBeGreaterThan(49.9);
    expect(thrown(() => physics.velocityOf(first)).code).toBe("physics/no-body");
  });

  it("is made by commands and many spawns alike", () => {
    const { world, physics, space } = stage();
    const commands = createCommands(world);
    commands.spawn(space.at(0, 0), RigidBody, circle);
    world.spawnMany(10, RigidBody, circle, Transform2D);
    expect(physics.counts.bodies).toBe(10);
    commands.flush();
    expect(physics.counts.bodies).toBe(11);
    destroyAll(world.query(RigidBody));
    expect(physics.counts.bodies).toBe(0);
  });

  it("is not simulated while its entity is inactive, and continues unchanged", () => {
    const { world, physics, space, ball, run } = stage();
    const e = ball(0, 10);
    run(30);
    const before = { ...space.localOf(e), velocity: physics.velocityOf(e) };
    world.add(e, Active({ on: false }));
    run(30);
    expect(physics.isSimulated(e)).toBe(false);
    expect(physics.overlapPoint(before.x, before.y)).toEqual([]);
    expect({ ...space.localOf(e), velocity: physics.velocityOf(e) }).toEqual(before);
    world.set(e, Active, { on: true });
    run(1);
    expect(physics.velocityOf(e).y).toBeCloseTo(before.velocity.y - 10 / 60, 3);
    expect(space.localOf(e).y).toBeLessThan(before.y);
  });

  it("loses the parts that are inactive, and gets them back", () => {
    const { world, tree, physics, space } = stage();
    const e = world.spawn(space.at(0, 0), RigidBody, box);
    const group = tree.attachNew(e, Active);
    tree.attachNew(group, space.at(0, 2), circle);
    expect(physics.counts.shapes).toBe(2);
    world.set(group, Active, { on: false });
    expect(physics.counts.shapes).toBe(1);
    world.set(group, Active, { on: true });
    expect(physics.counts.shapes).toBe(2);
  });

  it("stays when its entity is hidden", () => {
    const { world, physics, ball, run } = stage();
    const e = ball(0, 0);
    world.add(e, Visibility({ mode: HIDDEN }));
    run(1);
    expect(physics.isSimulated(e)).toBe(true);
  });

  it("can be switched off while a joint holds it", () => {
    const { world, physics, space, run } = stage();
    const post = world.spawn(space.at(0, 0), RigidBody({ type: STATIC }));
    const e = world.spawn(space.at(2, 0), RigidBody, box, Active);
    world.spawn(Joint({ a: post, b: e, anchorBX: -2 }));
    run(10);
    world.set(e, Active, { on: false });
    run(10);
    const { x, y } = space.localOf(e);
    world.set(e, Active, { on: true });
    run(30);
    expect(physics.counts.joints).toBe(1);
    expect(space.localOf(e)).not.toMatchObject({ x, y });
    expect(Math.hypot(space.localOf(e).x, space.localOf(e).y)).toBeCloseTo(2, 1);
  });
});

describe("an array of shapes", () => {
  it("that was changed in place is carried over once it is touched", () => {
    const { world, space, physics } = stage({ gravity: { x: 0, y: 0 } });
    const shapes: ColliderShape[] = [{ type: "circle", radius: 0.5 }];
    const e = world.spawn(space.at(0, 0), RigidBody, Collider({ shapes }));
    expect(physics.counts.shapes).toBe(1);
    shapes.push({ type: "circle", radius: 0.5, x: 2 });
    world.touch(e, Collider);
    expect(physics.overlapPoint(2, 0)).toEqual([{ entity: e, collider: e, shape: 1 }]);
  });
});

describe("interpolation", () => {
  it("shows a body between its positions of two steps", () => {
    const { tree, space, physics, ball } = stage({ gravity: { x: 0, y: 0 } });
    const e = ball(0, 0);
    const hat = tree.attachNew(e, space.at(0, 1));
    const interpolation = createInterpolation(space);
    physics.setVelocity(e, 60, 0);
    space.propagate();
    interpolation.keep();
    physics.step(1 / 60);
    space.propagate();
    expect(interpolation.worldOf(e, 0.25).x).toBeCloseTo(0.25, 4);
    expect(interpolation.worldOf(hat, 0.5).x).toBeCloseTo(0.5, 4);
    expect([...interpolation.moving()].sort()).toEqual([e, hat]);
  });
});

describe("undo", () => {
  it("restores bodies, shapes and joints, with the same entities", () => {
    const { world, physics, space, run } = stage();
    const history = createHistory(world, { implicit: false });
    const post = world.spawn(space.at(0, 0), RigidBody({ type: STATIC }));
    const e = world.spawn(space.at(2, 0), RigidBody, box);
    const joint = world.spawn(Joint({ a: post, b: e, anchorBX: -2 }));
    run(5);
    history.step("delete", () => {
      world.destroy(e);
      world.destroy(joint);
    });
    run(5);
    expect(physics.counts).toMatchObject({ bodies: 1, shapes: 0, joints: 0 });
    history.undo();
    run(5);
    expect(physics.counts).toMatchObject({ bodies: 2, shapes: 1, joints: 1 });
    expect(physics.isSimulated(e)).toBe(true);
    history.redo();
    run(1);
    expect(physics.counts).toMatchObject({ bodies: 1, shapes: 0, joints: 0 });
  });

  it("teleports back what was moved", () => {
    const { world, physics, space, ball, run } = stage({ gravity: { x: 0, y: 0 } });
    const history = createHistory(world, { implicit: false });
    const e = ball(0, 0);
    run(1);
    history.step("move", () => space.setPosition(e, 9, 0));
    expect(physics.overlapPoint(9, 0)).toHaveLength(1);
    history.undo();
    expect(physics.overlapPoint(9, 0)).toEqual([]);
    expect(physics.overlapPoint(0, 0)).toHaveLength(1);
  });

  it("of a removed shape changes the engine too", () => {
    const { world, physics, ball, run } = stage();
    const history = createHistory(world, { implicit: false });
    const e = ball(0, 0);
    run(1);
    const mass = physics.massOf(e);
    history.step("grow", () => world.set(e, Collider, { shapes: [{ type: "circle", radius: 1 }] }));
    expect(physics.massOf(e)).toBeCloseTo(mass * 4, 3);
    history.undo();
    expect(physics.massOf(e)).toBeCloseTo(mass, 5);
  });
});

describe("a snapshot", () => {
  it("with stored velocities leads to the same positions again after rebuild", () => {
    const { world, tree, physics, space, ground, ball, run } = stage();
    ground();
    const balls = Array.from({ length: 20 }, (_, k) => ball((k % 5) * 0.9, 2 + k));
    run(40);
    physics.storeVelocities();
    const taken = takeSnapshot(world, { trees: [tree] });
    physics.rebuild();
    run(60);
    const first = [physics.hash(), ...balls.map((e) => space.localOf(e))];
    run(50);
    restoreSnapshot(world, taken, { trees: [tree] });
    physics.rebuild();
    run(60);
    expect([physics.hash(), ...balls.map((e) => space.localOf(e))]).toEqual(first);
  });
});

describe("scenes and clones", () => {
  const format = createSceneFormat({
    components: [transformComponents, inheritComponents, physicsComponents],
  });

  it("carry bodies, shapes and joints", () => {
    const from = stage();
    const post = from.world.spawn(from.space.at(0, 0), RigidBody({ type: STATIC, velocityX: 0 }));
    const e = from.world.spawn(from.space.at(2, 0), RigidBody({ velocityX: 1 }), box);
    from.tree.attachNew(post, Joint({ b: e, anchorBX: -2 }));
    from.run(10);
    from.physics.storeVelocities();
    const text = format.save(from.tree);
    expect(text).toContain('"type": "static"');

    const to = stage();
    format.load(to.tree, text);
    to.run(1);
    expect(to.physics.counts).toMatchObject({ bodies: 2, shapes: 1, joints: 1 });
    from.physics.rebuild();
    from.run(1);
    expect(to.physics.hash()).toBe(from.physics.hash());
  });

  it("name what is wrong with a shape in a file", () => {
    const problems = format.check(
      '{ "entities": [{ "id": "a", "components": { "Collider": { "shapes": [{ "type": "circle", "radius": -1 }] } } }] }',
    );
    expect(problems[0]?.message).toContain("radius must not be negative, got -1");
  });

  it("are refused whole when a file has a body on a child", () => {
    const { tree, world, physics } = stage();
    const file = `{ "entities": [{ "id": "a", "components": { "Transform2D": {} }, "children": [
      { "id": "b", "components": { "Transform2D": {}, "RigidBody": {} } }
    ] }] }`;
    const error = thrown(() => format.load(tree, file));
    expect(error.message).toContain("RigidBody");
    expect(world.count).toBe(0);
    physics.step(1 / 60);
  });

  it("give a clone a body of its own", () => {
    const { tree, physics, space, world, run } = stage({ gravity: { x: 0, y: 0 } });
    const e = world.spawn(space.at(0, 0), RigidBody, box);
    tree.attachNew(e, space.at(0, 1), circle);
    run(1);
    const copy = clone(tree, e);
    space.setPosition(copy, 10, 0);
    expect(physics.counts).toMatchObject({ bodies: 2, shapes: 4 });
    expect(physics.overlapPoint(10, 1)[0]?.entity).toBe(copy);
  });
});

describe("many cycles", () => {
  it("of create and destroy leave bodies, shapes, joints and memory where they were", () => {
    const { world, tree, physics, space, run } = stage();
    const post = world.spawn(space.at(0, 0), RigidBody({ type: STATIC }), box);
    const reader = physics.contacts.reader();
    const cycle = (): void => {
      const list: Entity[] = [];
      for (let k = 0; k < 100; k++) {
        const e = world.spawn(space.at(k, 0.3), RigidBody, circle);
        tree.attachNew(e, space.at(0.5, 0), box);
        tree.attachNew(e, Joint({ b: post, kind: 2 }));
        list.push(e);
      }
      run(1);
      physics.castRayAll(0, 50, 0, -50);
      physics.overlapShape({ type: "circle", radius: 5 });
      physics.debugPicture();
      for (const e of list) world.destroy(e);
      run(1);
      reader.read();
    };
    for (let k = 0; k < 5; k++) cycle();
    const before = physics.counts;
    for (let k = 0; k < 100; k++) cycle();
    const after = physics.counts;
    expect({ ...after, bytes: 0 }).toEqual({ ...before, bytes: 0 });
    expect(after.bodies).toBe(1);
    expect(Math.abs(after.bytes - before.bytes)).toBeLessThan(4096);
  });

  it("of physics leave the engine's memory where it was", () => {
    const bytes: number[] = [];
    for (let k = 0; k < 200; k++) {
      const { world, space, physics } = stage();
      world.spawn(space.at(0, 0), RigidBody, circle);
      physics.step(1 / 60);
      bytes.push(physics.counts.bytes);
      physics.dispose();
    }
    expect(bytes.at(-1)).toBe(bytes[1]);
  });
});

describe("dispose", () => {
  it("may be called twice, and after the world's", () => {
    const { world, space, physics } = stage();
    world.spawn(space.at(0, 0), RigidBody, circle);
    physics.step(1 / 60);
    physics.dispose();
    physics.dispose();
    expect(thrown(() => physics.step(1 / 60)).code).toBe("physics/disposed");
    expect(thrown(() => physics.counts).code).toBe("physics/disposed");
    const other = stage();
    other.world.dispose();
    other.physics.dispose();
    expect(createPhysics(stage().space, engine).counts.bodies).toBe(0);
  });
});
