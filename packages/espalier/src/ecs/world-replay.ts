/**
 * What undo, rollback and snapshots stand on: the changes of `world-door.ts` with raw values and exact places.
 *
 * Nobody is asked for permission, because what is brought back was allowed when it came to be. Everybody is told, as of
 * any other change, the recorder included.
 */
import type { Archetype } from "./archetype.ts";
import { type ArchetypeCopy, generatedCopy, plainCopy } from "./archetype-copy.ts";
import type { ComponentInit } from "./component.ts";
import { type Places, ROW } from "./entities.ts";
import { type Entity, INDEX_MASK } from "./entity.ts";
import type { Reversible } from "./extension.ts";
import type { Column } from "./fields.ts";
import type { Store } from "./store.ts";
import { WorldDoor } from "./world-door.ts";

/** Where the raw values of components come from. */
export interface RawValues {
  /** Writes every field of one entity: `store.columns[field][row]`. */
  load(store: Store, row: number): void;
}

/** After this many copies of entities of an archetype, code of its own pays. */
const COPIES_BEFORE_GENERATING = 16;

export class WorldReplay extends WorldDoor {
  private readonly placeChanges: Reversible = {
    reverse: (_entity, _a, _b, before) => this.setPlaces(before as Places),
  };
  private readonly rowChanges: Reversible = {
    reverse: (_entity, id, _b, before) => this.setRows(this.graph.all[id] as Archetype, before as Int32Array),
  };

  /** Whether observers are being told of a change right now. */
  get isTelling(): boolean {
    return this.observerDepth > 0;
  }

  /** What copies the values of entities of this archetype. */
  copyOf(archetype: Archetype): ArchetypeCopy {
    return archetype.copies > COPIES_BEFORE_GENERATING
      ? (archetype.copy as ArchetypeCopy)
      : this.prepareCopy(archetype);
  }

  private prepareCopy(archetype: Archetype): ArchetypeCopy {
    if (archetype.copies++ < COPIES_BEFORE_GENERATING || !this.generates) {
      archetype.copy ??= plainCopy(archetype.stores);
    } else archetype.copy = generatedCopy(archetype.stores);
    return archetype.copy;
  }

  /** Creates an entity with exactly this handle, where it lived before. Used to load. */
  revive(entity: Entity, inits: readonly ComponentInit[]): void {
    this.requireUnlocked("bring back an entity");
    const stores = this.checkAll(inits, 0, true);
    const before = this.table.generationAt(entity & INDEX_MASK);
    this.spawnAt(this.table.bringBack(entity), stores, inits, before);
  }

  /** Undoes a spawn: the entity goes alone, and its handle is the next one given out. */
  unspawn(entity: Entity): void {
    this.requireUnlocked("undo a spawn");
    this.destroyOne(entity, this.table.require(entity, "undo a spawn"), true);
  }

  /** Destroys one entity and nothing that would go with it. */
  destroyAlone(entity: Entity): void {
    this.requireUnlocked("destroy an entity");
    this.destroyOne(entity, this.table.require(entity, "destroy an entity"), false);
  }

  /**
   * `revive` with raw values, in row `row` of its archetype. `again`: it had been destroyed, not taken back; see
   * `Recorder.spawned`.
   */
  reviveRaw(entity: Entity, archetype: Archetype, row: number, values: RawValues, again: boolean): void {
    this.requireUnlocked("bring back an entity");
    const index = this.table.bringBack(entity);
    archetype.push(index, this.table.info);
    archetype.seat(index, row, this.table.info);
    for (const hook of this.spawnHooks) hook(index);
    for (const store of archetype.stores) {
      values.load(store, store.occupy(index));
      store.external?.written(index);
    }
    this.born(index, archetype, again);
  }

  /** See `Entities.setPlaces`. */
  setPlaces(places: Places): void {
    this.requireUnlocked("set the places of entities");
    this.recorder_?.changed(this.placeChanges, null, 0, 0, this.table.places());
    this.table.setPlaces(places);
  }

  /** Puts the entities of an archetype into another order; `ids` are exactly theirs. */
  setRows(archetype: Archetype, ids: Int32Array): void {
    this.requireUnlocked("set the order of entities");
    const before = archetype.ids.slice(0, archetype.count);
    if (before.every((index, row) => index === ids[row])) return;
    this.recorder_?.changed(this.rowChanges, null, archetype.id, 0, before);
    archetype.reorder(ids, this.table.info);
    this.version++;
  }

  /** Gives a component with raw values, in row `row` of the archetype that results. Overwrites one that is there. */
  addRaw(entity: Entity, store: Store, row: number, values: RawValues): void {
    const index = this.table.require(entity, "bring back a component");
    const from = this.archetypeAt(index) as Archetype;
    const { info } = this.table;
    if (from.has[store.id] === 1) {
      const at = store.rowOf(index);
      store.names.forEach((name, k) => {
        this.recorder_?.writing(entity, index, store, k, store.columns[name]?.[at]);
      });
      values.load(store, at);
      store.external?.written(index);
      if (store.watched) this.tellSet(entity, index, store);
      return;
    }
    this.requireUnlocked("bring back a component");
    const to = this.graph.with(from, store);
    const place = info[(index << 2) | ROW];
    from.drop(index, info);
    to.push(index, info);
    to.seat(index, row, info);
    this.version++;
    values.load(store, store.occupy(index));
    store.external?.written(index);
    this.tellAdded(entity, index, store, place);
  }

  /** Takes a component away; the entity goes to row `row` of the archetype that results. */
  removeRaw(entity: Entity, store: Store, row: number): void {
    const index = this.table.require(entity, "take back a component");
    if (this.removeChecked(entity, index, store)) this.archetypeAt(index)?.seat(index, row, this.table.info);
  }

  /** Writes one field as its column holds it. Nothing happens when it holds that already. */
  writeRaw(entity: Entity, store: Store, field: number, value: unknown): void {
    const index = this.table.require(entity, "bring back a value");
    const column = store.columns[store.names[field] as string] as Column;
    const row = store.rowOf(index);
    if ((this.archetypeAt(index) as Archetype).has[store.id] !== 1 || Object.is(column[row], value)) return;
    this.recorder_?.writing(entity, index, store, field, column[row]);
    column[row] = value as number;
    store.external?.written(index);
    if (store.watched) this.tellSet(entity, index, store);
  }
}
