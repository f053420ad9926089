/**
 * Walking down a subtree along the links, parents first. For what does not change the tree meanwhile.
 */
import type { RawLinks } from "./links.ts";

/** The node after `node` in the pre-order below `top` (0: of the whole forest); 0 after the last. */
export function nextBelow(links: RawLinks, node: number, top: number): number {
  return links.first(node) || nextBehind(links, node, top);
}

/** `nextBelow` without what is below `node`. */
export function nextBehind(links: RawLinks, node: number, top: number): number {
  for (let up = node; up !== top; up = links.parent(up)) {
    const next = links.next(up);
    if (next !== 0) return next;
  }
  return 0;
}

/** How many levels are below `top`; -1 if that cannot be said after `limit` nodes. */
export function heightBelow(links: RawLinks, top: number, limit = Number.POSITIVE_INFINITY): number {
  let height = 0;
  let depth = 0;
  let node = top;
  for (let seen = 0; seen <= limit; seen++) {
    const first = links.first(node);
    if (first !== 0) {
      node = first;
      depth++;
      if (depth > height) height = depth;
      continue;
    }
    while (node !== top && links.next(node) === 0) {
      node = links.parent(node);
      depth--;
    }
    if (node === top) return height;
    node = links.next(node);
  }
  return -1;
}
