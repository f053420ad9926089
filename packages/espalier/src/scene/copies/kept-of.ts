/**
 * Parts of an entity that loading kept although the format does not know them.
 */
import { describeValue, type EntityLike } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { isRecord, reasonOf, refuseUse, requireEntity, requireTree } from "../arguments.ts";
import type { Json } from "../json/json.ts";
import { toJson } from "../json/to-json.ts";
import type { Kept } from "../read/node.ts";
import { tablesOf } from "../tables.ts";

/** Parts of a file that are written again when the scene is saved. */
export interface KeptValues {
  /** Components that the format does not know, by name, as written in the file. */
  readonly components: { readonly [name: string]: Json };
  /** Other keys of the entity. */
  readonly keys: { readonly [key: string]: Json };
  /** Unresolved references, by component and field. */
  readonly references: { readonly [component: string]: { readonly [field: string]: Json } };
}

/**
 * What `load(…, { unknown: "keep" })` or lenient loading kept of an entity; empty if nothing was kept. For tools that show it.
 *
 * @example
 * ```ts
 * const format = createSceneFormat({ components: [] });
 * const text = `{ "entities": [{ "id": "a", "components": { "Fuel": { "left": 3 } } }] }`;
 * const scene = format.load(tree, text, { unknown: "keep" });
 * keptOf(tree, scene.entity("a")).components; // → { Fuel: { left: 3 } }
 * ```
 */
export function keptOf(tree: Hierarchy, entity: EntityLike): KeptValues {
  requireTree(tree, "ask what was kept");
  const kept = tablesOf(tree).kept.get(requireEntity(tree, entity, "ask what was kept"));
  return {
    components: { ...kept?.components },
    keys: { ...kept?.keys },
    references: { ...kept?.references },
  };
}

/**
 * Replaces what loading kept of an entity: for tools that move entities from one world to another.
 * Parts that are left out are empty. Undo reverts it like other changes.
 *
 * @throws SceneUseError for what is not of that form.
 *
 * @example
 * ```ts
 * const format = createSceneFormat({ components: [] });
 * const scene = format.load(tree, `{ "entities": [{ "id": "a" }] }`);
 * setKept(tree, scene.entity("a"), { components: { Fuel: { left: 3 } } });
 * scene.save().includes(`"Fuel": { "left": 3 }`); // → true
 * ```
 */
export function setKept(tree: Hierarchy, entity: EntityLike, kept: Partial<KeptValues>): void {
  const doing = "note what was kept";
  requireTree(tree, doing);
  const handle = requireEntity(tree, entity, doing);
  if (!isKept(kept)) {
    throw refuseUse(
      doing,
      `it takes { components, keys, references }, got ${describeValue(kept)}. Pass what keptOf() returned.`,
    );
  }
  const { components = {}, keys = {}, references = {} } = kept;
  const table = tablesOf(tree).kept;
  const parts = Object.entries({ components, keys, references }).filter(([, part]) => !isEmpty(part));
  if (parts.length > 0) table.set(handle, copyOf(Object.fromEntries(parts), doing));
  else table.delete(handle);
}

/** An entry never changes. */
function copyOf(parts: object, doing: string): Kept {
  try {
    return toJson(parts, "it holds") as Kept;
  } catch (error) {
    throw refuseUse(doing, `what is kept is plain data, as JSON has it: ${reasonOf(error)}.`);
  }
}

function isEmpty(part: object): boolean {
  return Object.keys(part).length === 0;
}

function isKept(kept: unknown): kept is Partial<KeptValues> {
  if (!isRecord(kept)) return false;
  const { components = {}, keys = {}, references = {}, ...rest } = kept;
  const isSound = [components, keys, references].every(isRecord) && isEmpty(rest);
  return isSound && Object.values(references as object).every(isRecord);
}
