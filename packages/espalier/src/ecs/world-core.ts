/**
 * What a world is made of, and the checks that come before every change.
 */
import type { Archetype } from "./archetype.ts";
import { ArchetypeGraph } from "./archetype-graph.ts";
import { type AnyComponent, type AnyInit, type ComponentInit, isComponent } from "./component.ts";
import { Entities } from "./entities.ts";
import { type Entity, formatEntity, MAX_ENTITIES } from "./entity.ts";
import {
  DisposedWorldError,
  DuplicateComponentError,
  InvalidValueError,
  ReservedComponentError,
  StructureLockedError,
  UnknownComponentError,
} from "./errors.ts";
import { describe, encodeValue, type Field, misfit } from "./fields.ts";
import { canGenerate } from "./generate.ts";
import { ARCHETYPE } from "./place-record.ts";
import { type ExternalStorage, Store } from "./store.ts";
import type { ViewHost } from "./view.ts";

export interface CoreWorldOptions {
  /** How many entities to make room for at first. Grows by doubling. 1023 if left out. */
  readonly capacity?: number;
  /** Never grow: columns stay where they are for the world's life, so loops may keep them in constants. */
  readonly fixed?: boolean;
  /** Check values against their fields. On unless NODE_ENV is "production". */
  readonly checks?: boolean;
  /** Make specialised loops from text. On where the environment allows it. */
  readonly generate?: boolean;
}

export class WorldCore implements ViewHost {
  /** Changes with every structural change: entities created or destroyed, components added or removed. */
  version = 0;
  /** @internal */
  readonly generates: boolean;
  /** @internal */
  readonly table: Entities;
  /** @internal */
  readonly graph = new ArchetypeGraph();
  /** @internal Every component this world has met, by number. */
  readonly stores: Store[] = [];
  readonly checks: boolean;
  protected readonly byComponent = new Map<AnyComponent, Store>();
  protected readonly byName = new Map<string, Store>();
  protected readonly externals = new Map<AnyComponent, ExternalStorage>();
  /** At first something that nobody can ask for, not even by mistake. */
  protected lastComponent: unknown = {};
  protected lastStore: Store | undefined;
  protected locked = 0;
  /** Whether the columns have yet to follow the table to its capacity. */
  private outgrown = false;
  /** How many hear of changes, in whatever way; 0 lets every change skip them all. */
  protected ears = 0;
  protected spawnHooks: ((index: number) => void)[] = [];
  protected doomHooks: ((index: number, doomed: number[]) => void)[] = [];
  protected leaveHooks: ((index: number) => void)[] = [];

  /** @internal Use `createWorld()`. */
  constructor(options: CoreWorldOptions) {
    const capacity = options.capacity ?? 1023;
    if (!Number.isInteger(capacity) || capacity < 1 || capacity > MAX_ENTITIES) {
      throw new InvalidValueError(
        `Cannot create a world with capacity ${describe(capacity)}. Give an integer from 1 to ${MAX_ENTITIES}.`,
      );
    }
    this.checks = options.checks ?? isDevelopment();
    this.generates = (options.generate ?? true) && canGenerate();
    this.table = new Entities(capacity + 1, options.fixed ?? false, this.generates);
    this.table.onGrow = () => this.growColumns();
  }

  isAlive(entity: Entity | number): boolean {
    return this.table.isAlive(entity as Entity);
  }

  /** The archetype of the living entity at `index`. */
  archetypeAt(index: number): Archetype | undefined {
    const id = this.table.info[(index << 2) | ARCHETYPE];
    return id >= 0 ? this.graph.all[id] : undefined;
  }

  /** The handle of the entity at `index`. */
  handleAt(index: number): Entity {
    return this.table.handleAt(index);
  }

  /** The place of a living entity; `doing` completes "Cannot …" in the error. */
  require(entity: Entity, doing: string): number {
    return this.table.require(entity, doing);
  }

  requireUsable(doing: string): void {
    if (this.table.disposed) throw new DisposedWorldError(doing);
  }

  requireUnlocked(doing: string): void {
    if (this.locked !== 0) throw new StructureLockedError(doing);
  }

  lockStructure(): void {
    this.locked++;
  }

  unlockStructure(): void {
    if (--this.locked === 0 && this.outgrown) this.growColumns();
  }

  protected growColumns(): void {
    // Loops under way hold the columns. An entity that is promised meanwhile needs none before they end.
    this.outgrown = this.locked !== 0;
    if (this.outgrown) return;
    for (const store of this.stores) store.grow(this.table.capacity);
    this.grown();
  }

  /** The store of a component; the world meets the component if it has not yet. */
  store(component: AnyComponent): Store {
    if (component === this.lastComponent) return this.lastStore as Store;
    const store = this.byComponent.get(component) ?? this.meet(component);
    this.lastComponent = component;
    this.lastStore = store;
    return store;
  }

  // ViewHost ---------------------------------------------------------------------------------------------------------

  /** @internal */
  writeField(store: Store, field: number, index: number, value: unknown): void {
    const spec = store.fields[field] as Field;
    if ((this.checks || spec.finite) && misfit(spec, value) !== undefined) {
      this.badValue(store, field, index, value);
    }
    this.requireUnreserved(store, "set", this.table.handleAt(index));
    // A loop destroyed the entity it stands at, or took the component: there is nothing left to write to.
    if (this.archetypeAt(index)?.has[store.id] !== 1) return;
    const encoded = encodeValue(spec.kind, value);
    if (store.watched) {
      this.writeLoudly(index, store, field, encoded);
      return;
    }
    (store.columns[store.names[field] as string] as unknown[])[store.rowOf(index)] = encoded;
    store.external?.written(index);
  }

  /** @internal */
  badValue(store: Store, field: number, index: number, value: unknown): never {
    const entity = this.table.handleAt(index);
    const name = store.names[field] as string;
    throw new InvalidValueError(
      `Cannot set ${store.component.name}.${name} of ${formatEntity(entity)}: ${name} ${misfit(store.fields[field] as Field, value)}.`,
      [entity],
    );
  }

  // Checks -----------------------------------------------------------------------------------------------------------

  protected meet(component: AnyComponent): Store {
    if (!isComponent(component)) {
      throw new UnknownComponentError(
        `Expected a component, got ${describe(component)}. Define one with component() or tag().`,
      );
    }
    this.requireUsable("use a component");
    const other = this.byName.get(component.name);
    if (other !== undefined) {
      throw new DuplicateComponentError(
        `Cannot use component ${component.name}: this world knows another component of that name. Define it once and share it, or rename one.`,
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
    this.met(store);
    this.graph.fit(store.id);
    this.stores.push(store);
    this.byComponent.set(component, store);
    this.byName.set(component.name, store);
    return store;
  }

  /** Checks one component with its values for the entity at `index` (0: still to be created) and gives its store. */
  protected check(init: ComponentInit, index: number, owner = false): Store {
    const store = this.checkInit(init, index, owner);
    if (store.guards !== undefined) {
      const values = typeof init === "function" ? undefined : (init as AnyInit).values;
      for (const guard of store.guards) guard(index, values);
    }
    return store;
  }

  /** @internal The part of `check` that does not depend on the entity, so that it can be asked long before. */
  checkInit(init: ComponentInit, index: number, owner = false): Store {
    if (typeof init === "function")
      return this.checkFor(this.store(init as AnyComponent), undefined, index, owner);
    const isInit = typeof init === "object" && init !== null;
    const store = this.store(isInit ? (init as AnyInit).component : (init as AnyComponent));
    return this.checkFor(store, (init as AnyInit).values, index, owner);
  }

  protected checkFor(store: Store, values: object | undefined, index: number, owner: boolean): Store {
    if (store.reserved !== undefined && !owner) {
      this.requireUnreserved(store, "write", index === 0 ? undefined : this.table.handleAt(index));
    }
    if (values !== undefined && (this.checks || values === null)) this.checkValues(store, values, index);
    return store;
  }

  protected checkValues(store: Store, values: object, index: number): void {
    if (typeof values !== "object" || values === null) {
      const of = index === 0 ? "" : ` of ${formatEntity(this.table.handleAt(index))}`;
      throw new InvalidValueError(
        `Cannot set ${store.component.name}${of}: expected an object with its fields, got ${describe(values)}.`,
      );
    }
    for (const key in values) {
      const k = store.names.indexOf(key);
      const value = (values as { [field: string]: unknown })[key];
      if (k >= 0 && (value === undefined || misfit(store.fields[k] as Field, value) === undefined)) continue;
      this.refuseValue(store, key, k, value, index);
    }
  }

  private refuseValue(store: Store, key: string, field: number, value: unknown, index: number): never {
    const of = index === 0 ? "" : ` of ${formatEntity(this.table.handleAt(index))}`;
    const { name } = store.component;
    const known = store.names.length === 0 ? "it is a tag and has none" : `it has ${store.names.join(", ")}`;
    const why =
      field < 0
        ? `${name} has no such field; ${known}`
        : `${key} ${misfit(store.fields[field] as Field, value)}`;
    throw new InvalidValueError(
      `Cannot set ${name}.${key}${of}: ${why}.`,
      index === 0 || field < 0 ? [] : [this.table.handleAt(index)],
    );
  }

  /** Checks several components for the entity at `index` (0: still to be created) and gives their stores. */
  protected checkAll(inits: readonly ComponentInit[], index: number, owner = false): Store[] {
    const stores: Store[] = [];
    for (let k = 0; k < inits.length; k++) {
      const store = this.check(inits[k] as ComponentInit, index, owner);
      if (stores.includes(store)) {
        throw new InvalidValueError(
          `Cannot add ${store.component.name} twice in one call. Give each component once, with all its values.`,
        );
      }
      stores.push(store);
    }
    return stores;
  }

  /** @internal */
  requireUnreserved(store: Store, doing: string, entity: Entity | undefined): void {
    if (store.reserved === undefined) return;
    const of = entity === undefined ? "" : ` of ${formatEntity(entity)}`;
    throw new ReservedComponentError(
      `Cannot ${doing} ${store.component.name}${of}: only its owner writes it. Use ${store.reserved}.`,
      entity === undefined ? [] : [entity],
    );
  }

  protected requireEntityLike(entity: Entity, doing: string): void {
    const error = this.table.isAlive(entity) ? undefined : this.table.whyNotAlive(entity, doing);
    if (error !== undefined && error.code !== "ecs/dead-entity") throw error;
  }

  // For the full world to fill in: what somebody hears of, while `ears` or `store.watched` say that somebody does --------

  protected grown(): void {}
  protected met(_store: Store): void {}
  protected tellBorn(_entity: Entity, _index: number, _archetype: Archetype, _again: boolean): void {}
  protected tellAdded(_entity: Entity, _index: number, _store: Store, _place: number): void {}
  protected removeLoudly(_entity: Entity, _index: number, _store: Store): boolean {
    return false;
  }
  protected destroyLoudly(_entity: Entity): boolean {
    return false;
  }
  protected setLoudly(_entity: Entity, _index: number, _store: Store, _values: object): void {}
  protected overwriteLoudly(
    _entity: Entity,
    _index: number,
    _store: Store,
    _values: object | undefined,
  ): void {}
  protected writeLoudly(_index: number, _store: Store, _field: number, _encoded: unknown): void {}
}

/** Bundlers replace NODE_ENV by its value; where there is no process at all, nobody develops. */
function isDevelopment(): boolean {
  try {
    return process.env.NODE_ENV !== "production";
  } catch {
    return false;
  }
}

declare const process: { readonly env: { readonly NODE_ENV?: string } };
