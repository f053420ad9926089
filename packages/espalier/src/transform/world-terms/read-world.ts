/**
 * Reading world values: right at once after any change, also between two passes.
 */
import type { Entity } from "../../ecs/index.ts";
import { INDEX_MASK } from "../../ecs/internal.ts";
import { findRow, type SlotNumbers } from "../../inherit/internal.ts";
import { EVERYTHING, TOP_LEVEL } from "../spaces/inherit-mask.ts";
import { requireSolid } from "../spaces/keep-places.ts";
import type { SpaceState } from "../spaces/space-state.ts";

/** Where the world record of an entity begins in `flow.found`. */
export function findWorld({ flow }: SpaceState, entity: Entity): number {
  return findRow(flow, flow.nodeOf(entity, "read the world transform"));
}

/** Copies the world record of an entity into `out`. */
export function copyWorld(s: SpaceState, entity: Entity, out: SlotNumbers): SlotNumbers {
  const at = findWorld(s, entity);
  const { found } = s.flow;
  for (let k = 0; k < out.length; k++) out[k] = found[at + k];
  return out;
}

/** One number of the world record of an entity. */
export function readNumber(s: SpaceState, entity: Entity, k: number): number {
  const at = findWorld(s, entity);
  return s.flow.found[at + k];
}

/** What an entity takes over: from which world record, and with which flags. */
export interface Taken {
  readonly record: SlotNumbers;
  readonly flags: number;
}

/** What an entity would take over from `parent`; refuses ghosts. */
export function takenFrom(s: SpaceState, entity: Entity, parent: Entity | null): Taken {
  requireSolid(s.tree, entity);
  const flags = s.flags.flagsFor(entity & INDEX_MASK, true);
  const record = s.rows.slice(0, s.width);
  if (flags & TOP_LEVEL) return { record, flags: EVERYTHING };
  if (parent !== null) copyWorld(s, parent, record);
  return { record, flags };
}
