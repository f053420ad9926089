import {
  checkWorld,
  component,
  createWorld,
  DeadEntityError,
  type Entity,
  entityRef,
  f32,
  indexOf,
} from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import {
  applyPatch,
  type ChangeBatch,
  createFollower,
  createHistory,
  createIdMap,
  DuplicateKeyError,
  followChanges,
  InvalidHistoryError,
  InvalidPatchError,
  revive,
} from "espalier/history";
import { describe, expect, it } from "vitest";
import { refused } from "../testing.ts";

const Health = component("Health", { hp: f32(100), max: f32(100) });
const Name = component("Name", { id: f32() });
const Target = component("Target", { at: entityRef() });

function create() {
  const world = createWorld();
  return { world, tree: createHierarchy(world) };
}

describe("a follower", () => {
  it("recognises a batch that it has, an old one, a gap and another run of the stream", () => {
    const source = create();
    const stream = followChanges(source.world, { trees: [source.tree], epoch: "first" });
    const copy = create();
    const follower = createFollower(copy.world, { trees: [copy.tree], components: [Health] });
    source.world.spawn(Health);
    const one = stream.read();
    source.world.spawn(Health);
    const two = stream.read();
    expect(follower.receive(two)).toMatchObject({ status: "gap", position: undefined });
    expect(follower.receive(one)).toMatchObject({ status: "applied", position: one.to });
    expect(follower.receive(one)).toMatchObject({ status: "known", position: one.to });
    expect(follower.receive(two)).toMatchObject({ status: "applied", position: two.to });
    expect(follower.receive(one)).toMatchObject({ status: "known", position: two.to });
    expect(copy.world.count).toBe(2);
    source.world.spawn();
    stream.read();
    source.world.spawn();
    const four = stream.read();
    expect(follower.receive(four)).toMatchObject({ status: "gap", position: two.to });
    expect(follower.receive({ ...four, epoch: "second", from: two.to })).toMatchObject({ status: "gap" });
    expect(follower.receive(stream.snapshot())).toMatchObject({ status: "applied", position: four.to });
    expect(copy.world.count).toBe(4);
    expect(follower.receive({ ...stream.snapshot(), epoch: "second", from: 3, to: 3 }).status).toBe(
      "applied",
    );
    expect([follower.epoch, follower.position, copy.world.count]).toEqual(["second", 3, 4]);
  });

  it("asks for a snapshot, not for a position, when the source has begun another run", () => {
    const copy = create();
    const follower = createFollower(copy.world, { components: [Health] });
    const first = create();
    const before = followChanges(first.world);
    first.world.spawnMany(9, Health);
    follower.receive(before.read());
    const second = create();
    const after = followChanges(second.world);
    second.world.spawn(Health);
    expect(follower.receive(after.read())).toMatchObject({ status: "gap", position: undefined });
    expect(follower.receive(after.snapshot())).toMatchObject({ status: "applied", position: after.sequence });
    expect(copy.world.count).toBe(1);
  });

  it("asks for a snapshot when the world had entities before the stream", () => {
    const source = create();
    source.world.spawn(Health);
    const stream = followChanges(source.world);
    source.world.spawn(Health);
    const copy = create();
    const follower = createFollower(copy.world, { components: [Health] });
    expect(follower.receive(stream.read()).status).toBe("gap");
    expect(follower.receive(stream.snapshot()).status).toBe("applied");
    source.world.spawn(Health);
    expect(follower.receive(stream.read()).status).toBe("applied");
    expect(copy.world.count).toBe(3);
  });

  it("has its keys as before when a snapshot is refused", () => {
    const { world } = create();
    const follower = createFollower(world);
    const gone = world.spawn();
    follower.ids.set("gone", gone);
    world.destroy(gone);
    const add = { op: "add", id: "gone", components: { Unknown: {} }, positions: {} } as const;
    const snapshot: ChangeBatch = { epoch: "e", from: 1, to: 1, patch: [add], snapshot: [] };
    expect(() => follower.receive(snapshot)).toThrow("Unknown");
    expect([...follower.ids.entries()]).toEqual([["gone", gone]]);
    follower.receive({ ...snapshot, patch: [] });
    expect(follower.ids.size).toBe(0);
  });

  it("refuses invalid options when it is made", () => {
    const { world } = create();
    for (const options of [{ ids: new Map() }, { rules: "never" }, { components: ["Health"] }])
      expect(() => createFollower(world, options as never)).toThrow(InvalidHistoryError);
  });

  it("keeps its own entities and components when it takes a snapshot", () => {
    const source = create();
    const stream = followChanges(source.world, {
      trees: [source.tree],
      components: (name) => name === "Health",
      fields: (_component, field) => field === "hp",
    });
    const [a, b] = source.world.spawnMany(2, Health({ hp: 7, max: 7 }));
    const copy = create();
    const follower = createFollower(copy.world, { trees: [copy.tree], components: [Health] });
    follower.receive(stream.read());
    const [own, followed] = [copy.world.spawn(Health), follower.ids.entityOf(a)!];
    copy.world.add(followed, Name({ id: 5 }));
    expect(copy.world.get(followed, Health)).toEqual({ hp: 7, max: 100 });
    source.world.remove(a, Health);
    source.world.destroy(b);
    stream.read();
    follower.receive(stream.snapshot());
    expect([copy.world.has(followed, Health), copy.world.has(followed, Name)]).toEqual([false, true]);
    expect([copy.world.isAlive(own), follower.ids.size, copy.world.count]).toEqual([true, 1, 2]);
  });

  it("refuses what is not a batch, and stays where it is when a batch does not fit", () => {
    const { world } = create();
    const follower = createFollower(world);
    expect(() => follower.receive({} as ChangeBatch)).toThrow(InvalidPatchError);
    const wrong: ChangeBatch = {
      epoch: "e",
      from: 0,
      to: 4,
      patch: [
        { op: "add", id: "a", components: {}, positions: {} },
        { op: "remove", id: "b" },
      ],
    };
    expect(() => follower.receive(wrong)).toThrow(InvalidPatchError);
    expect([world.count, follower.position, follower.ids.size]).toEqual([0, undefined, 0]);
    expect(() => follower.receive({ ...wrong, snapshot: [] })).toThrow('an entry of kind "remove"');
  });

  it("asks the filter of its stream again on refresh, when it depends on something else", () => {
    const source = create();
    let limit = 50;
    const [a, b] = [source.world.spawn(Health({ hp: 40 })), source.world.spawn(Health({ hp: 60 }))];
    const stream = followChanges(source.world, {
      where: (entity) => (source.world.get(entity, Health)?.hp ?? 0) > limit,
    });
    expect(stream.snapshot().patch).toMatchObject([{ id: b }]);
    limit = 30;
    expect(stream.read().patch).toEqual([]);
    stream.refresh();
    expect(stream.read().patch).toMatchObject([{ op: "add", id: a }]);
  });

  it("gets one entry for a subtree that is destroyed, and those that left it before live on", () => {
    const source = create();
    const stream = followChanges(source.world, { trees: [source.tree] });
    const top = source.world.spawn();
    const nodes = Array.from({ length: 300 }, () => source.tree.attachNew(top));
    const copy = create();
    const follower = createFollower(copy.world, { trees: [copy.tree] });
    follower.receive(stream.read());
    source.tree.detach(nodes[7]!);
    source.world.destroy(top);
    const batch = stream.read();
    expect(batch.patch.map(({ op }) => op)).toEqual(["remove", "move"]);
    follower.receive(batch);
    expect([copy.world.count, follower.ids.size]).toEqual([1, 1]);
    expect(copy.world.isAlive(follower.ids.entityOf(nodes[7]!)!)).toBe(true);
  });

  it("follows a chain of 100,000 levels into its part and out of it", () => {
    const source = create();
    const root = source.world.spawn();
    let last = source.world.spawn();
    const top = last;
    for (let k = 0; k < 100_000; k++) last = source.tree.attachNew(last);
    const stream = followChanges(source.world, { trees: [source.tree], root });
    source.tree.attach(top, root);
    const copy = create();
    const follower = createFollower(copy.world, { trees: [copy.tree] });
    follower.receive(stream.snapshot());
    expect(copy.tree.depthOf(follower.ids.entityOf(last)!)).toBe(100_001);
    source.tree.detach(top);
    const batch = stream.since(follower.position!);
    expect(batch.patch).toEqual([{ op: "remove", id: top, tree: "tree" }]);
    follower.receive(batch);
    expect(copy.world.count).toBe(1);
  });
});

describe("an id map", () => {
  it("has one entity a key and one key an entity", () => {
    const { world } = create();
    const ids = createIdMap();
    const [a, b] = world.spawnMany(2);
    ids.set("a", a!);
    ids.set("a", a!);
    expect(() => ids.set("a", b!)).toThrow(DuplicateKeyError);
    expect(() => ids.set("b", a!)).toThrow(DuplicateKeyError);
    ids.drop(a!);
    ids.drop(a!);
    ids.set("a", b!);
    expect([...ids.entries()]).toEqual([["a", b]]);
    expect(() => applyPatch(world, [], { ids, key: () => 1 })).toThrow(InvalidHistoryError);
    expect(() => applyPatch(world, [], { ids: new Map() as never })).toThrow(
      "ids is what createIdMap() returns",
    );
  });

  it("refuses what is not a key, and what is not an entity", () => {
    const ids = createIdMap();
    expect(() => ids.set({} as never, create().world.spawn())).toThrow(InvalidHistoryError);
    expect(() => ids.set("a", "b" as never)).toThrow(InvalidHistoryError);
    expect(ids.size).toBe(0);
  });

  it("that remembers gives an entity that is added again its handle, so that references to it hold", () => {
    const { world } = create();
    const ids = createIdMap({ remembers: true });
    const options = { ids, components: [Target] };
    applyPatch(world, [{ op: "add", id: "a", components: {}, positions: {} }], options);
    const a = ids.entityOf("a")!;
    const own = world.spawn(Target({ at: a }));
    applyPatch(world, [{ op: "remove", id: "a" }], options);
    expect(world.get(own, Target)).toEqual({ at: null });
    applyPatch(world, [{ op: "add", id: "a", components: {}, positions: {} }], options);
    expect([ids.entityOf("a"), world.get(own, Target)]).toEqual([a, { at: a }]);
    applyPatch(world, [{ op: "remove", id: "a" }], options);
    world.spawn();
    applyPatch(world, [{ op: "add", id: "a", components: {}, positions: {} }], options);
    expect(ids.entityOf("a")).not.toBe(a);
    expect(checkWorld(world)).toEqual([]);
  });

  it("that remembers gives a handle back only under the last key that its entity had", () => {
    const { world } = create();
    const ids = createIdMap({ remembers: true });
    const options = { ids, components: [Target] };
    const add = (id: string) =>
      applyPatch(world, [{ op: "add", id, components: {}, positions: {} }], options);
    add("first");
    const a = ids.entityOf("first")!;
    ids.drop(a);
    ids.set("second", a);
    const own = world.spawn(Target({ at: a }));
    const remove = (...ids: string[]) =>
      applyPatch(
        world,
        ids.map((id) => ({ op: "remove", id }) as const),
        options,
      );
    // A patch that fails takes back what it forgot.
    expect(() => remove("second", "nobody")).toThrow();
    remove("second");
    add("second");
    expect([ids.entityOf("second"), world.get(own, Target)]).toEqual([a, { at: a }]);
    remove("second");
    add("first");
    expect(ids.entityOf("first")).not.toBe(a);
    expect(world.get(own, Target)).toEqual({ at: null });
    expect(checkWorld(world)).toEqual([]);
  });

  it("that remembers gives no handle back that another key still means", () => {
    const { world } = create();
    const ids = createIdMap({ remembers: true });
    const add = () => applyPatch(world, [{ op: "add", id: "first", components: {}, positions: {} }], { ids });
    add();
    const a = ids.entityOf("first")!;
    ids.drop(a);
    ids.set("second", a);
    world.destroy(a);
    add();
    expect(ids.entityOf("first")).not.toBe(a);
    expect(ids.entityOf("second")).toBe(a);
  });
});

describe("revive", () => {
  it("keeps, like a patch that brings an entity back, the handles that other entities had meanwhile from being given out again", () => {
    const { world } = create();
    const ids = createIdMap({ remembers: true });
    const add = { op: "add", id: "a", components: {}, positions: {} } as const;
    const bringBack = [
      (_: Entity) => void applyPatch(world, [add], { ids }),
      (a: Entity) => void revive(world, a, [], { ids, key: "a" }),
    ];
    applyPatch(world, [add], { ids });
    const a = ids.entityOf("a")!;
    for (const back of bringBack) {
      applyPatch(world, [{ op: "remove", id: "a" }], { ids });
      const other = world.spawn();
      world.destroy(other);
      back(a);
      expect(ids.entityOf("a")).toBe(a);
      applyPatch(world, [{ op: "remove", id: "a" }], { ids });
      const next = world.spawn();
      expect(indexOf(next)).toBe(indexOf(a));
      expect(next).not.toBe(other);
      world.destroy(next);
      back(a);
    }
    expect(checkWorld(world)).toEqual([]);
  });

  it("brings an entity back under its handle and key, and can be undone", () => {
    const { world } = create();
    const ids = createIdMap();
    const history = createHistory(world);
    const a = world.spawn(Health);
    world.destroy(a);
    history.commit();
    expect(revive(world, a, [Health({ hp: 3 })], { ids, key: "a" })).toBe(a);
    expect([world.get(a, Health)?.hp, ids.entityOf("a")]).toEqual([3, a]);
    history.undo();
    expect(world.isAlive(a)).toBe(false);
    const ids2 = createIdMap();
    world.spawn();
    expect(refused(world, () => revive(world, a, [], { ids: ids2, key: "a" }))).toBeInstanceOf(
      DeadEntityError,
    );
    expect(ids2.size).toBe(0);
    expect(() => revive(world, a, [], { key: "a" } as never)).toThrow("under is { ids, key }");
  });
});
