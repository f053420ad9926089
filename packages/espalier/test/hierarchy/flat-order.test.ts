import { createWorld, type Entity } from "espalier";
import {
  attachNewAt,
  checkTree,
  compactOrder,
  createHierarchy,
  dissolve,
  flatOrder,
  type Hierarchy,
  hasFlatOrder,
  sortChildren,
  subtreeRange,
} from "espalier/hierarchy";
import { orderOf, type SlotFollower, type SlotMoves, treeOf } from "espalier/internal/hierarchy";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dice, drawn, names, plant } from "./planting.ts";

/** Which slot each slot's node had before the holes between these runs were closed. */
function slotsBefore(runs: Int32Array): number[] {
  const old: number[] = [];
  for (let k = 0; k < runs.length; k += 3) {
    for (let n = 0; n < runs[k + 2]!; n++) old[runs[k]! + n] = runs[k + 1]! + n;
  }
  return old;
}

/** Keeps the handle of the entity in a slot, by following and nothing else. */
class Shadow implements SlotFollower {
  readonly tree: Hierarchy;
  values = new Float64Array(0);
  known = 1;

  constructor(tree: Hierarchy) {
    this.tree = tree;
    orderOf(treeOf(tree)).follow(this);
  }

  grow(capacity: number): void {
    const values = new Float64Array(capacity);
    values.set(this.values);
    this.values = values;
  }

  moved(from: number, to: number): void {
    this.known = to + 1;
    this.values[to] = this.values[from]!;
    this.values[from] = 0;
  }

  settle(tail: number): void {
    this.claimTo(tail);
  }

  permuted(moves: SlotMoves): void {
    const before = this.values;
    this.values = new Float64Array(before.length);
    const old = moves.runs === undefined ? moves.old : slotsBefore(moves.runs);
    for (let slot = 1; slot < moves.count; slot++) this.values[slot] = before[old[slot]!]!;
    this.known = moves.count;
  }

  claimed(slot: number): void {
    this.values[slot] = this.tree.world.handleAt(flatOrder(this.tree).nodeAt[slot]!);
  }

  /** Looks at the slots that were appended since it last looked. */
  claimTo(tail: number): void {
    for (; this.known < tail; this.known++) {
      const node = flatOrder(this.tree).nodeAt[this.known]!;
      this.values[this.known] = node === 0 ? 0 : this.tree.world.handleAt(node);
    }
  }

  released(ids: Int32Array, from: number, to: number): void {
    for (const id of ids.subarray(from, to)) this.values[flatOrder(this.tree).slotOf[id]!] = 0;
  }

  /** What does not stand where the order says. */
  wrong(): number[] {
    const { nodeAt, tail } = flatOrder(this.tree);
    this.claimTo(tail);
    const slots: number[] = [];
    for (let slot = 1; slot < tail; slot++) {
      const expected = nodeAt[slot] === 0 ? 0 : this.tree.world.handleAt(nodeAt[slot]!);
      if (this.values[slot] !== expected) slots.push(slot);
    }
    return slots;
  }
}

function inSlots(tree: Hierarchy): Entity[] {
  const { nodeAt, tail } = flatOrder(tree);
  return Array.from(nodeAt.slice(1, tail))
    .filter((node) => node !== 0)
    .map((node) => tree.world.handleAt(node));
}

describe("the flat order", () => {
  it("has every parent before its children after any edits, and values that follow it", () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.constantFrom("cascade" as const, "orphan" as const, "adopt" as const),
        fc.boolean(),
        (seed, onDestroy, fixed) => {
          const roll = dice(seed);
          const world = createWorld(fixed ? { capacity: 32, fixed } : { capacity: 4 });
          const tree = createHierarchy(world, { onDestroy });
          for (let k = 0; k < roll(30); k++) world.spawn();
          const shadow = new Shadow(tree);
          const { slotOf, nodeAt, entityAt, parentSlot, end } = flatOrder(tree);
          for (let k = 0; k < 300; k++) {
            const all = world.entities();
            const some = () => all[roll(all.length)]!;
            const step = all.length < 10 ? 0 : fixed && all.length === 32 ? 3 + roll(9) : roll(12);
            if (step < 3)
              attachNewAt(tree, all.length === 0 || roll(5) === 0 ? null : some(), { at: roll(4) });
            else if (step < 8) {
              const [child, parent] = [some(), some()];
              if (tree.canAttach(child, parent)) tree.attach(child, parent, { at: roll(3) });
            } else if (step === 8) world.destroy(some());
            else if (step === 9) dissolve(tree, some());
            else if (step === 10)
              sortChildren(tree, roll(2) ? null : some(), (a, b) => ((a * 7919) % 101) - ((b * 7919) % 101));
            else if (roll(3) === 0) compactOrder(tree);
            else flatOrder(tree).sync();
            if (roll(4) === 0) expect(checkTree(tree)).toEqual([]);
            expect(shadow.wrong()).toEqual([]);
          }
          expect(checkTree(tree)).toEqual([]);
          // Loops in a fixed world keep the arrays.
          if (fixed) {
            const order = flatOrder(tree);
            expect(order.slotOf).toBe(slotOf);
            expect(order.entityAt).toBe(entityAt);
            expect(order.end).toBe(end);
            expect(order.nodeAt).toBe(nodeAt);
            expect(order.parentSlot).toBe(parentSlot);
          }
        },
      ),
      { numRuns: 120 },
    );
  });

  it("may be repaired while it is walked", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const root = world.spawn();
    const children = Array.from({ length: 10 }, () => tree.attachNew(root));
    compactOrder(tree);
    world.destroy(children[2]!);
    expect([flatOrder(tree).exact, flatOrder(tree).holes]).toEqual([true, 1]);
    const seen: Entity[] = [];
    tree.forEachDescendant(root, (entity) => {
      seen.push(entity);
      compactOrder(tree);
    });
    const rest = children.filter((_, k) => k !== 2);
    expect(seen).toEqual(rest);
    // With a hole before them, all slots change.
    const before = world.spawn();
    tree.moveChild(before, "first");
    compactOrder(tree);
    world.destroy(before);
    expect([flatOrder(tree).exact, flatOrder(tree).holes]).toEqual([true, 1]);
    seen.length = 0;
    tree.forEachDescendant(root, (entity) => {
      seen.push(entity);
      compactOrder(tree);
    });
    expect(seen).toEqual(rest);
  });

  it("is exact pre-order after compact, and a subtree is one run of slots", () => {
    const { tree, e } = plant("a(b(c) d) x(y)");
    tree.attach(e.d!, e.c!);
    tree.attach(e.x!, e.a!, { at: 0 });
    compactOrder(tree);
    expect(names(tree, inSlots(tree))).toBe("a x y b c d");
    const range = (entity: Entity) => {
      const [from, to] = subtreeRange(tree, entity);
      return names(tree, inSlots(tree).slice(from - 1, to - 1));
    };
    expect(range(e.b!)).toBe("b c d");
    expect(range(e.x!)).toBe("x y");
    expect(range(e.a!)).toBe("a x y b c d");
    tree.attach(e.y!, e.b!, { at: 0 });
    expect(range(e.b!)).toBe("b y c d");
    tree.world.destroy(e.c!);
    expect(range(e.a!)).toBe("a x b y");
    expect(() => subtreeRange(tree, e.c!)).toThrow("was destroyed");
  });

  it("gives the same answers about what is inside as the links, while it is exact", () => {
    const { world, tree } = plant("a(b(c d) e(f)) g(h(i))");
    const all = world.entities();
    const answers = () =>
      all.map((top) => all.map((node) => [tree.canAttach(top, node), tree.isAncestor(top, node)]));
    const byLinks = answers();
    compactOrder(tree);
    expect(flatOrder(tree).exact).toBe(true);
    expect(answers()).toEqual(byLinks);
  });

  it("stays exact while roots come last, and not when one comes first", () => {
    const { world, tree, e } = plant("a(b)");
    compactOrder(tree);
    world.spawn();
    expect(flatOrder(tree).exact).toBe(true);
    attachNewAt(tree, null, { at: 0 });
    expect(flatOrder(tree).exact).toBe(false);
    compactOrder(tree);
    expect(flatOrder(tree).exact).toBe(true);
    tree.moveChild(e.a!, "last");
    expect(flatOrder(tree).exact).toBe(false);
    expect(checkTree(tree)).toEqual([]);
  });

  it("is exact from the start where a tree is built depth first, whatever dies meanwhile", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const roll = dice(seed);
        const world = createWorld({ capacity: 4 });
        const tree = createHierarchy(world);
        const shadow = new Shadow(tree);
        let path: Entity[] = [];
        for (let k = 0; k < 200; k++) {
          path.length = Math.min(path.length, roll(path.length + 2));
          path.push(tree.attachNew(path.at(-1) ?? null));
          if (roll(8) === 0) {
            world.destroy(path[roll(path.length)]!);
            path = path.filter((entity) => world.isAlive(entity));
          }
          if (roll(20) === 0) expect(checkTree(tree)).toEqual([]);
          if (roll(5) === 0) expect(flatOrder(tree).exact).toBe(true);
          if (roll(30) === 0) flatOrder(tree).sync();
        }
        expect(flatOrder(tree).exact).toBe(true);
        expect(inSlots(tree)).toEqual(
          [...tree.roots()].flatMap((root) => [...tree.descendants(root, { includeSelf: true })]),
        );
        expect([...checkTree(tree), ...shadow.wrong()]).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it("does not write every new end to a long line of ancestors", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    flatOrder(tree).sync();
    let last = world.spawn();
    for (let k = 0; k < 1000; k++) last = tree.attachNew(last);
    expect(flatOrder(tree).exact).toBe(true);
    last = tree.attachNew(last);
    expect(flatOrder(tree).exact).toBe(false);
    expect(checkTree(tree)).toEqual([]);
  });

  it("becomes exact again when an unchanged tree is walked repeatedly", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const root = world.spawn();
    const shadow = new Shadow(tree);
    const parents = Array.from({ length: 50 }, () => tree.attachNew(root));
    for (let k = 0; k < 200; k++) tree.attachNew(parents[k % 50]!);
    const walk = () => tree.forEachDescendant(root, () => {});
    const expected = [...tree.descendants(root)];
    for (let k = 0; k < 100; k++) {
      walk();
      tree.attachNew(root);
      world.destroy(tree.lastChild(root)!);
    }
    expect(flatOrder(tree).exact).toBe(false);
    for (const _ of world.entities()) walk();
    expect(flatOrder(tree).exact).toBe(true);
    const seen: Entity[] = [];
    tree.forEachDescendant(root, (entity) => void seen.push(entity));
    expect(seen).toEqual(expected);
    expect([...checkTree(tree), ...shadow.wrong()]).toEqual([]);
  });

  it("does not move under a loop", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const root = world.spawn();
    flatOrder(tree).sync();
    const parents = Array.from({ length: 50 }, () => tree.attachNew(root));
    for (const parent of parents) tree.attachNew(parent);
    const before = inSlots(tree);
    world.query().each(() => tree.forEachDescendant(root, () => {}));
    expect(inSlots(tree)).toEqual(before);
    tree.forEachDescendant(root, () => {});
    expect(inSlots(tree)).not.toEqual(before);
    expect(flatOrder(tree).exact).toBe(true);
  });

  it("costs nothing until it is used", () => {
    const { tree } = plant("a(b)");
    expect(hasFlatOrder(tree)).toBe(false);
    flatOrder(tree).sync();
    expect(hasFlatOrder(tree)).toBe(true);
  });

  it("is repaired by moving what was displaced, not by a new order for one move", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const roots = Array.from({ length: 1000 }, () => tree.attachNew(null));
    for (const root of roots) for (let k = 0; k < 10; k++) tree.attachNew(root);
    compactOrder(tree);
    const before = inSlots(tree);
    tree.attach(roots[10]!, roots[990]!);
    flatOrder(tree).sync();
    const after = inSlots(tree);
    const moved = new Set([roots[10]!, ...tree.descendants(roots[10]!)]);
    expect(after.slice(-11)).toEqual([...moved]);
    expect(after.slice(0, -11)).toEqual(before.filter((entity) => !moved.has(entity)));
  });

  it("becomes exact again some frames after the last of many moves, and not between them", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const all = Array.from({ length: 500 }, () => tree.attachNew(null));
    compactOrder(tree);
    for (let k = 1; k < 400; k++) {
      tree.attach(all[k]!, all[k - 1]!);
      flatOrder(tree).sync();
      expect(flatOrder(tree).exact).toBe(false);
    }
    for (let frame = 0; frame < 20; frame++) flatOrder(tree).sync();
    expect(flatOrder(tree).exact).toBe(true);
    expect(drawn(tree).length).toBeGreaterThan(0);
  });

  it("becomes exact in a large tree as soon as most of it has moved", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const all = Array.from({ length: 70_000 }, () => tree.attachNew(null));
    flatOrder(tree).sync();
    for (let k = 1; k < 60_000; k++) tree.attach(all[k]!, all[0]!);
    flatOrder(tree).sync();
    expect(flatOrder(tree).exact).toBe(true);
    expect(subtreeRange(tree, all[0]!)).toEqual([1, 60_001]);
  });

  it("closes a hole between any two nodes when a new node needs room", () => {
    const world = createWorld({ capacity: 63 });
    const tree = createHierarchy(world);
    const order = flatOrder(tree);
    const shadow = new Shadow(tree);
    const kept = [world.spawn()];
    while (order.tail < order.nodeAt.length) {
      const gone = world.spawn();
      kept.push(world.spawn());
      world.destroy(gone);
    }
    expect([order.tail, order.holes]).toEqual([64, 31]);
    kept.push(world.spawn());
    expect([order.tail, order.holes]).toEqual([34, 0]);
    expect(inSlots(tree)).toEqual(kept);
    expect([shadow.wrong(), checkTree(tree)]).toEqual([[], []]);
  });

  it("sweeps the holes that destroyed entities leave", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const shadow = new Shadow(tree);
    const all = Array.from({ length: 2000 }, () => tree.attachNew(null));
    for (let k = 0; k < 1500; k++) world.destroy(all[k]!);
    flatOrder(tree).sync();
    expect(flatOrder(tree).tail).toBe(501);
    expect(flatOrder(tree).holes).toBe(0);
    expect(shadow.wrong()).toEqual([]);
    expect(checkTree(tree)).toEqual([]);
  });
});
