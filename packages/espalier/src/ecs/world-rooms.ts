/**
 * What other rooms stand on: extensions that follow entities, their deaths together, storage kept elsewhere, promised
 * handles, and the right to write reserved components.
 */
import type { Archetype } from "./archetype.ts";
import { bringBack } from "./bring-back.ts";
import type { AnyComponent, Component, ComponentInit } from "./component.ts";
import { type Entity, formatEntity, INDEX_MASK } from "./entity.ts";
import { DuplicateComponentError, InvalidEntityError, ReservedComponentError } from "./errors.ts";
import { type Extension, IndexList, type Recorder, type Reversible } from "./extension.ts";
import type { InputOf, Schema } from "./fields.ts";
import type { LeaveLoops } from "./leave-loop.ts";
import { releaseMany } from "./many-places.ts";
import { ARCHETYPE, PROMISED } from "./place-record.ts";
import type { ExternalStorage } from "./store.ts";
import { WorldTelling } from "./world-telling.ts";

export class WorldRooms extends WorldTelling {
  protected readonly extensions: Extension[] = [];
  /** The only extension that dooms and is left, if it can do so for a whole list. */
  private quickLeaver: Extension | undefined;
  /** What `destroyQuietly` is about to destroy. */
  private readonly doomed = new IndexList();

  /** Hooks an extension in. There is no way back: rooms live as long as their world. */
  extend(extension: Extension): void {
    this.requireUsable("extend the world");
    this.extensions.push(extension);
    if (extension.spawned) this.spawnHooks = [...this.spawnHooks, extension.spawned];
    if (extension.doom) this.doomHooks = [...this.doomHooks, extension.doom];
    if (extension.leaving) this.leaveHooks = [...this.leaveHooks, extension.leaving];
    if (extension.recording) this.recordHooks = [...this.recordHooks, extension.recording];
    if (extension.recordBy) this.recorderHooks = [...this.recorderHooks, extension.recordBy];
    // The order in which several extensions doom is known to none of them.
    const isOnly = this.doomHooks.length === 1 && this.leaveHooks.length === 1;
    this.quickLeaver = isOnly && extension.doomAll ? extension : undefined;
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

  /** Creates an entity with exactly this handle, where it lived before. Used to load. */
  revive(entity: Entity, inits: readonly ComponentInit[]): void {
    this.requireUnlocked("bring back an entity");
    const stores = this.checkAll(inits, 0, true);
    const before = this.table.generationAt(entity & INDEX_MASK);
    this.spawnAt(bringBack(this.table, entity), stores, inits, before);
  }

  /** Undoes a spawn: the entity goes alone, and its handle is the next one given out. */
  unspawn(entity: Entity): void {
    this.requireUnlocked("undo a spawn");
    this.destroyOne(entity, this.table.require(entity, "undo a spawn"), true);
  }

  protected override grown(): void {
    for (const extension of this.extensions) extension.grow?.(this.table.capacity);
  }

  /** @internal */
  get isExtended(): boolean {
    return this.extensions.length !== 0;
  }

  /** Whoever takes others along when an entity dies. @internal */
  get takersAlong(): readonly Reversible[] {
    return this.extensions.flatMap(({ doom, reversible }) => (doom && reversible ? reversible : []));
  }

  /** Whether a loop over entities is under way. */
  get isIterating(): boolean {
    return this.locked !== 0 || this.table.iterating !== 0;
  }

  override dispose(): void {
    if (this.isDisposed) return;
    this.requireUnlocked("dispose the world");
    for (const extension of this.extensions) extension.dispose?.();
    super.dispose();
  }

  protected override destroyLoudly(entity: Entity): boolean {
    const index = entity & INDEX_MASK;
    if (this.isDyingAt(index)) return false;
    if (this.doomHooks.length === 0) this.destroyOne(entity, index, false);
    else if (!this.destroyQuietly(index)) this.destroyDoomed(entity);
    return true;
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
    if (this.recorder_ !== undefined) this.leaveRecorded(doomed, quickLeaver, this.recorder_);
    else {
      quickLeaver.leavingAll?.(doomed);
      this.leaveTogether(ids, count, quickLeaver.loops as LeaveLoops);
    }
    table.alive -= count;
    this.version += count;
    return true;
  }

  private leaveRecorded(doomed: IndexList, leaver: Extension, recorder: Recorder): void {
    if (recorder.destroyingAll !== undefined) recorder.destroyingAll(doomed, leaver);
    else {
      const { ids, count } = doomed;
      this.dropRecorded(ids, count, leaver, recorder);
      leaver.leavingAll?.(doomed);
      releaseMany(this.table, ids, count);
    }
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

  private leaveTogether(ids: Int32Array, count: number, loops: LeaveLoops): void {
    const { table, graph } = this;
    for (let k = 0; k < count; k++) {
      const loop = loops.current(table);
      if (loop !== undefined) k = loop.leave(ids, k, count);
      if (k === count) return;
      const index = ids[k];
      this.leaveAlone(index, graph.all[table.info[(index << 2) | ARCHETYPE]] as Archetype, loops);
    }
  }

  private leaveAlone(index: number, archetype: Archetype, loops: LeaveLoops): void {
    this.drop(index, archetype);
    this.table.release(index);
    loops.learn(archetype, this.table);
  }

  /** Destroys what the extensions doom, each entity after all that it takes with it. */
  private destroyDoomed(first: Entity): void {
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

  /**
   * Makes another room keep the values of a component.
   * @throws DuplicateComponentError when the world has met the component already.
   */
  useStorage(component: AnyComponent, storage: ExternalStorage): void {
    this.requireUsable("use a storage");
    if (this.byComponent.has(component)) {
      throw new DuplicateComponentError(
        `Cannot keep ${component.name} elsewhere: this world uses it already. Create what keeps it before the first entity that has it.`,
      );
    }
    this.externals.set(component, storage);
    this.store(component);
  }

  /** The component of that name, if the world has met it. */
  componentNamed(name: string): AnyComponent | undefined {
    return this.byName.get(name)?.component;
  }

  /**
   * The right to write a reserved component, given to the first who asks.
   * @throws ReservedComponentError to everybody else.
   */
  claim<S extends Schema>(component: Component<S>): Owner<S> {
    this.requireUsable("claim a component");
    const store = this.store(component);
    if (store.claimed)
      throw new ReservedComponentError(`Cannot claim ${component.name}: it has an owner already.`);
    store.claimed = true;
    return {
      add: (entity, values) =>
        this.addChecked(entity, this.table.require(entity, "add a component"), store, values),
      set: (entity, values) => {
        const index = this.table.require(entity, "set a component");
        this.requireHas(entity, index, store);
        this.setChecked(entity, index, store, values);
      },
      remove: (entity) => this.removeChecked(entity, this.table.require(entity, "remove a component"), store),
    };
  }

  /** Holds a place for an entity that a command buffer will create. Allowed where structure is locked. */
  promise(): Entity {
    const index = this.table.take();
    this.table.info[(index << 2) | ARCHETYPE] = PROMISED;
    return this.table.handleAt(index);
  }

  /** Creates the entity of a promised handle. */
  keepPromise(entity: Entity, inits: readonly ComponentInit[]): void {
    if (!this.table.isPromised(entity)) {
      throw new InvalidEntityError(`Cannot create ${formatEntity(entity)}: no promise() gave this handle.`);
    }
    const stores = this.checkAll(inits, 0);
    this.requireUnlocked("create an entity");
    this.spawnAt(entity & INDEX_MASK, stores, inits);
  }

  /** Gives a promised place back. */
  breakPromise(entity: Entity): void {
    if (this.table.isPromised(entity)) this.table.release(entity & INDEX_MASK);
  }
}

/** Writes a reserved component. */
export interface Owner<S extends Schema> {
  add(entity: Entity, values?: InputOf<S>): void;
  set(entity: Entity, values: InputOf<S>): void;
  remove(entity: Entity): boolean;
}
