/**
 * The subscriptions of signals: one observer per component, tree and world, for any number of signals.
 */
import { type AnyComponent, type Entity, observe, observeEntities, type World } from "../ecs/index.ts";
import { type Hierarchy, onChildrenChanged } from "../hierarchy/index.ts";
import type { SignalHost, Watched } from "./signal.ts";

/** Signals by the entity they depend on. `null` stands for the roots of a tree, `"any"` for all entities. */
class Interests {
  private readonly signals = new Map<Entity | null | "any", Set<Watched>>();
  private readonly begin: (interests: Interests) => () => void;
  private end: (() => void) | undefined;

  /** @param begin - Called for the first signal; its result is called after the last. */
  constructor(begin: (interests: Interests) => () => void) {
    this.begin = begin;
  }

  add(key: Entity | null | "any", signal: Watched): () => void {
    if (this.signals.size === 0) this.end = this.begin(this);
    const set = this.signals.get(key) ?? new Set();
    this.signals.set(key, set.add(signal));
    return () => {
      set.delete(signal);
      if (set.size === 0 && this.signals.get(key) === set) this.signals.delete(key);
      if (this.signals.size > 0) return;
      this.end?.();
      this.end = undefined;
    };
  }

  touch(key: Entity | null | "any", force = false): void {
    const set = this.signals.get(key);
    if (set !== undefined) for (const signal of set) signal.touch(force);
  }
}

/**
 * Represents many signals that depend on many kinds of changes: a change touches only this object, and the next flush touches
 * the signals. So a thousand changes and a thousand signals do not take a million steps.
 */
class Pulse implements Watched {
  private readonly signals = new Set<Watched>();
  private readonly host: SignalHost;
  private readonly lists: Interests;
  private end: (() => void) | undefined;

  constructor(host: SignalHost, lists: Interests) {
    this.host = host;
    this.lists = lists;
  }

  add(signal: Watched): () => void {
    this.end ??= this.lists.add("any", this);
    this.signals.add(signal);
    return () => {
      this.signals.delete(signal);
      if (this.signals.size > 0) return;
      this.end?.();
      this.end = undefined;
    };
  }

  touch(): void {
    this.host.touched(this);
  }

  settle(): boolean {
    for (const signal of this.signals) signal.touch();
    return false;
  }

  notify(): void {}
}

export class Watchers {
  private readonly host: SignalHost;
  private readonly world: World;
  private readonly components = new Map<AnyComponent, Interests>();
  private readonly trees = new Map<Hierarchy, { readonly lists: Interests; readonly parents: Pulse }>();
  private readonly entities: Interests;

  constructor(host: SignalHost, world: World) {
    this.host = host;
    this.world = world;
    this.entities = new Interests((interests) => {
      const touch = (entity: Entity) => {
        interests.touch(entity);
        interests.touch("any");
      };
      return observeEntities(world, { name: "signals", order: LAST, spawn: touch, destroy: touch });
    });
  }

  /** The values of a component of one entity, and when it is added or removed. */
  component(component: AnyComponent, entity: Entity, signal: Watched): () => void {
    return this.interestsIn(component).add(entity, signal);
  }

  /** The entities that have a component. */
  members(component: AnyComponent, signal: Watched): () => void {
    return this.interestsIn(component).add("any", signal);
  }

  /** The creation and destruction of one entity, or of any. */
  life(entity: Entity | "any", signal: Watched): () => void {
    return this.entities.add(entity, signal);
  }

  /** The list of children of an entity (`null`: the roots). */
  children(tree: Hierarchy, entity: Entity | null, signal: Watched): () => void {
    return this.treeOf(tree).lists.add(entity, signal);
  }

  /** A new parent of any entity. Touches the signal when a flush begins. */
  parents(tree: Hierarchy, signal: Watched): () => void {
    return this.treeOf(tree).parents.add(signal);
  }

  private treeOf(tree: Hierarchy) {
    const known = this.trees.get(tree);
    if (known !== undefined) return known;
    const lists = new Interests((own) =>
      onChildrenChanged(tree, (parent) => {
        own.touch(parent);
        own.touch("any");
      }),
    );
    const made = { lists, parents: new Pulse(this.host, lists) };
    this.trees.set(tree, made);
    return made;
  }

  private interestsIn(component: AnyComponent): Interests {
    const known = this.components.get(component);
    if (known !== undefined) return known;
    // A change inside an object field is not detected; the world reports it after a call of `touch`.
    const holdsObjects = Object.values(component.schema).some((field) => field.type.valueKind === "object");
    const made = new Interests((own) => {
      const moved = (entity: Entity) => {
        own.touch(entity);
        own.touch("any");
      };
      const set = (entity: Entity) => own.touch(entity, holdsObjects);
      return observe(this.world, component, { name: "signals", order: LAST, add: moved, set, remove: moved });
    });
    this.components.set(component, made);
    return made;
  }
}

/** Runs after all observers that maintain derived data. */
const LAST = Number.POSITIVE_INFINITY;
