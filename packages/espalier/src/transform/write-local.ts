/**
 * Writing local values: what the setters of a space do.
 */
import type { Component, Entity, Schema } from "../ecs/index.ts";
import { WRITTEN } from "../inherit/internal.ts";
import { requireAllFinite, requireFinite } from "./check-numbers.ts";
import { TURNED } from "./geometry.ts";
import type { SpaceState } from "./space-state.ts";

/** Writes some fields by name; an entity without a transform gets one. */
export function setLocal(s: SpaceState, entity: Entity, values: object): void {
  const node = s.flow.nodeOf(entity, "set the transform");
  requireAllFinite(s, entity, values);
  const { world } = s.tree;
  const component = s.component as Component<Schema>;
  if (s.hasTransform(node)) world.set(entity, component, values);
  else world.add(entity, component(values));
}

/** Writes fields first..end - 1 from `s.given`; an entity without a transform gets one. */
export function writeGiven(s: SpaceState, entity: Entity, first: number, end: number): void {
  const { given, local } = s;
  // Whoever listens is told by the world.
  const slot = s.store.heard ? -1 : s.heldSlot(entity);
  // Multiplying by 0 finds NaN and the infinities.
  let zero = 0;
  for (let f = first; f < end; f++) zero += given[f] * 0;
  if (slot < 0 || zero !== 0) {
    setLocal(s, entity, fieldsOf(s, given, 0, first, end));
    return;
  }
  const l = slot * s.localWidth;
  const { recorded } = s.store;
  const { derivedFrom } = s.geometry;
  let marks = 0;
  for (let f = first; f < end; f++) {
    const value = given[f];
    if (local[l + f] === value) continue;
    if (recorded) s.tree.state.records.writing(entity, s.store, s.fieldIds[f], local[l + f]);
    local[l + f] = value;
    marks |= f < derivedFrom ? WRITTEN : WRITTEN | TURNED;
  }
  if (marks !== 0) s.flow.mark(slot, marks);
}

/** Throws for what is not a number. */
export function refuse(s: SpaceState, entity: Entity, values: { readonly [field: string]: unknown }): void {
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
