/**
 * Decoding records.
 */
import type { Entity } from "../../ecs/index.ts";
import {
  COPIED,
  INDEX_MASK,
  KINDS,
  type Records,
  readCopy,
  recordSize,
  type Store,
  type WorldState,
  WROTE,
  WROTE_REFERENCE,
  writtenField,
} from "../../ecs/internal.ts";
import { columnOf } from "../values/held.ts";

/**
 * Consumes records, from the last to the first.
 *
 * @param wrote - Called for every write of a field. Within a copy: only for fields whose value differs now.
 * @param other - Called for every other record. `from` is data of a room, such as the former parent.
 * @param copied - Called for a copy that ends at `end`, instead of `wrote` for each of its values.
 */
export function readRecords(
  s: WorldState,
  records: Records,
  wrote: (entity: Entity, store: Store, field: number) => void,
  other: (kind: number, detail: number, entity: Entity | 0, from: number) => void,
  copied?: (store: Store, records: Records, end: number) => void,
): void {
  for (; records.count > 0; records.count -= recordSize(s, records)) {
    const { numbers, count: end } = records;
    const head = numbers[end - 1];
    const kind = head % KINDS;
    const detail = (head - kind) / KINDS;
    const entity = numbers[end - 2] as Entity;
    if (kind === WROTE || kind === WROTE_REFERENCE) {
      const { component, field } = writtenField(detail);
      wrote(entity, s.stores[component] as Store, field);
    } else if (kind === COPIED && copied !== undefined) copied(s.stores[detail] as Store, records, end);
    else if (kind === COPIED) {
      const store = s.stores[detail] as Store;
      readCopy(records, end, store, (each, field, before) => {
        const index = each & INDEX_MASK;
        if (!s.isAlive(each) || !s.hasAt(index, store)) return;
        if (!Object.is(columnOf(store, field)[store.rowOf(index)], before)) wrote(each, store, field);
      });
    } else other(kind, detail, entity, numbers[end - 4]);
  }
}
