/**
 * Writing values of components that entities have. Where a component has listeners, each field that really changes is recorded
 * and reported; elsewhere the columns are simply written.
 */

import { defaultOf, encodeValue, type Field, type FieldType, misfit } from "../components/fields.ts";
import type { Store } from "../components/store.ts";
import { requireUnreserved } from "../components/validate.ts";
import { type Entity, formatEntity, INDEX_MASK } from "../entities/entity.ts";
import { InvalidValueError } from "../errors.ts";
import { settle } from "../listeners/notices.ts";
import { notifySet } from "../listeners/notify.ts";
import type { WorldState } from "../state.ts";

/** Writes the given fields; the others stay. */
export function assign(s: WorldState, entity: Entity, store: Store, given: object): void {
  const index = entity & INDEX_MASK;
  const { shared } = store;
  const values = shared === undefined ? given : shared.held(given);
  const row = shared === undefined ? store.rowOf(index) : shared.own(index);
  if (!store.watched) {
    store.access.assign(row, values);
    if (shared !== undefined) shared.share(index);
    store.external?.written(index);
    return;
  }
  if (store.isPacked) {
    store.access.save(row, store.compared, 0, []);
    store.access.assign(row, values);
    reportDifference(s, entity, store, row);
    return;
  }
  let changed = false;
  for (let k = 0; k < store.names.length; k++) {
    const value = (values as { [field: string]: unknown })[store.names[k] as string];
    if (value === undefined) continue;
    if (writeOne(s, entity, store, row, k, encodeValue(store.fields[k] as Field, value))) changed = true;
  }
  store.share(index);
  if (changed) written(s, entity, store);
}

/** Gives a component that is there its start values; defaults that functions make are among them. */
export function overwrite(s: WorldState, entity: Entity, store: Store, values: object | undefined): void {
  if (store.watched) {
    const given = { ...values } as { [field: string]: unknown };
    store.names.forEach((name, k) => {
      if (given[name] === undefined) given[name] = defaultOf(store.fields[k] as Field);
    });
    assign(s, entity, store, given);
    return;
  }
  const index = entity & INDEX_MASK;
  const { shared } = store;
  if (shared !== undefined) {
    const held = values && shared.held(values);
    store.access.init([shared.own(index)], 0, 1, held);
    shared.share(index);
  } else if (store.fields.length !== 0) store.access.init([store.rowOf(index)], 0, 1, values);
  store.external?.written(index);
}

/** Records and reports the fields of a row that differ from `store.compared`. */
function reportDifference(s: WorldState, entity: Entity, store: Store, row: number): void {
  const { compared, packed, access } = store;
  access.save(row, compared, packed, []);
  let changed = false;
  for (let k = 0; k < packed; k++) {
    if (Object.is(compared[k], compared[packed + k])) continue;
    changed = true;
    if (s.recorder.wanted) s.recorder.writing(entity, store, k, compared[k]);
  }
  store.share(entity & INDEX_MASK);
  if (changed) written(s, entity, store);
}

/** Records and writes one field as its column holds it; `false` when it holds that already. */
export function writeOne(
  s: WorldState,
  entity: Entity,
  store: Store,
  row: number,
  field: number,
  encoded: unknown,
): boolean {
  const column = store.columns[store.names[field] as string] as unknown[];
  const { round, isSame } = store.types[field] as FieldType;
  const kept = round === undefined ? encoded : round(encoded as number);
  const before = column[row];
  if (Object.is(before, kept) || isSame?.(before, kept)) return false;
  if (s.recorder.wanted) s.recorder.writing(entity, store, field, before);
  column[row] = encoded;
  return true;
}

/** Reports values that were written. The notices are delivered by the call this is part of. */
export function written(s: WorldState, entity: Entity, store: Store): void {
  const index = entity & INDEX_MASK;
  if (store.external !== undefined) store.external.written(index);
  if (store.heard) notifySet(s, entity, index, store);
}

/** Asks the guards of writes; what they throw refuses the write. */
export function askGuards(s: WorldState, { writeGuards }: Store, entity: Entity, values: object): void {
  if (writeGuards === undefined) return;
  s.ask(() => {
    for (const refuse of writeGuards) refuse(entity, values as { readonly [field: string]: unknown });
  });
}

/**
 * The complete way to write one field through a view: checks, records, marks, observers. `isCopied`: a copy made before stands for what is
 * written, so that it is recorded only where it is reported too.
 */
export function writeField(
  s: WorldState,
  store: Store,
  field: number,
  index: number,
  value: unknown,
  isCopied = false,
): void {
  const spec = store.fields[field] as Field;
  if ((s.checks || spec.finite) && misfit(spec, value) !== undefined) badValue(s, store, field, index, value);
  requireUnreserved(store, "set", s.table.handleAt(index));
  // A loop destroyed the entity it stands at, or removed the component: there is nothing left to write to.
  if (!s.hasAt(index, store)) return;
  s.requireUnasked("set a component");
  const entity = s.table.handleAt(index);
  const encoded = encodeValue(spec, value);
  if (store.refuse !== undefined) store.refuse(index, { [store.names[field] as string]: value });
  if (store.writeGuards !== undefined) askGuards(s, store, entity, { [store.names[field] as string]: value });
  const held = store.shared === undefined ? encoded : store.shared.hold(encoded);
  const row = store.rowToWrite(index);
  if (isCopied ? store.heard : store.watched) {
    const changed = writeOne(s, entity, store, row, field, held);
    store.share(index);
    if (changed) written(s, entity, store);
    if (s.notices.waits) settle(s);
    return;
  }
  (store.columns[store.names[field] as string] as unknown[])[row] = held;
  store.share(index);
  store.external?.written(index);
}

export function badValue(s: WorldState, store: Store, field: number, index: number, value: unknown): never {
  const entity = s.table.handleAt(index);
  const name = store.names[field] as string;
  throw new InvalidValueError(
    `Cannot set ${store.component.name}.${name} of ${formatEntity(entity)}: ${name} ${misfit(store.fields[field] as Field, value)}.`,
    { entities: [entity], component: store.component.name, field: name, value },
  );
}
