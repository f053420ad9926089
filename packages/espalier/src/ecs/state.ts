/**
 * Everything a world holds, in one object. The functions beside this file read and change it; `World` is what users see of
 * it.
 */
import type { Archetype } from "./archetypes/archetype.ts";
import { ArchetypeGraph } from "./archetypes/archetype-graph.ts";
import { type AnyComponent, isComponent, isOwn, type Resource } from "./components/component.ts";
import { describeValue } from "./components/fields.ts";
import { canGenerate } from "./components/generate.ts";
import { type ExternalStorage, Store } from "./components/store.ts";
import type { ViewPrototype } from "./components/view-prototype.ts";
import { DEVELOPMENT } from "./development.ts";
import { Entities } from "./entities/entities.ts";
import { type Entity, type EntityLike, isHandle, MAX_ENTITIES } from "./entities/entity.ts";
import { ARCHETYPE } from "./entities/index-record.ts";
import {
  DisposedWorldError,
  DuplicateComponentError,
  InvalidValueError,
  NestedEditError,
  StructureLockedError,
  UnknownComponentError,
} from "./errors.ts";
import type { IndexList } from "./index-list.ts";
import { Gone } from "./listeners/gone.ts";
import { HookLists } from "./listeners/hooks.ts";
import { NoticeQueue, settle } from "./listeners/notices.ts";
import type { CaptureObserver, Entry } from "./listeners/observers.ts";
import type { Observing } from "./listeners/observing.ts";
import { Doomed } from "./mutate/doomed.ts";
import { noteBuild } from "./one-build.ts";
import type { ComputedTerm } from "./queries/terms.ts";
import { noRecorder, type Recorder } from "./record/recorder.ts";

/** Options of `createWorld`. */
export interface WorldOptions {
  /** How many entities to make room for at first. A full world grows, a small one to four times its capacity. 1023 if left out. */
  readonly capacity?: number;
  /** Never grow: columns stay where they are for the world's life, so loops may keep them in constants. */
  readonly fixed?: boolean;
  /** Compare values with their fields: a value out of range is refused. On by default, in every build. */
  readonly checks?: boolean;
  /** Compile specialised loops from text. On where the environment allows it. */
  readonly generate?: boolean;
  /** Receives errors of observers that threw and of commands that were refused. Logs to the console if left out. */
  readonly onError?: (error: Error) => void;
}

export class WorldState {
  /** Grows with every structural change: entities created or destroyed, components added or removed. */
  version = 0;
  readonly checks: boolean;
  /** `DEVELOPMENT`, read once: in the default build the constant itself reads `process.env`, which takes 100 ns. */
  readonly isDevelopment: boolean = DEVELOPMENT;
  readonly generates: boolean;
  readonly onError: (error: Error) => void;
  readonly table: Entities;
  readonly graph = new ArchetypeGraph();
  /** Every component this world has met, by its number in this world. */
  readonly stores: Store[] = [];
  /** By the number of the definition; see `InitValues`. Another copy of the library counts its own, which are not here. */
  readonly byKey: (Store | undefined)[] = [];
  readonly byComponent = new Map<AnyComponent, Store>();
  readonly byName = new Map<string, Store>();
  readonly externals = new Map<AnyComponent, ExternalStorage>();
  /** The prototypes of views of computed terms. */
  readonly readers = new Map<ComputedTerm, ViewPrototype>();
  /** How many loops hold the columns: structure must not change meanwhile. */
  locked = 0;
  /** How many guards, constraints and keepers are being asked. The world must not change meanwhile. */
  asking = 0;
  /** Whether the columns have yet to follow the table to its capacity. */
  private outgrown = false;

  // Listeners to changes ------------------------------------------------------------------------------------------------

  readonly hooks = new HookLists();
  /** What runs observers, from the first one on. */
  observing: Observing<WorldState> | undefined = undefined;
  /** Observers of spawn and destroy. */
  onSpawn: readonly Entry[] = [];
  onDestroying: readonly Entry[] = [];
  onDestroy: readonly Entry[] = [];
  /** What waits to be delivered to observers and listeners. */
  readonly notices = new NoticeQueue();
  /** What they can still read of what went. */
  readonly gone = new Gone();
  /** Whether the edits that happen now bring something back: undo, redo, a rollback, a restored snapshot. */
  isReplaying = false;
  /** Whether a description of the whole result is being applied (a patch, a file): it lists itself what goes with what. */
  isOverruled = false;
  /** Called before the values of the world are read or replaced as a whole. */
  onCapture: readonly CaptureObserver[] = [];
  /** How many change readers and component observers there are. */
  listeners = 0;
  /** Grows with every change of listeners. */
  listenerVersion = 0;
  /** The recorder of changes, while `recorder.wanted`. */
  recorder: Recorder = noRecorder;
  readonly doomed = new Doomed();
  /** Lists of entities to destroy that are not in use. */
  readonly idleLists: IndexList[] = [];
  /** Marks by index that are not in use; see `destroy.ts`. */
  idleMarks: Uint8Array | undefined = undefined;
  /** How many observers that run before edits are under way, one inside the other. */
  observerDepth = 0;
  /** Whether an endless loop of observers was stopped and is unwinding. */
  runaway = false;

  // What rooms keep ------------------------------------------------------------------------------------------------------

  /** What rooms and tools keep per world, each under a name of its own. Gone with the world. */
  readonly attachments = new Map<string, unknown>();
  readonly resources = new Map<Resource<unknown>, unknown>();
  /** Runs `world.transaction`; set by `espalier/history`. */
  transactor: (<Result>(work: () => Result) => Result) | undefined = undefined;

  constructor(options: WorldOptions) {
    noteBuild();
    const capacity = options.capacity ?? 1023;
    if (!Number.isInteger(capacity) || capacity < 1 || capacity > MAX_ENTITIES) {
      throw new InvalidValueError(
        `Cannot create a world with capacity ${describeValue(capacity)}. Give an integer from 1 to ${MAX_ENTITIES}.`,
        { option: "capacity", value: capacity, limit: MAX_ENTITIES },
      );
    }
    this.checks = isChecking(options);
    this.generates = (options.generate ?? true) && canGenerate();
    this.onError = options.onError ?? ((error) => console.error(error));
    this.table = new Entities(capacity + 1, options.fixed ?? false);
    this.table.onGrow = () => this.growColumns();
  }

  isAlive(entity: EntityLike | number): boolean {
    return this.table.isAlive(entity);
  }

  /** The archetype of the living entity at `index`. */
  archetypeAt(index: number): Archetype | undefined {
    const id = this.table.info[(index << 2) | ARCHETYPE];
    return id >= 0 ? this.graph.all[id] : undefined;
  }

  hasAt(index: number, store: Store): boolean {
    const id = this.table.info[(index << 2) | ARCHETYPE];
    return id >= 0 && (this.graph.all[id] as Archetype).has[store.id] === 1;
  }

  handleAt(index: number): Entity {
    return this.table.handleAt(index);
  }

  /** The index of a living entity; `doing` completes "Cannot …" in the error. */
  require(entity: EntityLike, doing: string): number {
    return this.table.require(entity, doing);
  }

  get isDisposed(): boolean {
    return this.table.disposed;
  }

  requireUsable(doing: string): void {
    if (this.table.disposed) throw new DisposedWorldError(doing);
  }

  requireUnlocked(doing: string): void {
    if (this.locked === 0) return;
    this.requireUnasked(doing);
    throw new StructureLockedError(doing);
  }

  /** Refuses inside a loop what would change structure, also to those that only ask whether they may. */
  requireNoLoop(doing: string): void {
    if (this.locked > this.asking) throw new StructureLockedError(doing);
  }

  /** Refuses an edit while a guard, a constraint or a keeper is being asked. */
  requireUnasked(doing: string): void {
    if (this.asking !== 0) throw new NestedEditError(doing);
  }

  /** Whether observers or listeners are running. */
  get isNotifying(): boolean {
    return this.observerDepth !== 0 || this.notices.isDelivering;
  }

  /** Whether the entity is dead, and observers that are running can still read it. */
  isReadableAfterEnd(entity: Entity): boolean {
    return this.notices.isDelivering && this.gone.knows(entity) && !this.isAlive(entity);
  }

  /** Refuses what is not an entity; a dead one passes. */
  requireEntityLike(entity: Entity, doing: string): void {
    if (this.table.disposed || !isHandle(entity)) throw this.table.whyNotAlive(entity, doing);
  }

  // Growing --------------------------------------------------------------------------------------------------------------

  lockStructure(): void {
    this.locked++;
  }

  unlockStructure(): void {
    if (--this.locked !== 0) return;
    if (this.outgrown) this.growColumns();
    // Observers of what a loop wrote run when it has ended.
    if (this.notices.waits) settle(this);
  }

  /** Runs code of the user's that is asked before an edit and must not edit itself. */
  ask<Answer>(question: () => Answer): Answer {
    this.locked++;
    this.asking++;
    try {
      return question();
    } finally {
      this.asking--;
      this.unlockStructure();
    }
  }

  /** Whether a loop over entities is under way. */
  get isIterating(): boolean {
    return this.locked !== 0 || this.table.iterating !== 0;
  }

  private growColumns(): void {
    // Loops under way hold the columns. An entity that is reserved meanwhile needs none before they end.
    this.outgrown = this.locked !== 0;
    if (this.outgrown) return;
    for (const store of this.stores) store.grow(this.table.capacity);
    for (const hook of this.hooks.columns) hook.grow(this.table.capacity);
  }

  // Components -----------------------------------------------------------------------------------------------------------

  /** The store of a component; the world meets the component if it has not yet. */
  store(component: AnyComponent): Store {
    if (typeof component === "function") {
      const known = this.byKey[(component as AnyComponent).key];
      if (known !== undefined && known.component === component) return known;
    }
    return this.byComponent.get(component) ?? this.meet(component);
  }

  private meet(component: AnyComponent): Store {
    if (!isComponent(component)) {
      throw new UnknownComponentError(
        `Expected a component, got ${describeValue(component)}. Define one with component() or tag().`,
        { value: component },
      );
    }
    this.requireUsable("use a component");
    const other = this.byName.get(component.name);
    if (other !== undefined) {
      throw new DuplicateComponentError(
        `Cannot use component ${component.name}: this world knows another component of that name. Define it once and share it, or rename one.`,
        { component: component.name },
      );
    }
    const last = this.stores[this.stores.length - 1];
    const lane = last === undefined ? 0 : last.lane + last.names.length;
    const store = new Store(
      this.stores.length,
      component,
      this.table.capacity,
      lane,
      this.generates,
      this.externals.get(component),
    );
    store.setRecorded(this.recorder.wanted);
    this.graph.fit(store.id);
    this.stores.push(store);
    if (isOwn(component)) this.byKey[component.key] = store;
    this.byComponent.set(component, store);
    this.byName.set(component.name, store);
    store.fields.forEach((field, k) => {
      field.relation?.met(this, store, k);
    });
    return store;
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
        { component: component.name },
      );
    }
    this.externals.set(component, storage);
    this.store(component);
  }

  /** The component of that name, if the world has met it. */
  componentNamed(name: string): AnyComponent | undefined {
    return this.byName.get(name)?.component;
  }

  /** The components of an archetype that have change readers. */
  loggedOf(archetype: Archetype): readonly Store[] {
    if (archetype.listenedAt !== this.listenerVersion) this.findListeners(archetype);
    return archetype.logged;
  }

  /** Whether a component of an archetype has observers. */
  isObserved(archetype: Archetype): boolean {
    if (archetype.listenedAt !== this.listenerVersion) this.findListeners(archetype);
    return archetype.observed;
  }

  /** A component has one change reader or observer more, or one less. */
  countListener(store: Store, by: 1 | -1): void {
    this.listeners += by;
    this.listenerVersion++;
    store.updateGuard();
  }

  private findListeners(archetype: Archetype): void {
    archetype.listenedAt = this.listenerVersion;
    archetype.logged = archetype.stores.filter((store) => store.log !== undefined);
    archetype.observed = archetype.stores.some((store) => store.observers !== undefined);
  }
}

/** Whether a world with these options checks what it is given; in doubt it does. */
export function isChecking(options: WorldOptions): boolean {
  return (Object(options) as WorldOptions).checks ?? true;
}
