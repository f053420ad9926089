/**
 * Merges the three versions of one entity: its name, its components field by field, and keys that are only kept.
 */
import { deepEqual, ownOf, setOwn } from "../../history/internal.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { Conflicts, OpenConflict } from "./conflicts.ts";
import type { ComponentValues, NodeRecord } from "./side.ts";

/** One value in each of the files; `undefined` where a file lacks it. */
export interface ThreeVersions<Value> {
  readonly base: Value | undefined;
  readonly ours: Value | undefined;
  readonly theirs: Value | undefined;
}

/** The side that changed, when at most one did; `"conflict"` when both did in different ways. */
export function changedSide<Value>({
  base,
  ours,
  theirs,
}: ThreeVersions<Value>): "ours" | "theirs" | "conflict" {
  if (deepEqual(ours, theirs) || deepEqual(theirs, base)) return "ours";
  return deepEqual(ours, base) ? "theirs" : "conflict";
}

/** Merges one value as a whole. */
export function mergeValue<Value extends Json>(
  versions: ThreeVersions<Value>,
  conflicts: Conflicts,
  about: Pick<OpenConflict, "kind" | "entity" | "component" | "field">,
): Value | undefined {
  const side = changedSide(versions);
  return versions[side === "conflict" ? conflicts.side({ ...about, ...versions }) : side];
}

/**
 * Merges the records of one entity. `prefab`, and with it `strays`, is decided elsewhere: the content of an instance depends
 * on it.
 */
export function mergeRecords(
  id: string,
  versions: ThreeVersions<NodeRecord>,
  conflicts: Conflicts,
): NodeRecord {
  const { base, ours, theirs } = versions;
  if (ours === undefined || theirs === undefined) return (ours ?? theirs) as NodeRecord;
  if (ours === base || deepEqual(ours, base)) return theirs;
  if (theirs === base || deepEqual(theirs, base)) return ours;
  const entity = id;
  const name = mergeValue({ base: base?.name, ours: ours.name, theirs: theirs.name }, conflicts, {
    kind: "name",
    entity,
  });
  const components: { [component: string]: JsonObject | null } = {};
  for (const component of keysOf(ours.components, theirs.components)) {
    const merged = mergeComponent(
      {
        base: ownOf(base?.components, component),
        ours: ownOf(ours.components, component),
        theirs: ownOf(theirs.components, component),
      },
      conflicts,
      { entity, component },
    );
    if (merged !== undefined) setOwn(components, component, merged);
  }
  const others = mergeKeys(
    { base: base?.others, ours: ours.others, theirs: theirs.others },
    conflicts,
    entity,
  );
  return { ...ours, name, components: components as ComponentValues, others };
}

/** Merges the keys of an object, each as a whole. */
export function mergeKeys(
  { base, ours = {}, theirs = {} }: ThreeVersions<JsonObject>,
  conflicts: Conflicts,
  entity: string | null,
): JsonObject {
  const merged: { [key: string]: Json } = {};
  for (const field of keysOf(ours, theirs)) {
    const value = mergeValue(
      { base: ownOf(base, field), ours: ownOf(ours, field), theirs: ownOf(theirs, field) },
      conflicts,
      { kind: "value", entity, field },
    );
    if (value !== undefined) setOwn(merged, field, value);
  }
  return merged;
}

function mergeComponent(
  versions: ThreeVersions<JsonObject | null>,
  conflicts: Conflicts,
  about: { readonly entity: string; readonly component: string },
): JsonObject | null | undefined {
  const side = changedSide(versions);
  if (side !== "conflict") return versions[side];
  const { base, ours, theirs } = versions;
  if (!ours || !theirs) {
    // Removed by one side, changed by the other: the change stays, so that nothing is lost by default.
    return versions[
      conflicts.side({ kind: "component", ...about, ...versions, default: ours ? "ours" : "theirs" })
    ];
  }
  const merged: { [field: string]: Json } = {};
  for (const field of keysOf(ours, theirs)) {
    const value = mergeValue(
      { base: ownOf(base ?? undefined, field), ours: ownOf(ours, field), theirs: ownOf(theirs, field) },
      conflicts,
      { kind: "value", ...about, field },
    );
    if (value !== undefined) setOwn(merged, field, value);
  }
  return merged;
}

function keysOf(ours: object, theirs: object): Iterable<string> {
  return new Set([...Object.keys(ours), ...Object.keys(theirs)]);
}
