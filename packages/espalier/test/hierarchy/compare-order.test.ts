import { createWorld, type Entity } from "espalier";
import {
  compactOrder,
  compareOrder,
  createHierarchy,
  flatOrder,
  type Hierarchy,
  hasFlatOrder,
} from "espalier/hierarchy";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property, refusal } from "../testing.ts";

/** A forest: entity k hangs under one of those before it, or is a root. */
function plant(parents: readonly number[]): { tree: Hierarchy; entities: Entity[] } {
  const tree = createHierarchy(createWorld());
  const entities: Entity[] = [];
  for (const [k, parent] of parents.entries()) {
    const above = entities[parent % (k + 1)] ?? null;
    const entity = tree.attachNew(above);
    entities.push(entity);
    if (parent % 3 === 0) tree.attach(entity, above, { at: 0 });
  }
  return { tree, entities };
}

function inTreeOrder(tree: Hierarchy): Entity[] {
  return [...tree.roots()].flatMap((root) => [...tree.descendants(root, { includeSelf: true })]);
}

describe("compareOrder", () => {
  it("agrees with a walk over the tree, with and without the flat order, for random forests", () => {
    const forests = fc.array(fc.nat(50), { minLength: 1, maxLength: 40 });
    property(forests, (parents) => {
      const { tree, entities } = plant(parents);
      const expected = inTreeOrder(tree);
      const sorted = () => [...entities].sort((a, b) => compareOrder(tree, a, b));
      expect(sorted()).toEqual(expected);
      expect(hasFlatOrder(tree)).toBe(false);
      compactOrder(tree);
      expect(flatOrder(tree).exact).toBe(true);
      expect(sorted()).toEqual(expected);
    });
  });

  it("follows moves that leave the flat order inexact", () => {
    const { tree, entities } = plant([0, 0, 0, 0, 0, 0]);
    compactOrder(tree);
    tree.attach(entities[0]!, null);
    tree.attach(entities[3]!, entities[1]!, { at: 0 });
    expect(flatOrder(tree).exact).toBe(false);
    expect([...entities].sort((a, b) => compareOrder(tree, a, b))).toEqual(inTreeOrder(tree));
  });

  it("compares entities at the two ends of a chain of 200,000 without recursion", () => {
    const tree = createHierarchy(createWorld());
    const top = tree.attachNew(null);
    let bottom = top;
    for (let k = 0; k < 200_000; k++) bottom = tree.attachNew(bottom);
    expect(compareOrder(tree, top, bottom)).toBeLessThan(0);
    expect(compareOrder(tree, bottom, top)).toBeGreaterThan(0);
    expect(compareOrder(tree, bottom, bottom)).toBe(0);
  });

  it.each([false, true])("refuses a dead entity (with the flat order: %s)", (isFlat) => {
    const { tree, entities } = plant([1, 1]);
    const [alive, dead] = entities as [Entity, Entity];
    if (isFlat) compactOrder(tree);
    tree.world.destroy(dead);
    expect(hasFlatOrder(tree) && flatOrder(tree).exact).toBe(isFlat);
    for (const pair of [[alive, dead] as const, [dead, alive] as const, [dead, dead] as const]) {
      expect(refusal(tree.world, () => compareOrder(tree, ...pair))).toContain(
        "Cannot read the depth: #2 was destroyed.",
      );
    }
  });
});
