/**
 * Giving one entity a parent. Everything is checked first; when a call throws, nothing has changed.
 */
import type { ComponentInit, Entity, EntityLike } from "../../ecs/index.ts";
import {
  type Archetype,
  archetypeOfNew,
  asOneCallOrNone,
  complete,
  destroyAlone,
  makeDefaults,
  spawnChecked,
} from "../../ecs/internal.ts";
import { nodeOf, parentNodeOf } from "../nodes.ts";
import type { AttachOptions } from "../options.ts";
import { refusal, refusalOfNew } from "../rules/refuse.ts";
import type { TreeState } from "../state.ts";
import { keeperOf, keepingOne } from "./keep.ts";
import { place, together } from "./place.ts";
import { beforeNode, hasPosition } from "./position.ts";

/** Puts `child` under `parent`. `false` when it is there already, and for a root that stays one without a position. */
export function attach(t: TreeState, child: Entity, parent: Entity | null, options?: AttachOptions): boolean {
  t.ecs.requireUnasked("attach");
  const node = nodeOf(t, child, "attach");
  const to = parentNodeOf(t, parent, "attach");
  const error = refusal(t, node, to);
  if (error !== undefined) throw error;
  if (options !== undefined) return attachWith(t, node, to, options);
  return to === 0 && t.links.parent(node) === 0 ? false : place(t, node, to, 0);
}

function attachWith(t: TreeState, node: number, to: number, options: AttachOptions): boolean {
  const before = beforeNode(t, node, to, options);
  const { keep } = options;
  if (to === 0 && t.links.parent(node) === 0 && !hasPosition(options)) {
    // Also where nothing moves, what is to be kept must be known.
    if (keep !== undefined) keeperOf(t, keep);
    return false;
  }
  return keep === undefined ? place(t, node, to, before) : placeKeeping(t, node, to, before, keep);
}

/** `place` with what `keep` names as it was. Nothing has changed when that cannot be. */
export function placeKeeping(t: TreeState, node: number, to: number, before: number, keep: string): boolean {
  const finish = keepingOne(t, keeperOf(t, keep), node, to);
  return together(t, () => {
    const isPlaced = place(t, node, to, before);
    finish();
    return isPlaced;
  });
}

/** The error that `attach(child, parent)` would throw, or `null`. */
export function whyNotAttach(t: TreeState, child: EntityLike, parent: EntityLike | null): Error | null {
  try {
    return refusal(t, nodeOf(t, child, "attach"), parentNodeOf(t, parent, "attach")) ?? null;
  } catch (error) {
    return error as Error;
  }
}

/**
 * Creates an entity under `parent`. The hook `created` links it there.
 *
 * @param isComplete Whether `inits` hold the defaults that functions make.
 */
export function attachNew(
  t: TreeState,
  parent: Entity | null,
  given: readonly ComponentInit[],
  options?: AttachOptions,
  isComplete = false,
): Entity {
  t.ecs.requireUnlocked("create an entity");
  const inits = isComplete ? given : complete(t.ecs, given, 0);
  const to = parentNodeOf(t, parent, "attach a new entity");
  const error = refusalOfNew(t, to);
  if (error !== undefined) throw error;
  const before = options === undefined ? 0 : beforeNode(t, 0, to, options);
  t.guardedParent = to;
  try {
    const archetype = archetypeOfNew(t.ecs, inits);
    if (!archetype.areMade || isComplete) {
      if (t.constraints.length !== 0 && to !== 0)
        return attachNewConstrained(t, to, before, archetype, inits);
      t.nextParent = to;
      t.nextBefore = before;
      return spawnChecked(t.ecs, archetype, inits);
    }
  } finally {
    // For a spawn that was refused; otherwise they are taken.
    t.nextParent = 0;
    t.nextBefore = 0;
    t.guardedParent = 0;
  }
  // Functions that make defaults may change the tree.
  return attachNew(t, parent, makeDefaults(t.ecs, inits), options, true);
}

/**
 * Constraints are asked about an entity that exists: it is created apart, and taken back if they refuse. No observer runs before that
 * is known.
 */
function attachNewConstrained(
  t: TreeState,
  parent: number,
  before: number,
  archetype: Archetype,
  inits: readonly ComponentInit[],
): Entity {
  return asOneCallOrNone(t.ecs, () => {
    const entity = spawnChecked(t.ecs, archetype, inits);
    try {
      const node = nodeOf(t, entity, "attach");
      const error = refusal(t, node, parent);
      if (error !== undefined) throw error;
      place(t, node, parent, before);
    } catch (error) {
      destroyAlone(t.ecs, entity, true);
      throw error;
    }
    return entity;
  });
}
