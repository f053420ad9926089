/**
 * The one door through which a hierarchy changes.
 *
 * `place` is the only code that links and unlinks living nodes. It keeps everything that is derived from the links
 * up to date (positions, names, flat order), feeds the recorder, and emits the event. The editing calls on top of it
 * validate first; `place` itself never refuses.
 */
import {
  createChannel,
  type Entity,
  type EventChannel,
  formatEntity,
  INDEX_MASK,
  type Reversible,
  type World,
} from "../ecs/index.ts";
import type { Constraint } from "./constraints.ts";
import {
  CircularHierarchyError,
  ConstraintError,
  HierarchyTooDeepError,
  InvalidHierarchyError,
  TooManyChildrenError,
} from "./errors.ts";
import type { HierarchyEvent, SubtreeWatcher } from "./events.ts";
import { FlatOrder } from "./flat-order.ts";
import { BoundedLinks, LinkedLinks, type Links } from "./links.ts";
import { Names } from "./names.ts";
import { SiblingIndex } from "./sibling-index.ts";
import type { Freezable, WalkHost } from "./walk.ts";

/** In place of a former parent, in what is recorded for undo: a name changed. */
const NAMED = -2;

export type DestroyPolicy = "cascade" | "orphan" | "adopt";

export interface HierarchyOptions {
  /** Tells several hierarchies of one world apart, in messages and tools. `"tree"` if left out. */
  readonly name?: string;
  /**
   * What happens to the children of a destroyed entity: they go too (`cascade`, the default), become roots
   * (`orphan`), or move up to its parent, into its place (`adopt`).
   */
  readonly onDestroy?: DestroyPolicy;
  /** Refuse trees with more levels below the root than this. No limit if left out. */
  readonly maxDepth?: number;
  /** Warn, once per root, when a tree gets more levels than this. */
  readonly warnDepth?: number;
  /** Refuse more children per parent than this. No limit if left out. */
  readonly maxChildren?: number;
  /** `list` (the default) has no bounds; `inline` keeps up to `maxChildren` in a fixed array inside each node. */
  readonly links?: "list" | "inline";
  /** Refuse two siblings with the same name. */
  readonly uniqueNames?: boolean;
  /** How many events a slow reader may lag behind before it misses some. 4096 if left out. */
  readonly eventCapacity?: number;
  /** Gets warnings; the console if left out. */
  readonly onWarn?: (message: string) => void;
}

/** Gets the node that moved, its former parent and its new one: 0 for none, -1 for not being in the tree. */
export type PlaceListener = (child: number, from: number, to: number) => void;

export class HierarchyCore implements WalkHost, Reversible {
  readonly world: World;
  readonly name: string;
  readonly onDestroy: DestroyPolicy;
  /** Grows with every change of structure. */
  version = 0;
  /** @internal */
  readonly links: Links;
  /** @internal */
  readonly walks = new Set<Freezable>();
  /** @internal */
  readonly names: Names;
  /** The one stream of events. Nothing is recorded while it has no reader. */
  readonly events: EventChannel<HierarchyEvent>;
  protected readonly options: HierarchyOptions;
  protected readonly positions: SiblingIndex;
  protected constraints: readonly Constraint[] = [];
  private order_: FlatOrder | undefined;
  private readonly watchers = new Map<number, Set<SubtreeWatcher>>();
  private placeListeners: readonly PlaceListener[] = [];
  private readonly changeListeners = new Set<(parent: Entity | null) => void>();
  private readonly warnedRoots = new Set<Entity>();
  /** The parent that the next spawned entity gets; set by `attachNew`. */
  protected nextParent = 0;
  protected nextBefore = 0;

  constructor(world: World, options: HierarchyOptions) {
    world.requireUsable("create a hierarchy");
    this.world = world;
    this.options = options;
    this.name = options.name ?? "tree";
    this.onDestroy = options.onDestroy ?? "cascade";
    checkOptions(options);
    const capacity = world.table.capacity;
    this.links =
      options.links === "inline"
        ? new BoundedLinks(capacity, options.maxChildren as number)
        : new LinkedLinks(capacity);
    this.positions = new SiblingIndex(this.links);
    this.names = new Names(this.links, options.uniqueNames ?? false);
    this.events = createChannel<HierarchyEvent>(world, `${this.name} events`, {
      capacity: options.eventCapacity ?? 4096,
    });
    for (const entity of world.entities()) this.links.insert(entity & INDEX_MASK, 0, 0);
    world.extend({
      name: this.name,
      spawned: (node) => this.spawned(node),
      doom: (node, doomed) => {
        if (this.onDestroy !== "cascade") return;
        for (let child = this.links.last(node); child !== 0; child = this.links.prev(child))
          doomed.push(child);
      },
      leaving: (node) => this.leaving(node),
      grow: (grown) => {
        this.links.grow(grown);
        this.order_?.growNodes(grown);
      },
    });
  }

  // What derived structures stand on -----------------------------------------------------------------------------------

  /** The parents-first order. Kept up from the first time it is asked for. */
  get order(): FlatOrder {
    this.order_ ??= new FlatOrder(this.links, this.world.table.capacity);
    return this.order_;
  }

  /** Whether somebody has asked for the order yet. */
  get hasOrder(): boolean {
    return this.order_ !== undefined;
  }

  /** The limits this hierarchy was created with. */
  get limits(): { readonly maxChildren: number | undefined; readonly maxDepth: number | undefined } {
    return { maxChildren: this.options.maxChildren, maxDepth: this.options.maxDepth };
  }

  handleAt(node: number): Entity {
    return this.world.handleAt(node);
  }

  /** @internal */
  isAliveAt(node: number, entity: Entity): boolean {
    return this.links.parent(node) !== -1 && this.world.handleAt(node) === entity;
  }

  /** The entity of a node; `null` for the one above all roots. */
  protected entityOrNull(node: number): Entity | null {
    return node === 0 ? null : this.world.handleAt(node);
  }

  /** The node of a living entity. */
  protected node(entity: Entity, doing: string): number {
    return this.world.require(entity, doing);
  }

  /** The node of a parent: `null` is the one above all roots. */
  protected parentNode(parent: Entity | null, doing: string): number {
    return parent === null ? 0 : this.world.require(parent, doing);
  }

  /** `turret#3`, or `#3` where there is no name. */
  label(entity: Entity): string {
    return `${this.names.of(entity & INDEX_MASK) ?? ""}${formatEntity(entity)}`;
  }

  // Listening ----------------------------------------------------------------------------------------------------------

  /**
   * Calls `watcher` when a subtree comes under `entity` or goes from under it. A move inside is neither. Returns a
   * function that ends it; it also ends when the entity is destroyed.
   */
  watchSubtree(entity: Entity, watcher: SubtreeWatcher): () => void {
    const node = this.node(entity, "watch a subtree");
    const set = this.watchers.get(node) ?? new Set();
    this.watchers.set(node, set);
    set.add(watcher);
    return () => {
      set.delete(watcher);
      if (set.size === 0 && this.watchers.get(node) === set) this.watchers.delete(node);
    };
  }

  /** Calls `listener` with each entity (`null`: the roots) whose list of children changed, also when it became empty. */
  onChildrenChanged(listener: (parent: Entity | null) => void): () => void {
    this.changeListeners.add(listener);
    return () => this.changeListeners.delete(listener);
  }

  /**
   * For structures derived from the links: told after every change of a parent, at once, with node numbers (0: no
   * parent; for a node that dies the new parent is -1, and it is told before the links change).
   */
  onPlaced(listener: PlaceListener): () => void {
    this.placeListeners = [...this.placeListeners, listener];
    return () => {
      this.placeListeners = this.placeListeners.filter((other) => other !== listener);
    };
  }

  // Checks -------------------------------------------------------------------------------------------------------------

  /** Why `child` cannot go under `parent`, as the error that would be thrown; nothing if it can. */
  protected refusal(child: number, parent: number, joining: number): Error | undefined {
    if (parent !== 0) {
      const cycle = this.cycle(child, parent);
      if (cycle !== undefined) return cycle;
    }
    if (this.links.parent(child) === parent) return undefined;
    return this.tooMany(parent, joining) ?? this.tooDeep(child, parent) ?? this.constrained(child, parent);
  }

  private cycle(child: number, parent: number): Error | undefined {
    const { links } = this;
    // A leaf can be nobody's ancestor, so only its own case is left.
    if (child !== parent && links.first(child) === 0) return undefined;
    let up = parent;
    while (up !== 0 && up !== child) up = links.parent(up);
    if (up === 0) return undefined;
    const chain: Entity[] = [];
    for (let node = parent; node !== child; node = links.parent(node)) chain.push(this.handleAt(node));
    chain.push(this.handleAt(child));
    chain.reverse();
    const labels = chain.map((entity) => this.label(entity));
    const shown =
      labels.length <= 12
        ? labels
        : [...labels.slice(0, 6), `… ${labels.length - 12} more …`, ...labels.slice(-6)];
    return new CircularHierarchyError(
      `Cannot move ${labels[0]} under ${labels.at(-1)}: it would become its own ancestor (${shown.join(" > ")}). Pick a parent outside it.`,
      chain,
    );
  }

  /** @param joining How many children come to `parent` in this call. */
  protected tooMany(parent: number, joining: number): Error | undefined {
    const max = this.options.maxChildren;
    if (max === undefined || parent === 0 || this.links.count(parent) + joining <= max) return undefined;
    const entity = this.handleAt(parent);
    return new TooManyChildrenError(
      `Cannot give ${this.label(entity)} ${joining === 1 ? "another child" : `${joining} further children`}: it has ${this.links.count(parent)} and ${this.name} allows ${max}. Detach one first, or raise maxChildren.`,
      [entity],
    );
  }

  private tooDeep(child: number, parent: number): Error | undefined {
    const { maxDepth } = this.options;
    if (maxDepth === undefined || parent === 0) return undefined;
    const depth = this.depthOfNode(parent) + 1 + this.heightOfNode(child);
    return depth <= maxDepth ? undefined : this.tooDeepError(child, parent, depth);
  }

  /** For an entity that does not exist yet. */
  protected tooDeepForNew(parent: number): Error | undefined {
    const { maxDepth } = this.options;
    if (maxDepth === undefined) return undefined;
    const depth = this.depthOfNode(parent) + 1;
    return depth <= maxDepth ? undefined : this.tooDeepError(0, parent, depth);
  }

  protected tooDeepError(child: number, parent: number, depth: number): Error {
    const entities = [child, parent].filter((node) => node !== 0).map((node) => this.handleAt(node));
    const what = child === 0 ? "create an entity" : `move ${this.label(entities[0])}`;
    return new HierarchyTooDeepError(
      `Cannot ${what} under ${this.label(entities.at(-1) as Entity)}: the tree would get ${depth} levels below its root and ${this.name} allows ${this.options.maxDepth}. Attach it higher up, or raise maxDepth.`,
      entities,
    );
  }

  protected constrained(child: number, parent: number): Error | undefined {
    for (const constraint of this.constraints) {
      const childEntity = this.handleAt(child);
      const why = constraint.attach?.(childEntity, this.entityOrNull(parent));
      if (why !== undefined) return this.constraintError(constraint, "attach", childEntity, why);
    }
    return undefined;
  }

  protected constraintError(
    constraint: Constraint,
    doing: string,
    entity: Entity,
    why: string,
  ): ConstraintError {
    return new ConstraintError(
      constraint.name,
      `Cannot ${doing} ${this.label(entity)}: ${why} (constraint ${constraint.name} of ${this.name}).`,
      [entity],
    );
  }

  protected depthOfNode(node: number): number {
    let depth = 0;
    for (let up = this.links.parent(node); up > 0; up = this.links.parent(up)) depth++;
    return depth;
  }

  /** Levels below `node`. Walks all of them. */
  protected heightOfNode(top: number): number {
    const { links } = this;
    let height = 0;
    let depth = 0;
    let node = top;
    for (;;) {
      const first = links.first(node);
      if (first !== 0) {
        node = first;
        depth++;
        if (depth > height) height = depth;
        continue;
      }
      while (node !== top && links.next(node) === 0) {
        node = links.parent(node);
        depth--;
      }
      if (node === top) return height;
      node = links.next(node);
    }
  }

  // The door -----------------------------------------------------------------------------------------------------------

  /**
   * Puts `child` under `parent`, before its child `before` (0: last). `false` when it is there already. Validated by
   * the caller.
   */
  protected place(
    child: number,
    parent: number,
    before: number,
    cause: "detach" | "destroy" = "detach",
  ): boolean {
    const { links } = this;
    const from = links.parent(child);
    const following = links.next(child);
    if (from === parent && (before === following || before === child)) return false;
    if (this.walks.size !== 0) this.freezeWalks();
    const listened = this.events.hasReaders;
    const previousIndex = listened ? this.positions.indexOf(child) : 0;
    const { recorder } = this.world;
    if (recorder !== undefined) recorder.changed(this, this.handleAt(child), from, following);
    const watched = this.watchers.size !== 0 && from !== parent;
    const leftBehind = watched && from !== 0 ? this.watchersAbove(from) : undefined;
    this.positions.removing(child, from);
    if (from !== parent) this.names.leaving(child, from);
    links.remove(child);
    links.insert(child, parent, before);
    this.positions.inserted(child, parent);
    if (from !== parent) this.names.joined(child, parent);
    this.order_?.linked(child, parent);
    this.version++;
    if (from !== parent)
      for (let k = 0; k < this.placeListeners.length; k++) this.placeListeners[k](child, from, parent);
    if (listened) this.emitPlaced(child, from, parent, previousIndex, cause);
    if (watched) this.tellWatchers(child, leftBehind, parent, cause);
    if (this.changeListeners.size !== 0) this.tellChanged(from, parent);
    if (this.options.warnDepth !== undefined && parent !== 0) this.warnIfDeep(child);
    return true;
  }

  /** Puts all children of `parent` into a new order; `nodes` are exactly its children. */
  protected reorder(parent: number, nodes: ArrayLike<number>): boolean {
    const { links } = this;
    let same = true;
    let node = links.first(parent);
    for (let k = 0; k < nodes.length && same; k++, node = links.next(node)) same = node === nodes[k];
    if (same) return false;
    if (this.walks.size !== 0) this.freezeWalks();
    const { recorder } = this.world;
    if (recorder !== undefined) {
      const before: Entity[] = [];
      for (let n = links.first(parent); n !== 0; n = links.next(n)) before.push(this.handleAt(n));
      recorder.changed(this, this.entityOrNull(parent), -1, 0, before);
    }
    this.positions.forget(parent);
    for (let k = 0; k < nodes.length; k++) {
      links.remove(nodes[k]);
      links.insert(nodes[k], parent, 0);
    }
    this.order_?.reordered(parent);
    this.version++;
    if (this.events.hasReaders) {
      const order = Array.from(nodes, (n) => this.handleAt(n));
      this.events.emit({
        type: "reordered",
        parent: this.entityOrNull(parent),
        child: null,
        previousIndex: -1,
        index: -1,
        order,
      });
    }
    if (this.changeListeners.size !== 0) this.tellChanged(parent, parent);
    return true;
  }

  /** Undoes one recorded change. Doing so is itself recorded, which gives the redo. */
  reverse(entity: Entity | null, from: number, following: number, extra: unknown): void {
    const node = entity === null ? 0 : entity & INDEX_MASK;
    if (Array.isArray(extra)) {
      this.reorder(
        node,
        extra.map((child: Entity) => child & INDEX_MASK),
      );
    } else if (from === NAMED) {
      this.rename(node, extra as string | undefined);
    } else {
      this.place(node, from, following);
    }
  }

  /** Gives a node another name. Validated by the caller. */
  protected rename(node: number, name: string | undefined): void {
    const before = this.names.of(node);
    if (before === name) return;
    this.world.recorder?.changed(this, this.handleAt(node), NAMED, 0, before);
    this.names.set(node, name);
  }

  private spawned(node: number): void {
    const parent = this.nextParent;
    if (this.walks.size !== 0) this.freezeWalks();
    this.links.insert(node, parent, this.nextBefore);
    this.positions.inserted(node, parent);
    this.order_?.spawned(node, parent);
    this.version++;
    for (let k = 0; k < this.placeListeners.length; k++) this.placeListeners[k](node, -1, parent);
    if (parent === 0) return;
    this.nextParent = 0;
    this.nextBefore = 0;
    if (this.events.hasReaders) {
      this.events.emit({
        type: "added",
        child: this.handleAt(node),
        parent: this.handleAt(parent),
        index: this.positions.indexOf(node),
      });
    }
    if (this.watchers.size !== 0) this.tellWatchers(node, undefined, parent, "detach");
    if (this.changeListeners.size !== 0) this.tellChanged(parent, parent);
    if (this.options.warnDepth !== undefined) this.warnIfDeep(node);
  }

  private leaving(node: number): void {
    const { links } = this;
    if (links.first(node) !== 0) this.settleChildren(node);
    const parent = links.parent(node);
    if (this.walks.size !== 0) this.freezeWalks();
    const listened = parent !== 0 && this.events.hasReaders;
    const index = listened ? this.positions.indexOf(node) : 0;
    const watchersAbove = this.watchers.size !== 0 && parent !== 0 ? this.watchersAbove(parent) : undefined;
    const { recorder } = this.world;
    if (recorder !== undefined) {
      recorder.changed(this, this.handleAt(node), parent, links.next(node));
      this.rename(node, undefined);
    }
    for (let k = 0; k < this.placeListeners.length; k++) this.placeListeners[k](node, parent, -1);
    this.positions.removing(node, parent);
    this.names.leaving(node, parent);
    this.names.forget(node);
    links.remove(node);
    this.order_?.destroyed(node);
    this.version++;
    this.watchers.delete(node);
    if (listened) {
      const child = this.handleAt(node);
      this.events.emit({ type: "removed", child, parent: this.handleAt(parent), index, cause: "destroy" });
    }
    if (watchersAbove !== undefined) {
      const child = this.handleAt(node);
      for (const watcher of watchersAbove) this.guarded(() => watcher.left?.(child, "destroy"));
    }
    if (this.changeListeners.size !== 0) this.tellChanged(parent, parent);
  }

  /** Deals with children that are still there when their parent goes. */
  private settleChildren(node: number): void {
    const { links } = this;
    if (this.onDestroy === "cascade") {
      // Attached by an observer while the parent was being destroyed.
      for (let child = links.first(node); child !== 0; child = links.first(node))
        this.world.destroy(this.handleAt(child));
      return;
    }
    const adopt = this.onDestroy === "adopt";
    const parent = adopt ? links.parent(node) : 0;
    const before = adopt ? links.next(node) : 0;
    for (let child = links.first(node); child !== 0; child = links.first(node))
      this.place(child, parent, before, "destroy");
  }

  private freezeWalks(): void {
    for (const walk of [...this.walks]) walk.freeze();
  }

  private emitPlaced(
    child: number,
    from: number,
    to: number,
    previousIndex: number,
    cause: "detach" | "destroy",
  ): void {
    const entity = this.handleAt(child);
    if (from === to) {
      const index = this.positions.indexOf(child);
      const parent = this.entityOrNull(to);
      this.events.emit({ type: "reordered", parent, child: entity, previousIndex, index, order: null });
    } else if (to === 0) {
      this.events.emit({
        type: "removed",
        child: entity,
        parent: this.handleAt(from),
        index: previousIndex,
        cause,
      });
    } else if (from === 0) {
      const index = this.positions.indexOf(child);
      this.events.emit({ type: "added", child: entity, parent: this.handleAt(to), index });
    } else {
      this.events.emit({
        type: "moved",
        child: entity,
        previousParent: this.handleAt(from),
        newParent: this.handleAt(to),
        previousIndex,
        index: this.positions.indexOf(child),
      });
    }
  }

  private watchersAbove(node: number): Set<SubtreeWatcher> {
    const found = new Set<SubtreeWatcher>();
    for (let up = node; up > 0; up = this.links.parent(up)) {
      for (const watcher of this.watchers.get(up) ?? []) found.add(watcher);
    }
    return found;
  }

  private tellWatchers(
    child: number,
    before: Set<SubtreeWatcher> | undefined,
    parent: number,
    cause: "detach" | "destroy",
  ): void {
    const after = this.watchersAbove(parent);
    const entity = this.handleAt(child);
    for (const watcher of before ?? [])
      if (!after.has(watcher)) this.guarded(() => watcher.left?.(entity, cause));
    for (const watcher of after) if (!before?.has(watcher)) this.guarded(() => watcher.joined?.(entity));
  }

  private tellChanged(from: number, to: number): void {
    const parents = from === to ? [from] : [from, to];
    for (const listener of this.changeListeners) {
      for (const parent of parents) this.guarded(() => listener(this.entityOrNull(parent)));
    }
  }

  /** Listeners must not break a change that has happened: what they throw goes to the world's `onError`. */
  private guarded(tell: () => void): void {
    try {
      tell();
    } catch (error) {
      this.world.onError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private warnIfDeep(child: number): void {
    const depth = this.depthOfNode(child) + this.heightOfNode(child);
    if (depth <= (this.options.warnDepth as number)) return;
    let root = child;
    for (let up = this.links.parent(root); up > 0; up = this.links.parent(up)) root = up;
    const entity = this.handleAt(root);
    if (this.warnedRoots.has(entity)) return;
    this.warnedRoots.add(entity);
    const warn = this.options.onWarn ?? ((message: string) => console.warn(message));
    warn(
      `The tree of ${this.label(entity)} has ${depth} levels, more than warnDepth (${this.options.warnDepth}) of ${this.name}.`,
    );
  }
}

function checkOptions(options: HierarchyOptions): void {
  const count = (value: number | undefined, what: string, least: number) => {
    if (value === undefined || (Number.isInteger(value) && value >= least)) return;
    throw new InvalidHierarchyError(
      `Cannot create a hierarchy with ${what} ${String(value)}. Give an integer of at least ${least}.`,
    );
  };
  count(options.maxDepth, "maxDepth", 0);
  count(options.warnDepth, "warnDepth", 0);
  count(options.maxChildren, "maxChildren", 1);
  if (options.links === "inline" && (options.maxChildren === undefined || options.maxChildren > 64)) {
    throw new InvalidHierarchyError(
      'Cannot create a hierarchy with links: "inline" without a small bound. Give maxChildren from 1 to 64, or use links: "list".',
    );
  }
  if (options.onDestroy !== undefined && !["cascade", "orphan", "adopt"].includes(options.onDestroy)) {
    throw new InvalidHierarchyError(
      `Cannot create a hierarchy with onDestroy ${JSON.stringify(options.onDestroy)}. Use "cascade", "orphan" or "adopt".`,
    );
  }
}
