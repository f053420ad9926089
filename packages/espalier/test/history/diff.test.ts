import { component, createWorld, type Entity, entityRef, f32, f64, object, string, tag } from "espalier";
import { attachMany, attachNewAt, createHierarchy } from "espalier/hierarchy";
import {
  DuplicateKeyError,
  diff,
  type KeyFunction,
  takeSnapshot,
  UnsupportedValueError,
} from "espalier/history";
import { claim, stateOf } from "espalier/internal";
import { describe, expect, it } from "vitest";

const Position = component("Position", { x: f32(), y: f64() });
const Id = component("Id", { id: string() });
const Target = component("Target", { at: entityRef() });
const Bag = component("Bag", { items: object((): unknown => null) });
const Frozen = tag("Frozen");
const byId: KeyFunction = (entity, state) => state.get(entity, "Id")?.id as string | undefined;

/** A world with a tree whose entities have ids. */
function scene() {
  const world = createWorld();
  const tree = createHierarchy(world);
  const make = (id: string, parent: Entity | null = null) => {
    const entity = tree.attachNew(parent, Id({ id }));
    return entity;
  };
  return { world, tree, make, source: { world, trees: [tree] } };
}

describe("diff", () => {
  it("is empty for equal states", () => {
    const { source, make, world } = scene();
    world.add(make("a"), Position({ x: Number.NaN }));
    expect(diff(source, source)).toEqual([]);
    expect(diff(takeSnapshot(world, source), source)).toEqual([]);
  });

  it("lists what was added, removed, moved, reordered and set", () => {
    const { world, tree, make, source } = scene();
    const [a, b, c, d] = [make("a"), make("b"), make("c"), make("d")];
    tree.attach(b, a);
    world.add(c, Position({ x: 1 }), Frozen);
    const before = takeSnapshot(world, source);
    tree.attach(b, d);
    world.set(c, Position, { y: Number.POSITIVE_INFINITY });
    world.remove(c, Frozen);
    tree.setName(c, "crate");
    world.destroy(a);
    const e = attachNewAt(tree, d, { at: "first" }, Id({ id: "e" }), Target({ at: c }));
    expect(diff(before, source)).toEqual([
      { op: "remove", id: a, tree: "tree" },
      {
        op: "add",
        id: e,
        components: { Id: { id: "e" }, Target: { at: c } },
        positions: { tree: { parent: d, after: null } },
      },
      { op: "move", id: b, tree: "tree", parent: d, after: e },
      { op: "set", id: c, component: "Position", values: { y: "Infinity" } },
      { op: "set", id: c, component: "Frozen", values: null },
      { op: "set", id: c, tree: "tree", name: "crate" },
    ]);
  });

  it("moves one entry when one child moved, even in a long list", () => {
    const { tree, make, world, source } = scene();
    const top = make("top");
    const children = Array.from({ length: 1000 }, (_, k) => make(`${k}`, top));
    const before = takeSnapshot(world, source);
    tree.moveChild(children[10] as Entity, 700);
    expect(diff(before, source)).toEqual([
      { op: "reorder", id: children[10], tree: "tree", after: children[700] },
    ]);
  });

  it("removes a subtree with one entry, and saves what moved out of it", () => {
    const { world, tree, make, source } = scene();
    const [tank, turret, gun, hut] = [make("tank"), make("turret"), make("gun"), make("hut")];
    tree.attach(turret, tank);
    tree.attach(gun, turret);
    const before = takeSnapshot(world, source);
    tree.attach(gun, hut);
    world.destroy(tank);
    const patch = diff(before, source);
    expect(patch).toEqual([
      { op: "remove", id: tank, tree: "tree" },
      { op: "move", id: gun, tree: "tree", parent: hut, after: null },
    ]);
  });

  it("compares worlds by keys, and leaves out what has none", () => {
    const [old, next] = [scene(), scene()];
    const [a, b] = [old.make("a"), old.make("b")];
    old.tree.attach(b, a);
    old.world.add(b, Target({ at: a }));
    old.world.spawn(Frozen);
    // The other world has other handles.
    next.world.spawnMany(5);
    const b2 = next.make("b");
    const a2 = next.make("a");
    next.tree.attach(b2, a2);
    next.world.add(b2, Target({ at: a2 }));
    expect(diff(old.source, next.source, { key: byId })).toEqual([]);
    const c2 = next.make("c", a2);
    next.world.set(b2, Target, { at: c2 });
    expect(diff(old.source, next.source, { key: byId })).toEqual([
      {
        op: "add",
        id: "c",
        components: { Id: { id: "c" } },
        positions: { tree: { parent: "a", after: "b" } },
      },
      { op: "set", id: "b", component: "Target", values: { at: "c" } },
    ]);
  });

  it("leaves out reserved components, and those that are excluded", () => {
    const Secret = component("Secret", { n: f32() }, { reserved: "its owner" });
    const { world, make, source } = scene();
    const owner = claim(stateOf(world), Secret);
    const a = make("a");
    const before = takeSnapshot(world, source);
    owner.add(a, { n: 1 });
    world.add(a, Position, Frozen);
    expect(diff(before, source, { components: (name) => name === "Frozen" })).toEqual([
      { op: "set", id: a, component: "Frozen", values: {} },
    ]);
    expect(diff(before, source).map((entry) => "component" in entry && entry.component)).toEqual([
      "Position",
      "Frozen",
    ]);
  });

  it("compares snapshots of a subtree", () => {
    const { world, tree, make, source } = scene();
    const [top, a, b] = [make("top"), make("a"), make("b")];
    attachMany(tree, [a, b], top);
    const before = takeSnapshot(world, { ...source, root: top });
    tree.moveChild(b, 0);
    tree.attach(top, make("new parent"));
    const after = takeSnapshot(world, { ...source, root: top });
    expect(diff(before, after)).toEqual([{ op: "reorder", id: b, tree: "tree", after: null }]);
  });

  it("refuses what it cannot compare", () => {
    const { world, tree, make, source } = scene();
    const [a, b] = [make("same"), make("same")];
    expect(() => diff(source, source, { key: byId })).toThrow(DuplicateKeyError);
    expect(() => diff(source, source, { key: byId })).toThrow(
      'Cannot distinguish #1 and #2: both have the key "same". Give each a key of its own, or none. [history/duplicate-key]',
    );
    world.set(b, Id, { id: "b" });
    tree.attach(b, tree.attachNew(a));
    expect(() => diff(scene().source, source, { key: byId })).toThrow(
      'Cannot say where "b" belongs in tree: its parent has no key. Give the parent one, or leave both out. [history/invalid-patch]',
    );
    expect(() => diff(source, { world })).toThrow(
      "Cannot compare states with different hierarchies: one has tree, the other none. Include the same in both. [history/snapshot-mismatch]",
    );
    const before = takeSnapshot(world, source);
    world.add(a, Bag({ items: Symbol("no") }));
    expect(() => diff(before, source)).toThrow(UnsupportedValueError);
    expect(() => diff(before, source)).toThrow("Cannot write Bag.items of #1: it is a symbol.");
    const other = createWorld();
    other.spawn(component("Id", { id: f32() }));
    expect(() => diff({ world: other }, { world }, { key: () => 1 })).toThrow();
  });
});
