/**
 * Reading world values: right at once after any change, also between two passes.
 */
import type { Entity } from "../../ecs/index.ts";
import { INDEX_MASK } from "../../ecs/internal.ts";
import { parentSlotNow, type SlotNumbers, staleWay } from "../../inherit/internal.ts";
import { TURNED } from "../maths/geometry.ts";
import { EVERYTHING, TOP_LEVEL } from "../spaces/inherit-mask.ts";
import { requireSolid } from "../spaces/keep-places.ts";
import type { SpaceState } from "../spaces/space-state.ts";

/** Where the world record of a node is in `world`, or -1 when it had to be computed, into the begin of `scratch`. */
export function findRecord(s: SpaceState, node: number): number {
  const { worldWidth, scratch, way, flow } = s;
  const length = flow.isClean ? 0 : staleWay(flow, node, way);
  if (length === 0) return s.order.slotOf[node] * worldWidth;
  let from = s.world;
  let at = parentSlotNow(flow, way[length - 1]) * worldWidth;
  for (let k = length - 1; k >= 0; k--) {
    const to = k & 1 ? worldWidth : 0;
    derive(s, way[k]);
    s.compose(way[k], from, at, scratch, to);
    from = scratch;
    at = to;
  }
  return -1;
}

/** Brings the derived numbers of a slot up to date, if they are not. */
function derive(s: SpaceState, slot: number): void {
  const { flow } = s;
  const { derived } = s.geometry;
  if (derived === undefined) return;
  if (slot < flow.fresh) {
    if ((flow.marked[slot] & TURNED) === 0) return;
    flow.marked[slot] &= ~TURNED;
  }
  derived.compute(s.local, slot * s.localWidth);
}

/** Copies the world record of an entity into `out`. */
export function copyRecord(s: SpaceState, entity: Entity, out: SlotNumbers): void {
  const at = findRecord(s, s.flow.nodeOf(entity, "read the world transform"));
  const from = at < 0 ? s.scratch : s.world;
  const begin = Math.max(at, 0);
  for (let k = 0; k < out.length; k++) out[k] = from[begin + k];
}

/** One number of the world record of an entity. */
export function readNumber(s: SpaceState, entity: Entity, k: number): number {
  const at = findRecord(s, s.flow.nodeOf(entity, "read the world transform"));
  return at < 0 ? s.scratch[k] : s.world[at + k];
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
  const record = s.world.slice(0, s.worldWidth);
  if (flags & TOP_LEVEL) return { record, flags: EVERYTHING };
  if (parent !== null) copyRecord(s, parent, record);
  return { record, flags };
}
