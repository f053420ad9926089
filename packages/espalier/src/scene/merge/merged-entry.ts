/**
 * Entities as entries of a file.
 */
import { setOwn } from "../../history/internal.ts";
import type { EntityEntry } from "../file.ts";
import type { NodeRecord, Side, SideNode } from "./side.ts";

export type MutableEntry = { [key: string]: unknown };

/** The entry of a record, without its order and without overrides inside an instance. */
export function bareEntry(id: string, parent: string | null, record: NodeRecord): MutableEntry {
  const entry: MutableEntry = { id };
  if (record.name !== undefined) entry.name = record.name;
  if (parent !== null) entry.parent = parent;
  if (record.prefab !== undefined) entry.prefab = record.prefab;
  if (Object.keys(record.components).length > 0) entry.components = record.components;
  for (const key of Object.keys(record.others)) setOwn(entry, key, record.others[key]);
  if (Object.keys(record.strays).length > 0) entry.overrides = { ...record.strays };
  return entry;
}

/** The override of an entity inside an instance, without its order; `undefined` when it equals the prefab. */
export function bareOverride(record: NodeRecord): MutableEntry | undefined {
  const override: MutableEntry = {};
  if (record.name !== undefined) override.name = record.name;
  if (record.givenParent !== undefined) override.parent = record.givenParent;
  if (Object.keys(record.components).length > 0) override.components = record.components;
  for (const key of Object.keys(record.others)) setOwn(override, key, record.others[key]);
  return Object.keys(override).length === 0 ? undefined : override;
}

/** An entity of a side as its file has it, including entities inside an instance. */
export function entryOf(side: Side, id: string): EntityEntry | undefined {
  const node = side.nodes.get(id);
  if (node === undefined) return undefined;
  const entry = bareEntry(id, node.parent, node.record);
  for (const inner of side.inside.get(id) ?? []) {
    putOverride(entry, inner.slice(id.length + 1), bareOverride((side.nodes.get(inner) as SideNode).record));
  }
  return entry as EntityEntry;
}

/** Adds to the override of an entity in the entry of its instance. */
export function putOverride(entry: MutableEntry, target: string, values: MutableEntry | undefined): void {
  if (values === undefined) return;
  const overrides = (entry.overrides ?? {}) as { [target: string]: MutableEntry };
  setOwn(overrides, target, { ...(Object.hasOwn(overrides, target) ? overrides[target] : {}), ...values });
  entry.overrides = overrides;
}
