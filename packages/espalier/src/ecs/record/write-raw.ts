/**
 * Changes with raw values and exact rows: what undo, rollback and snapshots stand on.
 *
 * Guards are not asked, because what is brought back was allowed when it was made. All listeners are notified, as of any
 * other change, and it is recorded in turn.
 */
import type { Archetype } from "../archetypes/archetype.ts";
import { attached } from "../attached.ts";
import type { Column } from "../components/fields.ts";
import type { Store } from "../components/store.ts";
import type { Entity } from "../entities/entity.ts";
import { ROW } from "../entities/index-record.ts";
import { type IndexState, readIndexState, writeIndexState } from "../entities/index-state.ts";
import type { Reversible } from "../listeners/hooks.ts";
import { notifyAdded } from "../listeners/notify.ts";
import { removeOne } from "../mutate/change-components.ts";
import type { RawValues } from "../mutate/create.ts";
import { written } from "../mutate/write.ts";
import type { WorldState } from "../state.ts";

/** Sets which handles the world will give out next. */
export function setIndexState(s: WorldState, indices: IndexState): void {
  s.requireUnlocked("set the free entity indices");
  if (s.recorder.wanted) s.recorder.room(indicesOf(s), null, 0, 0, readIndexState(s.table));
  writeIndexState(s.table, indices);
}

/** Puts the entities of an archetype into another order; `ids` are exactly theirs. */
export function setRows(s: WorldState, archetype: Archetype, ids: Int32Array): void {
  s.requireUnlocked("set the order of entities");
  const before = archetype.ids.slice(0, archetype.count);
  if (before.every((index, row) => index === ids[row])) return;
  if (s.recorder.wanted) s.recorder.room(rowsOf(s), null, archetype.id, 0, before);
  if (archetype.pins !== 0) archetype.unshare();
  archetype.ids.set(ids);
  const { info } = s.table;
  for (let row = 0; row < ids.length; row++) info[(ids[row] << 2) | ROW] = row;
  archetype.revision++;
  s.version++;
}

/** Makes queries visit these archetypes in this order, before all others. Nothing changes where they do already. */
export function setArchetypeOrder(s: WorldState, wanted: readonly Archetype[]): void {
  if (wanted.every(({ rank }, k) => rank === k)) return;
  putOrder(s, withOthers(s, wanted));
}

/** These archetypes, and behind them the others in the order that they have. */
function withOthers(s: WorldState, first: readonly Archetype[]): Archetype[] {
  const listed = new Set(first);
  return [...first, ...s.graph.ordered.filter((archetype) => !listed.has(archetype))];
}

function putOrder(s: WorldState, order: readonly Archetype[]): void {
  s.requireUnlocked("set the order of queries");
  if (s.recorder.wanted) s.recorder.room(archetypesOf(s), null, 0, 0, s.graph.ordered);
  s.graph.reorder(order);
  s.version++;
}

function archetypesOf(s: WorldState): Reversible {
  return attached(
    s,
    "espalier.archetypes",
    (): Reversible => ({
      reverse: (_entity, _a, _b, before) => {
        putOrder(s, withOthers(s, before as readonly Archetype[]));
      },
    }),
  );
}

function indicesOf(s: WorldState): Reversible {
  return attached(
    s,
    "espalier.indices",
    (): Reversible => ({
      reverse: (_entity, _a, _b, before) => setIndexState(s, before as IndexState),
    }),
  );
}

function rowsOf(s: WorldState): Reversible {
  return attached(
    s,
    "espalier.rows",
    (): Reversible => ({
      reverse: (_entity, id, _b, before) => {
        const archetype = s.graph.all[id] as Archetype;
        setRows(s, archetype, rowsLike(archetype, before as Int32Array));
      },
    }),
  );
}

/** The entities of an archetype in the order of `ids`, as far as they are in it; those that came without being recorded are last. */
function rowsLike({ ids: own, count }: Archetype, ids: Int32Array): Int32Array {
  const rest = new Set(own.subarray(0, count));
  const known = ids.filter((index) => rest.delete(index));
  return Int32Array.from([...known, ...rest]);
}

/** Gives a component with raw values, in row `row` of the archetype that results. Overwrites one that is there. */
export function addRaw(s: WorldState, entity: Entity, store: Store, row: number, values: RawValues): void {
  const index = s.require(entity, "bring back a component");
  const from = s.archetypeAt(index) as Archetype;
  const { info } = s.table;
  if (from.has[store.id] === 1) {
    const at = store.rowToWrite(index);
    if (s.recorder.wanted) {
      store.names.forEach((name, k) => {
        s.recorder.writing(entity, store, k, store.columns[name]?.[at]);
      });
    }
    values.load(store, at);
    store.share(index);
    written(s, entity, store);
    return;
  }
  s.requireUnlocked("bring back a component");
  const to = s.graph.with(from, store);
  const before = info[(index << 2) | ROW];
  from.drop(index, info);
  to.push(index, info);
  to.seat(index, row, info);
  s.version++;
  values.load(store, store.occupy(index));
  store.share(index);
  store.follow(index);
  if (s.recorder.wanted) s.recorder.added(entity, store, before);
  store.log?.added(entity, index);
  notifyAdded(s, entity, store);
}

/** Takes a component away; the entity goes to row `row` of the archetype that results. */
export function removeRaw(s: WorldState, entity: Entity, store: Store, row: number): void {
  const index = s.require(entity, "take back a component");
  if (removeOne(s, entity, store)) s.archetypeAt(index)?.seat(index, row, s.table.info);
}

/** Writes one field as its column holds it. Nothing happens when it holds that already. */
export function writeRaw(s: WorldState, entity: Entity, store: Store, field: number, value: unknown): void {
  const index = s.require(entity, "bring back a value");
  const column = store.columns[store.names[field] as string] as Column;
  if (!s.hasAt(index, store)) return;
  const row = store.rowOf(index);
  if (Object.is(column[row], value) || store.types[field].isSame?.(column[row], value)) return;
  if (s.recorder.wanted) s.recorder.writing(entity, store, field, column[row]);
  const own = store.rowToWrite(index);
  (store.columns[store.names[field] as string] as unknown[])[own] = value;
  store.share(index);
  written(s, entity, store);
}
