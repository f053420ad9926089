/** Changes between two versions of a scene, as data. */
import type { Json } from "../../scene/index.ts";

/**
 * What kind of change it is.
 *
 * - `"created"`, `"deleted"`: an entity; `after` or `before` is its entry, without its descendants.
 * - `"moved"`: it has another parent; both sides are ids, `null` for roots.
 * - `"reordered"`: it has another position among the same siblings; both sides are positions.
 * - `"renamed"`: both sides are names, `null` for none.
 * - `"set"`: a field of a component. A side that is missing in the file is the default.
 * - `"component-added"`, `"component-removed"`: with the values in the file.
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

/** One difference between two versions of a scene. */
export interface Change {
  /** What kind of change it is. */
  readonly kind: ChangeKind;
  /** The id of the entity; `null` for the file itself. */
  readonly entity: string | null;
  /** Names from the root to the entity, after the change where it exists. For people. */
  readonly path: string;
  /** The component, if it is about one. */
  readonly component?: string;
  /** The field of the component, or the key of the file. */
  readonly field?: string;
  /** The value before; `undefined` if there was none, or if it came from the prefab. */
  readonly before?: Json;
  /** The value after; `undefined` if there is none, or if it comes from the prefab. */
  readonly after?: Json;
  /** Whether a side that is left out comes from the prefab. */
  readonly inherited?: true;
}
