/**
 * The one door through which a hierarchy changes.
 *
 * `place` is the only code that links and unlinks living nodes. It keeps everything that is derived from the links
 * up to date (positions, names, flat order), feeds the recorder, and emits the event. The editing calls on top of it
 * validate first; `place` itself never refuses.
 */
import type { Entity, World } from "../ecs/index.ts";
import { extend, INDEX_MASK, type IndexList, requireFunction } from "../ecs/internal.ts";
import type { DestroyPolicy, HierarchyOptions } from "./options.ts";
import { RecordedHierarchy } from "./recorded.ts";

export class HierarchyCore extends RecordedHierarchy {
  /** The place that the next spawned entity gets; set by `attachNew`. */
  protected nextParent = 0;
  protected nextBefore = 0;
  /** The parent by which constraints judge the components of the next spawned entity. */
  protected guardedParent = 0;
  /** Whether nothing but cycles can be refused. */
  protected isPlain = false;
  /** Those told before anything is destroyed. */
  private destroyingListeners: readonly ((entity: Entity) => void)[] = [];
  private readonly warnedRoots = new Set<Entity>();

  constructor(world: World, options: HierarchyOptions) {
    super(world, options);
    for (const entity of world.entities()) {
      this.links.insert(entity & INDEX_MASK, 0, 0);
      this.keepHandle(entity & INDEX_MASK);
    }
    extend(this.state, {
      name: this.name,
      created: (ids, from, to) => this.created(ids, from, to),
      settled: () => this.notices.drain(),
      cascades: true,
      dependents: (node, doomed) => {
        for (let child = this.links.last(node); child !== 0; child = this.links.prev(child)) {
          if (this.goesWith(child, node)) doomed.push(child);
        }
      },
      collect: (node, doomed) => this.collect(node, doomed),
      structure: () => this.version,
      hasDestroying: () => this.destroyingListeners.length !== 0,
      destroying: (doomed) => this.tellDestroying(doomed),
      unbind: (node, alone) => {
        if (this.onDestroy !== "cascade") this.sendChildren(node, this.onDestroy);
        if (alone) this.releaseChildren(node);
      },
      reversible: this,
      record: (node) => this.recordLeaving(node),
      leaving: (ids, from, to) => this.leaving(ids, from, to),
      grow: (grown) => {
        this.links.grow(grown);
        this.order_?.growNodes(grown);
      },
      dispose: () => this.links.forgetHandles(),
    });
  }

  // The door -----------------------------------------------------------------------------------------------------------

  /** Whether nobody but a recorder has to hear of a change: links and the flat order are all there is to write. */
  private get isQuiet(): boolean {
    return this.extras.count === 0;
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
    if (this.state.records.wanted) this.recordPlace(child);
    if (this.isQuiet) {
      links.move(child, parent, before);
      this.order_?.linked(child, from, parent);
      this.version++;
    } else this.placeLoudly(child, from, parent, before);
    return true;
  }

  private placeLoudly(child: number, from: number, parent: number, before: number): void {
    const { links, notices } = this;
    this.walks.freeze();
    const listened = this.events.hasReaders;
    const previousIndex = listened ? this.indexOfNode(child) : 0;
    const watchedBefore = notices.active ? notices.above(from) : undefined;
    this.positions.removing(child, from);
    if (from !== parent) this.names.leaving(child, from);
    links.move(child, parent, before);
    this.positions.inserted(child, parent);
    if (from !== parent) this.names.joined(child, parent);
    this.order_?.linked(child, from, parent);
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
    if (this.state.records.wanted) this.recordOrder(parent);
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

  protected whyNotBack(_child: number, _parent: number): Error | undefined {
    return undefined;
  }

  /** Gives a node another name. Validated by the caller. */
  protected rename(node: number, name: string | undefined): void {
    if (this.names.of(node) === name) return;
    if (this.state.records.wanted) this.recordName(node);
    this.names.set(node, name);
  }

  /** New entities: the first gets the place that `attachNew` set, the others are roots. */
  private created(ids: Int32Array, from: number, to: number): void {
    const parent = this.nextParent;
    const before = this.nextBefore;
    this.nextParent = 0;
    this.nextBefore = 0;
    this.guardedParent = 0;
    const { links, isQuiet } = this;
    const order = this.order_;
    if (!isQuiet) this.walks.freeze();
    for (let k = from; k < to; k++) {
      const node = ids[k];
      if (before === 0) {
        const handle = this.state.table.handleAt(node);
        links.append(node, parent, (handle | 0) === handle ? handle : 0);
      } else {
        links.insert(node, parent, before);
        this.keepHandle(node);
      }
      if (order !== undefined) order.spawned(node, parent, before);
      if (!isQuiet) this.spawnedLoudly(node, parent);
    }
    this.version += to - from;
  }

  private spawnedLoudly(node: number, parent: number): void {
    this.positions.inserted(node, parent);
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

  // Destroying ---------------------------------------------------------------------------------------------------------

  /**
   * Calls `listener` with every entity that is about to be destroyed, parents first, before anything goes. It may detach
   * or move some: those live on. Returns a function that ends it.
   */
  onDestroying(listener: (entity: Entity) => void): () => void {
    requireFunction(listener, "listen to what is about to go", "the listener");
    const own = (entity: Entity) => listener(entity);
    this.destroyingListeners = [...this.destroyingListeners, own];
    return () => {
      this.destroyingListeners = this.destroyingListeners.filter((other) => other !== own);
    };
  }

  private tellDestroying({ ids, count }: IndexList): void {
    if (this.destroyingListeners.length === 0) return;
    const entities: Entity[] = [];
    // Children stand before their parents in the list.
    for (let k = count - 1; k >= 0; k--) entities.push(this.handleAt(ids[k]));
    for (const entity of entities) {
      for (const listener of this.destroyingListeners) {
        try {
          listener(entity);
        } catch (error) {
          this.report(error);
        }
      }
    }
  }

  /** Whether `child` dies with its parent: by the policy, or because no constraint lets it live elsewhere. */
  private goesWith(child: number, parent: number): boolean {
    if (this.onDestroy === "cascade") return true;
    const home = this.onDestroy === "adopt" ? this.links.parent(parent) : 0;
    return !this.mayGo(child, home) && !this.mayGo(child, 0);
  }

  /** A node and everything that dies with it, children first. */
  private collect(node: number, doomed: IndexList): void {
    doomed.count = 0;
    if (this.onDestroy === "cascade") {
      this.links.collect(node, doomed);
      return;
    }
    const stack = [node];
    while (stack.length > 0) {
      const top = stack.pop() as number;
      if (top < 0) {
        doomed.push(-top);
        continue;
      }
      stack.push(-top);
      for (let child = this.links.last(top); child !== 0; child = this.links.prev(child)) {
        if (this.goesWith(child, top)) stack.push(child);
      }
    }
  }

  /** Lets go of the nodes ids[from..to), children before their parents. */
  private leaving(ids: Int32Array, from: number, to: number): void {
    const { links } = this;
    if (!this.isQuiet) for (let k = from; k < to; k++) this.leavingLoudly(ids[k]);
    else {
      for (let k = from; k < to; k++) {
        links.remove(ids[k]);
        links.setHandle(ids[k], 0);
      }
      this.version += to - from;
    }
    this.order_?.destroyedAll(ids, from, to);
  }

  private leavingLoudly(node: number): void {
    const { links, notices } = this;
    const entity = this.handleAt(node);
    const parent = links.parent(node);
    this.walks.freeze();
    const listened = parent !== 0 && this.events.hasReaders;
    const index = listened ? this.indexOfNode(node) : 0;
    const watchedBefore = notices.active ? notices.above(parent) : undefined;
    for (let k = 0; k < this.placeListeners.length; k++) this.placeListeners[k](node, parent, -1);
    this.positions.removing(node, parent);
    this.names.leaving(node, parent);
    this.names.forget(node);
    links.remove(node);
    links.setHandle(node, 0);
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
  }

  /** Sends the children of a dying parent where the policy says, or where the rules let them go. */
  protected sendChildren(node: number, policy: DestroyPolicy): void {
    const { links } = this;
    if (links.first(node) === 0) return;
    const home = links.parent(node);
    this.notices.hold();
    let last = node;
    for (let child = links.first(node); child !== 0; ) {
      const next = links.next(child);
      if (policy === "adopt" && this.mayGo(child, home)) {
        this.placeNamed(child, home, links.next(last), node);
        last = child;
      } else if (this.mayGo(child, 0)) this.placeNamed(child, 0, 0, node);
      child = next;
    }
    this.notices.unhold();
  }

  /** Makes what is still below a dying node a root, whatever the rules say: its own end, if any, comes later. */
  private releaseChildren(node: number): void {
    const { links } = this;
    for (let child = links.first(node); child !== 0; child = links.first(node)) {
      this.placeNamed(child, 0, 0, 0);
    }
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
