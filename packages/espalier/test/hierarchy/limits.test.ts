import { createWorld, type Entity } from "espalier";
import {
  attachMany,
  bytesPerNode,
  checkTree,
  createHierarchy,
  depthLimit,
  HierarchyError,
  HierarchyTooDeepError,
  InvalidHierarchyError,
  inlineLinks,
  spawnTree,
  TooManyChildrenError,
  upLinks,
} from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawn, looksAtLinks, plant, thrown } from "./planting.ts";

describe("a limit of depth", () => {
  it("counts levels below the root, including those of the moved subtree", () => {
    const { tree, e } = plant("a(b(c)) x(y)", { limits: depthLimit({ max: 3 }) });
    tree.attach(e.x!, e.b!);
    expect(drawn(tree)).toBe("a(b(c x(y)))");
    tree.detach(e.x!);
    const error = thrown(() => tree.attach(e.x!, e.c!)) as HierarchyTooDeepError;
    expect(error).toBeInstanceOf(HierarchyTooDeepError);
    expect(error.message).toBe(
      "Cannot move x#4 under c#3: the tree would get 4 levels below its root and tree allows 3. Attach it higher up, or raise max of its depthLimit(). [hierarchy/too-deep]",
    );
    expect(error.entities).toEqual([e.x, e.c]);
    tree.attach(e.y!, e.c!);
    expect(thrown(() => tree.attachNew(e.y!)).message).toBe(
      "Cannot create an entity under y#5: the tree would get 4 levels below its root and tree allows 3. Attach it higher up, or raise max of its depthLimit(). [hierarchy/too-deep]",
    );
    expect(() => spawnTree(tree, { children: [{ children: [{}] }] }, e.b!)).toThrow(HierarchyTooDeepError);
    expect(drawn(tree)).toBe("a(b(c(y))) x");
    expect(tree.world.count).toBe(5);
  });

  it("of 0 allows roots only", () => {
    const { tree, e } = plant("a b", { limits: depthLimit({ max: 0 }) });
    expect(() => tree.attach(e.a!, e.b!)).toThrow(HierarchyTooDeepError);
  });

  it("allows reordering and moves up", () => {
    const { tree, e } = plant("a(b(c) d)", { limits: depthLimit({ max: 2 }) });
    tree.moveChild(e.d!, "first");
    tree.attach(e.c!, e.a!);
    expect(drawn(tree)).toBe("a(d b c)");
  });
});

describe("maxChildren", () => {
  it("counts children, not roots, and allows reordering", () => {
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

describe("a warning of depth", () => {
  it("warns once per root, even when a subtree brings the depth", () => {
    const warnings: string[] = [];
    const { tree, e } = plant("a(b) x(y(z)) q", {
      limits: depthLimit({ warn: 2 }),
      onWarn: (text) => warnings.push(text),
    });
    tree.attach(e.x!, e.b!);
    expect(warnings).toEqual([
      "The tree of a#1 got more than 2 levels when x#3 came under b#2 (depthLimit of tree). Consider a flatter one.",
    ]);
    tree.attachNew(e.z!);
    tree.attachNew(tree.attachNew(e.z!));
    expect(warnings.length).toBe(1);
    tree.attach(e.a!, e.q!);
    expect(warnings.length).toBe(2);
    expect(warnings[1]).toContain("The tree of q#6");
  });

  it("warns again for a new entity with the index of one it warned of", () => {
    const warnings: string[] = [];
    const { world, tree } = plant("", {
      limits: depthLimit({ warn: 0 }),
      onWarn: (text) => warnings.push(text),
    });
    for (let k = 0; k < 2; k++) {
      const root = world.spawn();
      tree.attachNew(root);
      tree.attachNew(root);
      world.destroy(root);
    }
    expect(warnings.length).toBe(2);
  });

  it("costs a deep chain no more than its limit per entity", () => {
    const { tree } = plant("", { limits: depthLimit({ warn: 8 }), onWarn: () => {} });
    let last = tree.attachNew(null);
    const looks = looksAtLinks(tree, () => {
      for (let k = 0; k < 5000; k++) last = tree.attachNew(last);
    });
    expect(looks).toBeGreaterThan(5000);
    expect(looks).toBeLessThan(5000 * 10);
  });

  it("lets the warning handler change the tree", () => {
    const { tree, e } = plant("a(b) c", {
      limits: depthLimit({ warn: 1 }),
      onWarn: () => void tree.detach(e.c!),
    });
    attachMany(tree, [e.c!], e.b!);
    expect(drawn(tree)).toBe("a(b) c");
    expect(checkTree(tree)).toEqual([]);
  });
});

describe("limits of depth", () => {
  /** How many links are looked at while a chain is built: each new root takes the old one, each new leaf goes below the last. */
  function looksOfChain(length: number, limits: object, edit: "up" | "many" | "both" | "detached"): number {
    const world = createWorld();
    const tree = createHierarchy(world, { ...limits, onWarn: () => {} });
    // No tree has more levels than there are entities, so that fewer would need no look.
    world.spawnMany(6000);
    let root = tree.attachNew(null);
    let last = root;
    return looksAtLinks(tree, () => {
      for (let k = 0; k < length; k++) {
        const above = world.spawn();
        if (edit === "many") attachMany(tree, [root], above);
        else tree.attach(root, above);
        root = above;
        if (edit === "both") last = tree.attachNew(last);
        if (edit === "detached") tree.detach(tree.attachNew(above));
      }
    });
  }

  it.each(["up", "many", "both", "detached"] as const)(
    "cost a chain that grows from below (%s) as much per entity however long it is",
    (edit) => {
      for (const limits of [
        { limits: depthLimit({ max: 5000 }) },
        { limits: depthLimit({ warn: 100 }) },
        { limits: depthLimit({ max: 5000, warn: 1000 }) },
      ]) {
        const short = looksOfChain(500, limits, edit);
        const long = looksOfChain(2000, limits, edit);
        expect(long).toBeGreaterThan(short);
        expect(long).toBeLessThan(short * 6);
      }
    },
  );

  it.each(["cascade", "orphan"] as const)(
    "refuse what counting all levels refuses, under random edits (%s)",
    (onDestroy) => {
      const edit = fc.tuple(fc.nat(99), fc.nat(99), fc.nat(9));
      fc.assert(
        fc.property(fc.array(edit, { minLength: 60, maxLength: 60 }), (edits) => {
          const world = createWorld();
          const tree = createHierarchy(world, {
            limits: depthLimit({ max: 4, warn: 2 }),
            onDestroy,
            onWarn: () => {},
          });
          const levelsBelow = (entity: Entity): number =>
            Math.max(0, ...tree.childrenOf(entity).map((child) => 1 + levelsBelow(child)));
          world.spawnMany(8);
          const history = createHistory(world);
          for (const [a, b, what] of edits) {
            const all = world.entities();
            if (all.length === 0) break;
            const child = all[a % all.length] as Entity;
            const parent = all[b % all.length] as Entity;
            if (what < 5) {
              const isInside = tree.isAncestor(child, parent) || child === parent;
              const levels = tree.depthOf(parent) + 1 + levelsBelow(child);
              const isRefused = isInside || (levels > 4 && tree.parentOf(child) !== parent);
              const attach = () =>
                what < 3 ? tree.attach(child, parent) : attachMany(tree, [child], parent);
              if (isRefused) expect(attach).toThrow(HierarchyError);
              else history.step("attach", () => void attach());
            } else if (what === 5) history.step("detach", () => void tree.detach(child));
            else if (what === 6 && tree.depthOf(parent) < 4)
              history.step("new", () => void tree.attachNew(parent));
            else if (what === 7 && all.length > 4) history.step("destroy", () => void world.destroy(child));
            else if (what === 8) history.undo();
            else history.redo();
            expect(checkTree(tree)).toEqual([]);
          }
        }),
        { numRuns: 60 },
      );
    },
  );
});

describe("options", () => {
  it.each<[string, () => unknown, string]>([
    [
      "max -1",
      () => depthLimit({ max: -1 }),
      "Cannot limit the depth of a hierarchy with max -1. Give an integer of at least 0.",
    ],
    ["max 1.5", () => depthLimit({ max: 1.5 }), "Cannot limit the depth of a hierarchy with max 1.5."],
    [
      "warn NaN",
      () => depthLimit({ warn: Number.NaN }),
      "Cannot limit the depth of a hierarchy with warn NaN.",
    ],
    [
      "no limit",
      () => depthLimit({}),
      "Cannot limit the depth of a hierarchy by nothing. Give max, warn, or both.",
    ],
    [
      "maxChildren 0",
      () => ({ maxChildren: 0 }),
      "Cannot create a hierarchy with maxChildren 0. Give an integer of at least 1.",
    ],
    [
      "65 children inline",
      () => inlineLinks(65),
      "Cannot keep 65 children inline. Give an integer from 1 to 64, or leave links out, which has no bound.",
    ],
    [
      "two bounds",
      () => ({ links: inlineLinks(4), maxChildren: 4 }),
      "Cannot create a hierarchy with inlineLinks() and maxChildren: the links have the bound. Leave maxChildren out.",
    ],
    [
      "links by name",
      () => ({ links: "inline" }),
      'Cannot create a hierarchy with links "inline". Use inlineLinks(maxChildren) or upLinks(), or leave it out.',
    ],
    [
      "limits by number",
      () => ({ limits: 3 }),
      "Cannot create a hierarchy with limits 3. Use depthLimit({ max, warn }), or leave it out.",
    ],
    [
      "an unknown policy",
      () => ({ onDestroy: "panic" }),
      'Cannot create a hierarchy with onDestroy "panic". Use "cascade", "orphan", "adopt" or "refuse".',
    ],
  ])("refuse %s", (_, optionsOf, message) => {
    const world = createWorld();
    const error = thrown(() => createHierarchy(world, optionsOf() as never));
    expect(error).toBeInstanceOf(InvalidHierarchyError);
    expect(error.message).toContain(message);
    expect(error.code).toBe("hierarchy/invalid-options");
  });

  it("say what a node costs", () => {
    const world = createWorld();
    expect(bytesPerNode(createHierarchy(world))).toBe(32);
    expect(bytesPerNode(createHierarchy(world, { name: "inline", links: inlineLinks(4) }))).toBe(40);
    expect(createHierarchy(world, { links: upLinks() }).bytesPerNode).toBe(16);
  });
});
