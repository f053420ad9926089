/** Nothing recurses: a chain of a million levels can be built, walked, measured, moved, named, proved and destroyed. */
import { createWorld, type Entity } from "espalier";
import {
  checkTree,
  childNamed,
  commonAncestor,
  createHierarchy,
  descendantCount,
  dissolve,
  flatOrder,
  heightOf,
  leavesOf,
  pathBetween,
  printTree,
  subtreeRange,
} from "espalier/hierarchy";
import { beforeEach, describe, expect, it } from "vitest";
import { chain, thrown } from "./planting.ts";

const levels = 1_000_000;

function planted() {
  const world = createWorld({ capacity: levels + 10 });
  const tree = createHierarchy(world);
  const all = chain(tree, levels);
  return { world, tree, all, top: all[0]!, bottom: all.at(-1)! };
}

describe("a chain of a million levels", () => {
  let it_: ReturnType<typeof planted>;
  beforeEach(() => {
    it_ ??= planted();
  });

  it("is walked in every order, by iterator and by callback", () => {
    const { tree, all, top } = it_;
    for (const order of ["pre", "post", "level"] as const) {
      let last: Entity | undefined;
      let count = 0;
      for (const entity of tree.descendants(top, { order })) {
        last = entity;
        count++;
      }
      let called = 0;
      tree.forEachDescendant(top, () => void called++, { order });
      expect([count, called, last]).toEqual([levels - 1, levels - 1, order === "post" ? all[1] : all.at(-1)]);
    }
  });

  it("continues the walk when the tree changes in the middle", () => {
    const { tree, all, top } = it_;
    let count = 0;
    for (const entity of tree.descendants(top)) {
      count++;
      if (entity === all[levels / 2]) tree.setName(tree.attachNew(entity), "branch");
    }
    expect(count).toBe(levels - 1);
    tree.destroy(childNamed(tree, all[levels / 2]!, "branch")!);
  });

  it("is measured: depth, height, root, number, ancestors, the way between", () => {
    const { tree, top, bottom } = it_;
    expect(tree.depthOf(bottom)).toBe(levels - 1);
    expect(heightOf(tree, top)).toBe(levels - 1);
    expect(tree.rootOf(bottom)).toBe(top);
    expect(descendantCount(tree, top)).toBe(levels - 1);
    expect([...tree.ancestors(bottom)].length).toBe(levels - 1);
    expect(tree.isAncestor(top, bottom)).toBe(true);
    expect(commonAncestor(tree, top, bottom)).toBe(top);
    expect(pathBetween(tree, bottom, top)!.length).toBe(levels);
    expect([...leavesOf(tree, top)]).toEqual([bottom]);
  });

  it("is printed within limits, and has a path", () => {
    const { tree, top, bottom } = it_;
    const text = printTree(tree, { maxLines: 50 });
    expect(text.split("\n").length).toBe(51);
    expect(text.endsWith("… and 999950 more")).toBe(true);
    expect(printTree(tree, { from: top, maxDepth: 3 }).split("\n").length).toBe(4);
    const path = tree.pathOf(bottom);
    expect(path.startsWith("/#1/#2/#3/")).toBe(true);
    expect(tree.find(path)).toBe(bottom);
  });

  it("refuses a cycle over all of it with a message one can read", () => {
    const { tree, top, bottom } = it_;
    const error = thrown(() => tree.attach(top, bottom));
    expect(error.message.length).toBeLessThan(300);
    expect(error.entities!.length).toBe(levels);
  });

  it("is moved in the middle, with the flat order, and proved", () => {
    const { tree, all, top } = it_;
    flatOrder(tree).sync();
    const half = all[levels / 2]!;
    tree.attach(half, top);
    expect(tree.depthOf(all.at(-1)!)).toBe(levels / 2);
    flatOrder(tree).sync();
    tree.attach(half, all[levels / 2 - 1]!);
    expect(subtreeRange(tree, top)).toEqual([1, levels + 1]);
    expect(checkTree(tree)).toEqual([]);
  });

  it("is dissolved", () => {
    const { tree, top } = it_;
    dissolve(tree, top);
    expect(tree.rootCount).toBe(levels);
  });
});

describe("another chain of a million levels", () => {
  it("is destroyed, in one call", () => {
    const { world, tree, top } = planted();
    tree.destroy(top);
    expect(world.count).toBe(0);
  });

  it("is put together from its end, with the flat order kept, at a cost that does not grow with its square", () => {
    const world = createWorld({ capacity: levels + 10 });
    const tree = createHierarchy(world);
    const all = world.spawnMany(levels);
    flatOrder(tree).sync();
    // Few enough that the order is repaired, and many enough that moving each with all below it would take hours.
    const long = levels / 4;
    for (let k = 1; k < long; k++) tree.attach(all[k - 1]!, all[k]!);
    flatOrder(tree).sync();
    expect(tree.depthOf(all[0]!)).toBe(long - 1);
    for (let k = 1; k < long; k++) {
      const { slotOf } = flatOrder(tree);
      if (slotOf[all[k]! & 0x3fffff]! >= slotOf[all[k - 1]! & 0x3fffff]!)
        throw new Error(`child ${k} stands before its parent`);
    }
  });
});
