import {
  addAll,
  type ChangeReader,
  ClosedReaderError,
  changesOf,
  checkWorld,
  component,
  destroyAll,
  type Entity,
  f32,
  i32,
  indexOf,
  not,
  object,
  observe,
  removeAll,
  tag,
} from "espalier";
import { stateOf } from "espalier/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modes, property, refused, strictWorld } from "../testing.ts";

const Position = component("Position", { x: f32(), y: f32() });
const Bag = component("Bag", { items: object(() => [] as number[]), n: i32() }, { storage: "sparse" });
const Frozen = tag("Frozen");

/** What `read()` must give, entry by entry: its slow and obvious twin. */
function netOf(reader: ChangeReader, stillThere: (entity: Entity) => boolean) {
  const [added, changed, removed] = [new Set<Entity>(), new Set<Entity>(), new Set<Entity>()];
  reader.forEach((entity, kind) => {
    if (kind === "removed") {
      removed.add(entity);
      added.delete(entity);
      changed.delete(entity);
    } else if (stillThere(entity)) {
      if (kind === "added") added.add(entity);
      else if (!added.has(entity)) changed.add(entity);
    }
  });
  return { added: [...added], changed: [...changed], removed: [...removed] };
}

const nothing = { added: [], changed: [], removed: [] };

describe.each(modes)("a reader of changes ($mode)", ({ generate }) => {
  it("sees what was added, changed and removed since it was made, once", () => {
    const world = strictWorld({ generate });
    const [a, b, c] = world.spawnMany(3, Position) as [Entity, Entity, Entity];
    const reader = changesOf(world, Position);
    expect(reader.read()).toEqual(nothing);
    const d = world.spawn(Position);
    const [e] = world.spawnMany(1, Position, Frozen) as [Entity];
    world.set(a, Position, { x: 1 });
    world.add(b, Position({ y: 2 }));
    world.remove(c, Position);
    expect(reader.pending).toBe(5);
    expect(reader.read()).toEqual({ added: [d, e], changed: [a, b], removed: [c] });
    expect([reader.pending, reader.read()]).toEqual([0, nothing]);
    world.destroy(d);
    expect(reader.read()).toEqual({ ...nothing, removed: [d] });
  });

  it("sees the net result: each entity once, and destroyed ones only in removed", () => {
    const world = strictWorld({ generate });
    const [a, b] = world.spawnMany(2, Position) as [Entity, Entity];
    const reader = changesOf(world, Position);
    for (let k = 1; k < 5; k++) world.set(a, Position, { x: k });
    world.set(b, Position, { x: 1 });
    world.destroy(b);
    const brief = world.spawn(Position);
    world.remove(brief, Position);
    const c = world.spawn(Position);
    world.set(c, Position, { x: 9 });
    world.remove(a, Position);
    world.add(a, Position);
    expect(reader.read()).toEqual({ added: [c, a], changed: [], removed: [b, brief, a] });
  });

  it("sees every entry in the order it happened with forEach", () => {
    const world = strictWorld({ generate });
    const reader = changesOf(world, Position);
    const a = world.spawn(Position);
    world.set(a, Position, { x: 1 });
    world.remove(a, Position);
    world.add(a, Position);
    world.destroy(a);
    const seen: unknown[] = [];
    reader.forEach((entity, kind) => void seen.push([entity, kind]));
    expect(seen).toEqual([
      [a, "added"],
      [a, "removed"],
      [a, "added"],
      [a, "removed"],
    ]);
  });

  it("sees a write only when it changes something", () => {
    const world = strictWorld({ generate });
    const a = world.spawn(Position({ x: 0.1 }));
    const b = world.spawn(Bag({ n: 3 }));
    const [positions, bags] = [changesOf(world, Position), changesOf(world, Bag)];
    const views = world.query(Position);
    for (let k = 0; k < 6; k++) {
      world.set(a, Position, { x: 0.1 });
      world.set(a, Position, {});
      world.add(a, Position({ x: 0.1 }));
      views.each((_, position) => void (position.x = 0.1));
      views.update((position) => void (position.y = 0));
      world.set(b, Bag, { n: 3 });
    }
    expect([positions.read(), bags.read()]).toEqual([nothing, nothing]);
    for (let k = 0; k < 6; k++) {
      views.update((position) => void position.x++);
      expect(positions.read()).toEqual({ ...nothing, changed: [a] });
      views.each((_, position) => void position.x++);
      expect(positions.read()).toEqual({ ...nothing, changed: [a] });
    }
    world.add(b, Bag({ n: 3 }));
    expect(bags.read()).toEqual({ ...nothing, changed: [b] });
    world.set(a, Position, { x: Number.NaN });
    positions.read();
    world.set(a, Position, { x: Number.NaN });
    expect(positions.read()).toEqual(nothing);
  });

  it("reports changes it cannot see when touch() is called", () => {
    const world = strictWorld({ generate });
    const e = world.spawn(Position, Bag);
    const [positions, bags] = [changesOf(world, Position), changesOf(world, Bag)];
    world.columns(Position).x[indexOf(e)] = 5;
    world.get(e, Bag)!.items.push(1);
    expect([positions.pending, bags.pending]).toEqual([0, 0]);
    world.touch(e, Position, Bag, Frozen);
    expect([positions.read().changed, bags.read().changed]).toEqual([[e], [e]]);
  });

  it("reports bulk calls entity by entity", () => {
    const world = strictWorld({ generate });
    const reader = changesOf(world, Position);
    const all = world.spawnMany(3);
    addAll(world.query(), Position);
    expect(reader.read().added).toEqual(all);
    addAll(world.query(), Position({ x: 1 }));
    expect(reader.read().changed).toEqual(all);
    removeAll(world.query(), Position);
    expect(reader.read().removed).toEqual(all);
    const more = world.spawnMany(2, Position);
    destroyAll(world.query(Position));
    expect(reader.read()).toEqual({ ...nothing, removed: more });
  });

  it("narrows what read() lists to a query", () => {
    const world = strictWorld({ generate });
    const reader = changesOf(world.query(Position, not(Frozen)), Position);
    const [a, b] = [world.spawn(Position), world.spawn(Position, Frozen)];
    world.set(b, Position, { x: 1 });
    expect(reader.read().added).toEqual([a]);
    world.remove(b, Frozen);
    world.set(b, Position, { x: 2 });
    expect(reader.read().changed).toEqual([b]);
    // A filter narrows it further.
    const far = changesOf(world.query(Position, not(Frozen)), Position, (entity) => entity !== a);
    world.add(b, Frozen);
    const c = world.spawn(Position);
    for (const entity of [a, b, c]) world.set(entity, Position, { x: 9 });
    expect(far.read()).toEqual({ added: [c], changed: [], removed: [] });
    for (const entity of [a, b, c]) world.set(entity, Position, { x: 10 });
    expect([far.read().changed, reader.read().changed]).toEqual([[c], [a]]);
    expect(() => changesOf(world.query(Position), Position, 3 as never)).toThrow("the filter");
  });

  it("distinguishes entities that had the same index", () => {
    const world = strictWorld({ generate });
    const reader = changesOf(world, Position);
    const old = world.spawn(Position);
    world.destroy(old);
    const next = world.spawn(Position);
    world.set(next, Position, { x: 1 });
    expect(indexOf(next)).toBe(indexOf(old));
    expect(reader.read()).toEqual({ added: [next], changed: [], removed: [old] });
  });
});

describe("several readers", () => {
  it("each see everything, at their own pace", () => {
    const world = strictWorld();
    const e = world.spawn(Position);
    const [fast, slow] = [changesOf(world, Position), changesOf(world, Position)];
    const seen = [];
    for (let k = 1; k <= 5; k++) {
      world.set(e, Position, { x: k });
      seen.push(fast.read().changed);
    }
    const late = changesOf(world, Position);
    expect(seen).toEqual([[e], [e], [e], [e], [e]]);
    expect([slow.read(), late.read()]).toEqual([{ ...nothing, changed: [e] }, nothing]);
  });

  it("miss nothing that comes after one of them joined", () => {
    const world = strictWorld();
    const [a, b] = [world.spawn(Position), world.spawn(Position)];
    const first = changesOf(world, Position);
    world.set(a, Position, { x: 1 });
    const c = world.spawn(Position);
    const second = changesOf(world, Position);
    world.set(a, Position, { x: 2 });
    world.set(b, Position, { x: 2 });
    world.set(c, Position, { x: 2 });
    expect(second.read()).toEqual({ ...nothing, changed: [a, b, c] });
    expect(first.read()).toEqual({ added: [c], changed: [a, b], removed: [] });
  });

  it("may read inside each other", () => {
    const world = strictWorld();
    const [outer, inner] = [changesOf(world, Position), changesOf(world, Position)];
    const all = world.spawnMany(4, Position);
    const seen: Entity[] = [];
    const inside: Entity[][] = [];
    outer.forEach((entity) => {
      seen.push(entity);
      const { added, changed } = inner.read();
      inside.push([...added, ...changed]);
      world.set(entity, Position, { x: 1 });
    });
    expect(seen).toEqual(all);
    expect(inside).toEqual([all, [all[0]], [all[1]], [all[2]]]);
    expect(outer.read().changed).toEqual(all);
    expect(inner.read().changed).toEqual([all[3]]);
  });

  it("keep what comes after an entry whose handler threw", () => {
    const world = strictWorld();
    const reader = changesOf(world, Position);
    const [a, b, c] = world.spawnMany(3, Position);
    expect(() =>
      reader.forEach((entity) => {
        if (entity === b) throw new Error("stop");
      }),
    ).toThrow("stop");
    expect(reader.pending).toBe(1);
    expect(reader.read().added).toEqual([c]);
    expect(a).toBeDefined();
  });

  it("let the log go behind the slowest of them", () => {
    const world = strictWorld();
    const e = world.spawn(Position);
    const [fast, slow] = [changesOf(world, Position), changesOf(world, Position)];
    for (let k = 0; k < 1000; k++) {
      world.set(e, Position, { x: k + 1 });
      fast.read();
    }
    expect(slow.pending).toBe(1000);
    slow.close();
    world.set(e, Position, { x: -1 });
    fast.read();
    expect(stateOf(world).store(Position).log?.end).toBe(1001);
    expect((stateOf(world).store(Position).log as unknown as { count: number }).count).toBe(0);
  });

  it("are each sure of the state they could build from what they read", () => {
    const step = fc.record({
      it: fc.constantFrom("spawn", "destroy", "add", "remove", "set", "read", "join", "close", "all"),
      n: fc.nat(20),
    });
    property(fc.array(step, { maxLength: 80 }), (steps) => {
      const world = strictWorld({ capacity: 4 });
      const copies: { reader: ChangeReader; twin: ChangeReader; copy: Map<Entity, number> }[] = [];
      const known: Entity[] = [];
      const now = () =>
        new Map(
          world
            .query(Position)
            .ids()
            .map((e) => [e, world.get(e, Position)!.x] as const),
        );
      const read = ({ reader, twin, copy }: (typeof copies)[number]) => {
        const net = reader.read();
        expect(net).toEqual(netOf(twin, (e) => world.isAlive(e) && world.has(e, Position)));
        const { added, changed, removed } = net;
        for (const e of removed) copy.delete(e);
        for (const e of [...added, ...changed]) copy.set(e, world.get(e, Position)!.x);
        for (const e of added) expect(changed).not.toContain(e);
        expect(copy).toEqual(now());
      };
      for (const { it, n } of steps) {
        const e = known[n % Math.max(1, known.length)];
        const alive = e !== undefined && world.isAlive(e);
        if (it === "spawn") known.push(world.spawn(Position({ x: n })));
        if (it === "destroy" && alive) world.destroy(e);
        if (it === "add" && alive) world.add(e, Position({ x: n }));
        if (it === "remove" && alive) world.remove(e, Position);
        if (it === "set" && alive && world.has(e, Position)) world.set(e, Position, { x: n });
        if (it === "all" && n < 3) destroyAll(world.query(Position));
        if (it === "join") {
          copies.push({ reader: changesOf(world, Position), twin: changesOf(world, Position), copy: now() });
        }
        if (it === "read" && copies.length > 0) read(copies[n % copies.length]!);
        if (it === "close" && copies.length > 0) {
          const [{ reader, twin }] = copies.splice(n % copies.length, 1) as typeof copies;
          reader.close();
          twin.close();
        }
      }
      for (const one of copies) read(one);
      expect(checkWorld(world)).toEqual([]);
    });
  });
});

describe("a reader whose filter throws", () => {
  it("reads everything again the next time", () => {
    const world = strictWorld();
    let isBroken = true;
    const reader = changesOf(world, Position, () => {
      if (isBroken) throw new Error("broken");
      return true;
    });
    const entities = world.spawnMany(3, Position);
    expect(() => reader.read()).toThrow("broken");
    isBroken = false;
    expect(reader.read()).toEqual({ ...nothing, added: entities });
  });
});

describe("a reader that is closed", () => {
  it("reads no more, and keeps nothing", () => {
    const world = strictWorld();
    const [reader, other] = [changesOf(world, Position), changesOf(world, Position)];
    world.spawn(Position);
    reader.close();
    reader.close();
    expect(reader.pending).toBe(0);
    for (const read of [() => reader.read(), () => reader.forEach(() => {})]) {
      const error = refused(world, read) as ClosedReaderError;
      expect(error).toBeInstanceOf(ClosedReaderError);
      expect(error.message).toBe(
        "Cannot read changes: this reader was closed. Make a new one with changesOf(). [ecs/closed-reader]",
      );
    }
    expect(other.read().added).toHaveLength(1);
  });
});

describe("changes without readers", () => {
  it("cost nothing: no log is kept and writes are not watched", () => {
    const world = strictWorld();
    const store = stateOf(world).store(Position);
    world.spawn(Position);
    expect([store.watched, store.log]).toEqual([false, undefined]);
    const readers = [changesOf(world, Position), changesOf(world, Position)];
    const end = observe(world, Position, { set: () => {} });
    expect([store.watched, store.log !== undefined]).toEqual([true, true]);
    for (const reader of readers) reader.close();
    expect([store.watched, store.log]).toEqual([true, undefined]);
    end();
    end();
    expect([store.watched, stateOf(world).store(Frozen).watched]).toEqual([false, false]);
    const add = observe(world, Position, { add: () => {}, remove: () => {} });
    expect(store.watched).toBe(false);
    add();
    expect(checkWorld(world)).toEqual([]);
  });
});
