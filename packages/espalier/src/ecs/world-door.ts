/**
 * The one door through which a world changes: every operation on entities and components ends here.
 *
 * The public calls (`world.ts`) check their input with `check` and `checkAll`, which change nothing, and then use the
 * methods here, which no longer refuse. Whoever must hear of a change (extensions, the recorder, change logs,
 * observers) is told here and nowhere else.
 */
import type { Archetype } from "./archetype.ts";
import type { AnyInit, ComponentInit } from "./component.ts";
import { type Entity, INDEX_MASK } from "./entity.ts";
import { StructureLockedError } from "./errors.ts";
import { type Extension, IndexList, type Recorder } from "./extension.ts";
import { encodeValue, type Field, initialValue } from "./fields.ts";
import { ARCHETYPE, GENERATION, PROMISED, ROW } from "./place-record.ts";
import type { Store } from "./store.ts";
import { WorldCore } from "./world-core.ts";

/** Fewer entities than this go one by one before a loop made for many has begun. */
const WORTH_A_LOOP = 4;

export class WorldDoor extends WorldCore {
  /** What `destroyQuietly` is about to destroy. */
  private readonly doomed = new IndexList();

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
   * `spawn()` for an extension that does its own part of it: the place of a new entity without components. 0 where
   * another extension, an observer or a recorder has to hear of it, and nothing has changed.
   * @internal
   */
  spawnBare(): number {
    if (this.spawnHooks.length !== 1 || this.onSpawn.length !== 0) return 0;
    if (this.locked !== 0 || this.recorder_ !== undefined) return 0;
    const { table } = this;
    const index = table.takeInto(this.graph.empty);
    table.alive++;
    this.version++;
    return index;
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

  private archetypeWith(stores: readonly Store[]): Archetype {
    let archetype = this.graph.empty;
    for (let k = 0; k < stores.length; k++) archetype = this.graph.with(archetype, stores[k] as Store);
    return archetype;
  }

  private unmake(index: number, archetype: Archetype, filled: readonly Store[]): void {
    for (const store of filled) store.vacate(index);
    for (const hook of this.leaveHooks) hook(index);
    archetype.drop(index, this.table.info);
  }

  /**
   * Gives the entity at `index` the start values of a component. Functions of users make the defaults of object fields:
   * when one throws, the component is let go of again.
   */
  private fill(store: Store, index: number, values: object | undefined): void {
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
    if (this.recorder_ !== undefined) this.recorder_.spawned(entity, index, again);
    if (this.onSpawn.length !== 0 || (this.listeners !== 0 && this.isListened(archetype))) {
      this.tellSpawned(entity, index, archetype);
    }
    return entity;
  }

  protected hasAt(index: number, store: Store): boolean {
    const id = this.table.info[(index << 2) | ARCHETYPE];
    return id >= 0 && (this.graph.all[id] as Archetype).has[store.id] === 1;
  }

  /** Whether a component of this archetype has a reader or an observer. */
  private isListened(archetype: Archetype): boolean {
    if (archetype.listenedAt !== this.listenerVersion) {
      archetype.listenedAt = this.listenerVersion;
      archetype.listened = archetype.stores.some(
        (store) => store.log !== undefined || store.observers !== undefined,
      );
    }
    return archetype.listened;
  }

  private tellSpawned(entity: Entity, index: number, archetype: Archetype): void {
    for (const store of archetype.stores) store.log?.added(entity, index);
    if (this.onSpawn.length !== 0) this.tell(this.onSpawn, entity, "spawn");
    for (const store of archetype.stores) {
      if (store.observers === undefined || store.observers.onAdd.length === 0) continue;
      // An observer before may have destroyed the entity or removed the component.
      if (!this.table.isAlive(entity)) return;
      if (this.hasAt(index, store)) this.tell(store.observers.onAdd, entity, "add");
    }
  }

  protected destroyWithDoomed(entity: Entity): boolean {
    const table = this.table;
    if (!table.isAlive(entity)) {
      this.requireEntityLike(entity, "destroy");
      return false;
    }
    const index = entity & INDEX_MASK;
    if (this.locked !== 0) throw new StructureLockedError("destroy an entity");
    if (this.isDyingAt(index)) return false;
    if (this.doomHooks.length === 0) this.destroyOne(entity, index, false);
    else if (!this.destroyQuietly(index)) this.destroyDoomed(entity);
    return true;
  }

  protected isDyingAt(index: number): boolean {
    return this.dying.length !== 0 && this.dying.includes(index);
  }

  /** `destroyDoomed` all at once, where nobody hears of each entity. `false`, with nothing changed, where somebody does. */
  private destroyQuietly(index: number): boolean {
    const { quickLeaver, doomed, table } = this;
    if (quickLeaver === undefined || this.onDestroy.length !== 0 || this.dying.length !== 0) return false;
    doomed.count = 0;
    if (!quickLeaver.doomAll?.(index, doomed)) return false;
    const { ids, count } = doomed;
    if (this.listeners !== 0) {
      const { info } = table;
      let asked = -1;
      for (let k = 0; k < count; k++) {
        const id = info[(ids[k] << 2) | ARCHETYPE];
        if (id === asked) continue;
        asked = id;
        if (this.isListened(this.graph.all[id] as Archetype)) return false;
      }
    }
    if (this.recorder_ !== undefined) {
      this.dropRecorded(ids, count, quickLeaver, this.recorder_);
      quickLeaver.leavingAll?.(doomed);
      table.releaseMany(ids, count);
    } else {
      quickLeaver.leavingAll?.(doomed);
      for (let k = 0; k < count; ) k += this.leaveTogether(ids, k, count) || this.leaveAlone(ids[k]);
    }
    table.alive -= count;
    this.version += count;
    return true;
  }

  /** Records entities as `destroyOne` does, each in the row it has when those before it are gone. */
  private dropRecorded(ids: Int32Array, count: number, leaver: Extension, recorder: Recorder): void {
    const { table, graph } = this;
    for (let k = 0; k < count; k++) {
      const index = ids[k];
      const entity = table.handleAt(index);
      const archetype = graph.all[table.info[(index << 2) | ARCHETYPE]] as Archetype;
      if (archetype.hasExternal) recorder.destroying(entity, index);
      leaver.recordLeaving?.(index, recorder);
      recorder.destroyed(entity, index, archetype, false);
      this.drop(index, archetype);
    }
  }

  /** Lets as many of the entities go as one loop can; they have no values to clear. */
  private leaveTogether(ids: Int32Array, from: number, to: number): number {
    if (to - from < WORTH_A_LOOP) return 0;
    const archetype = this.archetypeAt(ids[from]) as Archetype;
    if (archetype.releasing.length !== 0 || archetype.pins !== 0) return 0;
    const count = this.table.leaveMany(archetype, ids, from, to);
    archetype.count -= count;
    archetype.revision += count;
    return count;
  }

  /** Takes an entity out of its archetype and lets go of what it holds. */
  private drop(index: number, archetype: Archetype): void {
    if (archetype.releasing.length !== 0) for (const store of archetype.releasing) store.vacate(index);
    archetype.drop(index, this.table.info);
  }

  private leaveAlone(index: number): number {
    const { table } = this;
    const archetype = this.graph.all[table.info[(index << 2) | ARCHETYPE]] as Archetype;
    this.drop(index, archetype);
    table.release(index);
    return 1;
  }

  /** Destroys what the extensions doom, each entity after all that it takes with it. */
  protected destroyDoomed(first: Entity): void {
    const hooks = this.doomHooks;
    // One extension dooms each entity once; several may name the same.
    const seen = hooks.length > 1 ? new Set<number>() : undefined;
    const stack: number[] = [first & INDEX_MASK];
    const order: Entity[] = [];
    while (stack.length > 0) {
      const index = stack.pop() as number;
      // A negative entry marks the way back up: everything it dooms stands in `order` by now.
      if (index < 0) {
        order.push(this.table.handleAt(-index));
        continue;
      }
      if (seen?.has(index)) continue;
      seen?.add(index);
      const top = stack.push(-index);
      for (let k = 0; k < hooks.length; k++) hooks[k](index, stack);
      if (stack.length === top) {
        stack.pop();
        order.push(this.table.handleAt(index));
      }
    }
    for (let k = 0; k < order.length; k++) {
      const entity = order[k];
      const index = entity & INDEX_MASK;
      if (!this.table.isAlive(entity) || this.isDyingAt(index)) continue;
      this.destroyOne(entity, index, false);
    }
  }

  protected destroyOne(entity: Entity, index: number, undo: boolean): void {
    const table = this.table;
    if (
      this.onDestroy.length !== 0 ||
      (this.listeners !== 0 && this.isListened(this.archetypeAt(index) as Archetype))
    ) {
      this.tellLeaving(entity, index);
      if (table.disposed) return;
    }
    // Values are saved before extensions let go, because they may keep some; that it is gone is recorded after, so
    // that, undone in reverse, the entity is back before its place in them is.
    if (this.recorder_ !== undefined) this.recordLeaving(entity, index, this.recorder_);
    if (this.leaveHooks.length !== 0) for (const hook of this.leaveHooks) hook(index);
    const archetype = this.graph.all[table.info[(index << 2) | ARCHETYPE]] as Archetype;
    if (this.recorder_ !== undefined) this.recorder_.destroyed(entity, index, archetype, undo);
    this.drop(index, archetype);
    if (undo) table.untake(index);
    else table.release(index);
    table.alive--;
    this.version++;
  }

  private recordLeaving(entity: Entity, index: number, recorder: Recorder): void {
    if ((this.archetypeAt(index) as Archetype).hasExternal) recorder.destroying(entity, index);
    for (let k = 0; k < this.recordHooks.length; k++) this.recordHooks[k](index, recorder);
  }

  private tellLeaving(entity: Entity, index: number): void {
    this.dying.push(index);
    try {
      if (this.onDestroy.length !== 0) this.tell(this.onDestroy, entity, "destroy");
      // Observers may add components to the dying entity: then look again at what it has.
      let told: Archetype | undefined;
      let archetype = this.archetypeAt(index);
      for (let round = 0; archetype !== undefined && archetype !== told && round < 100; round++) {
        for (const store of archetype.stores) {
          if (told?.has[store.id] === 1 || !this.hasAt(index, store)) continue;
          this.tellRemoving(entity, store);
          if (this.hasAt(index, store)) store.log?.removed(entity, index);
        }
        told = archetype;
        archetype = this.archetypeAt(index);
      }
    } finally {
      // Also when an onError throws: the entity lives on then and can be destroyed later.
      this.dying.splice(this.dying.lastIndexOf(index), 1);
    }
  }

  /** Tells the observers, unless they are being told already. */
  private tellRemoving(entity: Entity, store: Store): void {
    if (store.observers === undefined || store.observers.onRemove.length === 0) return;
    const { leaving, onRemove } = store.observers;
    if (leaving.has(entity)) return;
    leaving.add(entity);
    try {
      this.tell(onRemove, entity, "remove");
    } finally {
      leaving.delete(entity);
    }
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
    this.tellAdded(entity, index, store, place);
  }

  protected tellAdded(entity: Entity, index: number, store: Store, place: number): void {
    if (this.recorder_ !== undefined) this.recorder_.added(entity, index, store, place);
    if (store.log !== undefined) store.log.added(entity, index);
    if (store.observers !== undefined && store.observers.onAdd.length !== 0) {
      this.tell(store.observers.onAdd, entity, "add");
    }
  }

  /** Gives components to the first `count` entities of an archetype: all that it had when the call began. */
  protected addToAll(
    from: Archetype,
    count: number,
    stores: readonly Store[],
    inits: readonly ComponentInit[],
  ): void {
    if (count === 0) return;
    let to = from;
    for (const store of stores) if (to.has[store.id] !== 1) to = this.graph.with(to, store);
    this.fillMany(stores, inits, from.ids, 0, count, from);
    if (to !== from) to.takeAll(from, this.table.info);
    this.version++;
  }

  /** Writes the start values of components for the entities ids[from..to), which have those of `owned` already. */
  private fillMany(
    stores: readonly Store[],
    inits: readonly ComponentInit[],
    ids: Int32Array,
    from: number,
    to: number,
    owned: Archetype,
  ): void {
    const isNew = (store: Store) => owned.has[store.id] !== 1;
    let s = 0;
    let k = from;
    try {
      for (; s < stores.length; s++) {
        const store = stores[s] as Store;
        const values = valuesOf(inits[s] as ComponentInit);
        k = store.isDense && values === undefined ? to : from;
        if (k === to) store.access.resetMany(store.columns, ids, from, to);
        else if (isNew(store)) for (; k < to; k++) this.fill(store, ids[k], values);
        else for (; k < to; k++) this.reset(store, ids[k], values);
      }
    } catch (error) {
      for (; s >= 0; s--) {
        if (isNew(stores[s] as Store)) while (--k >= from) (stores[s] as Store).vacate(ids[k]);
        k = to;
      }
      throw error;
    }
  }

  /** Creates many entities of one archetype. Only when nobody has to hear of each. */
  protected spawnBulk(count: number, stores: readonly Store[], inits: readonly ComponentInit[]): Entity[] {
    // Nothing is made for nobody: an archetype that exists earlier comes earlier in queries.
    if (count === 0) return [];
    const { table, graph } = this;
    const archetype = this.archetypeWith(stores);
    const base = archetype.count;
    archetype.makeRoom(count);
    const { ids } = archetype;
    const spawned = table.takeMany(count, archetype.id, ids, base);
    try {
      this.fillMany(stores, inits, ids, base, base + count, graph.empty);
    } catch (error) {
      for (let k = base + count - 1; k >= base; k--) table.untake(ids[k]);
      throw error;
    }
    archetype.count += count;
    archetype.revision++;
    table.alive += count;
    this.version++;
    return spawned;
  }

  /** Takes components from all entities of an archetype at once. Only when nobody has to hear of each. */
  protected removeFromAll(from: Archetype, stores: readonly Store[]): void {
    const { ids, count } = from;
    if (count === 0) return;
    let to = from;
    for (const store of stores) {
      if (to.has[store.id] !== 1) continue;
      to = this.graph.without(to, store);
      if (store.releases) for (let k = 0; k < count; k++) store.vacate(ids[k]);
    }
    if (to === from) return;
    to.takeAll(from, this.table.info);
    this.version++;
  }

  /** Destroys all entities of an archetype at once. Only when nobody has to hear of each. */
  protected destroyWhole(archetype: Archetype): void {
    const { ids, count, releasing } = archetype;
    if (count === 0) return;
    for (const store of releasing) for (let k = 0; k < count; k++) store.vacate(ids[k]);
    this.table.releaseMany(ids, count);
    archetype.clear();
    this.table.alive -= count;
    this.version++;
  }

  /** Gives a component that is there its start values. */
  private overwrite(entity: Entity, index: number, store: Store, values: object | undefined): void {
    if (!store.watched) {
      this.reset(store, index, values);
      return;
    }
    const row = store.rowOf(index);
    let changed = false;
    for (let k = 0; k < store.names.length; k++) {
      const field = store.fields[k] as Field;
      const value = (values as { [field: string]: unknown } | undefined)?.[store.names[k] as string];
      const encoded = value === undefined ? initialValue(field) : encodeValue(field.kind, value);
      if (this.write(entity, index, store, row, k, encoded)) changed = true;
    }
    if (changed) this.wasSet(entity, index, store);
  }

  private reset(store: Store, index: number, values: object | undefined): void {
    const row = store.rowOf(index);
    store.access.reset(store.columns, row);
    if (values !== undefined) store.access.assign(store.columns, row, values);
    store.external?.written(index);
  }

  protected removeChecked(entity: Entity, index: number, store: Store): boolean {
    const table = this.table;
    if (!this.hasAt(index, store)) return false;
    if (this.locked !== 0) throw new StructureLockedError("remove a component");
    if (store.observers !== undefined && store.observers.onRemove.length !== 0) {
      // Removed again by its own observer: it is going already.
      if (store.observers.leaving.has(entity)) return false;
      this.tellRemoving(entity, store);
      // The observer may have destroyed the entity.
      if (!table.isAlive(entity)) return true;
    }
    if (this.recorder_ !== undefined) this.recorder_.removing(entity, index, store);
    const from = this.graph.all[table.info[(index << 2) | ARCHETYPE]] as Archetype;
    const to = from.withoutComponent[store.id] ?? this.graph.without(from, store);
    from.drop(index, table.info);
    to.push(index, table.info);
    this.version++;
    if (store.releases) store.vacate(index);
    if (store.log !== undefined) store.log.removed(entity, index);
    return true;
  }

  protected setChecked(entity: Entity, index: number, store: Store, values: object): void {
    const row = store.rowOf(index);
    if (!store.watched) {
      store.access.assign(store.columns, row, values);
      store.external?.written(index);
      return;
    }
    if (store.access.change(store.columns, row, values, this.recorder_, entity, index, store)) {
      this.wasSet(entity, index, store);
    }
  }

  private wasSet(entity: Entity, index: number, store: Store): void {
    store.external?.written(index);
    this.tellSet(entity, index, store);
  }
}

/** The values a component shall start with, if any are given. */
export function valuesOf(init: ComponentInit): object | undefined {
  return typeof init === "function" ? undefined : (init as AnyInit).values;
}
