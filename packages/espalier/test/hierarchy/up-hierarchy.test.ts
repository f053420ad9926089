import { component, createWorld, type Entity, f32 } from "espalier";
import {
  ancestorHas,
  CircularHierarchyError,
  childOf,
  createHierarchy,
  createUpHierarchy,
  descendantOf,
  hasParent,
  isRoot,
  parentHas,
} from "espalier/hierarchy";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dice, thrown } from "./planting.ts";

describe("parent pointers alone", () => {
  it("read as a tree does, under random edits", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const roll = dice(seed);
        const world = createWorld({ capacity: 4 });
        const up = createHierarchy(world, { links: "up" });
        const tree = createHierarchy(world, { onDestroy: "orphan" });
        for (let k = 0; k < 150; k++) {
          const all = world.entities();
          const some = () => all[roll(all.length)]!;
          const step = roll(8);
          if (all.length < 4 || step === 0) {
            const parent = all.length === 0 ? null : some();
            const entity = up.attachNew(parent);
            tree.attach(entity, parent);
          } else if (step === 1) expect(up.detach(all[0]!)).toBe(tree.detach(all[0]!));
          else if (step === 2) world.destroy(some());
          else {
            const [child, parent] = [some(), roll(6) === 0 ? null : some()];
            expect(up.canAttach(child, parent)).toBe(tree.canAttach(child, parent));
            if (up.canAttach(child, parent)) {
              expect(up.attach(child, parent)).toBe(tree.parentOf(child) !== parent);
              tree.attach(child, parent);
            } else expect(() => up.setParent(child, parent)).toThrow(CircularHierarchyError);
          }
          for (const entity of world.entities()) {
            expect(up.parentOf(entity)).toBe(tree.parentOf(entity));
            expect(up.isRoot(entity)).toBe(tree.isRoot(entity));
            expect(up.rootOf(entity)).toBe(tree.rootOf(entity));
            expect(up.depthOf(entity)).toBe(tree.depthOf(entity));
            expect([...up.ancestors(entity)]).toEqual([...tree.ancestors(entity)]);
            const other = world.entities()[roll(world.count)]!;
            expect(up.isAncestor(other, entity)).toBe(tree.isAncestor(other, entity));
            expect(up.isDescendant(other, entity)).toBe(tree.isDescendant(other, entity));
            expect(up.commonAncestor(other, entity)).toBe(tree.commonAncestor(other, entity));
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it("refuse a cycle with the same words", () => {
    const world = createWorld();
    const up = createUpHierarchy(world);
    const [a, b, c] = [world.spawn(), world.spawn(), world.spawn()];
    up.attach(b, a);
    up.attach(c, b);
    const error = thrown(() => up.attach(a, c)) as CircularHierarchyError;
    expect(error.message).toBe(
      "Cannot move #1 under #3: it would become its own ancestor (#1 > #2 > #3). Pick a parent outside it. [hierarchy/cycle]",
    );
    expect(error.chain).toEqual([a, b, c]);
    expect(up.whyNotAttach(a, c)?.message).toBe(error.message);
    expect(up.whyNotAttach(c, a)).toBeNull();
    expect(() => up.attach(a, a)).toThrow(CircularHierarchyError);
  });

  it("forget a parent that died, and do not take its successor for it", () => {
    const world = createWorld();
    const up = createUpHierarchy(world);
    const [a, b] = [world.spawn(), world.spawn()];
    up.attach(b, a);
    world.destroy(a);
    expect(up.parentOf(b)).toBeNull();
    const recycled = world.spawn();
    expect(recycled & 0x3fffff).toBe(a & 0x3fffff);
    expect(up.parentOf(b)).toBeNull();
    expect(up.parentOf(recycled)).toBeNull();
    expect(up.detach(b)).toBe(false);
    expect(() => up.attach(b, a)).toThrow("was destroyed");
    expect(up.canAttach(b, a)).toBe(false);
    expect(() => up.attachNew(a)).toThrow("was destroyed");
    expect(world.count).toBe(2);
  });

  it("walk up as it was at the start", () => {
    const world = createWorld();
    const up = createUpHierarchy(world);
    const [a, b, c, d] = [world.spawn(), world.spawn(), world.spawn(), world.spawn()];
    up.attach(b, a);
    up.attach(c, b);
    const seen: Entity[] = [];
    up.forEachAncestor(
      c,
      (entity) => {
        seen.push(entity);
        if (entity !== c) return;
        up.attach(c, d);
        world.destroy(b);
      },
      { includeSelf: true },
    );
    expect(seen).toEqual([c, a]);
    let calls = 0;
    up.forEachAncestor(c, () => {
      calls++;
      return "stop";
    });
    expect(calls).toBe(1);
  });

  it("answer the terms that look up", () => {
    const Mark = component("Mark", { value: f32() });
    const world = createWorld();
    const up = createUpHierarchy(world);
    const [a, b, c, d] = [world.spawn(Mark({ value: 7 })), world.spawn(), world.spawn(), world.spawn()];
    up.attach(b, a);
    up.attach(c, b);
    expect(world.query(isRoot(up)).ids().sort()).toEqual([a, d]);
    expect(world.query(hasParent(up)).ids().sort()).toEqual([b, c]);
    expect(world.query(childOf(up, a)).ids()).toEqual([b]);
    expect(world.query(descendantOf(up, a)).ids().sort()).toEqual([b, c]);
    expect(world.query(parentHas(up, Mark)).ids()).toEqual([b]);
    const seen: unknown[] = [];
    world.query(ancestorHas(up, Mark)).each((entity, mark) => seen.push([entity, mark.value]));
    expect(seen).toEqual([
      [b, 7],
      [c, 7],
    ]);
  });

  it("go a million levels deep", () => {
    const world = createWorld({ capacity: 1_000_001 });
    const up = createUpHierarchy(world);
    const all = world.spawnMany(1_000_000);
    // From the top down: each check for cycles ends at once.
    for (let k = all.length - 1; k > 0; k--) up.attach(all[k]!, all[k - 1]!);
    expect(up.depthOf(all.at(-1)!)).toBe(999_999);
    expect(up.rootOf(all.at(-1)!)).toBe(all[0]);
    expect(thrown(() => up.attach(all[0]!, all.at(-1)!)).message.length).toBeLessThan(300);
  });
});
