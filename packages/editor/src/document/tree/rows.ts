/**
 * The tree as a list of rows, as a panel shows it: the expanded entities in order, with their depths.
 */
import type { Entity } from "espalier";
import { type Hierarchy, nextInList } from "espalier/hierarchy";

/** Rows as columns, because there may be a million. */
export interface Rows {
  readonly entities: readonly Entity[];
  /** Relative to the branch that is shown. */
  readonly depths: readonly number[];
  /** The position of each among its siblings, from 1. */
  readonly positions: readonly number[];
}

/** Which entities are expanded, and which are shown at all. */
export interface RowOptions {
  readonly isExpanded: (entity: Entity) => boolean;
  /** With a search: the entities to show. Everything if left out. */
  readonly shown?: ReadonlySet<Entity> | undefined;
  /** Only this entity and what is below it. */
  readonly branch?: Entity | undefined;
  /** Shows siblings in this order; the tree keeps its own. */
  readonly compare?: ((a: Entity, b: Entity) => number) | undefined;
}

interface Level {
  readonly siblings: readonly Entity[];
  next: number;
}

/** O(rows), without recursion; O(n log n) with `compare`. */
export function rowsOf(tree: Hierarchy, options: RowOptions): Rows {
  const { isExpanded, shown, branch, compare } = options;
  if (compare !== undefined) return sortedRows(tree, options, compare);
  const entities: Entity[] = [];
  const depths: number[] = [];
  const positions: number[] = [];
  // One counter per open level: asking the tree for an index would make the tree maintain one.
  const counters: number[] = [0];
  let depth = 0;
  let at = branch ?? tree.firstChild(null);
  while (at !== null) {
    counters[depth] = (counters[depth] as number) + 1;
    const isShown = shown === undefined || shown.has(at);
    if (isShown) {
      entities.push(at);
      depths.push(depth);
      positions.push(counters[depth] as number);
    }
    const first: Entity | null = isShown && isExpanded(at) ? tree.firstChild(at) : null;
    if (first !== null) {
      at = first;
      depth++;
      counters[depth] = 0;
      continue;
    }
    let next: Entity | null = at === branch ? null : nextInList(tree, at);
    while (next === null) {
      at = at === branch ? null : tree.parentOf(at as Entity);
      if (at === null || at === branch) return { entities, depths, positions };
      depth--;
      next = nextInList(tree, at);
    }
    at = next;
  }
  return { entities, depths, positions };
}

function sortedRows(
  tree: Hierarchy,
  { isExpanded, shown, branch }: RowOptions,
  compare: (a: Entity, b: Entity) => number,
): Rows {
  const entities: Entity[] = [];
  const depths: number[] = [];
  const positions: number[] = [];
  const sorted = (parent: Entity | null): Level => {
    const children: Entity[] = [];
    for (let at = tree.firstChild(parent); at !== null; at = nextInList(tree, at)) {
      if (shown === undefined || shown.has(at)) children.push(at);
    }
    return { siblings: children.sort(compare), next: 0 };
  };
  const levels: Level[] = [branch === undefined ? sorted(null) : { siblings: [branch], next: 0 }];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const entity = level.siblings[level.next++];
    if (entity === undefined) {
      levels.pop();
      continue;
    }
    entities.push(entity);
    depths.push(levels.length - 1);
    positions.push(level.next);
    if (isExpanded(entity) && tree.firstChild(entity) !== null) levels.push(sorted(entity));
  }
  return { entities, depths, positions };
}
