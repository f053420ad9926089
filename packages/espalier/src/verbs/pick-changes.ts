/**
 * Some of the changes of a copy of a scene, for accepting a branch by entity.
 */
import { describeValue } from "../ecs/index.ts";
import type { EntityEntry, ReadOptions, SceneFile, SceneFormat, SceneSource } from "../scene/index.ts";
import { suggest } from "../scene/internal.ts";
import { entriesById, splitId } from "./changes/file-entities.ts";
import { savedFile } from "./compare-scenes.ts";
import { VerbError } from "./errors.ts";

/**
 * The scene `base` with the changes that `branch` made to some entities only: merged into another scene with `mergeScenes`, it
 * adds just these. An entity is picked with its values, its parent and position, and the overrides inside it, not with its descendants.
 *
 * @param ids - The ids of the entities; those inside an instance stand for the instance.
 * @throws VerbError `verbs/unknown-entity` for ids that neither has, `verbs/incomplete-pick` when one needs entities that are not picked.
 *
 * @example
 * ```ts
 * const format = createSceneFormat({ components: [] });
 * const base = { entities: [{ id: "a" }] };
 * const branch = { entities: [{ id: "a", name: "Anna" }, { id: "b" }, { id: "c" }] };
 * pickChanges(format, base, branch, ["a", "c"]).entities; // → [{ id: "a", name: "Anna" }, { id: "c" }]
 * ```
 */
export function pickChanges(
  format: SceneFormat,
  base: SceneSource,
  branch: SceneSource,
  ids: readonly string[],
  options: ReadOptions = {},
): SceneFile {
  const [from, to] = [savedFile(format, base, options), savedFile(format, branch, options)];
  const [was, is] = [entriesById(from), entriesById(to)];
  const picked = new Set(ids.map((id) => splitId(id)[0]));
  for (const id of picked) {
    if (was.has(id) || is.has(id)) continue;
    throw new VerbError(
      `Cannot pick ${describeValue(id)}: neither scene has it. ${suggest(id, new Set([...was.keys(), ...is.keys()]), "ids")}`,
      "verbs/unknown-entity",
      { value: id },
    );
  }
  const result = new Map<string, EntityEntry>();
  // In the order of the branch, so that picked entities get their positions there; deleted ones follow their neighbour.
  for (const [id, entry] of is) {
    if (picked.has(id)) result.set(id, entry);
    else if (was.has(id)) result.set(id, was.get(id) as EntityEntry);
  }
  for (const [id, entry] of was) if (!is.has(id) && !picked.has(id)) result.set(id, entry);
  const missing = new Set<string>();
  for (const { parent } of result.values()) {
    const above = parent === undefined ? undefined : splitId(parent)[0];
    if (above !== undefined && !result.has(above)) missing.add(above);
  }
  const problems = missing.size > 0 ? [] : format.check({ ...from, entities: parentsFirst(result) }, options);
  if (missing.size > 0 || problems.length > 0) {
    const needs = missing.size > 0 ? [...missing].join(", ") : (problems[0]?.message ?? "");
    throw new VerbError(
      `Cannot pick ${[...picked].join(", ")} alone: what is picked needs ${needs}. Pick more, or the whole branch.`,
      "verbs/incomplete-pick",
      { ids: [...missing], problems },
    );
  }
  return { ...from, entities: parentsFirst(result) };
}

/** Entries with every parent before its children, otherwise in the same order. */
function parentsFirst(entries: ReadonlyMap<string, EntityEntry>): EntityEntry[] {
  const done = new Set<string>();
  const list: EntityEntry[] = [];
  for (const start of entries.keys()) {
    const way: string[] = [];
    for (let at: string | undefined = start; at !== undefined && !done.has(at); ) {
      done.add(at);
      way.push(at);
      const parent: string | undefined = entries.get(at)?.parent;
      at = parent === undefined ? undefined : splitId(parent)[0];
    }
    for (const id of way.reverse()) list.push(entries.get(id) as EntityEntry);
  }
  return list;
}
