// biome-ignore-all lint/complexity/useLiteralKeys: brackets reach private state, and the compiler still checks them
/**
 * The part of the self-test that looks at components: their columns, rows, values and listeners.
 */

import { decodeValue, type Field, isPacked, misfit } from "../components/fields.ts";
import type { Store } from "../components/store.ts";
import { type Entity, formatEntity } from "../entities/entity.ts";
import { ARCHETYPE } from "../entities/index-record.ts";
import type { WorldState } from "../state.ts";

/** Notes a violation, and the entity concerned. */
export type Say = (violation: string, entity?: Entity) => void;

export function checkStores(world: WorldState, say: Say): void {
  world.stores.forEach((store, k) => {
    const { component } = store;
    if (store.id !== k) say(`${component.name} has number ${store.id}, but stands at ${k}.`);
    if (world.byComponent.get(component) !== store || world.byName.get(component.name) !== store) {
      say(`${component.name} is not found by its definition or its name.`);
    }
    const owners = ownersOf(world, store);
    if (store.external === undefined) {
      checkColumns(world, store, say);
      checkReleased(store, owners, say);
    }
    if (store.rows !== undefined) checkRows(store, store.rows, owners, say);
    for (const wrong of store.shared?.wrong(owners) ?? []) say(`Shared rows of ${component.name}: ${wrong}.`);
    checkValues(world, store, owners, say);
    checkListeners(world, store, say);
  });
}

/** The indices of the entities that have the component. */
function ownersOf({ table, graph }: WorldState, store: Store): Set<number> {
  const owners = new Set<number>();
  for (let index = 1; index <= table.used; index++) {
    const id = table.info[(index << 2) | ARCHETYPE];
    if (id >= 0 && graph.all[id]?.stores.includes(store)) owners.add(index);
  }
  return owners;
}

function checkColumns(world: WorldState, store: Store, say: Say): void {
  // While structure is locked, columns may lag behind: they follow when the loops that hold them have ended.
  const rows = store.rows ?? store.shared;
  const needed = world.locked > 0 ? 0 : rows === undefined ? world.table.capacity : rows.size;
  store.names.forEach((name, k) => {
    const column = store.columns[name];
    if (column === undefined) say(`${store.component.name} has no column ${name}.`);
    else if (isPacked(store.fields[k] as Field) && column.length < needed) {
      say(
        `Column ${store.component.name}.${name} has room for ${column.length} entities, not for ${needed}.`,
      );
    }
  });
}

/** Sparse storage: every entity with the component has a row of its own, and no other entity has one. */
function checkRows(
  store: Store,
  rows: ReadonlyMap<number, number>,
  owners: ReadonlySet<number>,
  say: Say,
): void {
  const { name } = store.component;
  const taken = new Set(store["freeRows"]);
  if (taken.size !== store["freeRows"].length) say(`A row of ${name} is free twice.`);
  for (const index of owners) if (!rows.has(index)) say(`Index ${index} has ${name} but no row in it.`);
  for (const [index, row] of rows) {
    if (!owners.has(index)) say(`Index ${index} has a row in ${name} but not the component.`);
    if (taken.has(row)) say(`Row ${row} of ${name}, held by index ${index}, is free or held by another.`);
    if (row < 0 || row >= rows.size + store["freeRows"].length) say(`Row ${row} of ${name} does not exist.`);
    taken.add(row);
  }
}

function checkValues(world: WorldState, store: Store, owners: ReadonlySet<number>, say: Say): void {
  for (const index of owners) {
    const row = store.rowOf(index);
    store.names.forEach((name, k) => {
      const field = store.fields[k] as Field;
      const held = (store.columns[name] as unknown[] | undefined)?.[row];
      const isRight = field.type.holds?.(held as number, field.names) ?? true;
      // References may lead to the dead.
      const value = isRight ? decodeValue(field, held, { isAlive: () => true }) : held;
      const wrong = misfit(field, value);
      if (wrong === undefined) return;
      const entity = world.handleAt(index);
      say(`${store.component.name}.${name} of ${formatEntity(entity)}: it ${wrong}.`, entity);
    });
  }
}

/** That nothing is held for entities that are gone: it could never be collected. */
function checkReleased(store: Store, owners: ReadonlySet<number>, say: Say): void {
  const rows = new Set([...owners].map((index) => store.rowOf(index)));
  store.names.forEach((name, k) => {
    if (isPacked(store.fields[k] as Field)) return;
    (store.columns[name] as unknown[] | undefined)?.forEach((value, row) => {
      if (value !== undefined && !rows.has(row))
        say(
          `Column ${store.component.name}.${name} still holds a value in row ${row}, which belongs to no entity.`,
        );
    });
  });
}

function checkListeners(world: WorldState, store: Store, say: Say): void {
  const { name } = store.component;
  const { observers, log } = store;
  if (store.recorded !== world.recorder.wanted) say(`${name} does not know whether it is recorded.`);
  const heard =
    log !== undefined ||
    (observers?.onSet.length ?? 0) > 0 ||
    store.followers.length > 0 ||
    store.writeGuards !== undefined;
  if (store.heard !== heard) say(`${name} has a wrong flag for listeners of writes.`);
  if (store.watched !== (store.recorded || heard))
    say(`${name} has a wrong flag for listeners that need every write.`);
  if (log !== undefined && log.readers.size === 0) say(`${name} keeps a log of changes without a reader.`);
  const listened =
    log !== undefined ||
    [observers?.onAdd, observers?.onSet, observers?.onRemove].some((list) => (list?.length ?? 0) > 0);
  if (listened && world.listeners < 1) say(`${name} has listeners, but the world counts none.`);
}
