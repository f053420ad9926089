/**
 * The one door through which a hierarchy changes.
 *
 * `place` is the only code that links and unlinks living nodes. It keeps everything that is derived from the links
 * up to date (positions, names, flat order), feeds the recorder, and emits the event. The editing calls on top of it
 * validate first; `place` itself never refuses.
 */
import {
  createChannel,
  DeadEntityError,
  type Entity,
  type EventChannel,
  formatEntity,
  INDEX_MASK,
  type Reversible,
  type World,
} from "../ecs/index.ts";
import { InvalidEditError } from "./errors.ts";
import type { HierarchyEvent, SubtreeWatcher } from "./events.ts";
import { FlatOrder } from "./flat-order.ts";
import { BoundedLinks, type Extras, LinkedLinks, type Links } from "./links.ts";
import { Names } from "./names.ts";
import { type ChildrenListener, Notices } from "./notices.ts";
import { checkOptions, type DestroyPolicy, type HierarchyOptions } from "./options.ts";
import { SiblingIndex } from "./sibling-index.ts";
import { type WalkHost, WalkList } from "./walk.ts";

/** In place of a former parent, in what is recorded for undo: a name changed. */
const NAMED = -2;

/** Children that observers attach to a dying parent, and to those in turn, are destroyed up to this many levels. */
const MAX_LATE_LEVELS = 100;

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
  readonly walks = new WalkList();
  /** @internal */
  readonly names: Names;
  /** @internal What structures derived from this tree keep, each under a name of its own. */
  readonly attachments = new Map<unknown, unknown>();
  /** The one stream of events. Nothing is recorded while it has no reader. */
  readonly events: EventChannel<HierarchyEvent>;
  /** @internal */
  readonly notices: Notices;
  protected readonly options: HierarchyOptions;
  protected readonly positions: SiblingIndex;
  private order_: FlatOrder | undefined;
  private placeListeners: readonly PlaceListener[] = [];
  private readonly warnedRoots = new Set<Entity>();
  /** The place that the next spawned entity gets; set by `attachNew`. */
  protected nextParent = 0;
  protected nextBefore = 0;
  /** The parent by which constraints judge the components of the next spawned entity. */
  protected guardedParent = 0;
  /** How many nodes are being let go of whose children are still there, one inside the other. */
  private settling = 0;
  private endSpawnObserver: (() => void) | undefined;
  /** How many of the things that hear of changes have something to do. While there are none, the door is short. */
  private readonly extras: Extras = { count: 0 };

  constructor(world: World, options: HierarchyOptions) {
    world.requireUsable("create a hierarchy");
    checkOptions(options);
    this.world = world;
    this.options = options;
    this.name = options.name ?? "tree";
    this.onDestroy = options.onDestroy ?? "cascade";
    const capacity = world.table.capacity;
    this.links =
      options.links === "inline"
        ? new BoundedLinks(capacity, options.maxChildren as number)
        : new LinkedLinks(capacity);
    this.positions = new SiblingIndex(this.links, this.extras);
    this.names = new Names(this.links, options.uniqueNames ?? false, this.extras);
    if (options.warnDepth !== undefined) this.extras.count++;
    this.events = createChannel<HierarchyEvent>(world, `${this.name} events`, {
      capacity: options.eventCapacity ?? 4096,
    });
    this.notices = new Notices({
      links: this.links,
      extras: this.extras,
      entityOrNull: (node) => this.entityOrNull(node),
      report: (error) => this.report(error),
    });
    for (const entity of world.entities()) {
      this.links.insert(entity & INDEX_MASK, 0, 0);
      this.keepHandle(entity & INDEX_MASK);
    }
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
      dispose: () => this.links.forgetHandles(),
    });
  }

  // What derived structures stand on -----------------------------------------------------------------------------------

  /** The parents-first order. Kept up from the first time it is asked for. */
  get order(): FlatOrder {
    if (this.order_ === undefined) {
      this.order_ = new FlatOrder(this.links, this.world.table.capacity);
      this.extras.count++;
    }
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

  /** What one entity costs in the links, in bytes; 16 more in the flat order once somebody has asked for it. */
  get bytesPerNode(): number {
    return this.links.bytesPerNode;
  }

  handleAt(node: number): Entity {
    const handle = this.links.handle(node);
    return handle !== 0 ? (handle as Entity) : this.world.handleAt(node);
  }

  private keepHandle(node: number): void {
    const handle = this.world.handleAt(node);
    this.links.setHandle(node, (handle | 0) === handle ? handle : 0);
  }

  /** @internal */
  isAliveAt(node: number, entity: Entity): boolean {
    return this.links.parent(node) !== -1 && this.handleAt(node) === entity;
  }

  /** The entity of a node; `null` for the one above all roots. */
  protected entityOrNull(node: number): Entity | null {
    return node === 0 ? null : this.handleAt(node);
  }

  /** The node of a living entity. */
  protected node(entity: Entity, doing: string): number {
    const node = entity & INDEX_MASK;
    return this.links.handle(node) === entity ? node : this.nodeSlowly(entity, doing);
  }

  private nodeSlowly(entity: Entity, doing: string): number {
    const node = this.world.require(entity, doing);
    if (this.links.parent(node) === -1) throw this.leavingError(entity, doing);
    return node;
  }

  /** The node of a parent: `null` is the one above all roots. */
  protected parentNode(parent: Entity | null, doing: string): number {
    if (parent !== null) return this.node(parent, doing);
    this.world.requireUsable(doing);
    return 0;
  }

  private leavingError(entity: Entity, doing: string): DeadEntityError {
    return new DeadEntityError(
      `Cannot ${doing}: ${formatEntity(entity)} is being destroyed and has left ${this.name}. Ask before it goes, in a destroy observer.`,
      [entity],
    );
  }

  /** `turret#3`, or `#3` where there is no name. */
  label(entity: Entity): string {
    return `${this.names.of(entity & INDEX_MASK) ?? ""}${formatEntity(entity)}`;
  }

  // Listening ----------------------------------------------------------------------------------------------------------

  /**
   * Calls `watcher` when a subtree comes under `entity` or goes from under it. A move inside is neither. Of a destroyed
   * subtree every entity is told, children first. Returns a function that ends it; it also ends when the entity is
   * destroyed.
   */
  watchSubtree(entity: Entity, watcher: SubtreeWatcher): () => void {
    const end = this.notices.watch(this.node(entity, "watch a subtree"), watcher);
    return this.listening(end);
  }

  /**
   * Calls `listener` with each entity (`null`: the roots) whose list of children changed, also when it became empty.
   * Returns a function that ends it.
   */
  onChildrenChanged(listener: ChildrenListener): () => void {
    return this.listening(this.notices.listen(listener));
  }

  /** New entities are told of when they are complete, which an observer of the world knows. */
  private listening(end: () => void): () => void {
    this.endSpawnObserver ??= this.world.observeEntities({
      name: `${this.name} notices`,
      order: Number.NEGATIVE_INFINITY,
      spawn: () => this.notices.drain(),
    });
    return () => {
      end();
      if (this.notices.active) return;
      this.endSpawnObserver?.();
      this.endSpawnObserver = undefined;
    };
  }

  /**
   * For structures derived from the links: told after every change of a parent, at once, with node numbers (0: no
   * parent; for a node that dies the new parent is -1, and it is told before the links change).
   */
  onPlaced(listener: PlaceListener): () => void {
    // One entry per call, so that ending one of two equal listeners leaves the other.
    const own: PlaceListener = (child, from, to) => listener(child, from, to);
    this.placeListeners = [...this.placeListeners, own];
    this.extras.count++;
    return () => {
      if (!this.placeListeners.includes(own)) return;
      this.placeListeners = this.placeListeners.filter((other) => other !== own);
      this.extras.count--;
    };
  }

  /**
   * Listeners must not break a change that has happened: what they throw goes to the world's `onError`.
   * @internal
   */
  report(error: unknown): void {
    this.world.onError(error instanceof Error ? error : new Error(String(error)));
  }

  // Measures -----------------------------------------------------------------------------------------------------------

  protected depthOfNode(node: number): number {
    let depth = 0;
    for (let up = this.links.parent(node); up > 0; up = this.links.parent(up)) depth++;
    return depth;
  }

  /** Levels below `node`. Walks all of them, or until there are more than `enough`. */
  protected heightOfNode(top: number, enough = Number.POSITIVE_INFINITY): number {
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
        if (height > enough) return height;
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

  /** Whether nobody has to hear of a change: links are all there is to write. */
  private get isQuiet(): boolean {
    return (
      this.extras.count === 0 &&
      this.walks.isEmpty &&
      !this.events.hasReaders &&
      this.world.recorder === undefined
    );
  }

  /**
   * Puts `child` under `parent`, before its child `before` (0: last). `false` when it is there already. Validated by
   * the caller.
   */
  protected place(child: number, parent: number, before: number): boolean {
    const { links } = this;
    const from = links.parent(child);
    const following = links.next(child);
    if (from === parent && (before === following || before === child)) return false;
    if (this.isQuiet) {
      links.remove(child);
      links.insert(child, parent, before);
      this.version++;
    } else this.placeLoudly(child, from, following, parent, before);
    return true;
  }

  private placeLoudly(child: number, from: number, following: number, parent: number, before: number): void {
    const { links, notices } = this;
    this.walks.freeze();
    const listened = this.events.hasReaders;
    const previousIndex = listened ? this.indexOfNode(child) : 0;
    const { recorder } = this.world;
    if (recorder !== undefined) {
      recorder.changed(this, this.handleAt(child), this.handleOrZero(from), this.handleOrZero(following));
    }
    const watchedBefore = notices.active ? notices.above(from) : undefined;
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
    if (listened) this.emitPlaced(child, from, parent, previousIndex);
    if (watchedBefore !== undefined) notices.placed(this.handleAt(child), watchedBefore, from, parent);
    if (this.options.warnDepth !== undefined && parent !== 0) this.warnIfDeep(child, parent);
    notices.drain();
  }

  /** Puts all children of `parent` into a new order; `nodes` are exactly its children. */
  protected reorder(parent: number, nodes: ArrayLike<number>): boolean {
    const { links } = this;
    let same = true;
    let node = links.first(parent);
    for (let k = 0; k < nodes.length && same; k++, node = links.next(node)) same = node === nodes[k];
    if (same) return false;
    this.walks.freeze();
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
    this.notices.changed(parent);
    this.notices.drain();
    return true;
  }

  /**
   * Undoes one recorded change. Doing so is itself recorded, which gives the redo. Rules are not asked again. Siblings
   * that left or came without being recorded are passed over.
   * @throws when something that was not recorded makes it impossible; nothing has changed then.
   */
  reverse(entity: Entity | null, from: number, following: number, extra: unknown): void {
    const node = this.parentNode(entity, "undo a change of the tree");
    if (Array.isArray(extra)) {
      this.reorder(node, this.orderLike(node, extra));
    } else if (from === NAMED) {
      this.rename(node, extra as string | undefined);
    } else {
      const parent = this.parentNode(from === 0 ? null : (from as Entity), "undo a change of the tree");
      const error = this.whyNotBack(node, parent);
      if (error !== undefined) throw error;
      const next = following & INDEX_MASK;
      const isThere = this.isAliveAt(next, following as Entity) && this.links.parent(next) === parent;
      this.place(node, parent, isThere ? next : 0);
    }
  }

  /** Why `child` cannot go back under `parent`; only what would break the tree itself. */
  protected whyNotBack(_child: number, _parent: number): Error | undefined {
    return undefined;
  }

  /** The children of `parent` in the given order; those that are not in it come last. */
  private orderLike(parent: number, order: readonly Entity[]): number[] {
    const { links } = this;
    const nodes = new Set<number>();
    for (const child of order) {
      const node = child & INDEX_MASK;
      if (this.isAliveAt(node, child) && links.parent(node) === parent) nodes.add(node);
    }
    for (let node = links.first(parent); node !== 0; node = links.next(node)) nodes.add(node);
    return [...nodes];
  }

  /** For what is recorded: unlike a node, a handle tells later whether the same entity is still there. */
  private handleOrZero(node: number): number {
    return node === 0 ? 0 : this.handleAt(node);
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
    const before = this.nextBefore;
    this.nextParent = 0;
    this.nextBefore = 0;
    this.guardedParent = 0;
    const isQuiet = this.isQuiet;
    if (!isQuiet) this.walks.freeze();
    this.links.insert(node, parent, before);
    this.keepHandle(node);
    this.version++;
    if (!isQuiet) this.spawnedLoudly(node, parent, before);
  }

  private spawnedLoudly(node: number, parent: number, before: number): void {
    this.positions.inserted(node, parent);
    this.order_?.spawned(node, parent, before);
    for (let k = 0; k < this.placeListeners.length; k++) this.placeListeners[k](node, -1, parent);
    if (parent !== 0 && this.events.hasReaders) {
      this.events.emit({
        type: "added",
        child: this.handleAt(node),
        parent: this.handleAt(parent),
        index: this.indexOfNode(node),
      });
    }
    // Only queued: the entity is not complete yet. The observer of `listening` tells.
    const { notices } = this;
    if (notices.active) notices.placed(this.handleAt(node), new Set(), -1, parent);
    if (this.options.warnDepth !== undefined && parent !== 0) this.warnIfDeep(node, parent);
  }

  private leaving(node: number): void {
    const { links } = this;
    if (links.first(node) !== 0) this.settleChildren(node);
    if (this.isQuiet) {
      links.remove(node);
      links.setHandle(node, 0);
      this.version++;
    } else this.leavingLoudly(node);
  }

  private leavingLoudly(node: number): void {
    const { links, notices } = this;
    const entity = this.handleAt(node);
    const parent = links.parent(node);
    this.walks.freeze();
    const listened = parent !== 0 && this.events.hasReaders;
    const index = listened ? this.indexOfNode(node) : 0;
    const watchedBefore = notices.active ? notices.above(parent) : undefined;
    const { recorder } = this.world;
    if (recorder !== undefined) {
      recorder.changed(this, entity, this.handleOrZero(parent), this.handleOrZero(links.next(node)));
      this.rename(node, undefined);
    }
    for (let k = 0; k < this.placeListeners.length; k++) this.placeListeners[k](node, parent, -1);
    this.positions.removing(node, parent);
    this.names.leaving(node, parent);
    this.names.forget(node);
    links.remove(node);
    links.setHandle(node, 0);
    this.order_?.destroyed(node);
    this.version++;
    if (listened) {
      this.events.emit({
        type: "removed",
        child: entity,
        parent: this.handleAt(parent),
        index,
        rootIndex: -1,
        cause: "destroy",
      });
    }
    if (this.warnedRoots.size !== 0) this.warnedRoots.delete(entity);
    if (watchedBefore !== undefined) {
      notices.forget(node);
      notices.left(entity, watchedBefore, new Set(), "destroy");
      notices.changed(parent);
    }
    if (notices.mark !== 0) this.world.whileDying(entity, () => notices.drain());
  }

  /** Deals with the children that are still there when their parent goes. */
  private settleChildren(node: number): void {
    this.settling++;
    this.notices.hold();
    try {
      this.world.whileDying(this.handleAt(node), () => this.sendChildren(node, this.onDestroy));
    } finally {
      this.notices.unhold();
      this.settling--;
    }
  }

  /** Sends the children of a dying parent where the policy says, or where the rules let them go. */
  protected sendChildren(node: number, policy: DestroyPolicy): void {
    const { links } = this;
    let last = node;
    for (let child = links.first(node); child !== 0; child = links.first(node)) {
      // Asked every time: observers of a child that must not stay may have moved the parent and what was sent before.
      const home = links.parent(node);
      if (policy === "adopt" && this.mayGo(child, home)) {
        if (links.parent(last) !== home) last = node;
        this.placeNamed(child, home, links.next(last), node);
        last = child;
      } else if (policy !== "cascade" && this.mayGo(child, 0)) this.placeNamed(child, 0, 0, node);
      else this.destroyLate(child);
    }
  }

  /** Destroys a child that is still there while its parent goes: one that an observer attached, or must not stay. */
  private destroyLate(child: number): void {
    const entity = this.handleAt(child);
    if (this.settling > MAX_LATE_LEVELS) {
      this.report(
        new InvalidEditError(
          `Stopped destroying ${this.label(entity)}: observers attached children to dying parents ${MAX_LATE_LEVELS} times over. It is a root now.`,
          [entity],
        ),
      );
    } else if (this.world.destroy(entity)) return;
    // Its own end is under way further out.
    this.placeNamed(child, 0, 0, 0);
  }

  /** Whether the rules of the hierarchy let a child of a dying parent go under `parent`. */
  protected mayGo(_child: number, _parent: number): boolean {
    return true;
  }

  /** `place`, with a number behind the name where a sibling other than `leaving` has it and names are unique. */
  private placeNamed(child: number, parent: number, before: number, leaving: number): void {
    const { names } = this;
    const name = names.of(child);
    if (names.unique && name !== undefined) {
      const other = names.find(parent, name);
      if (other !== 0 && other !== leaving) this.rename(child, this.numbered(child, parent, name));
    }
    this.place(child, parent, before);
  }

  /** A name with a number that no present and no future sibling has. */
  private numbered(child: number, parent: number, name: string): string {
    const { names } = this;
    const from = this.links.parent(child);
    for (let number = 2; ; number++) {
      const numbered = `${name}~${number}`;
      if (names.find(parent, numbered) === 0 && names.find(from, numbered) === 0) return numbered;
    }
  }

  private emitPlaced(child: number, from: number, to: number, previousIndex: number): void {
    const entity = this.handleAt(child);
    const index = this.indexOfNode(child);
    const parent = this.entityOrNull(to);
    const previousParent = this.entityOrNull(from);
    if (from === to) {
      this.events.emit({ type: "reordered", parent, child: entity, previousIndex, index, order: null });
    } else if (parent === null) {
      this.events.emit({
        type: "removed",
        child: entity,
        parent: previousParent as Entity,
        index: previousIndex,
        rootIndex: index,
        cause: "detach",
      });
    } else if (previousParent === null) {
      this.events.emit({ type: "added", child: entity, parent, index });
    } else {
      this.events.emit({
        type: "moved",
        child: entity,
        previousParent,
        newParent: parent,
        previousIndex,
        index,
      });
    }
  }

  /** The position among the siblings, without a look into large families for those at the ends. */
  private indexOfNode(node: number): number {
    const { links } = this;
    if (links.next(node) === 0) return links.count(links.parent(node)) - 1;
    return links.prev(node) === 0 ? 0 : this.positions.indexOf(node);
  }

  /** Warnings about a new entity wait until it is complete. */
  protected tellWarnings(): void {
    if (this.options.warnDepth !== undefined) this.notices.drain();
  }

  /** `child` came under `parent`. */
  private warnIfDeep(child: number, parent: number): void {
    const limit = this.options.warnDepth as number;
    let depth = 1;
    let root = parent;
    for (let up = this.links.parent(root); up > 0; up = this.links.parent(up)) {
      root = up;
      // The tree was too deep before this child came, and that was told then.
      if (++depth > limit + 1) return;
    }
    const entity = this.handleAt(root);
    if (depth + this.heightOfNode(child, limit - depth) <= limit || this.warnedRoots.has(entity)) return;
    this.warnedRoots.add(entity);
    const warn = this.options.onWarn ?? ((message: string) => console.warn(message));
    const message = `The tree of ${this.label(entity)} got more than ${limit} levels when ${this.label(this.handleAt(child))} came under ${this.label(this.handleAt(parent))} (warnDepth of ${this.name}). Consider a flatter one.`;
    this.notices.later(() => warn(message));
  }
}
