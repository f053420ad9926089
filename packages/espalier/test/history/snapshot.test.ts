import {
  changesOf,
  checkWorld,
  component,
  createCommands,
  createWorld,
  type Entity,
  f32,
  object,
  observeEntities,
  resource,
  string,
} from "espalier";
import { attachMany, checkTree, createHierarchy, createUpHierarchy, spawnTree } from "espalier/hierarchy";
import {
  createHistory,
  fromJson,
  HistoryConflictError,
  type Json,
  restoreSnapshot,
  takeSnapshot,
  UnsupportedValueError,
} from "espalier/history";
import { destroyAlone, stateOf as internals } from "espalier/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { components, operation, perform, plant, Score, stateOf, violations } from "./random-world.ts";

const Position = component("Position", { x: f32(), y: f32() });
const Bag = component("Bag", { items: object((): unknown => null) });

describe("a snapshot", () => {
  it("restores a random world, and makes an empty one equal to it", () => {
    const part = fc.array(operation, { maxLength: 60 });
    fc.assert(
      fc.property(part, part, fc.boolean(), (before, after, listened) => {
        const forest = plant();
        for (const each of before) perform(forest, each);
        const options = { trees: [...forest.trees, forest.up], resources: [Score] };
        if (listened) for (const each of components) changesOf(forest.world, each);
        const state = stateOf(forest);
        const snapshot = takeSnapshot(forest.world, options);
        for (const each of after) perform(forest, each);
        restoreSnapshot(forest.world, snapshot, options);
        // A resource that was not set then stays as it is.
        const { score } = state as { score: unknown };
        const compared = (it: unknown) => ({ ...(it as object), score: score === undefined ? 0 : score });
        expect(compared(stateOf(forest))).toEqual(compared(state));
        expect(violations(forest)).toEqual([]);

        const other = plant();
        restoreSnapshot(other.world, snapshot, {
          trees: [...other.trees, other.up],
          resources: [Score],
          components,
        });
        // Queries give archetypes in the order in which the world met them.
        const sorted = (it: unknown) => ({ ...(it as object), orders: 0, all: 0 });
        expect(sorted(stateOf(other))).toEqual(sorted(state));
        expect(violations(other)).toEqual([]);
        expect(
          takeSnapshot(other.world, { trees: [...other.trees, other.up], resources: [Score] }).byteLength,
        ).toBe(snapshot.byteLength);
        for (const each of after) {
          perform(forest, each);
          perform(other, each);
        }
        expect(other.world.entities()).toEqual(forest.world.entities());
      }),
      { numRuns: 80, seed: 2 },
    );
  });

  it.each([true, false])(
    "leaves no parent behind that another entity could become, the tree listed: %s",
    (isListed) => {
      const world = createWorld();
      const up = createUpHierarchy(world);
      const history = createHistory(world);
      const options = isListed ? { trees: [up] } : {};
      const child = world.spawn();
      const snapshot = takeSnapshot(world, options);
      const parent = world.spawn();
      history.step("attach", () => void up.attach(child, parent));
      history.step("restore", () => restoreSnapshot(world, snapshot, options));
      expect(up.parentOf(child)).toBeNull();
      // Indices are as they were then, so that the next entity has the handle of the one that is gone.
      expect(world.spawn()).toBe(parent);
      expect(up.parentOf(child)).toBeNull();
      expect(checkWorld(world)).toEqual([]);
      history.undo();
      history.undo();
      expect(up.parentOf(child)).toBe(parent);
      expect(checkWorld(world)).toEqual([]);
    },
  );

  it("can be undone and redone where there is a history", () => {
    const part = fc.array(operation, { maxLength: 60 });
    fc.assert(
      fc.property(part, part, (before, after) => {
        const forest = plant();
        const options = { trees: [...forest.trees, forest.up] };
        for (const each of before) perform(forest, each);
        const snapshot = takeSnapshot(forest.world, options);
        const restored = stateOf(forest);
        for (const each of after) perform(forest, each);
        const state = stateOf(forest);
        const history = createHistory(forest.world);
        const keepScore = (it: unknown) => ({ ...(it as object), score: 0 });
        history.step("Restore", () => restoreSnapshot(forest.world, snapshot, options));
        expect(keepScore(stateOf(forest))).toEqual(keepScore(restored));
        history.undo();
        expect(stateOf(forest)).toEqual(state);
        history.redo();
        expect(keepScore(stateOf(forest))).toEqual(keepScore(restored));
        history.undo();
        expect(stateOf(forest)).toEqual(state);
        expect(violations(forest)).toEqual([]);
      }),
      { numRuns: 60, seed: 4 },
    );
  });

  it("reports the differences and nothing else", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const [a, b, c] = world.spawnMany(3, Position, Bag({ items: { deep: [1] } })) as [Entity, Entity, Entity];
    attachMany(tree, [b, c], a);
    const snapshot = takeSnapshot(world, { trees: [tree] });
    world.set(b, Position, { x: 5 });
    world.set(c, Bag, { items: { deep: [2] } });
    tree.moveChild(c, 0);
    const [positions, bags, events] = [
      changesOf(world, Position),
      changesOf(world, Bag),
      tree.events.reader(),
    ];
    restoreSnapshot(world, snapshot, { trees: [tree] });
    expect(positions.read()).toEqual({ added: [], changed: [b], removed: [] });
    expect(bags.read()).toEqual({ added: [], changed: [c], removed: [] });
    expect(events.read()).toMatchObject([{ type: "reordered", parent: a }]);
    restoreSnapshot(world, snapshot, { trees: [tree] });
    expect([positions.read(), bags.read()]).toEqual([
      { added: [], changed: [], removed: [] },
      { added: [], changed: [], removed: [] },
    ]);
  });

  it("keeps objects and strings exactly", () => {
    const Text = component("Text", { text: string() });
    const values: unknown[] = [
      { left: undefined },
      null,
      Number.NaN,
      -0,
      Number.NEGATIVE_INFINITY,
      2n ** 70n,
      "half \ud800 pair",
      [1, [undefined, { a: null }]],
      { $: "number", value: "NaN" },
      JSON.parse('{ "__proto__": { "evil": true }, "constructor": 1 }'),
      new Date(5),
      new Date(Number.NaN),
      new Map<unknown, unknown>([[{ k: 1 }, new Set([1, "1"])]]),
      new Float32Array([1.5, Number.NaN, -0]),
      new Uint8ClampedArray([1, 2]),
      new Uint8Array([7]).buffer,
    ];
    const texts = ["", "\ufeffbom", "äöü 🌳", "\ud83c", "\udf33", "nul\0", "a".repeat(1000)];
    const world = createWorld();
    for (const items of values) world.spawn(Bag({ items }));
    for (const text of texts) world.spawn(Text({ text }));
    const other = createWorld();
    restoreSnapshot(other, takeSnapshot(world), { components: [Bag, Text] });
    const found = other
      .query(Bag)
      .ids()
      .map((entity) => other.get(entity, Bag)?.items);
    expect(found).toEqual(values);
    expect(Object.is(found[3], -0)).toBe(true);
    expect(Object.hasOwn(found[9] as object, "__proto__")).toBe(true);
    expect(
      other
        .query(Text)
        .ids()
        .map((entity) => other.get(entity, Text)?.text),
    ).toEqual(texts);
  });

  it("writes values of 200 levels, and reads no deeper ones, which could not be written again", () => {
    const layers = {
      array: [(value: unknown) => [value], (json: Json) => [json]],
      set: [(value: unknown) => new Set([value]), (json: Json) => ({ $: "set", value: [json] })],
      map: [(value: unknown) => new Map([[1, value]]), (json: Json) => ({ $: "map", value: [[1, json]] })],
      object: [(value: unknown) => ({ $: value }), (json: Json) => ({ $: "object", value: [["$", json]] })],
    } as const;
    for (const [deeper, deeperJson] of Object.values(layers)) {
      let value: unknown = Number.NaN;
      let json: Json = { $: "number", value: "NaN" };
      for (let k = 0; k < 200; k++) {
        value = deeper(value);
        json = deeperJson(json) as Json;
      }
      expect(fromJson(json)).toEqual(value);
      const world = createWorld();
      world.spawn(Bag({ items: value }));
      const other = createWorld();
      restoreSnapshot(other, takeSnapshot(world), { components: [Bag] });
      expect(other.get(other.query(Bag).ids()[0] as Entity, Bag)?.items).toEqual(value);
      expect(() => fromJson(deeperJson(json) as Json)).toThrow("nested more than 200 levels deep");
      world.spawn(Bag({ items: deeper(value) }));
      expect(() => takeSnapshot(world)).toThrow("nested more than 200 levels deep");
    }
    let endless: Json = 1;
    for (let k = 0; k < 50_000; k++) endless = { $: "map", value: [endless] };
    expect(() => fromJson(endless)).toThrow("takes an array of pairs");
  });

  it("says which value it cannot write, and takes a codec for it", () => {
    class Vector {
      x = 1;
      length() {
        return Math.abs(this.x);
      }
    }
    const world = createWorld();
    const e = world.spawn(Bag({ items: { at: new Vector() } }));
    expect(() => takeSnapshot(world)).toThrow(UnsupportedValueError);
    expect(() => takeSnapshot(world)).toThrow(
      "Cannot write Bag.items of #1: it is an instance of Vector. Give a codec for it, or keep plain data there. [history/unsupported-value]",
    );
    const ring: unknown[] = [];
    ring.push([ring]);
    world.set(e, Bag, { items: ring });
    expect(() => takeSnapshot(world)).toThrow("it contains itself");
    let deep: unknown = 0;
    for (let k = 0; k < 300; k++) deep = [deep];
    world.set(e, Bag, { items: deep });
    expect(() => takeSnapshot(world)).toThrow("it is nested more than 200 levels deep");
    world.set(e, Bag, { items: () => 1 });
    expect(() => takeSnapshot(world)).toThrow("it is a function");

    world.set(e, Bag, { items: new Vector() });
    const codecs = {
      "Bag.items": {
        encode: (value: unknown) => (value instanceof Vector ? { x: value.x } : value),
        decode: (data: unknown) => Object.assign(new Vector(), data),
      },
    };
    const snapshot = takeSnapshot(world, { codecs });
    world.destroy(e);
    restoreSnapshot(world, snapshot, { codecs });
    const restored = world.get(e, Bag)?.items;
    expect(restored instanceof Vector && restored.length()).toBe(1);
  });

  it("holds resources that are given", () => {
    const Time = resource<{ now: number }>("Time");
    const world = createWorld();
    world.setResource(Time, { now: 5 });
    const snapshot = takeSnapshot(world, { resources: [Time] });
    world.setResource(Time, { now: 6 });
    restoreSnapshot(world, snapshot, { resources: [Time] });
    expect(world.resource(Time)).toEqual({ now: 5 });
    expect(() => restoreSnapshot(world, snapshot)).toThrow(
      "Cannot restore resource Time: it was not given. Give it in resources, as to takeSnapshot(). [history/snapshot-mismatch]",
    );
  });

  it("keeps entities that a hierarchy outside the snapshot, or an observer before it, would destroy with their parents", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const history = createHistory(world);
    const [a, b, c] = world.spawnMany(3, Position) as [Entity, Entity, Entity];
    tree.attach(b, a);
    const snapshot = takeSnapshot(world);
    const [late, later] = world.spawnMany(2, Position) as [Entity, Entity];
    tree.attach(later, late);
    tree.attach(a, later);
    history.commit();
    observeEntities(world, { destroying: (entity) => void (entity === later && world.destroy(c)) });
    restoreSnapshot(world, snapshot);
    expect(world.entities()).toEqual([a, b, c]);
    expect([tree.parentOf(a), tree.parentOf(b)]).toEqual([null, a]);
    expect([...checkWorld(world), ...checkTree(tree)]).toEqual([]);
    history.undo();
    expect([tree.parentOf(later), tree.parentOf(a), tree.parentOf(b)]).toEqual([late, later, a]);
    expect(world.isAlive(c)).toBe(true);
    expect([...checkWorld(world), ...checkTree(tree)]).toEqual([]);
  });

  it("of a chain of 150,000 levels costs its length", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    let last = world.spawn(Position);
    const first = last;
    for (let k = 1; k < 150_000; k++) last = tree.attachNew(last, Position({ x: k }));
    const snapshot = takeSnapshot(world, { trees: [tree] });
    const branch = takeSnapshot(world, { trees: [tree], root: first });
    world.destroy(first);
    restoreSnapshot(world, snapshot, { trees: [tree] });
    expect(tree.depthOf(last)).toBe(149_999);
    world.destroy(first);
    restoreSnapshot(world, branch, { trees: [tree] });
    expect(tree.depthOf(last)).toBe(149_999);
    const other = createWorld();
    const otherTree = createHierarchy(other);
    restoreSnapshot(other, snapshot, { trees: [otherTree], components: [Position] });
    expect(otherTree.depthOf(last)).toBe(149_999);
  });
});

describe("a snapshot of a subtree", () => {
  function level() {
    const world = createWorld();
    const tree = createHierarchy(world);
    const owner = createUpHierarchy(world);
    const { named } = spawnTree(tree, {
      name: "level",
      children: [
        { name: "hut" },
        { name: "tank", with: [Position({ x: 1 })], children: [{ name: "turret" }, { name: "hatch" }] },
        { name: "oak" },
      ],
    });
    owner.attach(named.turret, named.hut);
    return { world, tree, owner, ...named, options: { trees: [tree, owner] } };
  }

  it("is restored at its position with its ids, and leaves the rest unchanged", () => {
    const { world, tree, owner, options, level: top, hut, tank, turret, hatch, oak } = level();
    const snapshot = takeSnapshot(world, { ...options, root: tank });
    world.destroy(tank);
    tree.setName(hut, "house");
    restoreSnapshot(world, snapshot, options);
    expect(tree.childrenOf(top)).toEqual([hut, tank, oak]);
    expect(tree.childrenOf(tank)).toEqual([turret, hatch]);
    expect(owner.parentOf(turret)).toBe(hut);
    expect([tree.nameOf(hut), tree.nameOf(hatch)]).toEqual(["house", "hatch"]);
    expect(world.get(tank, Position)).toEqual({ x: 1, y: 0 });
    expect([...checkWorld(world), ...checkTree(tree)]).toEqual([]);
  });

  it("reverts entities that entered or left it", () => {
    const { world, tree, options, hut, tank, turret, hatch } = level();
    const snapshot = takeSnapshot(world, { ...options, root: tank });
    tree.attachNew(turret);
    const guest = tree.attachNew(tank);
    tree.attach(hatch, hut);
    tree.moveChild(tank, "last");
    restoreSnapshot(world, snapshot, options);
    expect([world.isAlive(guest), tree.childrenOf(tank), tree.indexOf(tank)]).toEqual([
      false,
      [turret, hatch],
      1,
    ]);
    expect([tree.childrenOf(hut), tree.childrenOf(turret)]).toEqual([[], []]);
  });

  it("is refused where an index is taken or a rule is broken, and changes nothing", () => {
    const { world, tree, options, tank, level: top } = level();
    const snapshot = takeSnapshot(world, { ...options, root: tank });
    world.destroy(tank);
    const others = [world.spawn(), world.spawn()];
    const before = world.entities();
    expect(() => restoreSnapshot(world, snapshot, options)).toThrow(HistoryConflictError);
    expect(() => restoreSnapshot(world, snapshot, options)).toThrow(
      /Cannot bring back #\d: its index is taken by #\d, which is not part of the snapshot\. \[history\/conflict\]/,
    );
    expect([world.entities(), tree.childCount(top)]).toEqual([before, 2]);
    for (const other of others.reverse()) destroyAlone(internals(world), other, true);
    const commands = createCommands(world);
    commands.spawn();
    expect(() => restoreSnapshot(world, snapshot, options)).toThrow("reserved by a command buffer");
    commands.discard();
    world.spawn();
  });

  it("rolls back where names must be unique and one is taken", () => {
    const world = createWorld();
    const tree = createHierarchy(world, { uniqueNames: true });
    const top = world.spawn();
    const tank = tree.attachNew(top, Position);
    tree.setName(tank, "tank");
    const snapshot = takeSnapshot(world, { trees: [tree], root: tank });
    tree.setName(tank, "wreck");
    const other = tree.attachNew(top);
    tree.setName(other, "tank");
    world.set(tank, Position, { x: 1 });
    expect(() => restoreSnapshot(world, snapshot, { trees: [tree] })).toThrow("two siblings named");
    expect([tree.nameOf(tank), world.get(tank, Position)?.x]).toEqual(["wreck", 1]);
  });

  it("needs a hierarchy with children", () => {
    const { world, owner, tank } = level();
    const text =
      "Cannot take a snapshot of a subtree without a hierarchy. Give one with children as the first of trees. [history/snapshot-mismatch]";
    expect(() => takeSnapshot(world, { root: tank })).toThrow(text);
    expect(() => takeSnapshot(world, { root: tank, trees: [owner] })).toThrow(text);
  });
});
