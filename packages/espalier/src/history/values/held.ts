/**
 * The values of fields, and which of them refer to entities.
 */
import type { Column, Entity } from "../../ecs/index.ts";
import type { HeldRefs, Store, WorldState } from "../../ecs/internal.ts";

/** The column of a field of a component, by the number of the field. */
export function columnOf({ columns, names }: Store, field: number): Column {
  return columns[names[field] as string] as Column;
}

/** Calls `fn` for every field that holds one of these handles, whether that entity is alive or not. */
export function forEachReferenceTo(
  { graph, table }: WorldState,
  targets: ReadonlySet<unknown>,
  fn: (entity: Entity, store: Store, field: number) => void,
): void {
  if (targets.size === 0) return;
  for (const { stores, ids, count } of graph.all) {
    for (const store of stores) {
      store.types.forEach(({ valueKind }, field) => {
        if (valueKind !== "entity" && valueKind !== "entities") return;
        const column = columnOf(store, field);
        const isMany = valueKind === "entities";
        for (const index of ids.subarray(0, count)) {
          const held = column[store.rowOf(index)];
          const refers = isMany
            ? (held as unknown as HeldRefs).targets.some((target) => targets.has(target))
            : targets.has(held);
          if (refers) fn(table.handleAt(index), store, field);
        }
      });
    }
  }
}
