import type { Entity } from "espalier";
import { describe, expect, it } from "vitest";
import type { EditorDocument } from "../src/document/document.ts";
import { byLabel } from "../src/document/tree/by-label.ts";
import { dropTargetAt } from "../src/document/tree/drop-target.ts";
import { indentationFor } from "../src/document/tree/indentation.ts";
import { pinnedAncestors } from "../src/document/tree/pinned-ancestors.ts";
import { type Rows, rowsOf } from "../src/document/tree/rows.ts";
import { shortPath } from "../src/document/tree/short-path.ts";
import { findAhead, TypeAhead } from "../src/document/tree/type-ahead.ts";
import { at, names, open } from "./open.ts";

/** The same numbers for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function randomTree(next: () => number, count: number): EditorDocument {
  const entities = Array.from({ length: count }, (_, k) => ({
    id: `e${k}`,
    name: `${["oak", "elm", "fir"][Math.floor(next() * 3)]} ${Math.floor(next() * 20)}`,
    ...(k === 0 || next() < 0.1 ? {} : { parent: `e${Math.floor(next() * k)}` }),
  }));
  return open(JSON.stringify({ entities }));
}

/** The slow, obvious twin of `rowsOf`. */
function slowRows(
  { tree }: EditorDocument,
  isExpanded: (entity: Entity) => boolean,
  branch: Entity | undefined,
  compare: ((a: Entity, b: Entity) => number) | undefined,
  shown: ReadonlySet<Entity> | undefined,
): Rows {
  const [entities, depths, positions]: [Entity[], number[], number[]] = [[], [], []];
  const show = (siblings: readonly Entity[], depth: number) => {
    const all = compare === undefined ? siblings : [...siblings].sort(compare);
    const counted = compare === undefined ? all : all.filter((one) => shown?.has(one) ?? true);
    for (const [k, one] of counted.entries()) {
      if (shown !== undefined && !shown.has(one)) continue;
      entities.push(one);
      depths.push(depth);
      positions.push(k + 1);
      if (isExpanded(one)) show(tree.childrenOf(one), depth + 1);
    }
  };
  show(branch === undefined ? [...tree.roots()] : [branch], 0);
  return { entities, depths, positions };
}

describe("the rows of the tree", () => {
  it.each(Array.from({ length: 30 }, (_, seed) => seed + 1))(
    "agree with the slow version, of branches, by name and with a search (seed %i)",
    (seed) => {
      const next = random(seed);
      const document = randomTree(next, 60);
      const all = document.world.entities();
      const expanded = new Set(all.filter(() => next() < 0.7));
      const isExpanded = (entity: Entity) => expanded.has(entity);
      const found = new Set<Entity>();
      for (const one of all.filter(() => next() < 0.1)) {
        found.add(one);
        for (const up of document.tree.ancestors(one)) found.add(up);
      }
      for (const branch of [undefined, all[Math.floor(next() * all.length)]]) {
        for (const compare of [undefined, byLabel(document)]) {
          for (const shown of [undefined, found]) {
            if (shown !== undefined && branch !== undefined && !shown.has(branch)) continue;
            expect(rowsOf(document.tree, { isExpanded, branch, compare, shown })).toEqual(
              slowRows(document, isExpanded, branch, compare, shown),
            );
          }
        }
      }
    },
  );

  it("of a chain of 100,000 are made without recursion, also by name", () => {
    const document = open(`{ "entities": [] }`);
    let last: Entity | null = null;
    for (let k = 0; k < 100_000; k++) last = document.tree.attachNew(last);
    const options = { isExpanded: () => true };
    expect(rowsOf(document.tree, options).depths.at(-1)).toBe(99_999);
    expect(rowsOf(document.tree, { ...options, compare: byLabel(document) }).depths.at(-1)).toBe(99_999);
  });
});

describe("the indentation", () => {
  it("is full where there is room, and always leaves room for names among thirty rows", () => {
    expect(indentationFor(0, 5, 280)).toEqual({ base: 0, step: 14 });
    for (const width of [200, 280, 420]) {
      for (const shallowest of [0, 3, 17, 500, 999_970]) {
        for (const rows of [1, 5, 12, 30]) {
          const { base, step } = indentationFor(shallowest, shallowest + rows, width);
          expect(base).toBeLessThanOrEqual(shallowest);
          expect(step).toBeGreaterThanOrEqual(1);
          expect((shallowest + rows - base) * step).toBeLessThanOrEqual(Math.max(width - 110, 80));
        }
      }
    }
  });
});

describe("pinned ancestors", () => {
  it("are none at the top, and the outermost with the nearest ones further down", () => {
    const entities = Array.from({ length: 50 }, (_, k) => ({
      id: `n${k}`,
      name: `n${k}`,
      ...(k === 0 ? {} : { parent: `n${k - 1}` }),
    }));
    const document = open(JSON.stringify({ entities }));
    const rows = rowsOf(document.tree, { isExpanded: () => true });
    expect(pinnedAncestors(document.tree, rows, 0)).toEqual([]);
    const pins = pinnedAncestors(document.tree, rows, 30);
    expect(
      names(
        document,
        pins.map(({ entity }) => entity),
      ),
    ).toEqual(["n0", "n31", "n32", "n33"]);
    expect(pins.map(({ skipped }) => skipped)).toEqual([30, 0, 0, 0]);
    const few = pinnedAncestors(document.tree, rows, 1);
    expect(
      names(
        document,
        few.map(({ entity }) => entity),
      ),
    ).toEqual(["n0", "n2", "n3", "n4"]);
  });
});

describe("a path that is shown", () => {
  it("is whole where it is short, and has its first and last steps where it is long", () => {
    expect(shortPath("/a/b/c/d/e")).toBe("/a/b/c/d/e");
    expect(shortPath("/a/b/c/d/e/f/g")).toBe("/a/…/e/f/g");
  });
});

describe("type-ahead", () => {
  it("forgets a word after a pause, and takes a repeated letter as that letter", () => {
    const ahead = new TypeAhead();
    expect([ahead.type("d", 0), ahead.type("o", 100), ahead.isOn(200)]).toEqual(["d", "do", true]);
    expect([ahead.isOn(2000), ahead.type("t", 2000), ahead.type("t", 2100)]).toEqual([false, "t", "t"]);
  });

  it("wraps around from the focus, and finds rows in a closed parent", () => {
    const document = open();
    const rows = rowsOf(document.tree, { isExpanded: () => false });
    const find = (from: number, text: string) => {
      const found = findAhead(document, rows, from, text);
      return found === undefined ? undefined : document.label(found);
    };
    expect(find(0, "l")).toBe("level");
    expect(find(0, "f")).toBe("folder");
    expect(find(3, "s")).toBe("sky");
    expect(find(0, "do")).toBe("door");
    expect(find(0, "zz")).toBeUndefined();
  });
});

describe("the position of a drop", () => {
  const setUp = (change: { branch?: string; isSorted?: boolean } = {}) => {
    const document = open();
    const branch = change.branch === undefined ? undefined : at(document, change.branch);
    const isExpanded = () => true;
    const rows = rowsOf(document.tree, { isExpanded, branch });
    return {
      document,
      drop: (height: number, level?: number) =>
        dropTargetAt(
          document,
          { rows, isExpanded, branch, isSorted: change.isSorted ?? false },
          height,
          [],
          level,
        ),
    };
  };

  it("behind a last child is as deep as the pointer says, but not outside of what is below it", () => {
    // level > house > door, tree; sky
    const { document, drop } = setUp();
    expect(drop(2.9, 9)).toMatchObject({
      depth: 2,
      parent: at(document, "house"),
      after: at(document, "door"),
    });
    expect(drop(2.9, 0)).toMatchObject({
      depth: 1,
      parent: at(document, "level"),
      after: at(document, "house"),
    });
    expect(drop(3.9, 0)).toMatchObject({ depth: 0, parent: null, after: at(document, "level") });
    expect(drop(3.9)).toMatchObject({ depth: 1, after: at(document, "tree") });
  });

  it("in a branch is never beside the branch, and by name never between rows", () => {
    const { document, drop } = setUp({ branch: "house" });
    for (const height of [0.1, 0.5, 99])
      expect(drop(height)).toMatchObject({ kind: "into", parent: at(document, "house") });
    expect(drop(1.9, 0)).toMatchObject({ parent: at(document, "house"), after: at(document, "door") });
    const sorted = setUp({ isSorted: true });
    expect(sorted.drop(1.1).refusal).toContain("shown by name");
    expect(sorted.drop(1.5).refusal).toBeUndefined();
  });
});
