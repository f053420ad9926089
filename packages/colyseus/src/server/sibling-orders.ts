/**
 * The order of siblings as a number for each: a moved one needs a new number, and its siblings keep theirs. A client that sees only some
 * of them has them in the right order.
 */
import type { Entity } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";
import type { Key } from "espalier/history";
import type { EntityState } from "../state-classes.ts";

/** Gives numbers to siblings whose positions changed. */
export class SiblingOrders {
  private readonly tree: Hierarchy;
  private readonly entities: ReadonlyMap<Key, EntityState>;
  /** Siblings without a valid number, by parent. */
  private readonly unnumbered = new Map<number, Set<Key>>();

  constructor(tree: Hierarchy, entities: ReadonlyMap<Key, EntityState>) {
    this.tree = tree;
    this.entities = entities;
  }

  /** Marks an entity whose position among the children of `parent` changed; 0 for the roots. */
  changed(id: Key, parent: number): void {
    if (parent < 0) return;
    const set = this.unnumbered.get(parent);
    if (set === undefined) this.unnumbered.set(parent, new Set([id]));
    else set.add(id);
  }

  /** Gives each changed one a number between those of its neighbours. */
  settle(): void {
    if (this.unnumbered.size === 0) return;
    for (const [parent, ids] of this.unnumbered) this.settleBelow(parent, ids);
    this.unnumbered.clear();
  }

  private settleBelow(parent: number, unnumbered: ReadonlySet<Key>): void {
    const siblings: EntityState[] = [];
    const isNew: boolean[] = [];
    for (const child of this.tree.childrenOf(parent === 0 ? null : (parent as Entity))) {
      const state = this.entities.get(child);
      if (state === undefined || state.parent !== parent) continue;
      siblings.push(state);
      isNew.push(unnumbered.has(child));
    }
    if (!fits(siblings, isNew)) renumber(siblings);
  }
}

/** Puts the new ones between the others. Returns `false` if there is no free number, or the others are not in order. */
function fits(siblings: readonly EntityState[], isNew: readonly boolean[]): boolean {
  const orders: number[] = [];
  let before: number | undefined;
  for (let k = 0; k < siblings.length; ) {
    if (!isNew[k]) {
      const order = (siblings[k] as EntityState).order;
      if (before !== undefined && order <= before) return false;
      orders.push(order);
      before = order;
      k++;
      continue;
    }
    let end = k;
    while (end < siblings.length && isNew[end]) end++;
    const after = siblings[end]?.order;
    const count = end - k;
    for (let n = 1; n <= count; n++) {
      const order = between(before, after, n, count);
      if (orders.length > 0 && order <= (orders[orders.length - 1] as number)) return false;
      if (after !== undefined && order >= after) return false;
      orders.push(order);
    }
    before = orders[orders.length - 1];
    k = end;
  }
  siblings.forEach((state, k) => {
    state.order = orders[k] as number;
  });
  return true;
}

/** The `n`-th of `count` numbers between two, either of which may be missing. Whole numbers at the ends take the fewest bytes. */
function between(before: number | undefined, after: number | undefined, n: number, count: number): number {
  if (after === undefined) return (before === undefined ? 0 : Math.floor(before)) + n;
  if (before === undefined) return Math.ceil(after) - (count + 1 - n);
  return before + ((after - before) * n) / (count + 1);
}

function renumber(siblings: readonly EntityState[]): void {
  siblings.forEach((state, k) => {
    state.order = k + 1;
  });
}
