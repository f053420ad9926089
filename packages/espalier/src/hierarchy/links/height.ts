/**
 * How many levels are below a node.
 */
import type { Links } from "./links.ts";

/** Levels below `top`. Walks the subtree, or until there are more than `enough`. */
export function heightIn(links: Links, top: number, enough = Number.POSITIVE_INFINITY): number {
  let height = 0;
  let depth = 0;
  let node = top;
  for (;;) {
    const first = links.first(node);
    if (first !== 0) {
      node = first;
      depth++;
      if (depth > height) height = depth;
      if (height > enough) return height;
      continue;
    }
    while (node !== top && links.next(node) === 0) {
      node = links.parent(node);
      depth--;
    }
    if (node === top) return height;
    node = links.next(node);
  }
}
