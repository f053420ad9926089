/**
 * What every part of a hierarchy stands on: its links and what is derived from them, which node stands for which
 * entity, and who listens.
 */
import {
  createChannel,
  DeadEntityError,
  type Entity,
  type EventChannel,
  formatEntity,
  indexOf,
  type World,
} from "../ecs/index.ts";
import { INDEX_MASK, requireFunction, requireObject, stateOf, type WorldState } from "../ecs/internal.ts";
import type { HierarchyEvent, SubtreeWatcher } from "./events.ts";
import { FlatOrder } from "./flat-order.ts";
import { BoundedLinks, type Extras, LinkedLinks, type Links } from "./links.ts";
import { Names } from "./names.ts";
import { type ChildrenListener, Notices } from "./notices.ts";
import { checkHierarchyOptions, type DestroyPolicy, type HierarchyOptions } from "./options.ts";
import { SiblingIndex } from "./sibling-index.ts";
import { type WalkHost, WalkList } from "./walk.ts";

/** Gets the node that moved, its former parent and its new one: 0 for none, -1 for not being in the tree. */
export type PlaceListener = (child: number, from: number, to: number) => void;

export class HierarchyBase implements WalkHost {
  readonly world: World;
  /** @internal */
  readonly state: WorldState;
  readonly name: string;
  readonly onDestroy: DestroyPolicy;
  /** Grows with every change of structure. */
  version = 0;
  /** @internal */
  readonly links: Links;
  /** @internal */
  readonly walks: WalkList;
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
  protected order_: FlatOrder | undefined;
  protected placeListeners: readonly PlaceListener[] = [];
  /** How many of the things that hear of changes have something to do. While there are none, the door is short. */
  protected readonly extras: Extras = { count: 0 };
  private readers = 0;

  constructor(world: World, options: HierarchyOptions) {
    stateOf(world).requireUsable("create a hierarchy");
    checkHierarchyOptions(world.checks, options);
    this.world = world;
    this.state = stateOf(world);
    this.options = options;
    this.name = options.name ?? "tree";
    this.onDestroy = options.onDestroy ?? "cascade";
    const capacity = this.state.table.capacity;
    this.links =
      options.links === "inline"
        ? new BoundedLinks(capacity, options.maxChildren as number)
        : new LinkedLinks(capacity);
    this.walks = new WalkList(this.extras);
    this.positions = new SiblingIndex(this.links, this.extras);
    this.names = new Names(this.links, options.uniqueNames ?? false, this.extras);
    if (options.warnDepth !== undefined) this.extras.count++;
    this.events = createChannel<HierarchyEvent>(world, `${this.name} events`, {
      ...(options.eventCapacity === undefined ? {} : { capacity: options.eventCapacity }),
      ...(options.eventBytes === undefined ? {} : { maxBytes: options.eventBytes }),
      onReaders: (count) => {
        this.extras.count += count - this.readers;
        this.readers = count;
      },
    });
    this.notices = new Notices({
      links: this.links,
      extras: this.extras,
      entityOrNull: (node) => this.entityOrNull(node),
      isAlive: (entity) => this.state.isAlive(entity),
      report: (error) => this.report(error),
    });
  }

  // What derived structures stand on -----------------------------------------------------------------------------------

  /** The parents-first order. Kept up from the first time it is asked for. */
  get order(): FlatOrder {
    this.order_ ??= new FlatOrder(this.links, this.state.table.capacity, this.state.table.fixed);
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

  /** What one entity costs in the links, in bytes; 20 more in the flat order once somebody has asked for it. */
  get bytesPerNode(): number {
    return this.links.bytesPerNode;
  }

  handleAt(node: number): Entity {
    const handle = this.links.handle(node);
    return handle !== 0 ? (handle as Entity) : this.state.handleAt(node);
  }

  protected keepHandle(node: number): void {
    const handle = this.state.handleAt(node);
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
    if (typeof entity !== "number") return this.nodeSlowly(entity, doing);
    const node = entity & INDEX_MASK;
    return this.links.handle(node) === entity ? node : this.nodeSlowly(entity, doing);
  }

  private nodeSlowly(entity: Entity, doing: string): number {
    const node = this.state.require(entity, doing);
    if (this.links.parent(node) === -1) throw this.leavingError(entity, doing);
    return node;
  }

  /** The node of a parent: `null` is the one above all roots. */
  protected parentNode(parent: Entity | null, doing: string): number {
    if (parent !== null) return this.node(parent, doing);
    this.state.requireUsable(doing);
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
    return `${this.names.of(indexOf(entity)) ?? ""}${formatEntity(entity)}`;
  }

  // Listening ----------------------------------------------------------------------------------------------------------

  /**
   * Calls `watcher` when a subtree comes under `entity` or goes from under it. A move inside is neither. Of a destroyed
   * subtree every entity is told, children first. Returns a function that ends it; it also ends when the entity is
   * destroyed.
   */
  watchSubtree(entity: Entity, watcher: SubtreeWatcher): () => void {
    requireObject(watcher, "watch a subtree", "the watcher");
    return this.notices.watch(this.node(entity, "watch a subtree"), watcher);
  }

  /**
   * Calls `listener` with each entity (`null`: the roots) whose list of children changed, also when it became empty;
   * once per call, however many came and went in it. Returns a function that ends it.
   */
  onChildrenChanged(listener: ChildrenListener): () => void {
    requireFunction(listener, "listen to children", "the listener");
    return this.notices.listen(listener);
  }

  /**
   * For structures derived from the links: told after every change of a parent, at once, with node numbers (0: no
   * parent; for a node that dies the new parent is -1, and it is told before the links change).
   */
  onPlaced(listener: PlaceListener): () => void {
    requireFunction(listener, "listen to moves", "the listener");
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

  /** Whether `node` is `top` or below it. Two comparisons while the flat order is exact, else it costs the depth. */
  protected isInside(node: number, top: number): boolean {
    const order = this.order_;
    if (order?.exact) {
      const slot = order.slotOf[top];
      return order.slotOf[node] >= slot && order.slotOf[node] < order.end[slot];
    }
    const { links } = this;
    let up = node;
    while (up > 0 && up !== top) up = links.parent(up);
    return up === top;
  }
}
