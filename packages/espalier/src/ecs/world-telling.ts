/**
 * Who hears of changes: change readers, observers, guards and the recorder, and the versions of every change that tell
 * them.
 */
import type { Archetype } from "./archetype.ts";
import { ChangeLog, ChangeReader } from "./changes.ts";
import type { AnyComponent } from "./component.ts";
import { CoreWorld } from "./core-world.ts";
import { type Entity, formatEntity, INDEX_MASK } from "./entity.ts";
import { ObserverError } from "./errors.ts";
import type { Recorder } from "./extension.ts";
import { encodeValue, type Field, initialValue } from "./fields.ts";
import {
  type EntityObserver,
  type Entry,
  type Guard,
  insertEntry,
  makeEntry,
  type Observer,
  ObserverList,
  removeEntry,
} from "./observers.ts";
import { ARCHETYPE } from "./place-record.ts";
import { createChange } from "./set-change.ts";
import type { Store } from "./store.ts";
import type { WriteTexts } from "./view.ts";
import { carefulTexts } from "./view-writer.ts";
import type { CoreWorldOptions } from "./world-core.ts";
import { WriteWindow } from "./write-window.ts";

export interface WorldOptions extends CoreWorldOptions {
  /** Told of observers that threw and commands that were refused. Logs to the console if left out. */
  readonly onError?: (error: Error) => void;
}

/** An observer that causes its own event more often than this is taken for an endless loop. */
const MAX_OBSERVER_DEPTH = 100;

export class WorldTelling extends CoreWorld {
  readonly onError: (error: Error) => void;
  /** How many change readers and component observers there are. */
  protected listeners = 0;
  /** Grows with every change of who listens to what. */
  protected listenerVersion = 0;
  protected onSpawn: readonly Entry[] = [];
  protected onDestroy: readonly Entry[] = [];
  protected recordHooks: ((index: number, recorder: Recorder) => void)[] = [];
  protected recorderHooks: ((recorder: Recorder | undefined) => void)[] = [];
  /** Places whose destroy observers are running: few, and mostly none, which the length of an array tells fastest. */
  protected readonly dying: number[] = [];
  protected observerDepth = 0;
  /** Whether an endless loop of observers was stopped and is unwinding. */
  private runaway = false;
  protected recorder_: Recorder | undefined;
  /**
   * Destroys an entity and records that, in the case it is made for; `false`, with nothing done, in all others.
   * @internal
   */
  shortcut: ((entity: Entity) => boolean) | undefined = undefined;
  /** @internal */
  readonly window = new WriteWindow();

  /** @internal Use `createWorld()`. */
  constructor(options: WorldOptions) {
    super(options);
    this.onError = options.onError ?? ((error) => console.error(error));
  }

  /** A new reader of what is added, changed and removed from now on. `filter` narrows what `read()` lists. */
  changes(component: AnyComponent, filter?: (entity: Entity) => boolean): ChangeReader {
    this.requireUsable("read changes");
    const store = this.store(component);
    if (store.log === undefined) {
      store.log = new ChangeLog();
      this.listen(store, 1);
    }
    const log = store.log;
    const there = (entity: Entity) =>
      this.isAlive(entity) && this.has(entity, component) && (filter?.(entity) ?? true);
    return new ChangeReader(log, there, () => {
      if (log.readers.size > 0 || store.log !== log) return;
      store.log = undefined;
      this.listen(store, -1);
    });
  }

  private listen(store: Store, by: number): void {
    this.window.uncover();
    this.ears += by;
    this.listeners += by;
    this.listenerVersion++;
    updateWatched(store);
  }

  /** Calls the observer at once whenever the component is added, set or removed. Returns a function that ends it. */
  observe(component: AnyComponent, observer: Observer): () => void {
    this.requireUsable("observe");
    const store = this.store(component);
    const lists = store.observers ?? new ObserverList();
    store.observers = lists;
    const add = observer.add && makeEntry(observer.add, observer);
    const set = observer.set && makeEntry(observer.set, observer);
    const remove = observer.remove && makeEntry(observer.remove, observer);
    if (add) lists.onAdd = insertEntry(lists.onAdd, add);
    if (set) lists.onSet = insertEntry(lists.onSet, set);
    if (remove) lists.onRemove = insertEntry(lists.onRemove, remove);
    this.listen(store, 1);
    let active = true;
    return () => {
      if (!active) return;
      active = false;
      if (add) lists.onAdd = removeEntry(lists.onAdd, add);
      if (set) lists.onSet = removeEntry(lists.onSet, set);
      if (remove) lists.onRemove = removeEntry(lists.onRemove, remove);
      this.listen(store, -1);
    };
  }

  /** Calls the observer at once whenever an entity is created or destroyed. Returns a function that ends it. */
  observeEntities(observer: EntityObserver): () => void {
    this.requireUsable("observe");
    const spawn = observer.spawn && makeEntry(observer.spawn, observer);
    const destroy = observer.destroy && makeEntry(observer.destroy, observer);
    if (spawn) this.onSpawn = insertEntry(this.onSpawn, spawn);
    if (destroy) this.onDestroy = insertEntry(this.onDestroy, destroy);
    this.ears++;
    let active = true;
    return () => {
      if (!active) return;
      active = false;
      this.ears--;
      if (spawn) this.onSpawn = removeEntry(this.onSpawn, spawn);
      if (destroy) this.onDestroy = removeEntry(this.onDestroy, destroy);
    };
  }

  /** Lets `guard` refuse, by throwing, that an entity gets the component. Returns a function that ends it. */
  guard(component: AnyComponent, guard: Guard): () => void {
    this.requireUsable("guard a component");
    const store = this.store(component);
    store.guards = [...(store.guards ?? []), guard];
    return () => {
      const left = store.guards?.filter((other) => other !== guard) ?? [];
      store.guards = left.length === 0 ? undefined : left;
    };
  }

  /** The recorder that hears of every change, if one is attached. */
  get recorder(): Recorder | undefined {
    return this.recorder_;
  }

  set recorder(recorder: Recorder | undefined) {
    this.ears += Number(recorder !== undefined) - Number(this.recorder_ !== undefined);
    this.window.uncover();
    this.recorder_ = recorder;
    this.shortcut = undefined;
    this.window.recorder = recorder;
    for (const store of this.stores) {
      store.recorded = recorder !== undefined;
      updateWatched(store);
    }
    for (const recordBy of this.recorderHooks) recordBy(recorder);
  }

  /**
   * Says that a component's value changed in a way the world could not see: raw columns, inside of an object. Components
   * that the entity does not have are passed over.
   */
  touch(entity: Entity, ...components: AnyComponent[]): void {
    const index = this.table.require(entity, "touch a component");
    for (const component of components) {
      const store = this.store(component);
      if (!store.watched || !this.hasAt(index, store)) continue;
      this.recorder_?.touched?.(entity, index, store);
      this.tellSet(entity, index, store);
    }
  }

  /** Tells the listeners of a component, as a write through the world would; for rooms that write their own storage. */
  announce(entity: Entity, component: AnyComponent): void {
    const store = this.store(component);
    if (!store.watched) return;
    this.recorder_?.touched?.(entity, entity & INDEX_MASK, store);
    this.tellSet(entity, entity & INDEX_MASK, store);
  }

  /** Whether observers are being told of a change right now. */
  get isTelling(): boolean {
    return this.observerDepth > 0;
  }

  /** Whether the entity is being destroyed right now: its observers are running. */
  isDying(entity: Entity): boolean {
    return this.isDyingAt(entity & INDEX_MASK) && this.isAlive(entity);
  }

  /**
   * For extensions that run code of users while they let go of an entity: until `work` ends, destroying the entity
   * again does nothing.
   */
  whileDying(entity: Entity, work: () => void): void {
    const index = entity & INDEX_MASK;
    this.dying.push(index);
    this.ears++;
    try {
      work();
    } finally {
      this.ears--;
      this.dying.splice(this.dying.lastIndexOf(index), 1);
    }
  }

  protected isDyingAt(index: number): boolean {
    return this.dying.length !== 0 && this.dying.includes(index);
  }

  /** Whether a component of this archetype has a reader or an observer. */
  protected isListened(archetype: Archetype): boolean {
    if (archetype.listenedAt !== this.listenerVersion) {
      archetype.listenedAt = this.listenerVersion;
      archetype.listened = archetype.stores.some(
        (store) => store.log !== undefined || store.observers !== undefined,
      );
    }
    return archetype.listened;
  }

  protected override met(store: Store): void {
    store.recorded = this.recorder_ !== undefined;
    updateWatched(store);
  }

  protected override tellBorn(entity: Entity, index: number, archetype: Archetype, again: boolean): void {
    if (this.recorder_ !== undefined) this.recorder_.spawned(entity, index, again);
    if (this.onSpawn.length !== 0 || (this.listeners !== 0 && this.isListened(archetype))) {
      this.tellSpawned(entity, index, archetype);
    }
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

  protected tellSet(entity: Entity, index: number, store: Store): void {
    store.log?.changed(entity, index);
    if (store.observers !== undefined && store.observers.onSet.length !== 0)
      this.tell(store.observers.onSet, entity, "set");
  }

  protected tell(entries: readonly Entry[], entity: Entity, what: string): void {
    if (this.observerDepth === 0) this.runaway = false;
    if (this.runaway) return;
    if (this.observerDepth >= MAX_OBSERVER_DEPTH) {
      // Two observers that cause each other would otherwise meet this limit 2^100 times.
      this.runaway = true;
      const name = entries[0]?.name ?? "";
      this.report(
        name,
        `Stopped observer ${name}: its ${what} caused itself ${MAX_OBSERVER_DEPTH} times over. No further observer hears of this change.`,
        entity,
        undefined,
      );
      return;
    }
    for (let k = 0; k < entries.length; k++) {
      const entry = entries[k] as Entry;
      this.observerDepth++;
      try {
        entry.fn(entity);
        this.observerDepth--;
      } catch (cause) {
        // Before the report, which may throw in turn.
        this.observerDepth--;
        const why = cause instanceof Error ? cause.message : String(cause);
        this.report(
          entry.name,
          `Observer ${entry.name} threw on ${what} of ${formatEntity(entity)}: ${why}`,
          entity,
          cause,
        );
      }
    }
  }

  protected report(observer: string, message: string, entity: Entity, cause: unknown): void {
    this.onError(new ObserverError(observer, message, [entity], cause));
  }

  /** Writes one field and says whether that changed it. */
  private write(
    entity: Entity,
    index: number,
    store: Store,
    row: number,
    field: number,
    encoded: unknown,
  ): boolean {
    const column = store.columns[store.names[field] as string] as unknown[];
    const kept = (store.fields[field] as Field).kind === "f32" ? Math.fround(encoded as number) : encoded;
    const before = column[row];
    if (Object.is(before, kept)) return false;
    this.recorder_?.writing(entity, index, store, field, before);
    column[row] = encoded;
    return true;
  }

  protected override writeLoudly(index: number, store: Store, field: number, encoded: unknown): void {
    const entity = this.table.handleAt(index);
    if (this.write(entity, index, store, store.rowOf(index), field, encoded))
      this.wasSet(entity, index, store);
  }

  /** @internal */
  writeTexts(store: Store): WriteTexts {
    return carefulTexts(store, this);
  }

  /** @internal */
  writing(store: Store, field: number, index: number, before: unknown): void {
    this.recorder_?.writing(this.table.handleAt(index), index, store, field, before);
  }

  /** @internal */
  wrote(store: Store, index: number): void {
    this.tellSet(this.table.handleAt(index), index, store);
  }

  protected override destroyWithDoomed(entity: Entity): boolean {
    return this.shortcut?.(entity) === true || super.destroyWithDoomed(entity);
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
    let archetype = this.graph.all[table.info[(index << 2) | ARCHETYPE]] as Archetype;
    if (this.recorder_ !== undefined) {
      if (archetype.hasExternal === true) this.recorder_.destroying(entity, index);
      if (this.recordHooks.length !== 0) for (const hook of this.recordHooks) hook(index, this.recorder_);
    }
    if (this.leaveHooks.length !== 0) {
      for (const hook of this.leaveHooks) hook(index);
      archetype = this.archetypeAt(index) as Archetype;
    }
    if (this.recorder_ !== undefined) this.recorder_.destroyed(entity, index, archetype, undo);
    this.drop(index, archetype);
    if (undo) table.untake(index);
    else table.release(index);
    table.alive--;
    this.version++;
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

  protected override removeLoudly(entity: Entity, index: number, store: Store): boolean {
    if (store.observers !== undefined && store.observers.onRemove.length !== 0) {
      // Removed again by its own observer: it is going already.
      if (store.observers.leaving.has(entity)) return false;
      this.tellRemoving(entity, store);
      // The observer may have destroyed the entity.
      if (!this.table.isAlive(entity)) return true;
    }
    if (this.recorder_ !== undefined) this.recorder_.removing(entity, index, store);
    this.takeFrom(index, store);
    if (store.log !== undefined) store.log.removed(entity, index);
    return true;
  }

  protected override tellAdded(entity: Entity, index: number, store: Store, place: number): void {
    if (this.recorder_ !== undefined) this.recorder_.added(entity, index, store, place);
    if (store.log !== undefined) store.log.added(entity, index);
    if (store.observers !== undefined && store.observers.onAdd.length !== 0) {
      this.tell(store.observers.onAdd, entity, "add");
    }
  }

  protected override overwriteLoudly(
    entity: Entity,
    index: number,
    store: Store,
    values: object | undefined,
  ): void {
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

  protected override setLoudly(entity: Entity, index: number, store: Store, values: object): void {
    const row = store.rowOf(index);
    store.change ??= createChange(store, this.generates);
    if (store.change(row, values, this.recorder_, entity, index)) {
      this.wasSet(entity, index, store);
    }
  }

  private wasSet(entity: Entity, index: number, store: Store): void {
    if (store.external !== undefined) store.external.written(index);
    if (store.heard) this.tellSet(entity, index, store);
  }
}

function updateWatched(store: Store): void {
  const heard = store.log !== undefined || (store.observers?.onSet.length ?? 0) > 0;
  const watched = store.recorded || heard;
  // V8 treats a field that was never written again as a constant, and views ask these at every write.
  if (watched !== store.watched) store.watched = watched;
  if (heard !== store.heard) store.heard = heard;
  if (watched !== store.guarded) store.guarded = watched;
}
