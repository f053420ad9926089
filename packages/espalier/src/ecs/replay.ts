// biome-ignore-all lint/complexity/useLiteralKeys: brackets reach private state, and the compiler still checks them
/**
 * What undo, rollback and snapshots stand on: the changes of `world-door.ts` with raw values and exact places.
 *
 * Nobody is asked for permission, because what is brought back was allowed when it came to be. Everybody is told, as of
 * any other change, the recorder included. Functions, so that a program that undoes nothing does not carry them.
 */
import type { Archetype } from "./archetype.ts";
import { type ArchetypeCopy, generatedCopy, plainCopy } from "./archetype-copy.ts";
import { bringBack } from "./bring-back.ts";
import type { Entity } from "./entity.ts";
import type { Reversible } from "./extension.ts";
import type { Column } from "./fields.ts";
import { ROW } from "./place-record.ts";
import { type Places, readPlaces, writePlaces } from "./places.ts";
import type { Store } from "./store.ts";
import type { World } from "./world.ts";

/** Where the raw values of components come from. */
export interface RawValues {
  /** Writes every field of one entity: `store.columns[field][row]`. */
  load(store: Store, row: number): void;
}

/** After this many copies of entities of an archetype, code of its own pays. */
const COPIES_BEFORE_GENERATING = 16;

/** What copies the values of entities of this archetype. */
export function copyOf(world: World, archetype: Archetype): ArchetypeCopy {
  return archetype.copies > COPIES_BEFORE_GENERATING
    ? (archetype.copy as ArchetypeCopy)
    : prepareCopy(world, archetype);
}

function prepareCopy(world: World, archetype: Archetype): ArchetypeCopy {
  if (archetype.copies++ < COPIES_BEFORE_GENERATING || !world.generates) {
    archetype.copy ??= plainCopy(world, archetype);
  } else archetype.copy = generatedCopy(archetype);
  return archetype.copy;
}

/** Destroys one entity and nothing that would go with it. */
export function destroyAlone(world: World, entity: Entity): void {
  world.requireUnlocked("destroy an entity");
  world["destroyOne"](entity, world.require(entity, "destroy an entity"), false);
}

/**
 * `world.revive` with raw values, in row `row` of its archetype. `again`: it had been destroyed, not taken back; see
 * `Recorder.spawned`.
 */
export function reviveRaw(
  world: World,
  entity: Entity,
  archetype: Archetype,
  row: number,
  values: RawValues,
  again: boolean,
): void {
  world.requireUnlocked("bring back an entity");
  const { table } = world;
  const index = bringBack(table, entity);
  archetype.push(index, table.info);
  archetype.seat(index, row, table.info);
  for (const hook of world["spawnHooks"]) hook(index);
  for (const store of archetype.stores) {
    values.load(store, store.occupy(index));
    store.external?.written(index);
  }
  world["born"](index, archetype, again);
}

/** Sets which handles the world will give out next. */
export function setPlaces(world: World, places: Places): void {
  world.requireUnlocked("set the places of entities");
  world.recorder?.changed(changesOf(world).places, null, 0, 0, readPlaces(world.table));
  writePlaces(world.table, places);
}

/** Puts the entities of an archetype into another order; `ids` are exactly theirs. */
export function setRows(world: World, archetype: Archetype, ids: Int32Array): void {
  world.requireUnlocked("set the order of entities");
  const before = archetype.ids.slice(0, archetype.count);
  if (before.every((index, row) => index === ids[row])) return;
  world.recorder?.changed(changesOf(world).rows, null, archetype.id, 0, before);
  if (archetype.pins !== 0) archetype.unshare();
  archetype.ids.set(ids);
  const { info } = world.table;
  for (let row = 0; row < ids.length; row++) info[(ids[row] << 2) | ROW] = row;
  archetype.revision++;
  world.version++;
}

interface Changes {
  readonly places: Reversible;
  readonly rows: Reversible;
}

/** Who is named to the recorder, one per world. */
function changesOf(world: World): Changes {
  let changes = world.attachments.get("espalier.replay") as Changes | undefined;
  if (changes === undefined) {
    changes = {
      places: { reverse: (_entity, _a, _b, before) => setPlaces(world, before as Places) },
      rows: {
        reverse: (_entity, id, _b, before) =>
          setRows(world, world.graph.all[id] as Archetype, before as Int32Array),
      },
    };
    world.attachments.set("espalier.replay", changes);
  }
  return changes;
}

/** Gives a component with raw values, in row `row` of the archetype that results. Overwrites one that is there. */
export function addRaw(world: World, entity: Entity, store: Store, row: number, values: RawValues): void {
  const index = world.require(entity, "bring back a component");
  const from = world.archetypeAt(index) as Archetype;
  const { info } = world.table;
  if (from.has[store.id] === 1) {
    const at = store.rowOf(index);
    store.names.forEach((name, k) => {
      world.recorder?.writing(entity, index, store, k, store.columns[name]?.[at]);
    });
    values.load(store, at);
    wasWritten(world, entity, index, store);
    return;
  }
  world.requireUnlocked("bring back a component");
  const to = world.graph.with(from, store);
  const place = info[(index << 2) | ROW];
  from.drop(index, info);
  to.push(index, info);
  to.seat(index, row, info);
  world.version++;
  values.load(store, store.occupy(index));
  store.external?.written(index);
  world["tellAdded"](entity, index, store, place);
}

/** Takes a component away; the entity goes to row `row` of the archetype that results. */
export function removeRaw(world: World, entity: Entity, store: Store, row: number): void {
  const index = world.require(entity, "take back a component");
  if (world["removeChecked"](entity, index, store))
    world.archetypeAt(index)?.seat(index, row, world.table.info);
}

/** Writes one field as its column holds it. Nothing happens when it holds that already. */
export function writeRaw(world: World, entity: Entity, store: Store, field: number, value: unknown): void {
  const index = world.require(entity, "bring back a value");
  const column = store.columns[store.names[field] as string] as Column;
  const row = store.rowOf(index);
  if ((world.archetypeAt(index) as Archetype).has[store.id] !== 1 || Object.is(column[row], value)) return;
  world.recorder?.writing(entity, index, store, field, column[row]);
  column[row] = value as number;
  wasWritten(world, entity, index, store);
}

function wasWritten(world: World, entity: Entity, index: number, store: Store): void {
  store.external?.written(index);
  if (store.watched) world["tellSet"](entity, index, store);
}
