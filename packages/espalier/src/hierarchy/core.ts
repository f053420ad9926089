/**
 * The one door through which a hierarchy changes.
 *
 * `place` is the only code that links and unlinks living nodes. It keeps everything that is derived from the links
 * up to date (positions, names, flat order), feeds the recorder, and emits the event. The editing calls on top of it
 * validate first; `place` itself never refuses.
 */
import { type Entity, INDEX_MASK, type IndexList, LeaveLoops, type World } from "../ecs/index.ts";
import { InvalidEditError } from "./errors.ts";
import { LinkedLinks } from "./links.ts";
import type { DestroyPolicy, HierarchyOptions } from "./options.ts";
import { generateAppend, type QuickAppend } from "./quick-append.ts";
import { RecordedHierarchy } from "./recorded.ts";

/** After this many new children the short way pays for a text of its own. */
const APPENDS_BEFORE_GENERATING = 16;

/** Children that observers attach to a dying parent, and to those in turn, are destroyed up to this many levels. */
const MAX_LATE_LEVELS = 100;

export class HierarchyCore extends RecordedHierarchy {
  /** The place that the next spawned entity gets; set by `attachNew`. */
  protected nextParent = 0;
  protected nextBefore = 0;
  /** The parent by which constraints judge the components of the next spawned entity. */
  protected guardedParent = 0;
  /** How many nodes are being let go of whose children are still there, one inside the other. */
  private settling = 0;
  /** Whether nothing but cycles can be refused. */
  protected isPlain = false;
  /** `spawnQuietly` as code of its own, once that pays and until the world grows. */
  protected quickAppend: QuickAppend | undefined = undefined;
  private appends = 0;
  private readonly warnedRoots = new Set<Entity>();

  constructor(world: World, options: HierarchyOptions) {
    super(world, options);
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
      doomAll: (node, doomed) => this.doomAll(node, doomed),
      loops: new LeaveLoops(),
      leavingAll: (doomed, numbers, at) => this.leavingAll(doomed, numbers, at),
      recordBy: (recorder) => this.recordBy(recorder),
      reversible: this,
      recordLeaving: (node, recorder) => this.recordPlace(node, recorder),
      grow: (grown) => {
        this.links.grow(grown);
        this.order_?.growNodes(grown);
        this.quickAppend = undefined;
        this.appends = 0;
        this.forgetEdits();
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
    if (this.isQuiet) {
      this.move(child, parent, before);
      this.order_?.linked(child, from, parent);
      this.version++;
    } else this.placeLoudly(child, from, parent, before);
    return true;
  }

  private move(child: number, parent: number, before: number): void {
    const edits = this.edits ?? this.prepareEdits();
    if (edits !== undefined && !this.world.table.wide) edits.move(child, parent, before);
    else {
      const { recorder } = this.world;
      if (recorder !== undefined) this.recordPlace(child, recorder);
      this.links.move(child, parent, before);
    }
  }

  private placeLoudly(child: number, from: number, parent: number, before: number): void {
    const { links, notices } = this;
    const { recorder } = this.world;
    if (recorder !== undefined) this.recordPlace(child, recorder);
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
    const { recorder } = this.world;
    if (recorder !== undefined) this.recordOrder(parent, recorder);
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
    const { recorder } = this.world;
    if (recorder !== undefined) this.recordName(node, recorder);
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
    this.order_?.spawned(node, parent, before);
    this.version++;
    if (!isQuiet) this.spawnedLoudly(node, parent);
  }

  /** The short way to a new last child, where nobody hears of it; 0 where somebody does or `parent` does not live. */
  protected spawnQuietly(parent: Entity): Entity | 0 {
    const { links, world } = this;
    const to = parent & INDEX_MASK;
    if (!this.isPlain || !this.isQuiet) return 0;
    if (links.handle(to) !== parent && (to === 0 || !this.isAliveAt(to, parent))) return 0;
    const node = world.spawnBare();
    if (node === 0) return 0;
    const entity = world.table.handleAt(node);
    links.append(node, to, (entity | 0) === entity ? entity : 0);
    this.version++;
    if (this.order_ !== undefined) this.order_.spawned(node, to, 0);
    if (world.generates && ++this.appends === APPENDS_BEFORE_GENERATING && links instanceof LinkedLinks) {
      this.quickAppend = generateAppend(world, this, links, this.extras);
    }
    return entity;
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

  private leaving(node: number): void {
    const { links } = this;
    if (links.first(node) !== 0) this.settleChildren(node);
    const { recorder } = this.world;
    if (recorder !== undefined) this.recordPlace(node, recorder);
    if (this.isQuiet) {
      links.remove(node);
      links.setHandle(node, 0);
      this.order_?.destroyed(node);
      this.version++;
    } else this.leavingLoudly(node);
  }

  /** Everything that goes with a node, children first. */
  private doomAll(node: number, doomed: IndexList): boolean {
    if (!this.isQuiet || (this.onDestroy !== "cascade" && this.links.first(node) !== 0)) return false;
    this.links.collect(node, doomed);
    return true;
  }

  /** Lets go of a whole subtree at once, as `doomAll` listed it. */
  private leavingAll(doomed: IndexList, numbers?: Float64Array, at = 0): void {
    const order = this.order_;
    if (numbers !== undefined) this.recordPlaces(doomed, numbers, at);
    this.links.removeAll(doomed.ids, doomed.count);
    order?.destroyedAll(doomed.ids, doomed.count);
    this.version += doomed.count;
  }

  private leavingLoudly(node: number): void {
    const { links, notices } = this;
    const entity = this.handleAt(node);
    const parent = links.parent(node);
    this.walks.freeze();
    const listened = parent !== 0 && this.events.hasReaders;
    const index = listened ? this.indexOfNode(node) : 0;
    const watchedBefore = notices.active ? notices.above(parent) : undefined;
    if (this.world.recorder !== undefined) this.rename(node, undefined);
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
