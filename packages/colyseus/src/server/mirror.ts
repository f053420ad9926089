/**
 * A world as Colyseus state: the stream of changes is written into schema instances, which track what clients lack.
 */
import type { Entity, Query, World } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";
import {
  type AddEntry,
  type ChangeStream,
  type ColumnsEntry,
  type FieldValues,
  followChanges,
  type Key,
  type StreamPatch,
  type TreePosition,
} from "espalier/history";
import { asIs, type FieldPlan, type WireValue } from "../field-plans.ts";
import type { Replication } from "../replicate.ts";
import type { ComponentState, EntityState, StateClasses, WorldState } from "../state-classes.ts";
import { SiblingOrders } from "./sibling-orders.ts";

/** The mirrored game. */
export interface MirroredGame {
  /** The world. */
  readonly world: World;
  /** Its tree. */
  readonly tree: Hierarchy;
}

/** Options of a mirror. */
export interface MirrorOptions {
  /** Whether each client has a view of its own. */
  readonly viewed?: boolean;
  /** Which entities are sent; all if left out. */
  readonly where?: Query | ((entity: Entity) => boolean);
}

type Setter = (this: ComponentState, value: WireValue) => void;

/** A component, ready to write. */
interface Writer {
  readonly member: `c${number}`;
  readonly fields: readonly FieldPlan[];
  readonly setters: { readonly [field: string]: Setter };
  readonly plans: { readonly [field: string]: FieldPlan };
  readonly type: (new () => ComponentState) | undefined;
  /** The instances to which the last columns were written. */
  last: {
    readonly version: number;
    readonly ids: readonly Key[];
    readonly targets: readonly ComponentState[];
  };
}

/** The parent of entities that are in no tree. */
const OUTSIDE = -1;

/** The state of a room, kept equal to its world. */
export class Mirror {
  /** The state of Colyseus. */
  readonly state: WorldState;
  private readonly game: MirroredGame;
  private readonly classes: StateClasses;
  private readonly stream: ChangeStream;
  private readonly writers = new Map<string, Writer>();
  private readonly entities = new Map<Key, EntityState>();
  private readonly keys = new Map<EntityState, Entity>();
  private readonly children = new Map<Key, Set<Key>>();
  private readonly owners = new Map<Entity, string>();
  private readonly orders: SiblingOrders;
  /** Incremented when instances are added or removed. */
  private version = 0;

  constructor(net: Replication, game: MirroredGame, { viewed = false, where }: MirrorOptions = {}) {
    this.game = game;
    this.classes = viewed ? net.classes.viewed : net.classes.all;
    this.state = new this.classes.World();
    this.state.hash = net.hash;
    net.plans.forEach(({ component, fields }, k) => {
      this.writers.set(component.name, writerOf(k, fields, this.classes.components[k]));
    });
    this.orders = new SiblingOrders(game.tree, this.entities);
    this.stream = followChanges(game.world, {
      trees: [game.tree],
      components: (name) => this.writers.has(name),
      fields: (component, field) => this.writers.get(component)?.plans[field] !== undefined,
      ...(where !== undefined && { where }),
    });
    const { to, patch } = this.stream.snapshot();
    this.stream.forget(to);
    this.apply(patch);
  }

  /** Updates the state from the current world. */
  read(): void {
    const { to, patch } = this.stream.read();
    this.stream.forget(to);
    if (patch.length > 0) this.apply(patch);
  }

  /** Tests `where` again for every entity. */
  refresh(): void {
    this.stream.refresh();
  }

  /** The state of an entity for clients. */
  stateOf(entity: Entity): EntityState | undefined {
    return this.entities.get(entity);
  }

  /** The entity of a state. */
  entityOf(state: EntityState): Entity | undefined {
    return this.keys.get(state);
  }

  /** All sent entities. */
  all(): IterableIterator<[Key, EntityState]> {
    return this.entities.entries();
  }

  /** Sets which session owns an entity; an empty string for none. */
  own(entity: Entity, session: string): void {
    if (session === "") this.owners.delete(entity);
    else this.owners.set(entity, session);
    const state = this.entities.get(entity);
    if (state !== undefined) state.owner = session;
  }

  /** Ends it; the state stays as it is. */
  close(): void {
    this.stream.close();
  }

  private apply(patch: StreamPatch): void {
    const moved = new Set<Key>();
    for (const entry of patch) if (entry.op === "move") moved.add(entry.id);
    for (const entry of patch) {
      switch (entry.op) {
        case "columns":
          this.writeColumns(entry);
          break;
        case "set":
          if ("component" in entry) this.write(entry.id, entry.component, entry.values);
          else this.rename(entry.id, entry.name);
          break;
        case "add":
          this.add(entry);
          break;
        case "move":
          this.link(entry.id, entry);
          break;
        case "reorder":
          this.orders.changed(entry.id, this.entities.get(entry.id)?.parent ?? OUTSIDE);
          break;
        case "remove":
          if (entry.tree === undefined) this.remove(entry.id);
          else this.removeBelow(entry.id, moved);
      }
    }
    this.orders.settle();
  }

  private add({ id, components, positions }: AddEntry): void {
    const known = this.entities.get(id);
    const state = known ?? new this.classes.Entity();
    for (const [name, values] of Object.entries(components)) this.fill(state, name, values);
    const position = positions[this.game.tree.name];
    state.name = position?.name ?? "";
    state.owner = this.owners.get(id as Entity) ?? "";
    this.entities.set(id, state);
    this.keys.set(state, id as Entity);
    if (position === undefined) state.parent = OUTSIDE;
    else this.link(id, position);
    if (known !== undefined) return;
    this.state.entities.set(String(id), state);
  }

  private link(id: Key, { parent }: TreePosition): void {
    const state = this.entities.get(id);
    if (state === undefined) return;
    this.children.get(state.parent)?.delete(id);
    const key = (parent ?? 0) as number;
    state.parent = key;
    if (key !== 0) {
      let siblings = this.children.get(key);
      if (siblings === undefined) this.children.set(key, (siblings = new Set()));
      siblings.add(id);
    }
    this.orders.changed(id, key);
  }

  private rename(id: Key, name: string | null): void {
    const state = this.entities.get(id);
    if (state !== undefined) state.name = name ?? "";
  }

  /** Removes all descendants too, except those that other entries place elsewhere. */
  private removeBelow(top: Key, moved: ReadonlySet<Key>): void {
    const doomed = [top];
    for (let id = doomed.pop(); id !== undefined; id = doomed.pop()) {
      for (const child of this.children.get(id) ?? []) if (!moved.has(child)) doomed.push(child);
      this.remove(id);
    }
  }

  private remove(id: Key): void {
    const state = this.entities.get(id);
    if (state === undefined) return;
    this.version++;
    this.children.get(state.parent)?.delete(id);
    this.children.delete(id);
    this.entities.delete(id);
    this.keys.delete(state);
    // An entity that `where` currently excludes keeps its owner.
    if (!this.game.world.isAlive(id as Entity)) this.owners.delete(id as Entity);
    this.state.entities.delete(String(id));
  }

  private write(id: Key, name: string, values: FieldValues | null): void {
    const state = this.entities.get(id);
    if (state === undefined) return;
    if (values !== null) {
      this.fill(state, name, values);
      return;
    }
    const { member, type } = this.writers.get(name) as Writer;
    state[member] = type === undefined ? false : undefined;
    this.version++;
  }

  /** Writes fields of a component, which is added if necessary. */
  private fill(state: EntityState, name: string, values: FieldValues): void {
    const { member, type, plans } = this.writers.get(name) as Writer;
    if (type === undefined) {
      state[member] = true;
      return;
    }
    const held = state[member] as ComponentState | undefined;
    const target = held ?? new type();
    for (const [field, value] of Object.entries(values)) {
      target[field] = (plans[field] as FieldPlan).toWire(value) as never;
    }
    if (held === undefined) state[member] = target;
  }

  /** Writes of a loop: many entities, the same fields. Entity by entity, so that each instance is touched once. */
  private writeColumns({ component, ids, values }: ColumnsEntry): void {
    const writer = this.writers.get(component) as Writer;
    const targets = this.targetsOf(writer, ids);
    const columns = Object.entries(values).map(([field, column]) => {
      const { toWire, rawToWire } = writer.plans[field] as FieldPlan;
      const isRaw = !Array.isArray(column) && rawToWire !== undefined;
      // Numbers are sent unchanged.
      const wire =
        isRaw && rawToWire === asIs ? column : Array.from(column, (isRaw ? rawToWire : toWire) as ToWire);
      return { set: writer.setters[field] as Setter, wire: wire as ArrayLike<WireValue> };
    });
    for (let k = 0; k < targets.length; k++) {
      const target = targets[k] as ComponentState;
      for (const { set, wire } of columns) set.call(target, wire[k] as WireValue);
    }
  }

  /** The instances of the entities of a column: usually the same as last time, because the same entities move again. */
  private targetsOf(writer: Writer, ids: readonly Key[]): readonly ComponentState[] {
    const { last, member } = writer;
    if (last.version === this.version && isSame(last.ids, ids)) return last.targets;
    const targets = ids.map((id) => {
      const state = this.entities.get(id) as EntityState;
      const held = state[member] as ComponentState | undefined;
      if (held !== undefined) return held;
      const made = new (writer.type as new () => ComponentState)();
      state[member] = made;
      return made;
    });
    writer.last = { version: this.version, ids, targets };
    return targets;
  }
}

type ToWire = (value: unknown) => WireValue;

function isSame(a: readonly Key[], b: readonly Key[]): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

function writerOf(
  k: number,
  fields: readonly FieldPlan[],
  type: (new () => ComponentState) | undefined,
): Writer {
  const setters: { [field: string]: Setter } = {};
  const plans: { [field: string]: FieldPlan } = {};
  for (const plan of fields) {
    plans[plan.name] = plan;
    setters[plan.name] = Object.getOwnPropertyDescriptor(type?.prototype, plan.name)?.set as Setter;
  }
  return { member: `c${k}`, fields, setters, plans, type, last: { version: -1, ids: [], targets: [] } };
}
