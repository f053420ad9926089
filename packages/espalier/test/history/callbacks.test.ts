/**
 * Observers that edit while something is undone, rolled back or restored.
 */
import {
  changesOf,
  checkWorld,
  component,
  type Entity,
  f32,
  observe,
  observeCapture,
  observeEntities,
  tag,
} from "espalier";
import { checkTree, createHierarchy, createUpHierarchy, onDestroying } from "espalier/hierarchy";
import { createHistory, isReplaying, restoreSnapshot, takeSnapshot, transaction } from "espalier/history";
import { describe, expect, it } from "vitest";
import { strictWorld } from "../testing.ts";

const A = tag("A");
const T = tag("T");
const Spot = component("Spot", { x: f32() });

describe("an undo", () => {
  it("runs the observers before it once for each component and entity", () => {
    const world = strictWorld();
    const history = createHistory(world);
    const log: string[] = [];
    observeEntities(world, { destroying: () => log.push("destroying") });
    observe(world, T, { removing: () => log.push("T") });
    observe(world, A, { removing: () => log.push("A") });
    const old = world.spawn();
    history.transaction("several", () => {
      const e = world.spawn(A);
      for (const entity of [e, old]) {
        world.add(entity, T);
        world.remove(entity, T);
        world.add(entity, T);
      }
    });
    log.length = 0;
    history.undo();
    expect(log).toEqual(["T", "destroying", "T", "A"]);
  });

  it("of a restored order skips what an observer destroyed meanwhile", () => {
    const world = strictWorld();
    const history = createHistory(world);
    const [a, b] = world.spawnMany(2, A) as [Entity, Entity];
    const saved = takeSnapshot(world);
    world.remove(a, A);
    world.add(a, A);
    history.transaction("restore", () => {
      restoreSnapshot(world, saved);
      world.spawn(T);
    });
    observe(world, T, { removing: () => void world.destroy(b) });
    history.undo();
    expect(world.query(A).ids()).toEqual([a]);
    expect(checkWorld(world)).toEqual([]);
  });

  it("of a restored world inside a loop leaves every free index free once", () => {
    const world = strictWorld();
    const history = createHistory(world);
    const kept = world.spawn(A);
    const others = world.spawnMany(4);
    const saved = takeSnapshot(world);
    world.destroy(...others);
    history.transaction("restore", () => restoreSnapshot(world, saved));
    world.query(A).each(() => void history.undo());
    expect([world.entities(), checkWorld(world)]).toEqual([[kept], []]);
    expect(new Set(world.spawnMany(6)).size).toBe(6);
    expect(checkWorld(world)).toEqual([]);
  });
});

describe("a transaction that is rolled back", () => {
  it("records changes of observers after the rollback", () => {
    const world = strictWorld();
    const history = createHistory(world);
    const e = world.spawn(Spot);
    history.transaction("end of the first step", () => world.spawn());
    const changes = changesOf(world, T);
    observe(world, Spot, { set: () => void (isReplaying(world) && world.add(e, T)) });
    const fail = () =>
      transaction(world, () => {
        world.set(e, Spot, { x: 1 });
        throw new Error("changed my mind");
      });
    expect(fail).toThrow("changed my mind");
    expect([world.has(e, T), changes.read().added]).toEqual([true, [e]]);
    history.undo();
    expect(world.has(e, T)).toBe(false);
  });
});

describe("a restored snapshot", () => {
  it("runs observers before it, and then takes the world as they leave it", () => {
    const world = strictWorld();
    const tree = createHierarchy(world);
    const old = world.spawnMany(3, A);
    const trees = [tree];
    const saved = takeSnapshot(world, { trees });
    world.destroy(...old);
    const [parent, child] = world.spawnMany(2, T) as [Entity, Entity];
    tree.attach(child, parent);
    const log: unknown[] = [];
    onDestroying(tree, (e) => void log.push(["onDestroying", e]));
    observeEntities(world, {
      destroying: (e) => {
        log.push(["destroying", e, isReplaying(world), tree.parentOf(e)]);
        // With the index of an entity that must come back.
        world.spawn(Spot);
      },
    });
    restoreSnapshot(world, saved, { trees });
    expect(world.entities()).toEqual(old);
    expect(log).toEqual([
      ["onDestroying", parent],
      ["onDestroying", child],
      ["destroying", child, true, parent],
      ["destroying", parent, true, null],
    ]);
    expect([...checkTree(tree), ...checkWorld(world)]).toEqual([]);
  });

  it("runs observers before components go", () => {
    const world = strictWorld();
    const e = world.spawn(A);
    const saved = takeSnapshot(world);
    world.add(e, Spot({ x: 3 }));
    const log: unknown[] = [];
    observe(world, Spot, {
      removing: () => log.push(["removing", world.get(e, Spot)?.x]),
      remove: (_, { x }) => log.push(["remove", x, world.has(e, Spot)]),
    });
    restoreSnapshot(world, saved);
    expect(log).toEqual([
      ["removing", 3],
      ["remove", 3, false],
    ]);
  });

  it("takes a capture observer that edits into account", () => {
    const world = strictWorld();
    const e = world.spawn(A);
    const saved = takeSnapshot(world);
    world.destroy(e);
    observeCapture(world, { before: () => void world.spawn(Spot) });
    restoreSnapshot(world, saved);
    expect([world.entities(), checkWorld(world)]).toEqual([[e], []]);
  });

  it("keeps parents that are dead, also of indices that are not in the snapshot", () => {
    const world = strictWorld();
    const up = createUpHierarchy(world);
    const child = world.spawn();
    const saved = takeSnapshot(world);
    const parent = world.spawn();
    up.attach(child, parent);
    world.destroy(parent);
    restoreSnapshot(world, saved);
    expect(checkWorld(world)).toEqual([]);
    const next = world.spawn();
    expect([next, up.parentOf(child), checkWorld(world)]).toEqual([parent, null, []]);
  });
});

describe("a living entity", () => {
  it("does not show a component that it lost, even when it was destroyed and brought back in the same call", () => {
    const world = strictWorld();
    const seen: unknown[] = [];
    const e = world.spawn(Spot, A);
    observeEntities(world, { destroy: () => {} });
    observe(world, A, {
      add: () => {
        if (!isReplaying(world)) return;
        world.remove(e, Spot);
        seen.push(world.isAlive(e), world.get(e, Spot), world.has(e, Spot));
      },
    });
    observe(world, T, {
      add: () => {
        const fail = () =>
          transaction(world, () => {
            world.destroy(e);
            throw new Error("changed my mind");
          });
        expect(fail).toThrow("changed my mind");
      },
    });
    world.spawn(T);
    expect(seen).toEqual([true, undefined, false]);
  });
});
