import { createWorld, type Entity } from "espalier";
import { attachNewAt, checkTree, createHierarchy, detachChildren, sortChildren } from "espalier/hierarchy";
import { describe, expect, it } from "vitest";
import { dice, looksAtLinks } from "./planting.ts";

/** Random edits of one large family, and of the same list as an array. */
function family(size: number, seed: number) {
  const roll = dice(seed);
  const world = createWorld({ capacity: size * 2 });
  const tree = createHierarchy(world);
  const parent = world.spawn();
  const other = world.spawn();
  const list: Entity[] = [];
  for (let k = 0; k < size; k++) list.push(tree.attachNew(parent));
  const edit = () => {
    const at = roll(list.length);
    const child = list[at]!;
    switch (roll(7)) {
      case 0: {
        const index = roll(list.length + 1);
        list.splice(index, 0, attachNewAt(tree, parent, { at: index }));
        break;
      }
      case 1:
        list.splice(at, 1);
        tree.attach(child, other);
        break;
      case 2:
        list.splice(at, 1);
        world.destroy(child);
        break;
      case 3: {
        const index = roll(list.length);
        list.splice(at, 1);
        list.splice(index, 0, child);
        tree.moveChild(child, index);
        break;
      }
      case 4:
        list.push(tree.attachNew(parent));
        break;
      case 5: {
        const beside = list[roll(list.length)]!;
        const came = attachNewAt(tree, parent, { before: beside });
        list.splice(list.indexOf(beside), 0, came);
        break;
      }
      default: {
        list.splice(at, 1);
        list.unshift(child);
        tree.moveChild(child, "first");
      }
    }
  };
  const compare = () => {
    const at = roll(list.length);
    expect(tree.indexOf(list[at]!)).toBe(at);
    expect(tree.childAt(parent, at)).toBe(list[at]);
    expect(tree.childAt(parent, at - list.length)).toBe(list[at]);
    expect(tree.childAt(parent, list.length)).toBeNull();
    expect(tree.childCount(parent)).toBe(list.length);
  };
  return { world, tree, parent, other, list, edit, compare, roll };
}

describe("positions among siblings", () => {
  it.each([
    [3, 300],
    [300, 2000],
    [5000, 3000],
    [100_000, 1500],
  ])("of %i agree with an array under %i random edits", (size, edits) => {
    const { tree, parent, list, edit, compare } = family(size, size);
    for (let k = 0; k < edits && list.length > 2; k++) {
      edit();
      compare();
    }
    expect(tree.childrenOf(parent)).toEqual(list);
    expect(checkTree(tree)).toEqual([]);
  });

  it("are right when a family shrinks to nothing and grows again", () => {
    const { world, tree, parent, list } = family(3000, 1);
    expect(tree.indexOf(list[2999]!)).toBe(2999);
    while (list.length > 0) {
      const child = list.splice(list.length >> 1, 1)[0]!;
      world.destroy(child);
      if (list.length % 250 === 1) expect(tree.indexOf(list.at(-1)!)).toBe(list.length - 1);
    }
    for (let k = 0; k < 3000; k++) list.push(tree.attachNew(parent));
    expect(tree.childAt(parent, 1500)).toBe(list[1500]);
    expect(checkTree(tree)).toEqual([]);
  });

  it("are right after sorting, and among many roots", () => {
    const { tree, parent, list } = family(2000, 2);
    expect(tree.indexOf(list[1000]!)).toBe(1000);
    sortChildren(tree, parent, (a, b) => b - a);
    list.sort((a, b) => b - a);
    expect(tree.indexOf(list[1000]!)).toBe(1000);
    detachChildren(tree, parent);
    expect(tree.indexOf(list[0]!)).toBe(2);
    expect(tree.childAt(null, 1002)).toBe(list[1000]);
    expect(checkTree(tree)).toEqual([]);
  });

  it("are part of the events of large families too", () => {
    const { tree, list } = family(5000, 3);
    const reader = tree.events.reader();
    tree.moveChild(list[4000]!, 1000);
    expect(reader.read()).toMatchObject([{ previousIndex: 4000, index: 1000 }]);
  });

  it("are affordable: a million siblings, any of them by index", () => {
    const { tree, parent, list } = family(1_000_000, 4);
    const roll = dice(5);
    tree.indexOf(list[500_000]!);
    const looks = looksAtLinks(tree, () => {
      for (let k = 0; k < 2000; k++) {
        const at = roll(list.length);
        if (tree.indexOf(list[at]!) !== at || tree.childAt(parent, at) !== list[at])
          throw new Error(`wrong at ${at}`);
      }
    });
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThan(2000 * 10);
  });
});

describe("positions that an event requests first", () => {
  it("are right after a move out of a large family", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const roots = world.spawnMany(700);
    const reader = tree.events.reader();
    tree.attach(roots[300]!, roots[0]!);
    expect(reader.read()).toMatchObject([{ type: "added", child: roots[300], index: 0 }]);
    const left = [...tree.roots()];
    expect(left.map((root) => tree.indexOf(root))).toEqual(left.map((_, k) => k));
    tree.attach(roots[300]!, null, { at: 300 });
    tree.moveChild(roots[500]!, 10);
    const now = [...tree.roots()];
    expect(now.map((root) => tree.indexOf(root))).toEqual(now.map((_, k) => k));
    expect(checkTree(tree)).toEqual([]);
  });

  it("are right after several came before the last child", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const parent = world.spawn();
    for (let k = 0; k < 400; k++) tree.attachNew(parent);
    const reader = tree.events.reader();
    for (let k = 0; k < 5; k++) attachNewAt(tree, parent, { at: 200 });
    expect(reader.read()).toMatchObject(Array.from({ length: 5 }, () => ({ type: "added", index: 200 })));
    const children = tree.childrenOf(parent);
    expect(children.map((child) => tree.indexOf(child))).toEqual(children.map((_, k) => k));
    expect(checkTree(tree)).toEqual([]);
  });
});
