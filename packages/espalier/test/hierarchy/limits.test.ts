import { createWorld } from "espalier";
import {
  checkTree,
  createHierarchy,
  HierarchyTooDeepError,
  InvalidHierarchyError,
  spawnTree,
  TooManyChildrenError,
} from "espalier/hierarchy";
import { describe, expect, it } from "vitest";
import { drawn, looksAtLinks, plant, thrown } from "./planting.ts";

describe("maxDepth", () => {
  it("counts levels below the root, with everything that moves along", () => {
    const { tree, e } = plant("a(b(c)) x(y)", { maxDepth: 3 });
    tree.attach(e.x!, e.b!);
    expect(drawn(tree)).toBe("a(b(c x(y)))");
    tree.detach(e.x!);
    const error = thrown(() => tree.attach(e.x!, e.c!)) as HierarchyTooDeepError;
    expect(error).toBeInstanceOf(HierarchyTooDeepError);
    expect(error.message).toBe(
      "Cannot move x#4 under c#3: the tree would get 4 levels below its root and tree allows 3. Attach it higher up, or raise maxDepth. [hierarchy/too-deep]",
    );
    expect(error.entities).toEqual([e.x, e.c]);
    tree.attach(e.y!, e.c!);
    expect(thrown(() => tree.attachNew(e.y!)).message).toBe(
      "Cannot create an entity under y#5: the tree would get 4 levels below its root and tree allows 3. Attach it higher up, or raise maxDepth. [hierarchy/too-deep]",
    );
    expect(() => spawnTree(tree, { children: [{ children: [{}] }] }, e.b!)).toThrow(HierarchyTooDeepError);
    expect(drawn(tree)).toBe("a(b(c(y))) x");
    expect(tree.world.count).toBe(5);
  });

  it("of 0 allows roots only", () => {
    const { tree, e } = plant("a b", { maxDepth: 0 });
    expect(() => tree.attach(e.a!, e.b!)).toThrow(HierarchyTooDeepError);
  });

  it("lets orders and moves up be", () => {
    const { tree, e } = plant("a(b(c) d)", { maxDepth: 2 });
    tree.moveChild(e.d!, "first");
    tree.attach(e.c!, e.a!);
    expect(drawn(tree)).toBe("a(d b c)");
  });
});

describe("maxChildren", () => {
  it("counts children, not roots, and lets orders be", () => {
    const { tree, e } = plant("p(a b) c d e f", { maxChildren: 2 });
    const error = thrown(() => tree.attach(e.c!, e.p!)) as TooManyChildrenError;
    expect(error).toBeInstanceOf(TooManyChildrenError);
    expect(error.message).toBe(
      "Cannot give p#1 another child: it has 2 and tree allows 2. Detach one first, or raise maxChildren. [hierarchy/too-many-children]",
    );
    expect(error.entities).toEqual([e.p]);
    expect(() => tree.attachNew(e.p!)).toThrow(TooManyChildrenError);
    tree.attach(e.a!, e.p!);
    tree.detach(e.b!);
    tree.attach(e.c!, e.p!);
    expect(drawn(tree)).toBe("p(a c) d e f b");
  });
});

describe("warnDepth", () => {
  it("warns once per root, also when a subtree brings the depth", () => {
    const warnings: string[] = [];
    const { tree, e } = plant("a(b) x(y(z)) q", { warnDepth: 2, onWarn: (text) => warnings.push(text) });
    tree.attach(e.x!, e.b!);
    expect(warnings).toEqual([
      "The tree of a#1 got more than 2 levels when x#3 came under b#2 (warnDepth of tree). Consider a flatter one.",
    ]);
    tree.attachNew(e.z!);
    tree.attachNew(tree.attachNew(e.z!));
    expect(warnings.length).toBe(1);
    tree.attach(e.a!, e.q!);
    expect(warnings.length).toBe(2);
    expect(warnings[1]).toContain("The tree of q#6");
  });

  it("warns again for a new entity in the place of one it warned of", () => {
    const warnings: string[] = [];
    const { world, tree } = plant("", { warnDepth: 0, onWarn: (text) => warnings.push(text) });
    for (let k = 0; k < 2; k++) {
      const root = world.spawn();
      tree.attachNew(root);
      tree.attachNew(root);
      world.destroy(root);
    }
    expect(warnings.length).toBe(2);
  });

  it("costs a deep chain no more than its limit per entity", () => {
    const { tree } = plant("", { warnDepth: 8, onWarn: () => {} });
    let last = tree.attachNew(null);
    const looks = looksAtLinks(tree, () => {
      for (let k = 0; k < 5000; k++) last = tree.attachNew(last);
    });
    expect(looks).toBeGreaterThan(5000);
    expect(looks).toBeLessThan(5000 * 30);
  });

  it("lets whoever is warned change the tree", () => {
    const { tree, e } = plant("a(b) c", {
      warnDepth: 1,
      onWarn: () => void tree.detach(e.c!),
    });
    tree.attachMany([e.c!], e.b!);
    expect(drawn(tree)).toBe("a(b) c");
    expect(checkTree(tree)).toEqual([]);
  });
});

describe("options", () => {
  it.each([
    [{ maxDepth: -1 }, "Cannot create a hierarchy with maxDepth -1. Give an integer of at least 0."],
    [{ maxDepth: 1.5 }, "Cannot create a hierarchy with maxDepth 1.5. Give an integer of at least 0."],
    [
      { warnDepth: Number.NaN },
      "Cannot create a hierarchy with warnDepth NaN. Give an integer of at least 0.",
    ],
    [{ maxChildren: 0 }, "Cannot create a hierarchy with maxChildren 0. Give an integer of at least 1."],
    [
      { links: "inline" },
      'Cannot create a hierarchy with links: "inline" without a small bound. Give maxChildren from 1 to 64, or use links: "list".',
    ],
    [
      { links: "inline", maxChildren: 65 },
      'Cannot create a hierarchy with links: "inline" without a small bound.',
    ],
    [{ links: "hash" }, 'Cannot create a hierarchy with links "hash". Use "list", "inline" or "up".'],
    [
      { onDestroy: "panic" },
      'Cannot create a hierarchy with onDestroy "panic". Use "cascade", "orphan" or "adopt".',
    ],
  ])("refuse %j", (options, message) => {
    const world = createWorld();
    const error = thrown(() => createHierarchy(world, options as never));
    expect(error).toBeInstanceOf(InvalidHierarchyError);
    expect(error.message).toContain(message);
    expect(error.code).toBe("hierarchy/invalid-options");
  });

  it("say what a node costs", () => {
    const world = createWorld();
    expect(createHierarchy(world).bytesPerNode).toBe(32);
    expect(createHierarchy(world, { name: "inline", links: "inline", maxChildren: 4 }).bytesPerNode).toBe(40);
    expect(createHierarchy(world, { links: "up" }).bytesPerNode).toBe(8);
  });
});
