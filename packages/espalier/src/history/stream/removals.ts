/**
 * Removals: one entry for a whole subtree, because all of it was destroyed with its root.
 */
import type { Entity } from "../../ecs/index.ts";
import type { Key, RemoveEntry } from "../patch/patch.ts";
import { hasChildren } from "../state.ts";
import type { ChangeSource } from "./change-source.ts";
import type { Part } from "./part.ts";
import type { Traces } from "./traces.ts";

export function removals({ state, trees }: ChangeSource, traces: Traces, part: Part): RemoveEntry[] {
  const gone = new Set<Entity>();
  for (const entity of part.touched) {
    if (part.now(entity) === undefined && part.before(entity) !== undefined) gone.add(entity);
  }
  const tree = trees[0];
  const keyOf = (entity: Entity) => part.before(entity) as Key;
  if (tree === undefined || !hasChildren(tree)) {
    return Array.from(gone, (entity) => ({ op: "remove", id: keyOf(entity) }));
  }
  /** The parent at the start, which the follower still has. Entities that left that subtree before have an entry that moves them. */
  const parentBefore = (entity: Entity): number =>
    traces.entities.get(entity)?.parentBefore ?? (state.isAlive(entity) ? (tree.parentOf(entity) ?? 0) : 0);
  const tops: Entity[] = [];
  const isTop = new Set<number>();
  for (const entity of gone) {
    const parent = parentBefore(entity) as Entity;
    if (gone.has(parent)) isTop.add(parent);
    else tops.push(entity);
  }
  return tops.map((entity) => {
    const entry = { op: "remove", id: keyOf(entity) } as const;
    return isTop.has(entity) ? { ...entry, tree: tree.name } : entry;
  });
}
