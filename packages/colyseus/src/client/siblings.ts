/** The children of each replicated entity, in order, for finding positions in the tree. */
import type { Known } from "./known.ts";

export class Siblings {
  private readonly below = new Map<number, Known[]>();

  /** Updates the position from the state. */
  put(known: Known): void {
    this.take(known);
    const { state } = known;
    known.parent = state.parent;
    known.order = state.order;
    if (known.parent < 0) return;
    let list = this.below.get(known.parent);
    if (list === undefined) this.below.set(known.parent, (list = []));
    list.splice(positionIn(list, known), 0, known);
  }

  take(known: Known): void {
    const list = this.below.get(known.parent);
    const k = list === undefined ? -1 : positionIn(list, known);
    if (list?.[k] !== known) return;
    list.splice(k, 1);
    if (list.length === 0) this.below.delete(known.parent);
  }

  /** The previous sibling. */
  before(known: Known): Known | undefined {
    const list = this.below.get(known.parent) ?? [];
    return list[positionIn(list, known) - 1];
  }

  /** Sorts a list so that earlier siblings are placed first. */
  inOrder(list: readonly Known[]): Known[] {
    return [...list].sort(compare);
  }

  /** Entities that arrived before their parents, which were added now. */
  orphansOf(added: readonly Known[]): Known[] {
    const fresh = new Set(added);
    return added.flatMap(({ key }) => (this.below.get(key) ?? []).filter((child) => !fresh.has(child)));
  }
}

/** Orders may be equal temporarily; keys never are. */
function compare(a: Known, b: Known): number {
  return a.order - b.order || a.key - b.key;
}

/** The index of the first that does not come before it. */
function positionIn(list: readonly Known[], known: Known): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(list[middle] as Known, known) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
