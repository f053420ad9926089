/**
 * The fields that refer to entities.
 */
import type { Entity } from "../../ecs/index.ts";
import type { Store, WorldState } from "../../ecs/internal.ts";

/** Calls `fn` for every field that holds one of these handles, whether that entity lives or not. */
export function forEachReferenceTo(
  { graph, table }: WorldState,
  targets: ReadonlySet<unknown>,
  fn: (entity: Entity, store: Store, field: number) => void,
): void {
  if (targets.size === 0) return;
  for (const { stores, ids, count } of graph.all) {
    for (const store of stores) {
      store.types.forEach(({ valueKind }, field) => {
        if (valueKind !== "entity") return;
        const column = store.columns[store.names[field] as string] as Float64Array;
        for (const index of ids.subarray(0, count)) {
          if (targets.has(column[store.rowOf(index)])) fn(table.handleAt(index), store, field);
        }
      });
    }
  }
}
