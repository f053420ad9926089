import { createCommands, createWorld, type Entity, indexOf } from "espalier";
import { attachMany, createHierarchy, Ghost, hierarchyCommands } from "espalier/hierarchy";
import { Active } from "espalier/inherit";
import {
  type BodyOnChildError,
  Collider,
  createPhysics,
  DYNAMIC,
  KINEMATIC,
  physicsComponents,
  RigidBody,
} from "espalier/physics";
import { createSceneFormat } from "espalier/scene";
import { createTransforms2D, InheritTransform, Transform2D, transformComponents } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { refused } from "../testing.ts";
import { box, circle, engine, type Stage, stage, thrown } from "./set-up.ts";

describe("a body on a child", () => {
  it("is refused when it is added, with both names and three ways out", () => {
    const { world, tree, space } = stage();
    const tank = world.spawn(space.at(0, 0));
    const turret = tree.attachNew(tank, space.at(0, 1));
    tree.setName(tank, "tank");
    tree.setName(turret, "turret");
    const { message, name } = refused(world, () => world.add(turret, RigidBody, circle));
    expect(name).toBe("BodyOnChildError");
    expect(message).toBe(
      'Cannot add a RigidBody to turret#2 under tank#1: the engine moves a body in the world, and tank#1 would move it too. Either keep it a root, or below folders without a transform, and connect the two with a Joint, or give it a Collider without a RigidBody, which becomes a shape of the body above it, or allow kinematic children with createPhysics(…, { childBodies: "kinematic" }). [physics/child-body]',
    );
  });

  it("is refused when the child is created", () => {
    const { world, tree, space } = stage();
    const tank = world.spawn(space.at(0, 0));
    expect(refused(world, () => tree.attachNew(tank, space.at(0, 1), RigidBody, circle)).name).toBe(
      "BodyOnChildError",
    );
    expect(tree.childCount(tank)).toBe(0);
  });

  it("is refused when an entity with a body is attached, and nothing changes", () => {
    const { world, tree, space, ball, physics } = stage();
    const tank = world.spawn(space.at(0, 0));
    const e = ball(1, 1);
    physics.sync();
    const error = refused(world, () => tree.attach(e, tank));
    expect(error.name).toBe("BodyOnChildError");
    expect(error.message).toContain("Cannot attach #2 to #1");
    expect(tree.parentOf(e)).toBeNull();
    expect(tree.canAttach(e, tank)).toBe(false);
    expect(refused(world, () => attachMany(tree, [e], tank)).name).toBe("BodyOnChildError");
  });

  it("is refused before the first step where it was there before the physics", () => {
    const other = stage();
    const tank = other.world.spawn(other.space.at(0, 0));
    other.physics.dispose();
    const turret = other.tree.attachNew(tank, other.space.at(0, 1), RigidBody, circle);
    const late = createPhysics(other.space, engine);
    const error = thrown(() => late.step(1 / 60));
    expect(error.code).toBe("physics/child-body");
    expect(error.entities).toEqual([turret, tank]);
  });

  it("may be anywhere again once the physics is disposed of", () => {
    const { world, tree, space, physics } = stage();
    const tank = world.spawn(space.at(0, 0));
    physics.dispose();
    const turret = tree.attachNew(tank, space.at(0, 1), RigidBody);
    expect(world.has(turret, RigidBody)).toBe(true);
  });
});

describe("a body below folders and ghosts", () => {
  it("falls, rests and turns as a root does, bit by bit", () => {
    const positions = [0, 1, 2].map((depth) => {
      const { world, tree, space, ground, physics, run } = stage();
      ground();
      // A ghost has a transform here, which does not count.
      const folders = [world.spawn(), world.spawn(Transform2D({ x: 50, scaleX: 3 }), Ghost)];
      tree.attach(folders[1]!, folders[0]!);
      const parent = depth === 0 ? null : folders[depth - 1]!;
      const e = tree.attachNew(parent, space.at(0.3, 4, 0.4), RigidBody({ velocityX: 2 }), box);
      run(100);
      space.propagate();
      const { x, y, rotation } = space.localOf(e);
      expect(space.worldPosition(e)).toEqual({ x, y });
      expect(physics.overlapPoint(x, y).map(({ entity }) => entity)).toEqual([e]);
      return [x, y, rotation, physics.hash()];
    });
    expect(positions[0]![1]).toBeLessThan(1);
    expect([positions[1]!.slice(0, 3), positions[2]!.slice(0, 3)]).toEqual([
      positions[0]!.slice(0, 3),
      positions[0]!.slice(0, 3),
    ]);
  });

  it.each([
    ["is topLevel", { topLevel: true }],
    ["inherits nothing", { position: false, rotation: false, scale: false }],
  ])("falls below a moved parent as a root does, where it %s", (_name, mask) => {
    const positions = [false, true].map((isCut) => {
      const { world, tree, space, ground, run } = stage();
      ground();
      const owner = world.spawn(space.at(50, 9, 1));
      const parent = isCut ? owner : null;
      const e = tree.attachNew(parent, space.at(0.3, 4, 0.4), InheritTransform(mask), box);
      world.add(e, RigidBody({ velocityX: 2 }));
      run(50);
      space.setPosition(owner, 80, 3);
      run(50);
      const { x, y, rotation } = space.localOf(e);
      if (isCut) {
        expect(() => world.set(e, InheritTransform, { position: true, topLevel: false })).toThrow(
          "physics/child-body",
        );
        world.remove(e, InheritTransform);
        expect(() => run(1)).toThrow("physics/child-body");
        world.add(e, InheritTransform(mask));
        run(1);
      }
      return [x, y, rotation];
    });
    expect(positions[1]).toEqual(positions[0]);
  });

  it("is created in one call with the cut of its link, whichever is given first", () => {
    const { world, tree, space, physics, run } = stage();
    const owner = world.spawn(space.at(50, 9));
    const cut = InheritTransform({ topLevel: true });
    const buffer = createCommands(world);
    const dolls = [
      tree.attachNew(owner, space.at(0, 5), cut, RigidBody, box),
      tree.attachNew(owner, RigidBody, box, cut, space.at(3, 5)),
      tree.attachNew(owner, space.at(6, 5)),
      hierarchyCommands(tree, buffer).attachNew(owner, RigidBody, box, cut, space.at(9, 5)),
    ];
    world.add(dolls[2]!, RigidBody, box, cut);
    buffer.flush();
    run(1);
    expect(dolls.map((doll) => physics.isSimulated(doll))).toEqual([true, true, true, true]);

    const linked = InheritTransform({ rotation: false, scale: false });
    for (const init of [InheritTransform, linked, InheritTransform({ topLevel: undefined as never })]) {
      const spawn = () => tree.attachNew(owner, space.at(0, 1), init, RigidBody, box);
      expect(refused(world, spawn).message).toContain("physics/child-body");
      // Adding what is there repositions all of its values.
      expect(refused(world, () => world.add(dolls[0]!, init)).message).toContain("physics/child-body");
      expect(refused(world, () => world.add(dolls[0]!, RigidBody, init)).message).toContain(
        "physics/child-body",
      );
    }
  });

  it("is loaded from a scene file with the cut of its link, in whichever order the file has them", () => {
    const { tree, physics } = stage();
    const format = createSceneFormat({ components: [physicsComponents, transformComponents] });
    const shapes = [{ type: "circle", radius: 1 }];
    const scene = format.load(
      tree,
      JSON.stringify({
        entities: [
          {
            id: "owner",
            components: { Transform2D: { x: 50 } },
            children: [
              {
                id: "doll",
                components: {
                  RigidBody: {},
                  Collider: { shapes },
                  Transform2D: { x: 3 },
                  InheritTransform: { topLevel: true },
                },
              },
            ],
          },
        ],
      }),
    );
    physics.step(1 / 60);
    expect(physics.isSimulated(scene.entity("doll"))).toBe(true);
  });

  it("keeps its velocity when it moves from one folder to another, or becomes a root", () => {
    const { world, tree, space, physics, run } = stage({ gravity: { x: 0, y: 0 } });
    const [near, far] = [world.spawn(), world.spawn()];
    const e = tree.attachNew(near, space.at(0, 0), RigidBody({ velocityX: 6 }), circle);
    run(1);
    for (const parent of [far, null, near]) {
      tree.attach(e, parent);
      run(1);
      expect(physics.velocityOf(e).x).toBeCloseTo(6, 4);
    }
    expect(space.localOf(e).x).toBeCloseTo(0.4, 4);
  });

  it("is off while a folder above it is, and is destroyed with it", () => {
    const { world, tree, space, physics, run } = stage();
    const level = world.spawn();
    const enemies = tree.attachNew(level);
    const e = tree.attachNew(enemies, space.at(0, 0), RigidBody, circle);
    run(1);
    world.add(level, Active({ on: false }));
    const { y } = space.localOf(e);
    run(10);
    expect([physics.overlapPoint(0, 0), space.localOf(e).y]).toEqual([[], y]);
    world.set(level, Active, { on: true });
    run(1);
    expect(physics.overlapPoint(0, 0)).toHaveLength(1);
    const off = world.spawn(Active({ on: false }));
    tree.attach(e, off);
    expect(physics.overlapPoint(0, 0)).toEqual([]);
    tree.attach(e, enemies);
    expect(physics.overlapPoint(0, 0)).toHaveLength(1);
    world.destroy(level);
    expect(physics.counts.bodies).toBe(0);
  });

  it("carries kinematic children of its own", () => {
    const { world, tree, space, run } = stage({ childBodies: "kinematic", gravity: { x: 0, y: 0 } });
    const level = world.spawn();
    const ship = tree.attachNew(level, space.at(0, 0), RigidBody({ velocityX: 60 }), circle);
    const sword = tree.attachNew(ship, space.at(2, 0), RigidBody({ type: KINEMATIC }), circle);
    const crate = world.spawn(space.at(6, 0), RigidBody, circle);
    run(10);
    expect(space.worldPosition(sword).x - space.worldPosition(ship).x).toBeCloseTo(2, 4);
    expect(space.localOf(crate).x).toBeGreaterThan(8);
  });

  it("costs nothing elsewhere: folders 100,000 levels deep are attached one by one", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    createPhysics(createTransforms2D(tree), engine);
    const folders = world.spawnMany(100_000);
    for (let k = 1; k < folders.length; k++) tree.attach(folders[k]!, folders[k - 1]!);
    let last = folders.at(-1)!;
    for (let k = 0; k < 100; k++) last = tree.attachNew(last);
    expect(tree.depthOf(last)).toBe(100_099);
  });

  it("is refused where a folder is itself below something that moves", () => {
    const { world, tree, space } = stage();
    const tank = world.spawn(space.at(0, 0));
    const crew = tree.attachNew(tank);
    tree.setName(tank, "tank");
    tree.setName(crew, "crew");
    const error = refused(world, () => tree.attachNew(crew, space.at(0, 1), RigidBody, circle));
    expect(error.message).toContain(
      "Cannot create an entity with a RigidBody under crew#2: the engine moves a body in the world, and tank#1 would move it too.",
    );
    const free = world.spawn(space.at(0, 0), RigidBody, circle);
    expect(refused(world, () => tree.attach(free, crew)).name).toBe("BodyOnChildError");
  });

  it("is not brought below something that moves by its folder", () => {
    const { world, tree, space, physics } = stage({ childBodies: "kinematic" });
    const tank = world.spawn(space.at(0, 0));
    const folder = world.spawn();
    const ghost = tree.attachNew(folder, Transform2D({ x: 5 }), Ghost);
    const e = tree.attachNew(ghost, space.at(1, 0), RigidBody, circle);
    tree.setName(folder, "folder");
    physics.sync();
    const error = refused(world, () => tree.attach(folder, tank));
    expect(error.message).toContain("Cannot attach folder#2, with the body #4 below it, to #1: the engine");
    expect((error as BodyOnChildError).entities).toEqual([e, tank]);
    world.set(e, RigidBody, { type: KINEMATIC });
    tree.attach(folder, tank);
    space.setPosition(tank, 100, 0);
    physics.step(1 / 60);
    expect(physics.overlapPoint(101, 0)).toHaveLength(1);
    expect(refused(world, () => world.set(e, RigidBody, { type: DYNAMIC })).name).toBe("BodyOnChildError");
  });

  it.each<[string, (stage: Stage, folder: Entity) => void]>([
    ["gets a transform", ({ space }, folder) => space.setPosition(folder, 1, 1)],
    ["is no ghost any more", ({ world }, folder) => world.remove(folder, Ghost)],
  ])("refuses the next step when its folder %s, and continues when that is put right", (_, change) => {
    const made = stage();
    const { world, tree, space, physics, run } = made;
    const folder = world.spawn(...(_ === "gets a transform" ? [] : [space.at(1, 1), Ghost]));
    const e = tree.attachNew(folder, space.at(0, 5), RigidBody, circle);
    run(1);
    change(made, folder);
    const error = thrown(() => physics.step(1 / 60));
    expect([error.code, error.entities]).toEqual(["physics/child-body", [e, folder]]);
    world.add(folder, Ghost);
    const { y } = space.localOf(e);
    run(1);
    expect(space.localOf(e).y).toBeLessThan(y);
  });
});

describe("kinematic children", () => {
  const options = { childBodies: "kinematic", gravity: { x: 0, y: 0 } } as const;

  it("follow their world transform, and push what is in their way", () => {
    const { world, tree, space, ball, run } = stage(options);
    const crane = world.spawn(space.at(0, 0));
    const hook = tree.attachNew(crane, space.at(2, 0), RigidBody({ type: KINEMATIC }), box);
    const crate = ball(4, 0);
    for (let k = 0; k < 60; k++) {
      space.setPosition(crane, k / 30, 0);
      run(1);
    }
    expect(space.localOf(hook)).toMatchObject({ x: 2, y: 0, rotation: 0 });
    expect(space.localOf(crate).x).toBeGreaterThan(4.8);
  });

  it("follow rotation of their parents, and do not move when these do", () => {
    const { world, tree, space, physics, run } = stage(options);
    const crane = world.spawn(space.at(0, 0));
    const hook = tree.attachNew(crane, space.at(3, 0), RigidBody({ type: KINEMATIC }), box);
    run(1);
    space.setRotation(crane, Math.PI / 2);
    run(3);
    expect(physics.overlapPoint(0, 3).map(({ entity }) => entity)).toEqual([hook]);
    expect(physics.overlapPoint(3, 0)).toEqual([]);
    expect(physics.velocityOf(hook)).toEqual({ x: 0, y: 0 });
    run(60);
    expect(physics.overlapPoint(0, 3)).toHaveLength(1);
  });

  it("take part in sensors", () => {
    const { world, tree, space, physics, run } = stage(options);
    world.spawn(
      space.at(5, 0),
      RigidBody({ type: KINEMATIC }),
      Collider({ shapes: [{ type: "circle", radius: 1, sensor: true }] }),
    );
    const crane = world.spawn(space.at(0, 0));
    const hook = tree.attachNew(crane, space.at(0, 0), RigidBody({ type: KINEMATIC }), circle);
    const reader = physics.sensors.reader();
    run(2);
    space.setPosition(crane, 5, 0);
    run(2);
    expect(reader.read().map(({ type, b }) => [type, b])).toEqual([["entered", hook]]);
  });

  it("become roots and children again, where the tree puts them", () => {
    const { world, tree, space, physics, run } = stage(options);
    const crane = world.spawn(space.at(10, 0));
    const hook = tree.attachNew(crane, space.at(2, 0), RigidBody({ type: KINEMATIC }), box);
    run(1);
    tree.detach(hook, { keep: "world" });
    run(1);
    space.setPosition(crane, 50, 0);
    run(1);
    expect(physics.overlapPoint(12, 0)).toHaveLength(1);
    tree.attach(hook, crane);
    space.setPosition(hook, 2, 0);
    run(1);
    expect(physics.overlapPoint(52, 0)).toHaveLength(1);
  });

  it("must be kinematic", () => {
    const { world, tree, space, physics } = stage(options);
    const crane = world.spawn(space.at(0, 0));
    expect(refused(world, () => tree.attachNew(crane, space.at(0, 0), RigidBody, box)).message).toContain(
      "make the body KINEMATIC",
    );
    const hook = tree.attachNew(crane, space.at(2, 0), RigidBody({ type: KINEMATIC }), box);
    physics.step(1 / 60);
    expect(refused(world, () => world.set(hook, RigidBody, { type: DYNAMIC })).message).toContain(
      "Cannot change the type of the body of #2 under #1",
    );
    world.columns(RigidBody).type[indexOf(hook)] = DYNAMIC;
    world.touch(hook, RigidBody);
    expect(thrown(() => physics.step(1 / 60)).code).toBe("physics/child-body");
    world.columns(RigidBody).type[indexOf(hook)] = KINEMATIC;
    world.touch(hook, RigidBody);
    physics.step(1 / 60);
  });

  it("are where the tree has them after each step, whatever the body above them does", () => {
    const { world, tree, space, physics, ground } = stage({ ...options, gravity: { x: 0, y: -10 } });
    ground();
    const car = world.spawn(space.at(0, 4, 0.4), RigidBody({ velocityX: 6, angularVelocity: 5 }), box);
    const arm = tree.attachNew(car, space.at(2, 1, 0.3));
    const hand = tree.attachNew(arm, space.at(1, 0), RigidBody({ type: KINEMATIC }), circle);
    for (let k = 0; k < 60; k++) {
      physics.step(1 / 60);
      const { x, y } = space.worldPosition(hand);
      const shape = physics.debugPicture().shapes.at(-1)!;
      expect(shape.form).toBe("circle");
      expect(shape.points[0]).toBeCloseTo(x, 4);
      expect(shape.points[1]).toBeCloseTo(y, 4);
    }
    expect(space.localOf(car).y).toBeLessThan(3);
  });

  it("push with the velocity of the body that carries them", () => {
    const { world, tree, space, physics, run } = stage({ ...options, gravity: { x: 0, y: 0 } });
    const car = world.spawn(space.at(0, 0), RigidBody({ velocityX: 3, type: KINEMATIC }), box);
    const shovel = tree.attachNew(car, space.at(1, 0), RigidBody({ type: KINEMATIC }), box);
    const crate = world.spawn(space.at(2.2, 0), RigidBody, box);
    run(1);
    expect(physics.velocityOf(shovel).x).toBeCloseTo(3, 2);
    run(60);
    expect(space.localOf(crate).x).toBeGreaterThan(4.5);
    expect(physics.velocityOf(crate).x).toBeGreaterThan(2.5);
    physics.setVelocity(car, 0, 0);
    run(3);
    expect(physics.velocityOf(shovel)).toEqual({ x: 0, y: 0 });
  });
});

describe("colliders below a body", () => {
  it("are shapes of that body", () => {
    const { world, tree, space, physics, run } = stage({ gravity: { x: 0, y: 0 } });
    const ship = world.spawn(space.at(0, 0), RigidBody, box);
    const wing = tree.attachNew(ship, space.at(0, 3));
    const tip = tree.attachNew(wing, space.at(2, 0), circle);
    expect(physics.counts).toMatchObject({ bodies: 1, shapes: 2 });
    expect(physics.overlapPoint(2, 3)).toEqual([{ entity: ship, collider: tip, shape: 0 }]);
    expect(physics.massOf(ship)).toBeCloseTo(1 + Math.PI * 0.25, 4);
    space.setRotation(wing, Math.PI / 2);
    expect(physics.overlapPoint(2, 3)).toEqual([]);
    expect(physics.overlapPoint(0, 5)[0]?.collider).toBe(tip);
    physics.setVelocity(ship, 6, 0);
    run(60);
    expect(physics.overlapPoint(6, 5)[0]?.collider).toBe(tip);
  });

  it("are not recreated when only the body moves", () => {
    const { world, tree, space, physics, run } = stage();
    const ship = world.spawn(space.at(0, 0), RigidBody({ angularVelocity: 3 }), box);
    const tip = tree.attachNew(ship, space.at(0.1, 0.7, 0.3), circle);
    const reader = physics.contacts.reader();
    world.spawn(space.at(0, -1.2), RigidBody, box);
    run(1);
    for (let k = 0; k < 50; k++) {
      run(1);
      world.spawn(); // the tree changes, its relevant part does not
    }
    const ended = reader
      .read()
      .filter(({ type, colliderA, colliderB }) => type === "ended" && [colliderA, colliderB].includes(tip));
    expect(ended.length).toBeLessThan(3);
  });

  it("go with edits of the tree to the body they are under", () => {
    const { world, tree, space, physics } = stage({ gravity: { x: 0, y: 0 } });
    const a = world.spawn(space.at(0, 0), RigidBody, box);
    const b = world.spawn(space.at(10, 0), RigidBody, box);
    const part = tree.attachNew(a, space.at(0, 2), circle);
    expect(physics.overlapPoint(0, 2)[0]?.entity).toBe(a);
    tree.attach(part, b);
    expect(physics.overlapPoint(0, 2)).toEqual([]);
    expect(physics.overlapPoint(10, 2)[0]).toEqual({ entity: b, collider: part, shape: 0 });
    tree.detach(part);
    expect(physics.counts.shapes).toBe(2);
    world.add(part, RigidBody);
    expect(physics.overlapPoint(0, 2)[0]?.entity).toBe(part);
    tree.destroy(a);
    expect(physics.counts).toMatchObject({ bodies: 2, shapes: 2 });
  });

  it("belong to the next body above when theirs loses its RigidBody", () => {
    const { world, tree, space, physics } = stage({ childBodies: "kinematic", gravity: { x: 0, y: 0 } });
    const root = world.spawn(space.at(0, 0), RigidBody, box);
    const middle = tree.attachNew(root, space.at(0, 2), RigidBody({ type: KINEMATIC }), box);
    const part = tree.attachNew(middle, space.at(0, 2), circle);
    expect(physics.overlapPoint(0, 4)[0]).toMatchObject({ entity: middle, collider: part });
    world.remove(middle, RigidBody);
    expect(physics.overlapPoint(0, 4)[0]).toMatchObject({ entity: root, collider: part });
    expect(physics.overlapPoint(0, 2)[0]).toMatchObject({ entity: root, collider: middle });
  });

  it("may be all the shapes a dynamic body has", () => {
    const { world, tree, space, physics, run } = stage();
    const root = world.spawn(space.at(0, 0), RigidBody);
    const part = tree.attachNew(root, space.at(0, 2), circle);
    run(1);
    expect(physics.counts.shapes).toBe(1);
    world.remove(part, Collider);
    expect(thrown(() => physics.step(1 / 60)).code).toBe("physics/no-shapes");
  });

  it("scale and mirror with what is between them and the body", () => {
    const { world, tree, space, physics } = stage({ gravity: { x: 0, y: 0 } });
    const root = world.spawn(space.at(0, 0), RigidBody, box);
    const middle = tree.attachNew(root, Transform2D({ x: 4, scaleX: -2, scaleY: 2 }));
    const part = tree.attachNew(
      middle,
      space.at(0, 0),
      Collider({
        shapes: [
          {
            type: "polygon",
            points: [
              { x: 0, y: 0 },
              { x: 1, y: 0 },
              { x: 0, y: 1 },
            ],
          },
        ],
      }),
    );
    expect(physics.overlapPoint(2.5, 0.3)[0]?.collider).toBe(part);
    expect(physics.overlapPoint(4.5, 0.3)).toEqual([]);
    world.set(middle, Transform2D, { scaleX: 0 });
    expect(physics.counts.shapes).toBe(1);
    world.set(middle, Transform2D, { scaleX: 2 });
    expect(physics.overlapPoint(4.5, 0.3)[0]?.collider).toBe(part);
  });
});
