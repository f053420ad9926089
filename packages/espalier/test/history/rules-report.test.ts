import { checkWorld, component, createWorld, type Entity, f32, guard, tag } from "espalier";
import {
  checkTree,
  constrain,
  createHierarchy,
  depthLimit,
  forbidOnChildren,
  type Hierarchy,
  inlineLinks,
} from "espalier/hierarchy";
import { applyPatch, createIdMap, type Key, type PatchEntry, type Violation } from "espalier/history";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";

const Body = tag("Body");
const Health = component("Health", { hp: f32(100) });

const add = (id: Key, parent: Key | null, name?: string, components = {}): PatchEntry => ({
  op: "add",
  id,
  components,
  positions: { tree: { parent, ...(name === undefined ? {} : { name }) } },
});

function create(options: Parameters<typeof createHierarchy>[1] = {}) {
  const world = createWorld();
  const tree = createHierarchy(world, options);
  const ids = createIdMap();
  const report = (patch: PatchEntry[]) =>
    applyPatch(world, patch, { trees: [tree], components: [Body, Health], ids, rules: "report" });
  return { world, tree, ids, report };
}

const rulesOf = (violations: readonly Violation[]) => violations.map(({ rule }) => rule).sort();

describe("rules that report", () => {
  it("let a patch break maxChildren, uniqueNames and constraints, and list that", () => {
    const { world, tree, ids, report } = create({ maxChildren: 2, uniqueNames: true });
    constrain(tree, forbidOnChildren(world, Body));
    const patch = [
      add("top", null),
      add("a", "top", "same"),
      add("b", "top", "same"),
      add("c", "top", "other", { Body: {} }),
    ];
    expect(() => applyPatch(world, patch, { trees: [tree], components: [Body], ids })).toThrow("[hierarchy/");
    expect([world.count, ids.size]).toEqual([0, 0]);
    const { added, violations } = report(patch);
    expect([...added.keys()]).toEqual(["top", "a", "b", "c"]);
    expect(tree.childrenOf(ids.entityOf("top")!)).toEqual(["a", "b", "c"].map((key) => ids.entityOf(key)));
    expect(new Set(rulesOf(violations))).toEqual(
      new Set(["hierarchy/constraint", "hierarchy/duplicate-name", "hierarchy/too-many-children"]),
    );
    expect(violations.every(({ isApplied }) => isApplied)).toBe(true);
    expect(violations.find(({ rule }) => rule === "hierarchy/constraint")).toMatchObject({
      entities: expect.arrayContaining([ids.entityOf("c")]),
      reason: expect.stringContaining("Body is allowed on roots only"),
    });
    // The rules hold again for everything else.
    expect(() => tree.attach(world.spawn(Body), ids.entityOf("a")!)).toThrow("hierarchy/constraint");
    expect(() => tree.attachNew(ids.entityOf("top")!)).toThrow("hierarchy/too-many-children");
  });

  it("list a violation for each of many levels, and leave stack traces as they were", () => {
    const { tree, report } = create({ limits: depthLimit({ max: 10 }) });
    const limit = Error.stackTraceLimit;
    const patch = Array.from({ length: 20_000 }, (_, k) => add(`k${k}`, k === 0 ? null : `k${k - 1}`));
    const { violations } = report(patch);
    expect(violations).toHaveLength(20_000 - 11);
    expect(violations.every(({ rule, isApplied }) => rule === "hierarchy/too-deep" && isApplied)).toBe(true);
    expect(Error.stackTraceLimit).toBe(limit);
    expect(checkTree(tree)).toMatchObject([expect.stringContaining("more than its limit (10)")]);
  });

  it("list refusals by the guards of components", () => {
    const { world, report } = create();
    guard(world, Health, (_index, values) => {
      if ((values as { hp: number }).hp > 100) throw new Error("too healthy");
    });
    const { violations } = report([add("a", null, undefined, { Health: { hp: 500 } })]);
    expect(violations).toMatchObject([{ rule: "guard", reason: "too healthy", isApplied: true }]);
  });

  it("keep the tree a tree: moves that contradict each other leave one of them out", () => {
    const { world, tree, ids, report } = create();
    report([add("a", null), add("b", null)]);
    const { violations } = report([
      { op: "move", id: "a", tree: "tree", parent: "b" },
      { op: "move", id: "b", tree: "tree", parent: "a" },
    ]);
    expect(violations).toMatchObject([{ rule: "hierarchy/cycle", isApplied: false, tree: "tree" }]);
    const [a, b] = [ids.entityOf("a")!, ids.entityOf("b")!];
    expect([tree.parentOf(a), tree.parentOf(b)].filter((parent) => parent !== null)).toHaveLength(1);
    expect(checkTree(tree)).toEqual([]);
    expect(checkWorld(world)).toEqual([]);
  });

  it("list what a patch adds below the depth limit", () => {
    const { tree, ids, report } = create({ limits: depthLimit({ max: 1 }) });
    const { violations } = report([add("a", null), add("b", "a"), add("c", "b"), add("d", "c")]);
    expect(violations).toMatchObject([
      { rule: "hierarchy/too-deep", isApplied: true, entities: [ids.entityOf("c"), ids.entityOf("b")] },
      { rule: "hierarchy/too-deep", isApplied: true, entities: [ids.entityOf("d"), ids.entityOf("c")] },
    ]);
    expect(() => tree.attachNew(ids.entityOf("b")!)).toThrow("hierarchy/too-deep");
  });

  it("list a move that brings descendants below the depth limit", () => {
    const { ids, report } = create({ limits: depthLimit({ max: 2 }) });
    report([add("a", null), add("b", "a"), add("top", null), add("middle", "top"), add("leaf", "middle")]);
    const { violations } = report([{ op: "move", id: "top", tree: "tree", parent: "b" }]);
    expect(violations).toMatchObject([
      {
        rule: "hierarchy/too-deep",
        isApplied: true,
        entities: [ids.entityOf("top"), ids.entityOf("b")],
        reason: expect.stringContaining("the tree would get 4 levels below its root and tree allows 2"),
      },
    ]);
  });

  it("list a depth limit for a chain of 20,000 levels", () => {
    const { report } = create({ limits: depthLimit({ max: 100 }) });
    const chain = Array.from({ length: 20_000 }, (_, k) => add(k + 1, k === 0 ? null : k));
    expect(report(chain).violations.length).toBe(20_000 - 101);
  });

  it("refuse limits and full arrays where rules do not report", () => {
    const deep = create({ limits: depthLimit({ max: 1 }) });
    const full = create({ links: inlineLinks(1) });
    const strict = ({ world, tree, ids }: ReturnType<typeof create>, patch: PatchEntry[], code: string) => {
      expect(() => applyPatch(world, patch, { trees: [tree], ids })).toThrow(code);
      expect([world.count, ids.size]).toEqual([0, 0]);
    };
    strict(deep, [add("a", null), add("b", "a"), add("c", "b")], "hierarchy/too-deep");
    strict(full, [add("a", null), add("b", "a"), add("c", "a")], "hierarchy/too-many-children");
  });

  it("leave out what a fixed array of children has no room for", () => {
    const { tree, ids, report } = create({ links: inlineLinks(2) });
    const { violations } = report([add("top", null), add("a", "top"), add("b", "top"), add("c", "top")]);
    expect(violations).toMatchObject([{ rule: "hierarchy/too-many-children", isApplied: false }]);
    expect(tree.parentOf(ids.entityOf("c")!)).toBe(null);
  });

  it("give a tree for any moves, like carrying them out one by one where the tree allows it", () => {
    property(
      fc.array(fc.tuple(fc.nat(7), fc.option(fc.nat(7))), { maxLength: 20 }),
      (moves) => {
        const { tree, ids, report } = create({ maxChildren: 3 });
        const keys = Array.from({ length: 8 }, (_, k) => `k${k}`);
        report(keys.map((key) => add(key, null)));
        const placed = new Map(moves.map(([child, parent]) => [child, parent]));
        const patch = Array.from(
          placed,
          ([child, parent]): PatchEntry => ({
            op: "move",
            id: keys[child] as Key,
            tree: "tree",
            parent: parent === null ? null : (keys[parent] as Key),
          }),
        );
        const { violations } = report(patch);
        const cycles = violations.filter(({ rule }) => rule === "hierarchy/cycle");
        // What was not left out is where the patch says.
        const leftOut = new Set<Entity>(cycles.flatMap(({ entities }) => entities[0] ?? []));
        for (const [child, parent] of placed) {
          const entity = ids.entityOf(keys[child] as Key) as Entity;
          if (leftOut.has(entity)) continue;
          expect(tree.parentOf(entity)).toBe(parent === null ? null : ids.entityOf(keys[parent] as Key));
        }
        const over = keys.filter((key) => tree.childrenOf(ids.entityOf(key) as Entity).length > 3);
        expect(violations.some(({ rule }) => rule === "hierarchy/too-many-children")).toBe(over.length > 0);
        // Too many children were reported and stay; nothing else is wrong.
        const tooMany = over.map(() => expect.stringContaining("more than maxChildren (3)"));
        expect(checkTree(tree as Hierarchy)).toEqual(tooMany);
      },
      300,
    );
  });
});
