/**
 * The one door through which a world changes: every operation on entities and components ends here.
 *
 * The public calls (`core-world.ts`) check their input with `check` and `checkAll`, which change nothing, and then use
 * the methods here, which no longer refuse. Where somebody hears of changes (`ears`), the full world's own versions take
 * over (`world-telling.ts`).
 */
import type { Archetype } from "./archetype.ts";
import type { AnyInit, ComponentInit } from "./component.ts";
import { type Entity, INDEX_MASK } from "./entity.ts";
import { StructureLockedError } from "./errors.ts";
import { ARCHETYPE, GENERATION, PROMISED, ROW } from "./place-record.ts";
import type { Store } from "./store.ts";
import { WorldCore } from "./world-core.ts";

export class WorldDoor extends WorldCore {
  /** Spawn with one component or none: the short way for the most frequent calls. */
  protected spawnOne(store: Store | undefined, values: object | undefined): Entity {
    if (this.locked !== 0) throw new StructureLockedError("create an entity");
    const table = this.table;
    const { empty } = this.graph;
    const archetype =
      store === undefined ? empty : (empty.withComponent[store.id] ?? this.graph.with(empty, store));
    const index = table.takeInto(archetype);
    if (this.spawnHooks.length !== 0) for (const hook of this.spawnHooks) hook(index);
    if (store !== undefined) {
      try {
        this.fill(store, index, values);
      } catch (error) {
        this.unmake(index, archetype, []);
        table.untake(index);
        throw error;
      }
    }
    return this.born(index, archetype);
  }

  /**
   * Makes the entity of a place that was taken or promised. When it throws, the place is free or promised as before, in
   * generation `before` if it is brought back, which is the case when that is given.
   */
  protected spawnAt(
    index: number,
    stores: readonly Store[],
    inits: readonly ComponentInit[],
    before?: number,
  ): Entity {
    const { info } = this.table;
    const isPromised = info[(index << 2) | ARCHETYPE] === PROMISED;
    const archetype = this.archetypeWith(stores);
    archetype.push(index, info);
    if (this.spawnHooks.length !== 0) for (const hook of this.spawnHooks) hook(index);
    let k = 0;
    try {
      for (; k < stores.length; k++)
        this.fill(stores[k] as Store, index, valuesOf(inits[k] as ComponentInit));
    } catch (error) {
      this.unmake(index, archetype, stores.slice(0, k));
      if (before !== undefined) info[(index << 2) | GENERATION] = before;
      if (isPromised) info[(index << 2) | ARCHETYPE] = PROMISED;
      else this.table.untake(index);
      throw error;
    }
    return this.born(index, archetype, before !== undefined);
  }

  protected archetypeWith(stores: readonly Store[]): Archetype {
    let archetype = this.graph.empty;
    for (let k = 0; k < stores.length; k++) archetype = this.graph.with(archetype, stores[k] as Store);
    return archetype;
  }

  protected unmake(index: number, archetype: Archetype, filled: readonly Store[]): void {
    for (const store of filled) store.vacate(index);
    for (const hook of this.leaveHooks) hook(index);
    archetype.drop(index, this.table.info);
  }

  /**
   * Gives the entity at `index` the start values of a component. Functions of users make the defaults of object fields:
   * when one throws, the component is let go of again.
   */
  protected fill(store: Store, index: number, values: object | undefined): void {
    const row = store.occupy(index);
    try {
      store.access.reset(store.columns, row);
      if (values !== undefined) store.access.assign(store.columns, row, values);
    } catch (error) {
      store.vacate(index);
      throw error;
    }
    if (store.external !== undefined) store.external.written(index);
  }

  protected born(index: number, archetype: Archetype, again = false): Entity {
    // Observers may destroy the entity; its handle is what it was before.
    const entity = this.table.handleAt(index);
    this.table.alive++;
    this.version++;
    if (this.ears !== 0) this.tellBorn(entity, index, archetype, again);
    return entity;
  }

  protected hasAt(index: number, store: Store): boolean {
    const id = this.table.info[(index << 2) | ARCHETYPE];
    return id >= 0 && (this.graph.all[id] as Archetype).has[store.id] === 1;
  }

  protected destroyWithDoomed(entity: Entity): boolean {
    const table = this.table;
    if (!table.isAlive(entity)) {
      this.requireEntityLike(entity, "destroy");
      return false;
    }
    if (this.locked !== 0) throw new StructureLockedError("destroy an entity");
    if (this.ears === 0 && this.doomHooks.length === 0) this.leave(entity & INDEX_MASK);
    else return this.destroyLoudly(entity);
    return true;
  }

  /** Lets an entity go when nobody hears of it. */
  protected leave(index: number): void {
    const { table } = this;
    if (this.leaveHooks.length !== 0) for (const hook of this.leaveHooks) hook(index);
    this.drop(index, this.graph.all[table.info[(index << 2) | ARCHETYPE]] as Archetype);
    table.release(index);
    table.alive--;
    this.version++;
  }

  /** Takes an entity out of its archetype and lets go of what it holds. */
  protected drop(index: number, archetype: Archetype): void {
    if (archetype.releasing.length !== 0) for (const store of archetype.releasing) store.vacate(index);
    archetype.drop(index, this.table.info);
  }

  protected addChecked(entity: Entity, index: number, store: Store, values: object | undefined): void {
    const table = this.table;
    const from = this.graph.all[table.info[(index << 2) | ARCHETYPE]] as Archetype;
    // A known way to add the component tells that it is not there yet.
    let to = from.withComponent[store.id];
    if (to === undefined) {
      if (from.has[store.id] === 1) {
        this.overwrite(entity, index, store, values);
        return;
      }
      to = this.graph.with(from, store);
    }
    if (this.locked !== 0) throw new StructureLockedError("add a component");
    const place = table.info[(index << 2) | ROW];
    from.drop(index, table.info);
    to.push(index, table.info);
    try {
      this.fill(store, index, values);
    } catch (error) {
      to.drop(index, table.info);
      from.push(index, table.info);
      from.seat(index, place, table.info);
      throw error;
    }
    this.version++;
    if (this.ears !== 0) this.tellAdded(entity, index, store, place);
  }

  /** Gives a component that is there its start values. */
  private overwrite(entity: Entity, index: number, store: Store, values: object | undefined): void {
    if (store.watched) this.overwriteLoudly(entity, index, store, values);
    else this.reset(store, index, values);
  }

  protected reset(store: Store, index: number, values: object | undefined): void {
    const row = store.rowOf(index);
    store.access.reset(store.columns, row);
    if (values !== undefined) store.access.assign(store.columns, row, values);
    store.external?.written(index);
  }

  protected removeChecked(entity: Entity, index: number, store: Store): boolean {
    if (!this.hasAt(index, store)) return false;
    if (this.locked !== 0) throw new StructureLockedError("remove a component");
    if (this.ears !== 0) return this.removeLoudly(entity, index, store);
    this.takeFrom(index, store);
    return true;
  }

  protected takeFrom(index: number, store: Store): void {
    const { info } = this.table;
    const from = this.graph.all[info[(index << 2) | ARCHETYPE]] as Archetype;
    const to = from.withoutComponent[store.id] ?? this.graph.without(from, store);
    from.drop(index, info);
    to.push(index, info);
    this.version++;
    if (store.releases) store.vacate(index);
  }

  protected setChecked(entity: Entity, index: number, store: Store, values: object): void {
    if (store.watched) {
      this.setLoudly(entity, index, store, values);
      return;
    }
    store.access.assign(store.columns, store.rowOf(index), values);
    store.external?.written(index);
  }
}

/** The values a component shall start with, if any are given. */
export function valuesOf(init: ComponentInit): object | undefined {
  return typeof init === "function" ? undefined : (init as AnyInit).values;
}
