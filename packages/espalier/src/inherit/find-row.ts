/**
 * Single reads between two passes: computes what must be computed before the value of one entity is right.
 */
import type { Flow } from "./flow.ts";
import type { Rows } from "./flow-values.ts";

/**
 * Where the value of a node begins in `flow.found`: in the values themselves if it is right there, else in `scratch`, computed from
 * its topmost changed ancestor down.
 */
export function findRow<R extends Rows>(flow: Flow<R>, node: number): number {
  const { values, way, order } = flow;
  const { width, scratch } = values;
  flow.found = values.rows;
  const length = flow.isClean ? 0 : staleWay(flow, node);
  if (length === 0) return order.slotOf[node] * width;
  let at = order.slotOf[flow.links.parent(order.nodeAt[way[length - 1]])] * width;
  for (let k = length - 1; k >= 0; k--) {
    const to = k & 1 ? width : 0;
    values.compose(way[k], flow.found, at, scratch, to);
    flow.found = scratch;
    at = to;
  }
  return at;
}

/**
 * The slots from `node` up to its topmost changed ancestor, into `way`; 0 of them when its stored value is right. Follows
 * the links, because the order may wait for repair.
 */
function staleWay(flow: Flow, node: number): number {
  flow.claim(flow.order.tail);
  const { fresh, isStale, marked, links, way } = flow;
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
