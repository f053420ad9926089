/**
 * Undoes what records say, last one first. Doing so changes the world through its usual doors, so that what is recorded
 * meanwhile leads forward again.
 */
import type { Archetype } from "../archetypes/archetype.ts";
import type { Store } from "../components/store.ts";
import type { Entity } from "../entities/entity.ts";
import type { Reversible } from "../listeners/hooks.ts";
import { runDestroying, runRemoving } from "../listeners/notify.ts";
import { type RawValues, reviveRaw } from "../mutate/create.ts";
import { destroyTheseAlone } from "../mutate/destroy.ts";
import type { WorldState } from "../state.ts";
import { recordsOf, writtenField } from "./change-records.ts";
import { readCopy } from "./column-copy.ts";
import {
  ADDED,
  COPIED,
  CREATED,
  DESTROYED,
  KINDS,
  REMOVED,
  REVIVED,
  ROOM,
  ROOM_WITH,
  TAKEN_BACK,
  TOUCHED,
  WROTE,
} from "./kinds.ts";
import { recordSize } from "./record-size.ts";
import { swapCopy } from "./swap-copy.ts";
import type { Records } from "./tape.ts";
import { addRaw, removeRaw, writeRaw } from "./write-raw.ts";

/** Undoes all of `records`, and empties them on the way. When something refuses, it throws in the middle. */
export function playBack(s: WorldState, records: Records): void {
  runBefore(s, records);
  const { numbers, references } = records;
  const values = new SavedValues(records);
  const owners = new Set<Reversible>();
  while (records.count > 0) {
    const end = records.count;
    const head = numbers[end - 1];
    const kind = head % KINDS;
    const detail = (head - kind) / KINDS;
    const entity = numbers[end - 2] as Entity;
    switch (kind) {
      case WROTE: {
        records.count = end - 3;
        const { component, field } = writtenField(detail);
        writeRaw(s, entity, s.stores[component] as Store, field, numbers[end - 3]);
        break;
      }
      case ROOM:
      case ROOM_WITH: {
        records.count = end - 4;
        const extra = kind === ROOM_WITH ? references.pop() : undefined;
        const owner = recordsOf(s).owners[detail] as Reversible;
        if (owner.finish !== undefined) owners.add(owner);
        owner.reverse(entity === 0 ? null : entity, numbers[end - 4], numbers[end - 3], extra);
        break;
      }
      case CREATED:
      case REVIVED:
        destroyTheseAlone(s, takeCreated(records, kind), kind === CREATED);
        break;
      case ADDED:
        records.count = end - 3;
        removeRaw(s, entity, s.stores[detail] as Store, numbers[end - 3]);
        break;
      case REMOVED: {
        const store = s.stores[detail] as Store;
        records.count = end - 3 - store.packed;
        const left = references.length - (store.fields.length - store.packed);
        values.from(records.count, left);
        addRaw(s, entity, store, numbers[end - 3], values);
        if (references.length !== left) references.length = left;
        break;
      }
      case DESTROYED:
      case TAKEN_BACK: {
        const archetype = s.graph.all[detail] as Archetype;
        records.count = end - 3 - archetype.packed;
        const left = references.length - archetype.references;
        values.from(records.count, left);
        reviveRaw(s, entity, archetype, numbers[end - 3], values, kind === DESTROYED);
        // Setting the length of an array takes as long as the rest, also where it does not change.
        if (references.length !== left) references.length = left;
        break;
      }
      case COPIED:
        records.count = end - numbers[end - 2];
        restoreCopy(s, s.stores[detail] as Store, records, end);
        break;
      case TOUCHED:
        records.count = end - 2;
        break;
      default: {
        // WROTE_REFERENCE
        records.count = end - 2;
        const { component, field } = writtenField(detail);
        writeRaw(s, entity, s.stores[component] as Store, field, references.pop());
      }
    }
  }
  for (const owner of owners) owner.finish?.();
}

/** Takes all records of this kind, CREATED or REVIVED, off the end: the entities that came, last one first. */
function takeCreated(records: Records, kind: number): Entity[] {
  const { numbers } = records;
  const entities: Entity[] = [];
  let end = records.count;
  for (; end > 0 && numbers[end - 1] === kind; end -= 2) entities.push(numbers[end - 2] as Entity);
  records.count = end;
  return entities;
}

/** Runs the observers of what is about to be destroyed or removed, while everything is still there. */
function runBefore(s: WorldState, records: Records): void {
  const hasRemoving = s.stores.some(({ observers }) => (observers?.onRemoving.length ?? 0) !== 0);
  if (s.onDestroying.length === 0 && !hasRemoving) return;
  const destroyed = new Set<Entity>();
  /** By component: the entities that lose it. */
  const losing = new Map<Store, Set<Entity>>();
  const rest: Records = { ...records };
  for (; rest.count > 0; rest.count -= recordSize(s, rest)) {
    const head = rest.numbers[rest.count - 1];
    const kind = head % KINDS;
    const entity = rest.numbers[rest.count - 2] as Entity;
    if (kind === CREATED || kind === REVIVED) destroyed.add(entity);
    else if (kind === ADDED) {
      const store = s.stores[(head - kind) / KINDS] as Store;
      losing.set(store, (losing.get(store) ?? new Set()).add(entity));
    }
  }
  for (const [store, entities] of losing) {
    // What is destroyed loses all components in one.
    for (const entity of entities) if (!destroyed.has(entity)) runRemoving(s, entity, store);
  }
  for (const entity of destroyed) if (s.isAlive(entity)) runDestroying(s, entity);
}

function restoreCopy(s: WorldState, store: Store, records: Records, end: number): void {
  if (swapCopy(s, store, records, end)) return;
  readCopy(records, end, store, (entity, field, value) => {
    // A loop may have destroyed some of its entities before the copy was made again.
    if (s.table.isAlive(entity)) writeRaw(s, entity, store, field, value);
  });
}

/** Gives out the values of one entity, one component after the other. */
class SavedValues implements RawValues {
  private readonly records: Records;
  private number = 0;
  private reference = 0;

  constructor(records: Records) {
    this.records = records;
  }

  from(number: number, reference: number): void {
    this.number = number;
    this.reference = reference;
  }

  load(store: Store, row: number): void {
    if (store.fields.length === 0) return;
    const { numbers, references } = this.records;
    store.access.load(row, numbers, this.number, references, this.reference);
    this.number += store.packed;
    this.reference += store.fields.length - store.packed;
  }
}
