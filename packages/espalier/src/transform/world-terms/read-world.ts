/**
 * Reading world values: right at once after any change, also between two passes.
 */
import type { EntityLike } from "../../ecs/index.ts";
import { findRow, type SlotNumbers } from "../../inherit/internal.ts";
import { GHOST, TOP_LEVEL } from "../spaces/inherit-mask.ts";
import { requireSolid } from "../spaces/keep-world.ts";
import type { SpaceState } from "../spaces/space-state.ts";

/** Where the world record of an entity begins in `flow.found`. */
export function findWorld({ flow }: SpaceState, entity: EntityLike): number {
  return findRow(flow, flow.nodeOf(entity, "read the world transform"));
}

/** Copies the world record of an entity into `out`. */
export function copyWorld(s: SpaceState, entity: EntityLike, out: SlotNumbers): SlotNumbers {
  const at = findWorld(s, entity);
  const { found } = s.flow;
  for (let k = 0; k < out.length; k++) out[k] = found[at + k];
  return out;
}

/** One number of the world record of an entity. */
export function readNumber(s: SpaceState, entity: EntityLike, k: number): number {
  const at = findWorld(s, entity);
  return s.flow.found[at + k];
}

/** What an entity would take over from a parent, with a transform or without; refuses ghosts. See `inherit-mask.ts`. */
export function takenFlags(s: SpaceState, entity: EntityLike): number {
  const slot = s.heldSlot(entity);
  const flags =
    slot < 0 ? s.flags.flagsFor(s.flow.nodeOf(entity, "place an entity"), true) : s.flags.taken(slot);
  if (flags & GHOST) requireSolid(s.tree, entity);
  return flags;
}

/** Where the world record begins in `flow.found` from which an entity with these flags would take over. */
export function findTaken(s: SpaceState, flags: number, parent: EntityLike | null): number {
  if (parent !== null && (flags & TOP_LEVEL) === 0) return findWorld(s, parent);
  s.flow.found = s.rows;
  return 0;
}
