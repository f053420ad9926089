/**
 * What walks write down of a list.
 */
import type { Entity } from "../../ecs/index.ts";
import { entityAt, isEntityAt } from "../nodes.ts";
import type { TreeState } from "../state.ts";

/** A node, its entity then, and the parent it had then. */
export interface Entry {
  readonly node: number;
  readonly entity: Entity;
  readonly parent: number;
}

export function entryOf(t: TreeState, node: number, parent: number): Entry {
  return { node, entity: entityAt(t, node), parent };
}

/** Whether the entity lives and has still that parent. */
export function isStillThere(t: TreeState, { node, entity, parent }: Entry): boolean {
  return isEntityAt(t, node, entity) && t.links.parent(node) === parent;
}
