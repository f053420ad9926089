/**
 * Values of many entities as columns: one entry instead of one per entity. Stored as typed arrays, written to JSON as lists.
 */
import { type Column, type Entity, fieldTypeOf } from "../../ecs/index.ts";
import { INDEX_MASK, type Store } from "../../ecs/internal.ts";
import type { ColumnsEntry, Key } from "../patch/patch.ts";
import { columnOf } from "../values/held.ts";

/** When at least this many entities changed the same fields, they share an entry with columns. */
export const LEAST_ROWS = 8;

/** A field in the form that entries need. */
interface ColumnField {
  readonly name: string;
  readonly field: { readonly kind: string; readonly names?: readonly string[] | undefined };
  readonly column: Column;
}

/** Whether fields hold numbers that mean the same in every world. */
export function areColumns(store: Store, fields: readonly number[]): boolean {
  if (fields.length === 0) return false;
  return fields.every((k) => store.types[k]?.array !== undefined && store.types[k]?.valueKind !== "entity");
}

/** The current values of some fields of many entities. */
export function readColumns(
  store: Store,
  fields: readonly number[],
  entities: readonly Entity[],
  ids: readonly Key[],
): ColumnsEntry {
  const rows = new Int32Array(entities.length);
  for (let k = 0; k < rows.length; k++) {
    const index = (entities[k] as number) & INDEX_MASK;
    rows[k] = store.isDense ? index : store.rowOf(index);
  }
  const columns = fields.map((k) => ({
    name: store.names[k] as string,
    field: store.fields[k] as ColumnField["field"],
    column: gather(columnOf(store, k) as Float32Array, rows),
  }));
  return columnsEntry(store.component.name, ids, columns);
}

function gather(from: Float32Array, rows: Int32Array): Column {
  const to = new (from.constructor as new (length: number) => Float32Array)(rows.length);
  for (let k = 0; k < rows.length; k++) to[k] = from[rows[k] as number] as number;
  return to;
}

/** An entry that is written to JSON with the values of other entries: names of choices, the shortest decimals. */
export function columnsEntry(
  component: string,
  ids: readonly Key[],
  columns: readonly ColumnField[],
): ColumnsEntry {
  const values = Object.fromEntries(columns.map(({ name, column }) => [name, column]));
  const entry = { op: "columns", component, ids, values } as ColumnsEntry;
  // Not enumerable, so that copies and comparisons see plain data.
  Object.defineProperty(entry, "toJSON", {
    value: () => {
      const lists = columns.map(({ name, field, column }) => {
        const { toPatch } = fieldTypeOf(field);
        return [
          name,
          Array.from(column as ArrayLike<number>, (held) => toPatch?.(held, field.names) ?? held),
        ];
      });
      return { op: "columns", component, ids, values: Object.fromEntries(lists) };
    },
  });
  return entry;
}
