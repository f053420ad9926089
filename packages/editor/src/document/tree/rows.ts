/**
 * The tree as a list of rows, as a panel shows it: what is expanded, in order, with its depth.
 */
import type { Entity } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";

/** Rows as columns, because there may be a million. */
export interface Rows {
  readonly entities: readonly Entity[];
  readonly depths: readonly number[];
  /** The place of each among its siblings, from 1. */
  readonly positions: readonly number[];
}

/** Which entities are open, and which are shown at all. */
export interface RowOptions {
  readonly isExpanded: (entity: Entity) => boolean;
  /** With a search: the entities to show. Everything if left out. */
  readonly shown?: ReadonlySet<Entity> | undefined;
}

/** O(rows), without recursion. */
export function rowsOf(tree: Hierarchy, { isExpanded, shown }: RowOptions): Rows {
  const entities: Entity[] = [];
  const depths: number[] = [];
  const positions: number[] = [];
  // One counter per open level: asking the tree for an index would make it keep one.
  const counters: number[] = [0];
  let depth = 0;
  let at = tree.firstChild(null);
  while (at !== null) {
    counters[depth] = (counters[depth] as number) + 1;
    const isShown = shown === undefined || shown.has(at);
    if (isShown) {
      entities.push(at);
      depths.push(depth);
      positions.push(counters[depth] as number);
    }
    const first = isShown && isExpanded(at) ? tree.firstChild(at) : null;
    if (first !== null) {
      at = first;
      depth++;
      counters[depth] = 0;
      continue;
    }
    let next = tree.nextInList(at);
    while (next === null) {
      at = tree.parentOf(at as Entity);
      if (at === null) break;
      depth--;
      next = tree.nextInList(at);
    }
    at = next;
  }
  return { entities, depths, positions };
}
