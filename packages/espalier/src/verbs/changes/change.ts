/** What changed between two forms of a scene, as data. */
import type { Json } from "../../scene/index.ts";

/**
 * What kind of change it is.
 *
 * - `"created"`, `"deleted"`: an entity; `after` or `before` is its entry, without what is below it.
 * - `"moved"`: it has another parent; both sides are ids, `null` for roots.
 * - `"reordered"`: it stands elsewhere among the same siblings; both sides are positions.
 * - `"renamed"`: both sides are names, `null` for none.
 * - `"set"`: a field of a component. A side that the file does not have is the default.
 * - `"component-added"`, `"component-removed"`: with the values that the file has.
 * - `"prefab"`: it is an instance of another prefab, or of none.
 * - `"file"`: a key of the scene file besides its entities.
 * - `"prefab-file"`: the text of a prefab file; `entity` is `null` and `path` the file.
 */
export type ChangeKind =
  | "created"
  | "deleted"
  | "moved"
  | "reordered"
  | "renamed"
  | "set"
  | "component-added"
  | "component-removed"
  | "prefab"
  | "file"
  | "prefab-file";

/** One difference between two forms of a scene. */
export interface Change {
  /** What kind of change it is. */
  readonly kind: ChangeKind;
  /** The id of the entity; `null` for the file itself. */
  readonly entity: string | null;
  /** Names from the root to the entity, after the change where it exists. For people. */
  readonly path: string;
  /** The component, where it is about one. */
  readonly component?: string;
  /** The field of the component, or the key of the file. */
  readonly field?: string;
  /** What was there; nothing where there was nothing, or what the prefab says. */
  readonly before?: Json;
  /** What is there now; nothing where there is nothing, or what the prefab says. */
  readonly after?: Json;
  /** Whether a side that is left out comes from the prefab. */
  readonly inherited?: true;
}
