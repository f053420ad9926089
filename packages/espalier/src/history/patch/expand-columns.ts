/**
 * A patch of a change stream without columns, for tools that look at single entries.
 */
import {
  type ColumnsEntry,
  type Patch,
  type PatchEntry,
  requireStreamPatch,
  type StreamPatch,
} from "./patch.ts";
import { setsOf } from "./write-columns.ts";

/**
 * The same patch with an entry of kind "set" for each entity of a column.
 *
 * @throws InvalidPatchError
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * world.spawnMany(10, Health);
 * const stream = followChanges(world);
 * world.query(Health).update((health) => {
 *   health.hp -= 1;
 * });
 * const { patch } = stream.read();
 * [patch.length, expandColumns(patch).length]; // → [1, 10]
 * ```
 */
export function expandColumns(patch: StreamPatch): Patch {
  return requireStreamPatch(patch, "expand the columns of a patch").flatMap(
    (entry): readonly PatchEntry[] => {
      if (entry.op !== "columns") return [entry];
      const { toJSON } = entry as ColumnsEntry & { readonly toJSON?: () => ColumnsEntry };
      return setsOf(toJSON?.() ?? entry);
    },
  );
}
