/**
 * Merging composed prefabs: files that name other prefabs, and have no entities.
 */
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts";
import { isComposed } from "../read/composition.ts";
import type { Conflicts } from "./conflicts.ts";
import { changedSide, mergeKeys, type ThreeVersions } from "./merge-record.ts";

/**
 * The merged file, if one of the three is composed; `undefined` otherwise. If a side is not composed, one file is taken as a whole.
 *
 * @param files - As read from their texts, unchecked.
 */
export function mergeComposed(files: ThreeVersions<Json>, conflicts: Conflicts): JsonObject | undefined {
  const { base, ours, theirs } = files;
  const all = [base, ours, theirs].filter(isJsonObject);
  if (all.length < 3 || !all.some(isComposed)) return undefined;
  if (all.every(isComposed)) return mergeKeys(files as ThreeVersions<JsonObject>, conflicts, null);
  let side = changedSide(files);
  if (side === "conflict") side = conflicts.side({ kind: "unsound", entity: null, ...files });
  return files[side] as JsonObject;
}
