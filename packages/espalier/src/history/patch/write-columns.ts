/**
 * Writing the columns of a patch: at once if only values change, or else as the single entries that they stand for.
 */
import { type AnyComponent, type Column, type Entity, fieldTypeOf, type World } from "../../ecs/index.ts";
import { INDEX_MASK, recordsOf, type Store, stateOf } from "../../ecs/internal.ts";
import { columnOf } from "../values/held.ts";
import type { Json } from "../values/value-codec.ts";
import type { ColumnsEntry, SetEntry } from "./patch.ts";

type Numbers = Exclude<Column, unknown[]>;

/**
 * Writes all values, recorded as one block. Returns `false` and does nothing if each must take the general path: writes have
 * listeners, an entity lacks the component, or a value must be checked.
 */
export function writeColumns(
  world: World,
  { values }: ColumnsEntry,
  entities: readonly Entity[],
  component: AnyComponent,
): boolean {
  const s = stateOf(world);
  const store = s.store(component);
  if (store.heard || store.shared !== undefined || !s.recorder.wanted) return false;
  const fields = Object.keys(values).map((name) => store.names.indexOf(name));
  if (!fields.every((k) => k >= 0 && isRaw(store, k, values[store.names[k] as string]))) return false;
  const ids = new Int32Array(entities.length);
  for (let k = 0; k < ids.length; k++) {
    const index = (entities[k] as number) & INDEX_MASK;
    if (!s.hasAt(index, store)) return false;
    ids[k] = index;
  }
  const records = recordsOf(s);
  if (!records.beginLoop([store], { ids, count: ids.length, revision: 0 })) return false;
  for (const k of fields) {
    writeColumn(store, columnOf(store, k) as Numbers, ids, values[store.names[k] as string] as Numbers);
  }
  if (store.external !== undefined) for (const index of ids) store.external.written(index);
  records.endLoop();
  return true;
}

function writeColumn(store: Store, column: Numbers, ids: Int32Array, values: Numbers): void {
  for (let k = 0; k < ids.length; k++) {
    const index = ids[k] as number;
    column[store.isDense ? index : store.rowOf(index)] = values[k] as number;
  }
}

/** Whether values are in the form of the column, each of them valid for the field. */
function isRaw(store: Store, field: number, values: unknown): boolean {
  const { array, valueKind } = store.types[field] as Store["types"][number];
  const { finite, names, validate } = store.fields[field] as Store["fields"][number];
  if (array === undefined || !(values instanceof array) || valueKind === "entity") return false;
  if (names !== undefined || validate !== undefined || valueKind === "boolean") return false;
  return finite !== true || (values as unknown as Float32Array).every(Number.isFinite);
}

/** The entries that columns stand for. Typed arrays hold raw column values; patches hold user-facing values. */
export function setsOf({ component, ids, values }: ColumnsEntry, kinds: Kinds = {}): SetEntry[] {
  return ids.map((id, k) => ({
    op: "set",
    id,
    component,
    values: Object.fromEntries(
      Object.entries(values).map(([name, column]) => {
        const value = column[k] as Json;
        const field = kinds[name];
        if (Array.isArray(column) || field === undefined) return [name, value];
        return [name, (fieldTypeOf(field).toPatch?.(value, field.names) ?? value) as Json];
      }),
    ),
  }));
}

/** Fields by name. */
type Kinds = { readonly [field: string]: { readonly kind: string; readonly names?: readonly string[] } };
