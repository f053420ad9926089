import type { Entity } from "espalier";
import {
  commonAncestor,
  descendantCount,
  heightOf,
  isDescendant,
  leavesOf,
  pathBetween,
} from "espalier/hierarchy";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dice, names, plant } from "./planting.ts";

describe("reading", () => {
  it("gives null, 0 or nothing where there is nothing to report", () => {
    const { tree, e } = plant("a");
    expect(tree.parentOf(e.a!)).toBeNull();
    expect(tree.firstChild(e.a!)).toBeNull();
    expect(tree.lastChild(e.a!)).toBeNull();
    expect(tree.nextSibling(e.a!)).toBeNull();
    expect(tree.previousSibling(e.a!)).toBeNull();
    expect(tree.childAt(e.a!, 0)).toBeNull();
    expect(tree.childCount(e.a!)).toBe(0);
    expect(tree.childrenOf(e.a!)).toEqual([]);
    expect(tree.depthOf(e.a!)).toBe(0);
    expect(heightOf(tree, e.a!)).toBe(0);
    expect(descendantCount(tree, e.a!)).toBe(0);
    expect(tree.rootOf(e.a!)).toBe(e.a);
    expect(tree.indexOf(e.a!)).toBe(0);
  });

  it("gives children by index, from both ends", () => {
    const { tree, e } = plant("p(a b c d e)");
    expect([0, 1, 4, 5, -1, -5, -6].map((at) => tree.childAt(e.p!, at))).toEqual([
      e.a,
      e.b,
      e.e,
      null,
      e.e,
      e.a,
      null,
    ]);
    expect(
      Object.values(e)
        .slice(1)
        .map((child) => tree.indexOf(child)),
    ).toEqual([0, 1, 2, 3, 4]);
  });

  it("answers whether one entity is an ancestor of another; no entity is its own ancestor", () => {
    const { tree, e } = plant("a(b(c) d) x");
    expect(tree.isAncestor(e.a!, e.c!)).toBe(true);
    expect(isDescendant(tree, e.c!, e.a!)).toBe(true);
    expect(tree.isAncestor(e.c!, e.a!)).toBe(false);
    expect(tree.isAncestor(e.d!, e.c!)).toBe(false);
    expect(tree.isAncestor(e.a!, e.a!)).toBe(false);
    expect(tree.isAncestor(e.x!, e.c!)).toBe(false);
  });

  it("finds the common ancestor and the way between two", () => {
    const { tree, e } = plant("a(b(c(c1)) d(d1)) x");
    const between = (from: string, to: string) => {
      const path = pathBetween(tree, e[from]!, e[to]!);
      return path && names(tree, path);
    };
    expect(commonAncestor(tree, e.c1!, e.d1!)).toBe(e.a);
    expect(commonAncestor(tree, e.c1!, e.b!)).toBe(e.b);
    expect(commonAncestor(tree, e.c!, e.c!)).toBe(e.c);
    expect(commonAncestor(tree, e.c!, e.x!)).toBeNull();
    expect(between("c1", "d1")).toBe("c1 c b a d d1");
    expect(between("c1", "b")).toBe("c1 c b");
    expect(between("b", "c1")).toBe("b c c1");
    expect(between("c", "c")).toBe("c");
    expect(between("c", "x")).toBeNull();
  });

  it("agrees with walking in any random forest", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const roll = dice(seed);
        const { tree } = plant("");
        const all: Entity[] = [];
        for (let k = 0; k < 60; k++)
          all.push(tree.attachNew(roll(5) === 0 ? null : (all[roll(all.length)] ?? null)));
        for (const entity of all) {
          const up = [...tree.ancestors(entity)];
          const below = [...tree.descendants(entity)];
          expect(tree.depthOf(entity)).toBe(up.length);
          expect(tree.rootOf(entity)).toBe(up.at(-1) ?? entity);
          expect(descendantCount(tree, entity)).toBe(below.length);
          expect(heightOf(tree, entity)).toBe(
            Math.max(0, ...below.map((it) => tree.depthOf(it) - up.length)),
          );
          expect(new Set([...leavesOf(tree, entity)])).toEqual(
            new Set([entity, ...below].filter((it) => tree.childCount(it) === 0)),
          );
          const other = all[roll(all.length)]!;
          const shared = [other, ...tree.ancestors(other)].find((it) => it === entity || up.includes(it));
          expect(commonAncestor(tree, entity, other)).toBe(shared ?? null);
          expect(tree.isAncestor(other, entity)).toBe(up.includes(other));
        }
        const reached = [...tree.roots()].flatMap((root) => [root, ...tree.descendants(root)]);
        expect(new Set(reached)).toEqual(new Set(all));
        expect(reached.length).toBe(all.length);
      }),
      { numRuns: 50 },
    );
  });
});
