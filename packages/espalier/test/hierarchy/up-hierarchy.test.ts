import { checkWorld, component, createWorld, type Entity, f32 } from "espalier";
import {
  ancestorHas,
  CircularHierarchyError,
  childOf,
  commonAncestor,
  createHierarchy,
  createUpHierarchy,
  descendantOf,
  hasParent,
  isDescendant,
  isRoot,
  parentHas,
  upLinks,
} from "espalier/hierarchy";
import { applyPatch, createHistory, followChanges, restoreSnapshot, takeSnapshot } from "espalier/history";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";
import { dice, thrown } from "./planting.ts";

describe("parent pointers alone", () => {
  it("read as a tree does, under random edits", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const roll = dice(seed);
        const world = createWorld({ capacity: 4 });
        const up = createHierarchy(world, { links: upLinks() });
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
            expect(up.isDescendant(other, entity)).toBe(isDescendant(tree, other, entity));
            expect(up.commonAncestor(other, entity)).toBe(commonAncestor(tree, other, entity));
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it("refuse a cycle with the same message", () => {
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

  it("support the terms that look up", () => {
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

describe("a parent whose handle lives again", () => {
  it("is not the parent again in a world that follows, unless an entry says so", () => {
    const world = createWorld();
    const links = createUpHierarchy(world);
    const history = createHistory(world);
    const copy = createWorld();
    const copyLinks = createUpHierarchy(copy);
    const stream = followChanges(world, { trees: [links] });
    const follow = () => applyPatch(copy, stream.read().patch, { trees: [copyLinks] });
    const [p, child, other] = world.spawnMany(3) as [Entity, Entity, Entity];
    links.attach(child, p);
    history.commit();
    follow();
    world.destroy(p);
    history.commit();
    follow();
    expect(copyLinks.parentOf(child)).toBeNull();
    // The child goes elsewhere and back to no parent; then the old parent lives again.
    links.attach(child, other);
    links.detach(child);
    history.commit();
    history.undo();
    history.undo();
    expect([links.parentOf(child), world.isAlive(p)]).toEqual([p, true]);
    follow();
    expect(copyLinks.parentOf(child)).toBe(p);
    expect([...checkWorld(world), ...checkWorld(copy)]).toEqual([]);
  });

  it("is not the parent again after another entity was created with its handle", () => {
    const world = createWorld();
    const links = createUpHierarchy(world);
    const snapshot = takeSnapshot(world, { trees: [links] });
    const [p, child] = world.spawnMany(2) as [Entity, Entity];
    links.attach(child, p);
    const loose = takeSnapshot(world, { trees: [links] });
    world.destroy(p);
    expect(links.parentOf(child)).toBeNull();
    restoreSnapshot(world, loose, { trees: [links] });
    expect(links.parentOf(child)).toBe(p);
    restoreSnapshot(world, snapshot, { trees: [links] });
    expect(world.spawnMany(2)).toEqual([p, child]);
    expect(links.parentOf(child)).toBeNull();
  });

  it("stays consistent in random edits with undo and redo", () => {
    property(
      fc.array(fc.record({ what: fc.nat(6), a: fc.nat(9), b: fc.nat(9) }), { minLength: 10, maxLength: 60 }),
      (edits) => {
        const world = createWorld();
        const links = createUpHierarchy(world);
        const history = createHistory(world);
        world.spawnMany(4);
        history.commit();
        history.clear();
        const copy = createWorld();
        const copyLinks = createUpHierarchy(copy);
        copy.spawnMany(4);
        const stream = followChanges(world, { trees: [links] });
        const states: string[] = [];
        const state = () =>
          JSON.stringify(world.entities().map((e) => [e, links.parentOf(e), links.depthOf(e)]));
        for (const { what, a, b } of edits) {
          const all = world.entities();
          const [x, y] = [all[a % Math.max(all.length, 1)], all[b % Math.max(all.length, 1)]];
          const before = state();
          if (what === 0) world.spawn();
          else if (what === 5) {
            if (history.undo()) expect(state()).toBe(states.pop());
            continue;
          } else if (x === undefined || y === undefined) continue;
          else if (what === 1) world.destroy(x);
          else if (what === 2) links.detach(x);
          else if (links.canAttach(x, y)) links.attach(x, y);
          const { version } = history;
          history.commit();
          if (history.version !== version) states.push(before);
          expect(checkWorld(world)).toEqual([]);
          if (b % 3 === 0) applyPatch(copy, stream.read().patch, { trees: [copyLinks] });
        }
        applyPatch(copy, stream.read().patch, { trees: [copyLinks] });
        expect(copy.entities().map((e) => [e, copyLinks.parentOf(e)])).toEqual(
          world.entities().map((e) => [e, links.parentOf(e)]),
        );
      },
      150,
    );
  });
});
