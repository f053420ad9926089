/**
 * Merges the records of all entities.
 */
import { ownOf, setOwn } from "../../history/internal.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { MergeSide } from "./conflicts.ts";
import { mergeRecords, mergeValue, type ThreeVersions } from "./merge-record.ts";
import { referencesIn, referringFields } from "./references.ts";
import { instanceIdOf, type NodeRecord } from "./side.ts";
import { forcedSide, nodesOf, recordsOf, type Triple } from "./triple.ts";

/** The records of all entities that stay. */
export function mergeAllRecords(
  triple: Triple,
  alive: ReadonlySet<string>,
  prefabs: ReadonlyMap<string, MergeSide>,
): Map<string, NodeRecord> {
  const records = new Map<string, NodeRecord>();
  for (const id of alive) {
    const versions = recordsOf(triple, id);
    const forced = forcedSide(triple, id) ?? prefabs.get(instanceIdOf(id) ?? "");
    const whole = forced === undefined ? undefined : versions[forced];
    let record = whole ?? mergeRecords(id, versions, triple.conflicts);
    const unit = prefabs.get(id);
    if (unit !== undefined) {
      const { prefab, strays } = versions[unit] as NodeRecord;
      record = { ...record, prefab, strays };
    } else if (isOnBoth(versions) && (hasStrays(versions.ours) || hasStrays(versions.theirs))) {
      record = { ...record, strays: mergeStrays(triple, id, alive) };
    }
    records.set(id, withoutLost(triple, id, record, alive));
  }
  return records;
}

/** An entity that one side deleted or added exists only on the other side. */
function isOnBoth({ ours, theirs }: ThreeVersions<NodeRecord>): boolean {
  return ours !== undefined && theirs !== undefined;
}

function hasStrays(record: NodeRecord | undefined): boolean {
  return record !== undefined && Object.keys(record.strays).length > 0;
}

function mergeStrays(
  { base, ours, theirs, conflicts }: Triple,
  id: string,
  alive: ReadonlySet<string>,
): JsonObject {
  const straysIn = (side: Triple["base"]) => side.nodes.get(id)?.record.strays;
  const [a, b, c] = [straysIn(base), straysIn(ours), straysIn(theirs)];
  const merged: { [target: string]: Json } = {};
  for (const target of new Set([...Object.keys(b ?? {}), ...Object.keys(c ?? {})])) {
    const versions = { base: ownOf(a, target), ours: ownOf(b, target), theirs: ownOf(c, target) };
    if (versions.ours === null || versions.theirs === null) {
      // Removed from the instance: whether it stays removed is decided already.
      if (!alive.has(`${id}/${target}`)) setOwn(merged, target, null);
      continue;
    }
    const value = mergeValue(versions, conflicts, { kind: "value", entity: `${id}/${target}` });
    if (value !== undefined) setOwn(merged, target, value);
  }
  return merged;
}

/** Replaces references to removed entities by those of the other side, if these resolve, or clears them. */
function withoutLost(triple: Triple, id: string, record: NodeRecord, alive: ReadonlySet<string>): NodeRecord {
  const { registry, base } = triple;
  if (record === base.nodes.get(id)?.record) return record;
  const isLost = (component: string, field: string, value: Json | undefined) =>
    referencesIn(registry, component, field, value).some(
      (target) => !alive.has(target) && wasThere(triple, target),
    );
  let components: { [component: string]: JsonObject | null } | undefined;
  for (const [component, values] of Object.entries(record.components)) {
    for (const [field, value] of referringFields(registry, component, values)) {
      if (!isLost(component, field, value)) continue;
      const { ours, theirs } = recordsOf(triple, id);
      const instead = [ours, theirs]
        .map((side) => ownOf(ownOf(side?.components, component) ?? undefined, field))
        .find((other) => other !== undefined && !isLost(component, field, other));
      components ??= { ...record.components };
      const next: { [field: string]: Json } = { ...components[component] };
      if (instead === undefined) delete next[field];
      else setOwn(next, field, instead);
      setOwn(components, component, next);
    }
  }
  return components === undefined ? record : { ...record, components };
}

function wasThere(triple: Triple, id: string): boolean {
  const { base, ours, theirs } = nodesOf(triple, id);
  return (base ?? ours ?? theirs) !== undefined;
}
