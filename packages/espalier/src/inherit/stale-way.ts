/**
 * Single reads between two passes: which slots must be computed before the value of one entity is right.
 */
import type { Flow } from "./flow.ts";

/**
 * The slots from `node` up to its topmost changed ancestor, into `way`; 0 of them when its stored value is right. Follows
 * the links, because the order may wait for repair.
 */
export function staleWay(flow: Flow, node: number, way: number[]): number {
  if (flow.isClean) return 0;
  flow.claim(flow.order.tail);
  const { fresh, isStale, marked, links } = flow;
  const { slotOf } = flow.order;
  let length = 0;
  let needed = 0;
  for (let up = node; up > 0; up = links.parent(up)) {
    const slot = slotOf[up];
    way[length++] = slot;
    if (isStale || slot >= fresh || marked[slot] !== 0) needed = length;
  }
  return needed;
}

/** The slot of the parent, by the links; 0 for roots. */
export function parentSlotNow(flow: Flow, slot: number): number {
  const parent = flow.links.parent(flow.order.nodeAt[slot]);
  return parent === 0 ? 0 : flow.order.slotOf[parent];
}
