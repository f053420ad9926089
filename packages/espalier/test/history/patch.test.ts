import {
  component,
  createWorld,
  type Entity,
  entityRef,
  f32,
  f64,
  object,
  string,
  tag,
  type World,
} from "espalier";
import {
  checkTree,
  createHierarchy,
  createUpHierarchy,
  type Hierarchy,
  inlineLinks,
  swap,
} from "espalier/hierarchy";
import {
  applyPatch,
  createHistory,
  diff,
  InvalidPatchError,
  type Patch,
  SnapshotMismatchError,
  takeSnapshot,
} from "espalier/history";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { components, operation, perform, plant, stateOf, violations } from "./random-world.ts";

const Position = component("Position", { x: f32(), y: f64() });
const Id = component("Id", { id: string() });
const Target = component("Target", { at: entityRef() });
const Bag = component("Bag", { items: object((): unknown => null) });
const Frozen = tag("Frozen");

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

/** Children lists by id, level by level. */
function outline(world: World, tree: Hierarchy): string {
  const name = (entity: Entity) => world.get(entity, Id)?.id ?? "?";
  const write = (entity: Entity): string => {
    const children = tree.childrenOf(entity).map(write).join(" ");
    return children === "" ? name(entity) : `${name(entity)}(${children})`;
  };
  return tree.childrenOf(null).map(write).join(" ");
}

describe("a patch", () => {
  it("leads from one random state to another", () => {
    const part = fc.array(operation, { maxLength: 80 });
    fc.assert(
      fc.property(part, part, (before, after) => {
        const [from, to] = [plant(), plant()];
        const source = (forest: typeof from) => ({
          world: forest.world,
          trees: [...forest.trees, forest.up],
        });
        for (const each of before) {
          perform(from, each);
          perform(to, each);
        }
        for (const each of after) perform(to, each);
        const start = stateOf(from);
        const patch = JSON.parse(JSON.stringify(diff(source(from), source(to)))) as Patch;
        const options = { trees: source(from).trees, components };
        const history = createHistory(from.world);
        applyPatch(from.world, patch, options);
        expect(diff(source(from), source(to))).toEqual([]);
        expect(visible(from)).toEqual(visible(to));
        expect(violations(from)).toEqual([]);
        history.undo();
        expect(stateOf(from)).toEqual(start);
        // In any order.
        applyPatch(from.world, [...patch].reverse(), options);
        expect(visible(from)).toEqual(visible(to));
        expect(applyPatch(from.world, diff(source(from), source(to)), options).size).toBe(0);
      }),
      { numRuns: 100, seed: 9 },
    );
  });

  /** The state without what only decides about future ids and the order of queries; references to the dead read as none. */
  function visible(forest: ReturnType<typeof plant>) {
    const { entities, trees } = stateOf(forest) as {
      entities: { components: { Target?: [number] } }[];
      trees: unknown;
    };
    for (const { components: own } of entities) {
      if (own.Target !== undefined && !forest.world.isAlive(own.Target[0])) own.Target[0] = 0;
    }
    return { entities, trees };
  }

  it("creates entities in any order, and references to those that come later", () => {
    const { world, tree } = scene();
    const added = applyPatch(
      world,
      [
        {
          op: "add",
          id: "gun",
          components: { Target: { at: "hut" } },
          positions: { tree: { parent: "turret" } },
        },
        { op: "add", id: "turret", components: {}, positions: { tree: { parent: "tank", after: null } } },
        { op: "add", id: "tank", components: { Position: { x: "NaN" } }, positions: {} },
        {
          op: "add",
          id: "hut",
          components: {},
          positions: { tree: { parent: null, after: "tank", name: "hut" } },
        },
      ],
      { trees: [tree], components: [Position, Target], key: () => undefined },
    );
    const at = (key: string) => added.get(key) as Entity;
    expect(tree.pathOf(at("gun"))).toBe(`/#${at("tank")}/#${at("turret")}/#${at("gun")}`);
    expect([...tree.roots()]).toEqual([at("tank"), at("hut")]);
    expect([world.get(at("gun"), Target)?.at, tree.find("/hut")]).toEqual([at("hut"), at("hut")]);
    expect(world.get(at("tank"), Position)?.x).toBeNaN();
  });

  it("exchanges names and children within limits that hold before and after", () => {
    const world = createWorld();
    const names = createHierarchy(world, { name: "names", uniqueNames: true });
    const pairs = createHierarchy(world, { name: "pairs", links: inlineLinks(1) });
    const [a, b, c, d] = world.spawnMany(4, Frozen) as [Entity, Entity, Entity, Entity];
    names.setName(a, "one");
    names.setName(b, "two");
    pairs.attach(c, a);
    pairs.attach(d, b);
    const source = { world, trees: [names, pairs] };
    const before = takeSnapshot(world, source);
    names.setName(a, undefined);
    names.setName(b, "one");
    names.setName(a, "two");
    swap(pairs, c, d);
    const there = diff(before, source);
    const back = diff(source, before);
    applyPatch(world, back, source);
    expect([names.nameOf(a), pairs.childrenOf(a)]).toEqual(["one", [c]]);
    applyPatch(world, there, source);
    expect([names.nameOf(a), pairs.childrenOf(a)]).toEqual(["two", [d]]);
    expect(checkTree(pairs)).toEqual([]);
  });

  it("exchanges the parents of two children with one name where names are unique", () => {
    const world = createWorld();
    const tree = createHierarchy(world, { uniqueNames: true });
    const [p, q] = world.spawnMany(2) as [Entity, Entity];
    const [a, b] = [tree.attachNew(p), tree.attachNew(q)];
    tree.setName(a, "x");
    tree.setName(b, "x");
    const options = { trees: [tree] };
    applyPatch(
      world,
      [
        { op: "move", id: a, tree: "tree", parent: q },
        { op: "move", id: b, tree: "tree", parent: p },
      ],
      options,
    );
    expect([tree.childrenOf(p), tree.childrenOf(q), tree.nameOf(a), tree.nameOf(b)]).toEqual([
      [b],
      [a],
      "x",
      "x",
    ]);
    expect(checkTree(tree)).toEqual([]);
  });

  it("changes only the hierarchy that an entry names", () => {
    const world = createWorld();
    const [one, two] = ["one", "two"].map((name) =>
      createHierarchy(world, { name, onDestroy: "orphan" }),
    ) as [Hierarchy, Hierarchy];
    const [a, b, c, d] = world.spawnMany(4) as [Entity, Entity, Entity, Entity];
    one.attach(c, a);
    two.attach(d, a);
    const options = { trees: [one, two] };
    applyPatch(
      world,
      [
        { op: "move", id: b, tree: "one", parent: c },
        { op: "reorder", id: d, tree: "two", after: null },
        { op: "move", id: d, tree: "one", parent: a, after: null },
      ],
      options,
    );
    expect([one.childrenOf(a), one.childrenOf(c), two.childrenOf(a), two.parentOf(b)]).toEqual([
      [d, c],
      [b],
      [d],
      null,
    ]);
    const e = two.attachNew(a);
    // In one, b is below a, and a move in two does not take it out of there: it is gone when its turn comes.
    const wrong: Patch = [
      { op: "remove", id: a, tree: "one" },
      { op: "move", id: b, tree: "two", parent: null },
    ];
    expect(() => applyPatch(world, wrong, options)).toThrow("there is no entity #2");
    const right: Patch = [
      { op: "remove", id: a, tree: "one" },
      { op: "move", id: b, tree: "one", parent: null },
      { op: "move", id: b, tree: "two", parent: null },
    ];
    applyPatch(world, right, options);
    expect([world.entities(), one.parentOf(b), two.parentOf(e)]).toEqual([[b, e], null, null]);
    expect([checkTree(one), checkTree(two)]).toEqual([[], []]);
  });

  it("swaps a parent and its child", () => {
    const { world, tree, make, source } = scene();
    const [a, b] = [make("a"), make("b")];
    tree.attach(b, a);
    const before = takeSnapshot(world, source);
    tree.detach(b);
    tree.attach(a, b);
    const back = diff(source, before);
    applyPatch(world, back, source);
    expect(outline(world, tree)).toBe("a(b)");
  });

  it("reads and writes with codecs", () => {
    const codecs = {
      "Bag.items": {
        encode: (value: unknown) => (value instanceof URL ? { url: value.href } : value),
        decode: (data: unknown) => new URL((data as { url: string }).url),
      },
    };
    const { world, tree, make, source } = scene();
    const a = make("a");
    const before = takeSnapshot(world, source);
    world.add(a, Bag({ items: new URL("https://example.org/a") }));
    const patch = diff(before, source, { codecs });
    expect(patch).toMatchObject([{ values: { items: { url: "https://example.org/a" } } }]);
    world.remove(a, Bag);
    applyPatch(world, patch, { trees: [tree], codecs });
    expect(world.get(a, Bag)?.items).toEqual(new URL("https://example.org/a"));
  });

  it("works in a hierarchy of parents only", () => {
    const world = createWorld();
    const up = createUpHierarchy(world, { name: "owner" });
    const [a, b, c] = world.spawnMany(3, Frozen) as [Entity, Entity, Entity];
    const source = { world, trees: [up] };
    up.attach(a, b);
    up.attach(b, c);
    const before = takeSnapshot(world, source);
    up.detach(b);
    up.attach(c, a);
    const there = diff(before, source);
    applyPatch(world, diff(source, before), source);
    expect([a, b, c].map((e) => up.parentOf(e))).toEqual([b, c, null]);
    applyPatch(world, there, source);
    expect([a, b, c].map((e) => up.parentOf(e))).toEqual([b, null, a]);
  });

  it("changes nothing when any part is refused", () => {
    const { world, tree, make, source } = scene();
    const [a, b] = [make("a"), make("b")];
    world.add(a, Position);
    tree.attach(b, a);
    const before = takeSnapshot(world, source);
    const good: Patch = [
      { op: "set", id: a, component: "Position", values: { x: 1 } },
      { op: "add", id: 77, components: {}, positions: {} },
    ];
    const bad: [Patch, unknown, string][] = [
      [
        [{ op: "set", id: 99, component: "Position", values: {} }],
        InvalidPatchError,
        "there is no entity #99. Apply it to the state it was made for. [history/invalid-patch]",
      ],
      [
        [{ op: "set", id: a, component: "Unknown", values: {} }],
        SnapshotMismatchError,
        "Cannot use component Unknown: this world does not know it.",
      ],
      [
        [{ op: "set", id: a, component: "Position", values: { z: 1 } }],
        SnapshotMismatchError,
        "Cannot apply a patch: it sets Position.z, and Position has no such field.",
      ],
      [[{ op: "move", id: a, tree: "tree", parent: b }], Error, "it would become its own ancestor"],
      [
        [{ op: "move", id: a, tree: "other", parent: null }],
        SnapshotMismatchError,
        "it refers to hierarchy other, which was not given. Give it in trees.",
      ],
      [
        [{ op: "add", id: a, components: {}, positions: {} }],
        InvalidPatchError,
        "it adds 1, which already exists or is not a handle.",
      ],
      [
        [{ op: "add", id: "text", components: {}, positions: {} }],
        InvalidPatchError,
        'it adds "text", which already exists or is not a handle.',
      ],
      [
        [
          { op: "add", id: 50, components: {}, positions: {} },
          { op: "add", id: 50, components: {}, positions: {} },
        ],
        InvalidPatchError,
        "it adds 50, which already exists or is not a handle.",
      ],
      [
        [
          { op: "move", id: b, tree: "tree", parent: null },
          { op: "reorder", id: b, tree: "tree", after: null },
        ],
        InvalidPatchError,
        "it places #2 twice in tree. Keep one of the entries.",
      ],
      [
        [
          { op: "add", id: 50, components: {}, positions: { tree: { parent: null, after: 51 } } },
          { op: "add", id: 51, components: {}, positions: { tree: { parent: null, after: 50 } } },
        ],
        InvalidPatchError,
        "#51 and #50 wait for each other in tree. Place one of them without the other.",
      ],
    ];
    for (const [patch, error, text] of bad) {
      expect(() => applyPatch(world, [...good, ...patch], source)).toThrow(error as never);
      expect(() => applyPatch(world, [...good, ...patch], source)).toThrow(text);
      expect(diff(before, source)).toEqual([]);
    }
    const forms: [unknown, string][] = [
      ["no", 'expected an array of entries, got "no".'],
      [[5], "entry 0 is 5, not an object."],
      [[{ op: "add", id: null }], "entry 0 has no id that is a string or a number, but null."],
      [
        [{ op: "paint", id: 1 }],
        'entry 0 has the unknown kind "paint"; use add, remove, move, reorder, set or columns.',
      ],
      [[{ op: "add", id: 1, positions: {} }], 'entry 0 of kind "add" has no components.'],
      [[{ op: "add", id: 1, components: {} }], 'entry 0 of kind "add" has no positions.'],
      [
        [{ op: "add", id: 1, components: {}, positions: { tree: {} } }],
        "entry 0 has a position without a parent.",
      ],
      [[{ op: "move", id: 1, tree: "tree" }], 'entry 0 of kind "move" lacks tree or parent.'],
      [[{ op: "reorder", id: 1, tree: "tree" }], 'entry 0 of kind "reorder" lacks tree or after.'],
      [
        [{ op: "set", id: 1, component: "A" }],
        'entry 0 of kind "set" lacks component and values, or tree and name.',
      ],
      [[{ op: "remove", id: 1, tree: 5 }], "entry 0 has a tree that is not a name."],
    ];
    for (const [patch, text] of forms) {
      expect(() => applyPatch(world, patch as Patch)).toThrow(InvalidPatchError);
      expect(() => applyPatch(world, patch as Patch)).toThrow(
        `Cannot apply a patch: ${text} [history/invalid-patch]`,
      );
    }
    world.query(Id).each(() => {
      expect(() => applyPatch(world, [])).toThrow("Cannot apply a patch inside a loop over a query");
    });
  });

  it("of a chain of 120,000 levels costs its length", () => {
    const { world, tree, source } = scene();
    const before = takeSnapshot(world, source);
    let last = world.spawn(Frozen);
    const first = last;
    for (let k = 1; k < 120_000; k++) last = tree.attachNew(last, Frozen);
    const patch = diff(before, source);
    expect(patch).toHaveLength(120_000);
    const full = takeSnapshot(world, source);
    applyPatch(world, diff(full, before), source);
    expect([world.count, diff(full, before).length]).toEqual([0, 1]);
    applyPatch(world, [...patch].reverse(), source);
    expect([tree.depthOf(last), tree.rootOf(last)]).toEqual([119_999, first]);
  });
});

it("reverses a chain although the middle of it stays", () => {
  const world = createWorld();
  const tree = createHierarchy(world);
  const a = world.spawn();
  const b = tree.attachNew(a);
  const c = tree.attachNew(b);
  const d = tree.attachNew(c);
  applyPatch(
    world,
    [
      { op: "move", id: a, tree: "tree", parent: d },
      { op: "move", id: b, tree: "tree", parent: null },
    ],
    { trees: [tree] },
  );
  expect([tree.parentOf(b), tree.parentOf(c), tree.parentOf(d), tree.parentOf(a)]).toEqual([null, b, c, d]);
});
