import { createCommands, createWorld, observeEntities, tag } from "espalier";
import {
  attachAll,
  attachMany,
  ConstraintError,
  checkTree,
  constrain,
  createHierarchy,
  detachChildren,
  detachMany,
  dissolve,
  forbidOnChildren,
  hierarchyCommands,
  insertChildren,
  isolate,
  replaceChildren,
  requireOnParent,
  setParent,
  spawnTree,
  swap,
} from "espalier/hierarchy";
import { describe, expect, it } from "vitest";
import { drawn, plant, thrown } from "./planting.ts";

const Body = tag("Body");
const Wheel = tag("Wheel");
const Axle = tag("Axle");

describe("forbidOnChildren", () => {
  it("is called on attach, on adding the component and on creating with it", () => {
    const { world, tree, e } = plant("p(a) b");
    constrain(tree, forbidOnChildren(world, Body));
    world.add(e.b!, Body);
    const error = thrown(() => tree.attach(e.b!, e.p!)) as ConstraintError;
    expect(error).toBeInstanceOf(ConstraintError);
    expect(error.constraint).toBe("forbidOnChildren(Body)");
    expect(error.message).toBe(
      "Cannot attach b#3 to p#1: Body is allowed on roots only (constraint forbidOnChildren(Body) of tree). [hierarchy/constraint]",
    );
    expect(thrown(() => world.add(e.a!, Body)).message).toBe(
      "Cannot add Body to a#2: Body is allowed on roots only (constraint forbidOnChildren(Body) of tree). [hierarchy/constraint]",
    );
    expect(thrown(() => tree.attachNew(e.p!, Body)).message).toBe(
      "Cannot create an entity with Body under p#1: Body is allowed on roots only (constraint forbidOnChildren(Body) of tree). [hierarchy/constraint]",
    );
    expect(drawn(tree)).toBe("p(a) b");
    expect(world.count).toBe(3);
    world.spawn(Body);
    tree.attachNew(null, Body);
    tree.detach(e.a!);
    world.add(e.a!, Body);
  });

  it("is called by every call that attaches, and nothing changes when it refuses", () => {
    const { world, tree, e } = plant("p(a) b c d");
    world.add(e.b!, Body);
    constrain(tree, forbidOnChildren(world, Body));
    const before = drawn(tree);
    for (const call of [
      () => tree.attach(e.b!, e.p!),
      () => setParent(tree, e.b!, e.p!),
      () => attachMany(tree, [e.c!, e.b!], e.p!),
      () => insertChildren(tree, e.p!, 0, [e.c!, e.b!]),
      () =>
        attachAll(tree, [
          [e.c!, e.p!],
          [e.b!, e.c!],
        ]),
      () => replaceChildren(tree, e.p!, [e.c!, e.b!]),
      () => swap(tree, e.a!, e.b!),
      () => spawnTree(tree, { children: [{}, { with: [Body] }] }, e.p!),
    ]) {
      expect(call).toThrow(ConstraintError);
      expect(drawn(tree)).toBe(before);
      expect(world.count).toBe(5);
    }
    expect(tree.canAttach(e.b!, e.p!)).toBe(false);
    // If only the position among siblings changes, no constraint is called.
    expect(tree.moveChild(e.b!, "first")).toBe(true);
  });

  it("does not affect entities that violate it already, and can be removed", () => {
    const { world, tree, e } = plant("p(a)");
    world.add(e.a!, Body);
    const end = constrain(tree, forbidOnChildren(world, Body));
    expect(drawn(tree)).toBe("p(a)");
    tree.detach(e.a!);
    expect(() => tree.attach(e.a!, e.p!)).toThrow(ConstraintError);
    end();
    tree.attach(e.a!, e.p!);
    world.remove(e.a!, Body);
    world.add(e.a!, Body);
  });
});

describe("requireOnParent", () => {
  it("is called on attach, detach and component add", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    constrain(tree, requireOnParent(world, Wheel, Axle));
    const axle = world.spawn(Axle);
    const body = world.spawn();
    const wheel = tree.attachNew(axle, Wheel);
    for (const [entity, name] of [
      [axle, "axle"],
      [body, "car"],
      [wheel, "wheel"],
    ] as const)
      tree.setName(entity, name);
    expect(thrown(() => tree.attach(wheel, body)).message).toBe(
      "Cannot attach wheel#3 to car#2: Wheel needs a parent with Axle, and car#2 has no Axle. Add Axle to car#2 first, or choose a parent that has it (constraint requireOnParent(Wheel, Axle) of tree). [hierarchy/constraint]",
    );
    expect(thrown(() => tree.detach(wheel)).message).toBe(
      "Cannot detach wheel#3: Wheel needs a parent with Axle, and a root has no parent. Attach it to another entity that has Axle, or remove Wheel first (constraint requireOnParent(Wheel, Axle) of tree). [hierarchy/constraint]",
    );
    for (const call of [
      () => tree.attach(wheel, null),
      () => detachMany(tree, [wheel]),
      () => detachChildren(tree, axle),
      () => isolate(tree, wheel),
      () => dissolve(tree, axle),
      () => replaceChildren(tree, axle, [body]),
      () => tree.destroy(axle, { children: "orphan" }),
    ]) {
      expect(call).toThrow(ConstraintError);
      expect(tree.childrenOf(axle)).toEqual([wheel]);
    }
    expect(thrown(() => world.spawn(Wheel)).message).toBe(
      "Cannot create an entity with Wheel as a root: Wheel needs a parent with Axle, and a root has no parent. Create it below an entity that has Axle, with attachNew() (constraint requireOnParent(Wheel, Axle) of tree). [hierarchy/constraint]",
    );
    expect(thrown(() => world.add(body, Wheel)).message).toBe(
      "Cannot add Wheel to car#2: Wheel needs a parent with Axle, and a root has no parent. Attach car#2 to an entity that has Axle first (constraint requireOnParent(Wheel, Axle) of tree). [hierarchy/constraint]",
    );
    expect(thrown(() => tree.attachNew(body, Wheel)).message).toBe(
      "Cannot create an entity with Wheel under car#2: Wheel needs a parent with Axle, and car#2 has no Axle. Add Axle to car#2 first, or choose a parent that has it (constraint requireOnParent(Wheel, Axle) of tree). [hierarchy/constraint]",
    );
    const child = tree.attachNew(axle);
    world.add(child, Wheel);
    expect(tree.childCount(axle)).toBe(2);
    world.destroy(axle);
    expect(world.count).toBe(1);
  });

  it("lets roots have a component that needs the same one on the parent, and holds below them", () => {
    const { world, tree, e } = plant("root(gap(leaf)) other");
    constrain(tree, requireOnParent(world, Body));
    expect(thrown(() => world.add(e.gap!, Body)).message).toBe(
      "Cannot add Body to gap#2: Body needs a parent with Body, and root#1 has no Body. Add Body to root#1 first, or choose a parent that has it (constraint requireOnParent(Body, Body) of tree). [hierarchy/constraint]",
    );
    world.add(e.root!, Body);
    world.add(e.gap!, Body);
    world.add(e.leaf!, Body);
    expect(() => tree.attach(e.leaf!, e.other!)).toThrow("Add Body to other#4 first");
    expect(tree.detach(e.leaf!)).toBe(true);
    expect(tree.isRoot(world.spawn(Body))).toBe(true);
  });

  it("works through commands, which use the parent at the flush", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    constrain(tree, requireOnParent(world, Wheel, Axle));
    const axle = world.spawn(Axle);
    const buffer = createCommands(world);
    const later = hierarchyCommands(tree, buffer);
    const wheel = later.attachNew(axle, Wheel);
    const { named } = later.spawnTree({
      name: "second",
      with: [Axle],
      children: [{ name: "wheel", with: [Wheel] }],
    });
    const result = buffer.flush();
    expect([result.skipped, result.refused]).toEqual([[], []]);
    expect(tree.childrenOf(axle)).toEqual([wheel]);
    expect(tree.parentOf(named.wheel)).toBe(named.second);
    expect(() => world.spawn(Wheel)).toThrow(ConstraintError);
  });
});

describe("custom constraints", () => {
  it("give a reason, and receive the child and the new parent", () => {
    const { world, tree, e } = plant("p(a b) q");
    constrain(tree, {
      name: "at most one below q",
      attach: (_child, parent) => (parent === e.q && tree.childCount(e.q!) > 0 ? "q is taken" : undefined),
    });
    tree.attach(e.a!, e.q!);
    expect(thrown(() => tree.attach(e.b!, e.q!)).message).toBe(
      "Cannot attach b#3 to q#4: q is taken (constraint at most one below q of tree). [hierarchy/constraint]",
    );
    expect(() => tree.attachNew(e.q!)).toThrow("q is taken");
    expect(world.count).toBe(4);
    expect(drawn(tree)).toBe("p(b) q(a)");
  });

  it("are called for new entities when they have their components, and observers find no trace of a refused one", () => {
    const { world, tree, e } = plant("p");
    const seen: string[] = [];
    observeEntities(world, { spawn: () => seen.push("spawn"), destroy: () => seen.push("destroy") });
    constrain(tree, {
      name: "no wheels",
      attach: (child) => (world.has(child, Wheel) ? "no wheels here" : undefined),
    });
    expect(() => tree.attachNew(e.p!, Wheel)).toThrow("no wheels here");
    expect(seen).toEqual([]);
    const next = tree.attachNew(e.p!);
    expect(next & 0x3fffff).toBe(2);
    expect(checkTree(tree)).toEqual([]);
  });

  it("let observers of a new entity find it attached, and destroy or move it", () => {
    const { world, tree, e } = plant("p q");
    constrain(tree, { name: "any", attach: () => undefined });
    const end = observeEntities(world, { spawn: (entity) => void world.destroy(entity) });
    const dead = tree.attachNew(e.p!);
    expect(world.isAlive(dead)).toBe(false);
    end();
    observeEntities(world, { spawn: (entity) => void tree.attach(entity, e.q!) });
    const moved = tree.attachNew(e.p!);
    expect(tree.parentOf(moved)).toBe(e.q);
    expect(checkTree(tree)).toEqual([]);
  });

  it("hold in their own hierarchy only", () => {
    const world = createWorld();
    const strict = createHierarchy(world, { name: "strict" });
    const loose = createHierarchy(world, { name: "loose" });
    constrain(strict, forbidOnChildren(world, Body));
    const [a, b] = [world.spawn(Body), world.spawn()];
    loose.attach(a, b);
    expect(() => strict.attach(a, b)).toThrow("of strict");
  });
});
