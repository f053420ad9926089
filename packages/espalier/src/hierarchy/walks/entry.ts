/**
 * What walks write down of a list.
 */
import type { Entity } from "../../ecs/index.ts";
import { entityAt, handleOrZero, isEntityAt } from "../nodes.ts";
import type { TreeState } from "../state.ts";

/** A node, its entity then, and the entity that was its parent then (0: none). Both indices may be used again later. */
export interface Entry {
  readonly node: number;
  readonly entity: Entity;
  readonly parent: number;
}

export function entryOf(t: TreeState, node: number): Entry {
  return { node, entity: entityAt(t, node), parent: handleOrZero(t, t.links.parent(node)) };
}

/** Whether the entity lives and has still that parent. */
export function isStillThere(t: TreeState, { node, entity, parent }: Entry): boolean {
  return isEntityAt(t, node, entity) && handleOrZero(t, t.links.parent(node)) === parent;
}
