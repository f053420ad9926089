/**
 * Entities that cross the border of the scene and live on: they leave it as `Transient` ones, and their nodes meet them when they come back.
 */
import { type Entity, Transient, type World } from "espalier";
import { applyPatch } from "espalier/history";
import type { NodeId } from "../document/shared-document.ts";
import type { SharedWorld } from "./shared-world.ts";

/** Nodes of entities that crossed the border of the scene without being created or destroyed, and whether `Transient` was the reason. */
export type Crossed = ReadonlyMap<NodeId, boolean>;

/**
 * Nodes that come back meet the entities that live on outside of the scene.
 *
 * @returns The nodes that had one.
 */
export function meet(shared: SharedWorld, placed: ReadonlySet<NodeId>): NodeId[] {
  const { document, ids, world } = shared;
  const isBack = (id: NodeId) =>
    document.has(id) && ids.entityOf(id) === undefined && shared.outsideOf(id) !== undefined;
  const found = [...placed].filter(isBack);
  if (found.length === 0) return found;
  requireEditable(world);
  return found.filter((id) => {
    // Two nodes may come back whose entity was the same.
    const entity = shared.outsideOf(id);
    if (entity === undefined) return false;
    ids.set(id, entity);
    if (shared.isTransient(entity)) world.remove(entity, Transient);
    return true;
  });
}

/**
 * Removed nodes whose entities become `Transient` leave the scene with what is below them, and nothing of it is destroyed.
 *
 * @returns Nodes of which references mean something else now: those that left, and those that their entities had before.
 */
export function hide(
  shared: SharedWorld,
  placed: ReadonlySet<NodeId>,
  crossed: Crossed,
): ReadonlySet<NodeId> {
  const { document, tree, world } = shared;
  const isGone = (id: NodeId | undefined) => id !== undefined && !document.has(id);
  /** Whether entities leave the scene and live on, or are destroyed, with what is above them; `undefined` if they stay. */
  const lives = new Map<Entity | null, boolean | undefined>([[null, undefined]]);
  const livesOn = (entity: Entity) => {
    const way: Entity[] = [];
    let up: Entity | null = entity;
    for (; up !== null && !lives.has(up); up = tree.parentOf(up)) way.push(up);
    let found = lives.get(up);
    for (const each of way.reverse()) {
      const id = shared.nodeOf(each);
      if (found === undefined && isGone(id)) found = crossed.has(id as NodeId);
      lives.set(each, found);
    }
    return found === true;
  };
  const tops: Entity[] = [];
  const hidden: Entity[] = [];
  for (const [id, isByTransient] of crossed) {
    const entity = placed.has(id) && isGone(id) ? shared.entityOf(id) : undefined;
    if (entity === undefined || !world.isAlive(entity) || !livesOn(entity)) continue;
    const isTop = lives.get(tree.parentOf(entity)) !== true;
    if (isTop) tops.push(entity);
    if (isTop || isByTransient) hidden.push(entity);
  }
  const meant = new Set<NodeId>();
  if (tops.length === 0) return meant;
  requireEditable(world);
  for (const top of tops) {
    for (const each of tree.descendants(top, { includeSelf: true })) {
      const id = shared.nodeOf(each);
      if (id === undefined || !isGone(id)) continue;
      meant.add(id).add(shared.leave(id));
    }
  }
  for (const entity of hidden)
    if (world.isAlive(entity) && !shared.isTransient(entity)) world.add(entity, Transient);
  return meant;
}

/** @throws HistoryBusyError inside of a step that is open. */
function requireEditable(world: World): void {
  applyPatch(world, []);
}
