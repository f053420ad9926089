/**
 * Undoing what `record.ts` recorded.
 */
import type { Entity } from "../../ecs/index.ts";
import { INDEX_MASK } from "../../ecs/internal.ts";
import { isEntityAt, parentNodeOf } from "../nodes.ts";
import { cycle, tooMany } from "../rules/refuse.ts";
import type { TreeState } from "../state.ts";
import { place, rename, reorder } from "./place.ts";
import { NAMED } from "./record.ts";

/**
 * Undoes one recorded change. Doing so is itself recorded, which gives the redo. Rules are not asked again. Siblings
 * that left or came without being recorded are passed over.
 * @throws when something that was not recorded makes it impossible; nothing has changed then.
 */
export function reverse(
  t: TreeState,
  entity: Entity | null,
  from: number,
  following: number,
  extra: unknown,
): void {
  const doing = "undo a change of the tree";
  const node = parentNodeOf(t, entity, doing);
  if (Array.isArray(extra)) {
    reorder(t, node, orderLike(t, node, extra));
  } else if (from === NAMED) {
    rename(t, node, extra as string | undefined);
  } else {
    const parent = parentNodeOf(t, from === 0 ? null : (from as Entity), doing);
    const error = whyNotBack(t, node, parent);
    if (error !== undefined) throw error;
    const next = following & INDEX_MASK;
    const isThere = isEntityAt(t, next, following as Entity) && t.links.parent(next) === parent;
    place(t, node, parent, isThere ? next : 0);
    if (t.options.links !== undefined && tooMany(t, parent, 1, t.links.count(parent) - 1) !== undefined) {
      t.overfull.add(parent);
    }
  }
}

/**
 * Called when a step is undone: a parent with a fixed array may hold one child too many on the way, as it does on the way there,
 * but not at the end.
 * @throws TooManyChildrenError
 */
export function finishReverse(t: TreeState): void {
  const parents = [...t.overfull];
  t.overfull.clear();
  for (const parent of parents) {
    const error =
      t.links.parent(parent) === -1 ? undefined : tooMany(t, parent, 1, t.links.count(parent) - 1);
    if (error !== undefined) throw error;
  }
}

/** Why `child` cannot go back under `parent`; only what would break the tree itself. */
function whyNotBack(t: TreeState, child: number, parent: number): Error | undefined {
  const error = parent === 0 ? undefined : cycle(t, child, parent);
  // Other limits may be exceeded on the way back, as they were on the way here; a fixed array by one at most.
  const isBounded = t.options.links !== undefined && t.links.parent(child) !== parent;
  return error ?? (isBounded ? tooMany(t, parent, 1, t.links.count(parent) - 1) : undefined);
}

/** The children of `parent` in the given order; those that are not in it come last. */
function orderLike(t: TreeState, parent: number, order: readonly Entity[]): number[] {
  const { links } = t;
  const nodes = new Set<number>();
  for (const child of order) {
    const node = child & INDEX_MASK;
    if (isEntityAt(t, node, child) && links.parent(node) === parent) nodes.add(node);
  }
  for (let node = links.first(parent); node !== 0; node = links.next(node)) nodes.add(node);
  return [...nodes];
}
