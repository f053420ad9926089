/**
 * Whether a prefab can be read in place, inside the file that uses it.
 */
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts";

/**
 * The index of the only root among the entities of a file; `undefined` when the file must be read separately to find
 * its root.
 *
 * @param lenient - Invalid parts are left out instead of refusing the file, so that an unresolved parent makes a root.
 */
export function rootOf(file: JsonObject, lenient: boolean): number | undefined {
  if (file.order !== undefined || file.compose !== undefined || !Array.isArray(file.entities))
    return undefined;
  const entities = file.entities as readonly Json[];
  let root: number | undefined;
  for (let at = 0; at < entities.length; at++) {
    const entry = entities[at];
    if (!isJsonObject(entry)) return undefined;
    if (typeof entry.parent === "string") continue;
    if (root !== undefined) return undefined;
    root = at;
  }
  return movesToTop(entities) || (lenient && !isSound(entities)) ? undefined : root;
}

/** Whether an override turns an entity into a root. */
function movesToTop(entities: readonly Json[]): boolean {
  for (const entry of entriesIn(entities)) {
    if (overridesOf(entry).some(({ parent }) => parent === null)) return true;
  }
  return false;
}

/** Whether all parents are entities of the file that come before their children, as in every saved file. */
function isSound(entities: readonly Json[]): boolean {
  const ids = new Set<Json | undefined>();
  for (const entry of entities as readonly JsonObject[]) {
    if (typeof entry.parent === "string" && !ids.has(entry.parent)) return false;
    if (overridesOf(entry).some(({ parent }) => parent !== undefined)) return false;
    if (ids.has(entry.id)) return false;
    if (entry.id !== undefined) ids.add(entry.id);
  }
  return true;
}

/** All entries of a file: those of a list, those nested in them, and those that their overrides add. */
export function* entriesIn(entities: Json): IterableIterator<JsonObject> {
  const lists: (Json | undefined)[] = [entities];
  while (lists.length > 0) {
    const list = lists.pop();
    if (!Array.isArray(list)) continue;
    for (const entry of list as readonly Json[]) {
      if (!isJsonObject(entry)) continue;
      yield entry;
      lists.push(entry.children);
      for (const { children } of overridesOf(entry)) lists.push(children);
    }
  }
}

function overridesOf({ overrides }: JsonObject): JsonObject[] {
  return isJsonObject(overrides) ? Object.values(overrides).filter(isJsonObject) : [];
}
