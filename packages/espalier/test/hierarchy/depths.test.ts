/** How depths and heights are known where they are limited: right, like counting them, and cheap for every kind of edit. */
import { checkWorld, createWorld, DEVELOPMENT, type Entity } from "espalier";
import {
  attachMany,
  checkTree,
  createHierarchy,
  depthLimit,
  type Hierarchy,
  heightOf,
  swap,
} from "espalier/hierarchy";
import { EulerTour, treeOf } from "espalier/internal/hierarchy";
import { describe, expect, it } from "vitest";
import { chain, dice, looksAtLinks } from "./planting.ts";

describe("a tour of a forest", () => {
  it.each([1, 2, 3])("agrees with counting along the parents, after any cuts and links (seed %i)", (seed) => {
    const roll = dice(seed);
    const tour = new EulerTour();
    const size = 60;
    // Up to the last number for which there is room from the start.
    const at = (node: number) => node + 127 - size;
    const parents = new Int32Array(size + 1);
    const above = (node: number): number[] => {
      const list: number[] = [];
      for (let up = parents[node]!; up !== 0; up = parents[up]!) list.push(up);
      return list;
    };
    for (let round = 0; round < 3000; round++) {
      const node = 1 + roll(size);
      // The last one gets most of them, so that trees get deep.
      const parent = roll(3) === 0 ? 1 + roll(size) : 1 + ((node + 1) % size);
      if (roll(4) === 0) {
        tour.cut(at(node));
        parents[node] = 0;
      } else if (parent !== node && !above(parent).includes(node)) {
        tour.cut(at(node));
        tour.link(at(node), at(parent));
        parents[node] = parent;
      }
      const [asked, other] = [1 + roll(size), 1 + roll(size)];
      const way = above(asked);
      const heights = Array.from({ length: size }, (_, k) => above(k + 1).indexOf(asked) + 1);
      expect(tour.depthOf(at(asked))).toBe(way.length);
      expect(tour.heightOf(at(asked))).toBe(Math.max(...heights));
      expect(tour.rootOf(at(asked))).toBe(at(way.at(-1) ?? asked));
      expect(tour.isInside(at(asked), at(other))).toBe(asked === other || way.includes(other));
    }
  });
});

describe("limits of depth", () => {
  /** A hierarchy with so many entities that its limits could be exceeded. */
  function limited(limits: object = { limits: depthLimit({ max: 5_000, warn: 4_000 }) }): Hierarchy {
    const world = createWorld();
    const tree = createHierarchy(world, { ...limits, onWarn: () => {} });
    world.spawnMany(6_000);
    return tree;
  }

  /** Edits, as many as `length`, in trees with that many levels; what comes before them is not counted. */
  const edits: Record<string, (tree: Hierarchy, length: number) => () => void> = {
    "a chain that grows downwards by attachNew": (tree, length) => () => void chain(tree, length),
    "a chain that grows downwards by attach": (tree, length) => () => {
      let last = tree.world.spawn();
      for (let k = 0; k < length; k++) {
        const next = tree.world.spawn();
        tree.attach(next, last);
        last = next;
      }
    },
    "a chain that grows upwards": (tree, length) => () => {
      let root = tree.world.spawn();
      for (let k = 0; k < length; k++) {
        const above = tree.world.spawn();
        tree.attach(root, above);
        root = above;
      }
    },
    "a chain that grows at both ends": (tree, length) => () => {
      let root = tree.world.spawn();
      let last = root;
      for (let k = 0; k < length / 2; k++) {
        const above = tree.world.spawn();
        tree.attach(root, above);
        root = above;
        last = tree.attachNew(last);
      }
    },
    "chains that are joined in pairs": (tree, length) => {
      const chains = Array.from({ length: length / 2 }, () => chain(tree, 2));
      return () => {
        for (let step = 1; step < chains.length; step *= 2) {
          for (let k = 0; k + step < chains.length; k += 2 * step) {
            tree.attach(chains[k + step]![0]!, chains[k]!.at(-1)!);
            chains[k] = chains[k]!.concat(chains[k + step]!);
          }
        }
      };
    },
    "a deep subtree that is moved between deep places": (tree, length) => {
      const subtree = chain(tree, length);
      const parents = [chain(tree, length).at(-1)!, chain(tree, length).at(-1)!];
      return () => {
        for (let k = 0; k < length; k++) tree.attach(subtree[0]!, parents[k % 2]!);
      };
    },
    "a deep subtree that is moved by attachMany": (tree, length) => {
      const subtree = chain(tree, length);
      const parents = [chain(tree, length).at(-1)!, chain(tree, length).at(-1)!];
      return () => {
        for (let k = 0; k < length; k++) attachMany(tree, [subtree[0]!], parents[k % 2]!);
      };
    },
    "two deep subtrees that are swapped": (tree, length) => {
      const [left, right] = [chain(tree, length), chain(tree, length)];
      const half = length / 2;
      return () => {
        for (let k = 0; k < length; k++) swap(tree, left[half]!, right[half]!);
      };
    },
    "a deep subtree that is detached and attached": (tree, length) => {
      const all = chain(tree, length);
      const [child, parent] = [all[length / 2]!, all[length / 2 - 1]!];
      return () => {
        for (let k = 0; k < length; k++) {
          tree.detach(child);
          tree.attach(child, parent);
        }
      };
    },
    "every part of a chain that is detached": (tree, length) => {
      const all = chain(tree, length);
      const roll = dice(5);
      return () => {
        for (let k = 0; k < length; k++) tree.detach(all[roll(length)]!);
      };
    },
    "a wide subtree that is moved": (tree, length) => {
      const top = tree.attachNew(null);
      for (let k = 0; k < length; k++) tree.attachNew(top);
      const parents = [tree.attachNew(null), tree.attachNew(null)];
      return () => {
        for (let k = 0; k < length; k++) tree.attach(top, parents[k % 2]!);
      };
    },
    "a chain that is destroyed": (tree, length) => {
      const all = chain(tree, length);
      return () => void tree.destroy(all[0]!);
    },
    "random moves in a random tree": (tree, length) => {
      const roll = dice(9);
      const all: Entity[] = [tree.attachNew(null)];
      for (let k = 1; k < length; k++) all.push(tree.attachNew(all[Math.max(0, k - 1 - roll(4))]!));
      return () => {
        for (let k = 0; k < length; k++) {
          const [child, parent] = [all[roll(length)]!, all[roll(length)]!];
          if (tree.canAttach(child, parent)) tree.attach(child, parent);
        }
      };
    },
  };

  it.each(Object.keys(edits))("cost an edit a logarithm, not the levels: %s", (name) => {
    const tree = limited();
    const length = 2_048;
    // A walk of half the levels for each edit would be 1,000 looks.
    expect(looksAtLinks(tree, edits[name]!(tree, length)) / length).toBeLessThan(100);
    expect(checkTree(tree)).toEqual([]);
  });

  it("keep nothing while trees are small", () => {
    const tree = limited();
    const roll = dice(2);
    const vehicles = Array.from({ length: 200 }, () => chain(tree, 8));
    for (let k = 0; k < 500; k++) {
      const [child, parent] = [vehicles[roll(200)]!, vehicles[roll(200)]!];
      if (tree.canAttach(child[4]!, parent[2]!)) tree.attach(child[4]!, parent[2]!);
    }
    expect(treeOf(tree).depths).toMatchObject({ tour: undefined });
  });

  it.each([1, 2, 3, 4])("refuse what counting all levels refuses, deep below (seed %i)", (seed) => {
    const roll = dice(seed);
    const maxDepth = 150;
    const tree = limited({ limits: depthLimit({ max: maxDepth }) });
    const all = [...chain(tree, 120), ...chain(tree, 90), ...chain(tree, 60)];
    for (let k = 0; k < 1_500; k++) {
      const [a, b] = [roll(all.length), roll(all.length)];
      const [child, parent] = [all[a]!, all[b]!];
      const what = roll(12);
      if (what === 0) tree.detach(child);
      else if (what === 1 && tree.childCount(child) === 0) {
        tree.destroy(child);
        all[a] = tree.attachNew(tree.depthOf(all[b]!) < maxDepth && a !== b ? all[b]! : null);
      } else if (child !== parent && !tree.isAncestor(child, parent) && tree.parentOf(child) !== parent) {
        const fits = tree.depthOf(parent) + 1 + heightOf(tree, child) <= maxDepth;
        expect(tree.canAttach(child, parent)).toBe(fits);
        if (!fits) expect(() => attachMany(tree, [child], parent)).toThrow("hierarchy/too-deep");
        else if (what < 6) tree.attach(child, parent);
        else attachMany(tree, [child], parent);
      }
    }
    expect(treeOf(tree).depths).not.toMatchObject({ tour: undefined });
    expect(checkTree(tree)).toEqual([]);
  });

  it.runIf(DEVELOPMENT)("are reported by the self-test when the stored ones are wrong", () => {
    const tree = limited();
    const all = chain(tree, 100);
    const { tour } = treeOf(tree).depths as unknown as { readonly tour: EulerTour };
    tour.cut(all[50]! & 0x3fffff);
    expect(checkTree(tree)[0]).toContain("is kept at another position in the tour of depths");
    expect(checkWorld(tree.world)[0]).toMatchObject({ entity: all[50] });
  });
});
