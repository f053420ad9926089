/**
 * The one door through which a world changes: every operation on entities and components ends here.
 *
 * The public calls (`world.ts`) check their input with `check` and `plan`, which change nothing, and then use the
 * methods here, which no longer refuse. Whoever must hear of a change (extensions, the recorder, change logs,
 * observers) is told here and nowhere else.
 */
import type { Archetype } from "./archetype.ts";
import type { AnyComponent, AnyInit, ComponentInit } from "./component.ts";
import { ARCHETYPE, ROW } from "./entities.ts";
import { type Entity, INDEX_MASK } from "./entity.ts";
import { StructureLockedError } from "./errors.ts";
import type { Recorder } from "./extension.ts";
import { encodeValue, type Field } from "./fields.ts";
import type { Store } from "./store.ts";
import { WorldCore } from "./world-core.ts";

export class WorldDoor extends WorldCore {
  protected takePlace(): number {
    if (this.locked !== 0) throw new StructureLockedError("create an entity");
    return this.table.take();
  }

  /** Spawn with one component or none: the short way for the most frequent calls. */
  protected spawnPlain(store: Store | undefined, values?: object): Entity {
    if (this.locked !== 0) throw new StructureLockedError("create an entity");
    const table = this.table;
    const index = table.take();
    const archetype = store === undefined ? this.graph.empty : this.graph.with(this.graph.empty, store);
    archetype.push(index, table.info);
    if (this.spawnHooks.length !== 0) for (const hook of this.spawnHooks) hook(index);
    if (store !== undefined) {
      const row = store.occupy(index);
      store.access.reset(store.columns, row);
      if (values !== undefined) store.access.assign(store.columns, row, values);
      store.external?.written(index);
    }
    this.born(index, archetype);
    return table.handleAt(index);
  }

  protected spawnPlanned(
    index: number,
    archetype: Archetype,
    inits: readonly ComponentInit[],
    again = false,
  ): number {
    const table = this.table;
    archetype.push(index, table.info);
    if (this.spawnHooks.length !== 0) for (const hook of this.spawnHooks) hook(index);
    for (let k = 0; k < inits.length; k++) {
      const init = inits[k] as ComponentInit;
      const plain = typeof init === "function";
      const store = this.store(plain ? (init as AnyComponent) : (init as AnyInit).component);
      const row = store.occupy(index);
      store.access.reset(store.columns, row);
      if (!plain && (init as AnyInit).values !== undefined) {
        store.access.assign(store.columns, row, (init as AnyInit).values as object);
      }
      store.external?.written(index);
    }
    this.born(index, archetype, again);
    return index;
  }

  protected born(index: number, archetype: Archetype, again = false): void {
    this.table.alive++;
    this.version++;
    if (this.recorder_ !== undefined) this.recorder_.spawned(this.table.handleAt(index), index, again);
    if (this.onSpawn.length !== 0 || (this.listeners !== 0 && this.isListened(archetype))) {
      this.tellSpawned(index, archetype);
    }
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

  protected tellSpawned(index: number, archetype: Archetype): void {
    const entity = this.table.handleAt(index);
    for (const store of archetype.stores) store.log?.added(entity, index);
    if (this.onSpawn.length !== 0) this.tell(this.onSpawn, entity, "spawn");
    for (const store of archetype.stores) {
      if (store.observers === undefined || store.observers.onAdd.length === 0) continue;
      if (!this.table.isAlive(entity)) return;
      this.tell(store.observers.onAdd, entity, "add");
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
    if (this.dying.size !== 0 && this.dying.has(index)) return false;
    if (this.doomHooks.length === 0) this.destroyOne(entity, index, false);
    else this.destroyDoomed(entity);
    return true;
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
      if (!this.table.isAlive(entity) || (this.dying.size !== 0 && this.dying.has(index))) continue;
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
    }
    // Values are saved before extensions let go, because they may keep some; that it is gone is recorded after, so
    // that, undone in reverse, the entity is back before its place in them is.
    if (this.recorder_ !== undefined) this.recordLeaving(entity, index, this.recorder_);
    if (this.leaveHooks.length !== 0) for (const hook of this.leaveHooks) hook(index);
    if (this.recorder_ !== undefined) this.recorder_.destroyed(entity, index, undo);
    const archetype = this.graph.all[table.info[(index << 2) | ARCHETYPE]] as Archetype;
    if (archetype.releasing.length !== 0) for (const store of archetype.releasing) store.vacate(index);
    archetype.drop(index, table.info);
    if (undo) table.untake(index);
    else table.release(index);
    table.alive--;
    this.version++;
  }

  private recordLeaving(entity: Entity, index: number, recorder: Recorder): void {
    recorder.destroying(entity, index);
    for (const hook of this.recordHooks) hook(index, recorder);
  }

  protected tellLeaving(entity: Entity, index: number): void {
    this.dying.add(index);
    try {
      if (this.onDestroy.length !== 0) this.tell(this.onDestroy, entity, "destroy");
      // Observers may add components to the dying entity, so look at what it has now.
      for (const store of (this.archetypeAt(index) as Archetype).stores) {
        if (store.observers !== undefined && store.observers.onRemove.length !== 0) {
          this.tell(store.observers.onRemove, entity, "remove");
        }
        store.log?.removed(entity, index);
      }
    } finally {
      // Also when an onError throws: the entity lives on then and can be destroyed later.
      this.dying.delete(index);
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
    this.version++;
    const row = store.occupy(index);
    store.access.reset(store.columns, row);
    if (values !== undefined) store.access.assign(store.columns, row, values);
    store.external?.written(index);
    this.tellAdded(entity, index, store, place);
  }

  protected tellAdded(entity: Entity, index: number, store: Store, place: number): void {
    if (this.recorder_ !== undefined) this.recorder_.added(entity, index, store, place);
    if (store.log !== undefined) store.log.added(entity, index);
    if (store.observers !== undefined && store.observers.onAdd.length !== 0) {
      this.tell(store.observers.onAdd, entity, "add");
    }
  }

  /** Gives components to all entities of an archetype at once. Only when nobody has to hear of each. */
  protected addToAll(
    from: Archetype,
    stores: readonly Store[],
    values: readonly (object | undefined)[],
  ): void {
    const { ids, count } = from;
    if (count === 0) return;
    let to = from;
    for (const store of stores) if (to.has[store.id] !== 1) to = this.graph.with(to, store);
    if (to !== from) to.takeAll(from, this.table.info);
    stores.forEach((store, s) => {
      this.fillMany(store, ids, 0, count, values[s], from.has[store.id] === 1);
    });
    this.version++;
  }

  /** Writes the start values of one component for the entities ids[from..to). */
  private fillMany(
    store: Store,
    ids: Int32Array,
    from: number,
    to: number,
    values: object | undefined,
    present: boolean,
  ): void {
    if (store.isDense && values === undefined) {
      store.access.resetMany(store.columns, ids, from, to);
      return;
    }
    for (let k = from; k < to; k++) {
      const row = present ? store.rowOf(ids[k]) : store.occupy(ids[k]);
      store.access.reset(store.columns, row);
      if (values !== undefined) store.access.assign(store.columns, row, values);
      store.external?.written(ids[k]);
    }
  }

  /** Creates many entities of one archetype. Only when nobody has to hear of each. */
  protected spawnBulk(count: number, archetype: Archetype, inits: readonly ComponentInit[]): Entity[] {
    const table = this.table;
    const spawned = new Array<Entity>(count);
    const base = archetype.count;
    archetype.makeRoom(count);
    for (let k = 0; k < count; k++) {
      const index = table.take();
      archetype.push(index, table.info);
      spawned[k] = table.handleAt(index);
    }
    for (const init of inits) {
      const plain = typeof init === "function";
      const store = this.store(plain ? (init as AnyComponent) : (init as AnyInit).component);
      this.fillMany(
        store,
        archetype.ids,
        base,
        base + count,
        plain ? undefined : (init as AnyInit).values,
        false,
      );
    }
    table.alive += count;
    this.version++;
    return spawned;
  }

  /** Takes components from all entities of an archetype at once. Only when nobody has to hear of each. */
  protected removeFromAll(from: Archetype, stores: readonly Store[]): void {
    const { ids, count } = from;
    let to = from;
    for (const store of stores) {
      if (to.has[store.id] !== 1) continue;
      to = this.graph.without(to, store);
      if (store.releases) for (let k = 0; k < count; k++) store.vacate(ids[k]);
    }
    if (to === from || count === 0) return;
    to.takeAll(from, this.table.info);
    this.version++;
  }

  /** Destroys all entities of an archetype at once. Only when nobody has to hear of each. */
  protected destroyWhole(archetype: Archetype): void {
    const { ids, count, releasing } = archetype;
    const table = this.table;
    for (let k = count - 1; k >= 0; k--) {
      const index = ids[k];
      for (let s = 0; s < releasing.length; s++) releasing[s].vacate(index);
      table.release(index);
    }
    archetype.clear();
    table.alive -= count;
    if (count > 0) this.version++;
  }

  protected overwrite(entity: Entity, index: number, store: Store, values: object | undefined): void {
    const row = store.rowOf(index);
    if (this.recorder_ !== undefined) {
      for (let k = 0; k < store.fields.length; k++) this.recorder_.writing(entity, index, store, k);
    }
    store.access.reset(store.columns, row);
    if (values !== undefined) store.access.assign(store.columns, row, values);
    store.external?.written(index);
    if (store.watched) this.tellSet(entity, index, store);
  }

  protected removeChecked(entity: Entity, index: number, store: Store): boolean {
    const table = this.table;
    if ((this.graph.all[table.info[(index << 2) | ARCHETYPE]] as Archetype).has[store.id] !== 1) return false;
    if (this.locked !== 0) throw new StructureLockedError("remove a component");
    if (store.observers !== undefined && store.observers.onRemove.length !== 0) {
      this.tell(store.observers.onRemove, entity, "remove");
      // The observer may have removed the component or the entity itself.
      if (!table.isAlive(entity) || (this.archetypeAt(index) as Archetype).has[store.id] !== 1) return true;
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
    let changed = false;
    for (let k = 0; k < store.names.length; k++) {
      const name = store.names[k] as string;
      const value = (values as { [field: string]: unknown })[name];
      if (value === undefined) continue;
      const kind = (store.fields[k] as Field).kind;
      const encoded = encodeValue(kind, value);
      const column = store.columns[name] as unknown[];
      if (Object.is(column[row], kind === "f32" ? Math.fround(encoded as number) : encoded)) continue;
      this.recorder_?.writing(entity, index, store, k);
      column[row] = encoded;
      changed = true;
    }
    if (!changed) return;
    store.external?.written(index);
    this.tellSet(entity, index, store);
  }
}
