import { createWorld, type Entity, generationOf, indexOf } from "espalier";
import {
  attachNewAt,
  checkTree,
  compactOrder,
  createHierarchy,
  flatOrder,
  forEachAncestor,
  inlineLinks,
  rawLinks,
} from "espalier/hierarchy";
import { describe, expect, it } from "vitest";
import { drawn, names, plant } from "./planting.ts";
import { Replay, shape } from "./replay.ts";

describe("handles whose index was used so often that they exceed 32 bits", () => {
  it.each([{ maxChildren: 8 }, { links: inlineLinks(8) }])("work like any others: %j", (form) => {
    const world = createWorld({ capacity: 64, fixed: true });
    const tree = createHierarchy(world, form);
    const stale: Entity[] = [];
    let old = tree.attachNew(null);
    for (let k = 0; k < 600; k++) {
      stale.push(old);
      world.destroy(old);
      old = tree.attachNew(null);
    }
    expect(generationOf(old)).toBe(600);
    expect(old).toBeGreaterThan(2 ** 31);
    const replay = new Replay(tree);
    const young = tree.attachNew(old);
    const parent = world.spawn();
    tree.attach(old, parent);
    tree.setName(old, "old");
    expect(tree.parentOf(young)).toBe(old);
    expect(tree.parentOf(old)).toBe(parent);
    expect([...tree.ancestors(young)]).toEqual([old, parent]);
    expect([...tree.descendants(parent)]).toEqual([old, young]);
    const seen: Entity[] = [];
    tree.forEachDescendant(parent, (entity) => void seen.push(entity));
    tree.forEachChild(parent, (entity) => void seen.push(entity));
    forEachAncestor(tree, young, (entity) => void seen.push(entity));
    expect(seen).toEqual([old, young, old, old, parent]);
    // Along an exact flat order, past a hole.
    const between = attachNewAt(tree, old, { at: 0 });
    compactOrder(tree);
    world.destroy(between);
    seen.length = 0;
    tree.forEachDescendant(parent, (entity) => void seen.push(entity));
    expect([flatOrder(tree).exact, ...seen]).toEqual([true, old, young]);
    expect(tree.find(tree.pathOf(old))).toBe(old);
    expect(tree.pathOf(young)).toContain("old");
    for (const dead of stale) {
      expect(() => tree.parentOf(dead)).toThrow("was destroyed");
      expect(tree.canAttach(dead, parent)).toBe(false);
    }
    // The low 32 bits alone are those of a handle 1024 generations younger.
    expect(() => tree.parentOf((old + 1024 * 2 ** 22) as Entity)).toThrow("was never created");
    expect(replay.state()).toEqual(shape(tree));
    expect(checkTree(tree)).toEqual([]);
    world.destroy(parent);
    expect(world.count).toBe(0);
  });

  it("keep a walk from taking the next entity of an index for the one it noted", () => {
    const world = createWorld({ capacity: 64, fixed: true });
    const tree = createHierarchy(world);
    const root = world.spawn();
    const first = tree.attachNew(root);
    let child = tree.attachNew(root);
    for (let k = 0; k < 700; k++) {
      world.destroy(child);
      child = tree.attachNew(root);
    }
    const seen: Entity[] = [];
    for (const entity of tree.children(root)) {
      seen.push(entity);
      if (entity !== first) continue;
      world.destroy(child);
      tree.attachNew(root);
    }
    expect(seen).toEqual([first]);
  });
});

describe("raw links", () => {
  it("read by index what the calls read by entity", () => {
    for (const form of [{ maxChildren: 4 }, { links: inlineLinks(4) }]) {
      const { tree, e } = plant("a(b c d) x", form);
      const raw = rawLinks(tree);
      const at = (index: number) => (index === 0 ? "-" : names(tree, [tree.world.handleAt(index)]));
      const a = indexOf(e.a!);
      expect([at(raw.first(a)), at(raw.last(a)), raw.count(a), at(raw.parent(a))]).toEqual([
        "b",
        "d",
        3,
        "-",
      ]);
      const c = indexOf(e.c!);
      expect([at(raw.prev(c)), at(raw.next(c)), at(raw.parent(c))]).toEqual(["b", "d", "a"]);
      expect([at(raw.first(0)), at(raw.last(0)), raw.count(0)]).toEqual(["a", "x", 2]);
      expect(drawn(tree)).toBe("a(b c d) x");
    }
  });

  it("offer nothing that writes, nor does the flat order", () => {
    for (const form of [{ maxChildren: 4 }, { links: inlineLinks(4) }]) {
      const { tree } = plant("a(b c d) x", form);
      expect(membersOf(rawLinks(tree))).toEqual(["count", "first", "last", "next", "parent", "prev"]);
      expect(membersOf(flatOrder(tree))).toEqual([
        "count",
        "end",
        "entityAt",
        "exact",
        "holes",
        "nodeAt",
        "parentSlot",
        "slotOf",
        "sync",
        "tail",
        "version",
      ]);
      expect(() => Object.assign(flatOrder(tree), { tail: 1 })).toThrow(TypeError);
      expect(checkTree(tree)).toEqual([]);
    }
  });
});

/** The names of everything that can be reached from an object, but for its constructor. */
function membersOf(value: object): string[] {
  const names = [...Reflect.ownKeys(value), ...Reflect.ownKeys(Reflect.getPrototypeOf(value)!)].map(String);
  return names.filter((name) => name !== "constructor").sort();
}
