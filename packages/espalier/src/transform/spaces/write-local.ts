/**
 * Writing local values: what the setters of a space do.
 */
import type { Component, Entity, EntityLike, Schema } from "../../ecs/index.ts";
import { handleIn } from "../../ecs/internal.ts";
import type { SlotNumbers } from "../../inherit/internal.ts";
import { requireAllFinite, requireFinite } from "../checks/check-numbers.ts";
import type { SpaceState } from "./space-state.ts";

/** Writes some fields by name; an entity without a transform gets one. */
export function setLocal(s: SpaceState, entity: EntityLike, values: object): void {
  const node = s.flow.nodeOf(entity, "set the transform");
  // The component refuses the same, in words that do not name the entity.
  if (typeof values !== "object" || values === null || !s.store.access.areFinite(values))
    requireAllFinite(s, entity, values);
  const { world } = s.tree;
  const component = s.component as Component<Schema>;
  if (s.hasTransform(node)) world.set(entity, component, values);
  else world.add(entity, component(values));
}

/** Writes fields first..end - 1 from `s.given`; an entity without a transform gets one. */
export function writeGiven(s: SpaceState, entity: EntityLike, first: number, end: number): void {
  const { given, store } = s;
  // Listeners are notified by the world, which also says what it does not take.
  const slot = store.heard ? -1 : s.heldSlot(entity);
  if (slot >= 0 && store.recorded) recordGiven(s, entity, slot, first, end);
  const marks = slot < 0 ? -1 : s.geometry.write(s.local, slot * s.localWidth, given, first, end);
  if (marks < 0) setLocal(s, entity, fieldsOf(s, given, 0, first, end));
  else if (marks > 0) s.flow.mark(slot, marks);
}

/** Writes all fields; an entity without a transform gets one. */
export function writeLocal(s: SpaceState, entity: EntityLike, values: object): void {
  const { geometry } = s;
  geometry.give(values, s.given);
  writeGiven(s, entity, 0, geometry.fields.length);
}

/** Records those of the fields first..end - 1 that are about to change; none when one of them will be refused. */
function recordGiven(s: SpaceState, entity: EntityLike, slot: number, first: number, end: number): void {
  const { given, local } = s;
  const l = slot * s.localWidth;
  let isChanged = false;
  for (let f = first; f < end; f++) {
    if (!Number.isFinite(given[f])) return;
    if (local[l + f] !== given[f]) isChanged = true;
  }
  if (isChanged) recordFields(s, handleIn(s.flow.ecs, entity), slot, given, 0, first, end);
}

/** Records those of the fields first..end - 1 that a row, at `row[at]`, is about to change, also to a zero of the other sign. */
export function recordFields(
  s: SpaceState,
  entity: Entity,
  slot: number,
  row: SlotNumbers,
  at: number,
  first: number,
  end: number,
): void {
  const { local, store, fieldIds } = s;
  const { recorder } = s.flow.ecs;
  const l = slot * s.localWidth;
  for (let f = first; f < end; f++) {
    if (!Object.is(local[l + f], row[at + f])) recorder.writing(entity, store, fieldIds[f], local[l + f]);
  }
}

/** Throws for what is not a number. */
export function refuse(
  s: SpaceState,
  entity: EntityLike,
  values: { readonly [field: string]: unknown },
): void {
  s.flow.nodeOf(entity, "set the transform");
  for (const field of Object.keys(values)) requireFinite(s, entity, field, values[field]);
}

/** Fields first..end - 1 of a row that begins at `row[at]`, by name. */
export function fieldsOf(
  s: SpaceState,
  row: ArrayLike<number>,
  at: number,
  first: number,
  end: number,
): { [field: string]: number } {
  const values: { [field: string]: number } = {};
  for (let f = first; f < end; f++) values[s.geometry.fields[f]] = row[at + f];
  return values;
}
