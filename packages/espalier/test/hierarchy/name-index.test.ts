import { createWorld, type Entity } from "espalier";
import { checkTree, childNamed, createHierarchy, findAll, type Hierarchy } from "espalier/hierarchy";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dice } from "./planting.ts";

/** The slow twin: looks at every child. */
function childrenNamed(tree: Hierarchy, parent: Entity | null, name: string): Entity[] {
  return tree.childrenOf(parent).filter((child) => tree.nameOf(child) === name);
}

describe("the index of names", () => {
  it("finds what a look at every child finds, in families of any size, while all of it changes", () => {
    fc.assert(
      fc.property(fc.integer(), fc.boolean(), (seed, hasHistoryOfNames) => {
        const roll = dice(seed);
        const world = createWorld();
        const tree = createHierarchy(world);
        const parents: (Entity | null)[] = [null, world.spawn(), world.spawn()];
        const all: Entity[] = [];
        const name = () => `n${roll(6)}`;
        const one = () => all[roll(all.length)]!;
        for (let k = 0; k < 40; k++) {
          all.push(tree.attachNew(parents[roll(3)]!));
          if (hasHistoryOfNames) tree.setName(all[k]!, name());
        }
        for (let step = 0; step < 150; step++) {
          const what = roll(8);
          if (what < 3) tree.setName(one(), roll(5) === 0 ? undefined : name());
          else if (what < 6) tree.attach(one(), parents[roll(3)]!);
          else if (what === 6) {
            const [gone] = all.splice(roll(all.length), 1);
            world.destroy(gone!);
            all.push(tree.attachNew(parents[roll(3)]!));
          } else for (const each of all) if (roll(40) === 0) tree.setName(each, undefined);
          const parent = parents[roll(3)]!;
          const wanted = name();
          const expected = childrenNamed(tree, parent, wanted);
          const path = parent === null ? "/" : `${tree.pathOf(parent)}/`;
          expect(childNamed(tree, parent, wanted)).toBe(expected[0] ?? null);
          expect(findAll(tree, `${path}${wanted}`)).toEqual(expected);
          expect(checkTree(tree)).toEqual([]);
        }
      }),
      { numRuns: 25 },
    );
  });

  it("is dropped with the parent, and when nothing has a name any more", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const parent = world.spawn();
    const children = Array.from({ length: 40 }, () => tree.attachNew(parent));
    tree.setName(children[3]!, "a");
    expect(childNamed(tree, parent, "a")).toBe(children[3]);
    tree.setName(children[3]!, undefined);
    expect(childNamed(tree, parent, "a")).toBeNull();
    tree.setName(parent, "p");
    expect(childNamed(tree, parent, "a")).toBeNull();
    world.destroy(parent);
    const again = world.spawn();
    const other = Array.from({ length: 40 }, () => tree.attachNew(again));
    tree.setName(other[5]!, "a");
    expect(childNamed(tree, again, "a")).toBe(other[5]);
    expect(checkTree(tree)).toEqual([]);
  });
});
