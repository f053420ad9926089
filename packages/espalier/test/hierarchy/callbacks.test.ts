/**
 * Keepers, constraints and listeners of a tree that edit or throw.
 */
import {
  checkWorld,
  createWorld,
  type Entity,
  NestedEditError,
  observe,
  observeEntities,
  tag,
  type World,
} from "espalier";
import {
  addKeeper,
  checkTree,
  constrain,
  createHierarchy,
  type Hierarchy,
  onDestroying,
} from "espalier/hierarchy";
import { createHistory, HistoryBusyError } from "espalier/history";
import { describe, expect, it } from "vitest";
import { strictWorld } from "../testing.ts";

const A = tag("A");

function problems(world: World, tree: Hierarchy): unknown[] {
  return [...checkTree(tree), ...checkWorld(world)];
}

describe("a keeper", () => {
  it("may not edit, and nothing has changed when it tries", () => {
    const world = strictWorld();
    const tree = createHierarchy(world);
    const [parent, child] = world.spawnMany(2) as [Entity, Entity];
    const edits: { readonly [keep: string]: () => void } = {
      child: () => world.destroy(child),
      parent: () => world.destroy(parent),
      cycle: () => tree.attach(parent, child),
      spawn: () => world.spawn(),
    };
    for (const [keep, edit] of Object.entries(edits)) {
      addKeeper(tree, keep, () => {
        edit();
        return () => {};
      });
      expect(() => tree.attach(child, parent, { keep: keep as "world" })).toThrow(NestedEditError);
      expect([world.count, tree.parentOf(child), problems(world, tree)]).toEqual([2, null, []]);
    }
  });

  it("may edit in the function it returns, which runs when everything is destroyed", () => {
    const world = strictWorld();
    const tree = createHierarchy(world, { onDestroy: "adopt", keep: "own" });
    const top = world.spawn();
    const middle = tree.attachNew(top);
    const low = tree.attachNew(middle);
    const seen: unknown[] = [];
    addKeeper(tree, "own", () => () => {
      seen.push([world.isAlive(middle), tree.parentOf(low)]);
      world.destroy(top);
    });
    world.destroy(middle);
    expect(seen).toEqual([
      [false, top],
      [false, null],
    ]);
    expect([world.entities(), tree.parentOf(low)]).toEqual([[low], null]);
    expect(problems(world, tree)).toEqual([]);
  });

  it("that fails while its parent is destroyed is reported when that is done, also to an onError that throws", () => {
    const world = strictWorld();
    const tree = createHierarchy(world, { onDestroy: "adopt", keep: "own" });
    const top = world.spawn();
    const spawned: Entity[] = [];
    const fail = () => {
      throw new Error("cannot keep it");
    };
    let isEarly = false;
    addKeeper(tree, "own", () => (isEarly ? fail() : fail));
    for (isEarly of [true, false]) {
      const middle = tree.attachNew(top);
      const low = tree.attachNew(middle);
      expect(() => world.destroy(middle)).toThrow("cannot keep it");
      expect([world.isAlive(middle), tree.parentOf(low), problems(world, tree)]).toEqual([false, top, []]);
    }
    observeEntities(world, { spawn: (e) => void spawned.push(e) });
    expect(spawned).toEqual([world.spawn()]);
  });
});

describe("a constraint that throws", () => {
  it("leaves nothing behind of the entity that it was called for", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const parent = world.spawn();
    const seen: Entity[] = [];
    observeEntities(world, { spawn: (e) => void seen.push(e), destroy: (e) => void seen.push(e) });
    constrain(tree, { name: "edits", attach: () => void world.destroy(parent) });
    expect(() => tree.attachNew(parent, A)).toThrow(NestedEditError);
    expect([world.entities(), seen, problems(world, tree)]).toEqual([[parent], [], []]);
  });

  it("only on the second check does not stop a destroy half-way", () => {
    const errors: Error[] = [];
    const world = createWorld({ onError: (error) => errors.push(error) });
    const tree = createHierarchy(world, { onDestroy: "adopt" });
    const top = world.spawn();
    const middle = tree.attachNew(top);
    const low = tree.attachNew(middle);
    let asked = 0;
    constrain(tree, {
      name: "fails later",
      attach: () => {
        if (++asked > 1) throw new Error("out of order");
        return undefined;
      },
    });
    world.destroy(middle);
    expect([world.isAlive(middle), tree.parentOf(low)]).toEqual([false, null]);
    expect(errors.map(({ message }) => message)).toEqual(["out of order"]);
    expect(problems(world, tree)).toEqual([]);
  });
});

describe("a destroy inside a destroy", () => {
  it("follows the policy of the tree, not what the outer call chose", () => {
    const world = strictWorld();
    const tree = createHierarchy(world, { onDestroy: "orphan" });
    const outer = world.spawn(A);
    const below = tree.attachNew(outer);
    const other = world.spawn();
    const child = tree.attachNew(other);
    observe(world, A, { removing: () => void world.destroy(other) });
    tree.destroy(outer, { children: "cascade" });
    expect([outer, below, other, child].map((e) => world.isAlive(e))).toEqual([false, false, false, true]);
  });

  it("is not refused because of what the outer call chose", () => {
    const world = strictWorld();
    const tree = createHierarchy(world, { onDestroy: "orphan" });
    const outer = world.spawn(A);
    const child = tree.attachNew(outer);
    const other = world.spawn();
    let isRefused = false;
    constrain(tree, { name: "stays", attach: (e) => (isRefused && e === child ? "stay" : undefined) });
    let inner: unknown = "not run";
    // So that the inner call is checked again, too.
    onDestroying(tree, () => {});
    observe(world, A, {
      removing: () => {
        isRefused = true;
        inner = world.destroy(other);
        isRefused = false;
      },
    });
    expect(tree.destroy(outer, { children: "orphan" })).toBe(true);
    expect([inner, world.entities()]).toEqual([true, [child]]);
  });

  it("moves away entities that the outer call is going to destroy", () => {
    const world = strictWorld();
    const tree = createHierarchy(world, { onDestroy: "orphan" });
    const top = world.spawn();
    const middle = tree.attachNew(top);
    const parents: unknown[] = [];
    observeEntities(world, {
      destroying: (e) => {
        if (e !== middle) return;
        world.destroy(top);
        parents.push(tree.parentOf(middle), checkTree(tree));
      },
    });
    world.destroy(middle);
    expect([parents, world.count, problems(world, tree)]).toEqual([[null, []], 0, []]);
  });
});

describe("onDestroying", () => {
  it("may not undo, which would change the list of entities to destroy", () => {
    const world = strictWorld();
    const tree = createHierarchy(world);
    const history = createHistory(world);
    const parent = world.spawn();
    const child = tree.attachNew(parent);
    history.transaction("destroy", () => world.destroy(child));
    let thrown: unknown;
    onDestroying(tree, () => {
      try {
        history.undo();
      } catch (error) {
        thrown = error;
      }
    });
    world.destroy(parent);
    expect(thrown).toBeInstanceOf(HistoryBusyError);
    expect([world.count, problems(world, tree)]).toEqual([0, []]);
  });

  it("is stopped when it triggers itself endlessly", () => {
    const errors: Error[] = [];
    const world = createWorld({ onError: (error) => errors.push(error) });
    const tree = createHierarchy(world);
    onDestroying(tree, () => void world.destroy(world.spawn()));
    world.destroy(world.spawn());
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining("100 times over")]);
    expect([world.count, problems(world, tree)]).toEqual([0, []]);
  });
});
