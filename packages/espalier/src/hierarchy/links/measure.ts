/**
 * Depths, heights and what is above what, from the links. Nothing recurses.
 */
import type { TreeState } from "../state.ts";
import type { RawLinks } from "./links.ts";
import { nextBelow } from "./preorder.ts";

/** What knows parents: all of a tree, or those alone. */
interface Parents extends Partial<Pick<TreeState, "order" | "depths">> {
  readonly links: Pick<RawLinks, "parent">;
}

/** How many ancestors a node has. O(depth). */
export function depthAt({ links }: Parents, node: number): number {
  let depth = 0;
  for (let up = links.parent(node); up > 0; up = links.parent(up)) depth++;
  return depth;
}

/** The root of the tree that a node is in. O(depth). */
export function rootAt({ links }: Parents, node: number): number {
  let root = node;
  for (let up = links.parent(node); up > 0; up = links.parent(up)) root = up;
  return root;
}

/** How many nodes are below `top`. Walks the subtree. */
export function countBelow({ links }: TreeState, top: number): number {
  let count = 0;
  for (let node = nextBelow(links, top, top); node !== 0; node = nextBelow(links, node, top)) count++;
  return count;
}

/** Whether `node` is `top` or below it. Two comparisons while the flat order is exact, else O(depth); O(log n) where depths are limited. */
export function isInside({ links, order, depths }: Parents, node: number, top: number): boolean {
  if (order?.exact) {
    const slot = order.slotOf[top];
    return order.slotOf[node] >= slot && order.slotOf[node] < order.end[slot];
  }
  if (depths !== undefined) return depths.isInside(node, top);
  let up = node;
  while (up > 0 && up !== top) up = links.parent(up);
  return up === top;
}

/** The deepest node that is above both or one of them; 0 in different trees. */
export function commonAncestorAt(t: Parents, a: number, b: number): number {
  const { links } = t;
  let left = a;
  let right = b;
  let deeper = depthAt(t, left) - depthAt(t, right);
  for (; deeper > 0; deeper--) left = links.parent(left);
  for (; deeper < 0; deeper++) right = links.parent(right);
  while (left !== right) {
    left = links.parent(left);
    right = links.parent(right);
  }
  return left;
}

/** The nodes from `node` up to `top`, without `top`. */
export function nodesUpTo({ links }: Parents, node: number, top: number): number[] {
  const nodes: number[] = [];
  for (let up = node; up !== top; up = links.parent(up)) nodes.push(up);
  return nodes;
}

export function childNodes({ links }: TreeState, parent: number): number[] {
  const nodes: number[] = [];
  for (let child = links.first(parent); child !== 0; child = links.next(child)) nodes.push(child);
  return nodes;
}

/** Everything below `top` in pre-order; `top` itself first. */
export function* subtreeNodes({ links }: TreeState, top: number): Iterable<number> {
  yield top;
  for (let node = nextBelow(links, top, top); node !== 0; node = nextBelow(links, node, top)) yield node;
}
