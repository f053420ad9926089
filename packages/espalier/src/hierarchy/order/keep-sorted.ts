/**
 * Children that stay sorted by a key: what changed is moved to its position when the call that changed it has ended.
 *
 * The key that each child had when it was placed is kept, so that a position is found by halving the list, whatever else has changed
 * meanwhile. A key that is not known leads to sorting all children of that parent.
 */
import { type AnyComponent, type Entity, type EntityLike, isComponent, observe } from "../../ecs/index.ts";
import {
  checkOptions,
  handleIn,
  type OptionKinds,
  refuseArgument,
  requireFunction,
  requireList,
  requireObject,
  stateOf,
} from "../../ecs/internal.ts";
import { requireTree } from "../arguments.ts";
import { compareKeys, sortable } from "../edit/attach-many.ts";
import { sortChildren } from "../edit/edits.ts";
import { InvalidEditError } from "../errors.ts";
import type { Hierarchy } from "../hierarchy.ts";
import { treeOf } from "../hierarchy-reader.ts";
import { labelOf, nodeOf } from "../nodes.ts";
import type { TreeState } from "../state.ts";

/** What children are kept sorted by. */
export interface KeepSortedBy {
  /** The key of a child: a number or a string. Numbers come before strings; equal ones stay in the order that they have. */
  readonly key: (child: Entity) => number | string;
  /** The components that the key reads: a child moves when one of these of it changes. */
  readonly on?: readonly AnyComponent[];
  /** The parent whose children are sorted, `null` for the roots; if left out, all parents, but not the roots. */
  readonly parent?: EntityLike | null;
}

const keepSortedOptions: OptionKinds = { key: "anything", on: "anything", parent: "anything" };

/** The orders that are open, by hierarchy. */
const openOrders = /* @__PURE__ */ new WeakMap<TreeState, Set<KeptOrder>>();

/**
 * Keeps children sorted by a key from now on: they are sorted, and each that comes, or whose key changes, is moved to its position as soon as
 * the call that did it has ended. These moves are edits like any other: a history records them in the same step, and change streams
 * carry them. Costs a search in the children for each change. Undo and `restoreSnapshot` bring back the order that was; the first change after them
 * reads all keys of that parent again.
 *
 * @throws InvalidEditError when a key is neither a number nor a string, and where the children are kept sorted already. Later a key without an
 * order goes to the world's `onError`.
 *
 * @example
 * ```ts
 * const Score = component("Score", { points: f32() });
 * const table = world.spawn();
 * const [a, b] = [tree.attachNew(table, Score({ points: 2 })), tree.attachNew(table, Score({ points: 1 }))];
 * const order = keepSorted(tree, { key: (e) => world.get(e, Score)!.points, on: [Score], parent: table });
 * tree.childrenOf(table); // → [b, a]
 * world.set(a, Score, { points: 0 });
 * tree.childrenOf(table); // → [a, b]
 * order.close();
 * ```
 */
export function keepSorted(tree: Hierarchy, by: KeepSortedBy): KeptOrder {
  const doing = "keep children sorted";
  requireTree(tree, doing);
  requireObject(by, doing, "what to sort them by");
  checkOptions(tree.world.checks, doing, by, keepSortedOptions);
  const { key, on = [] } = by;
  requireFunction(key, doing, "key");
  requireList(on, doing, "its list of components");
  for (const each of on) {
    if (!isComponent(each)) refuseArgument(each, doing, "what it depends on", "a component");
  }
  const t = treeOf(tree);
  const parent = handleIn(t.ecs, by.parent);
  if (parent !== undefined && parent !== null) nodeOf(t, parent, doing);
  requireUnsorted(t, parent);
  return new KeptOrder(tree, { key, on, parent });
}

/** Two orders of the same children would undo each other's moves for ever. */
function requireUnsorted(t: TreeState, parent: Entity | null | undefined): void {
  for (const { by } of openOrders.get(t) ?? []) {
    if (!isSameFamily(by.parent, parent)) continue;
    const of = parent === undefined ? "all parents" : parent === null ? "the roots" : labelOf(t, parent);
    throw new InvalidEditError(
      `Cannot keep the children of ${of} sorted: they are, or some of them, by an earlier call. Close its result first.`,
      { entities: typeof parent === "number" ? [parent] : [], option: "parent" },
    );
  }
}

/** Whether two choices of a parent have a family in common. None chosen means all parents, but not the roots. */
function isSameFamily(a: Entity | null | undefined, b: Entity | null | undefined): boolean {
  if (a === undefined) return b !== null;
  return a === b || (a !== null && b === undefined);
}

/** What the user gave, with a handle instead of an object. */
interface OrderedBy extends Omit<KeepSortedBy, "parent"> {
  readonly on: readonly AnyComponent[];
  readonly parent: Entity | null | undefined;
}

/** Children that are kept sorted, made by `keepSorted`. */
export class KeptOrder {
  private readonly tree: Hierarchy;
  /** @internal */
  readonly by: OrderedBy;
  private readonly ends: readonly (() => void)[];
  /** The key by which each child stands where it is. */
  private readonly keys = new Map<Entity, number | string>();
  /** Children that came or were moved, to be placed. */
  private readonly pending = new Set<Entity>();
  /** Parents whose children are in another order as a whole. */
  private readonly unsorted = new Set<Entity | null>();
  private isMoving = false;
  private isClosed = false;

  /** @internal Use `keepSorted`. */
  constructor(tree: Hierarchy, by: OrderedBy) {
    this.tree = tree;
    this.by = by;
    this.sortEverything();
    const t = treeOf(tree);
    const open = openOrders.get(t) ?? new Set();
    openOrders.set(t, open.add(this));
    const follow = (child: Entity) => this.follow(child);
    this.ends = [
      t.notices.listenAndNote(
        () => this.follow(),
        (parent, child) => this.note(parent, child),
      ),
      ...by.on.map((component) =>
        observe(tree.world, component, { name: "keepSorted", add: follow, set: follow, remove: follow }),
      ),
      () => open.delete(this),
    ];
  }

  /** Reads all keys again and sorts: after a change of something that the key reads and `on` does not name. */
  refresh(): void {
    if (this.isClosed) return;
    this.sortEverything();
    this.pending.clear();
    this.unsorted.clear();
  }

  /** Ends it. The children stay in the order that they have. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const end of this.ends) end();
    this.keys.clear();
  }

  /** While a call changes the list of children of `parent`. */
  private note(parent: Entity | null, child: Entity | undefined): void {
    if (this.isMoving) return;
    // Where it stands says nothing about its key.
    if (child !== undefined) this.keys.delete(child);
    if (!this.isKept(parent)) return;
    if (child === undefined) this.unsorted.add(parent);
    else this.pending.add(child);
  }

  /** After a change: places what came or was moved, and `changed`. */
  private follow(changed?: Entity): void {
    if (this.isClosed) return;
    const pending = new Set(this.pending);
    const unsorted = [...this.unsorted];
    this.pending.clear();
    this.unsorted.clear();
    if (stateOf(this.tree.world).isReplaying) {
      // What comes back comes back in the order that it had. Which keys belong to it is read when it is needed.
      this.keys.clear();
      return;
    }
    if (changed !== undefined) pending.add(changed);
    const failures = new Map<Entity | null, unknown>();
    for (const parent of unsorted) {
      if (this.isKept(parent)) this.attempt(parent, failures, () => this.sortAll(parent));
    }
    for (const child of pending) {
      const parent = this.keptParentOf(child);
      if (parent === undefined) this.keys.delete(child);
      else this.attempt(parent, failures, () => this.place(child, parent));
    }
    const [failure] = failures.values();
    if (failures.size !== 0) throw failure;
  }

  /** A key that is refused keeps one parent from being sorted, and no other. */
  private attempt(parent: Entity | null, failures: Map<Entity | null, unknown>, work: () => void): void {
    if (failures.has(parent)) return;
    try {
      work();
    } catch (error) {
      failures.set(parent, error);
      // The next change of it sorts all of them.
      for (const child of this.tree.childrenOf(parent)) this.keys.delete(child);
    }
  }

  /** Whether the children of this parent are kept sorted. */
  private isKept(parent: Entity | null): boolean {
    const { parent: chosen } = this.by;
    if (chosen === undefined ? parent === null : parent !== chosen) return false;
    return parent === null || this.tree.world.isAlive(parent);
  }

  /** The parent of a child, where its children are kept sorted. */
  private keptParentOf(child: Entity): Entity | null | undefined {
    if (!this.tree.world.isAlive(child)) return undefined;
    const parent = this.tree.parentOf(child);
    return this.isKept(parent) ? parent : undefined;
  }

  private sortEverything(): void {
    this.keys.clear();
    // All keys are read before anything is moved: one of them may be refused.
    const lists = this.parents().map((parent) => [parent, this.readKeys(parent)] as const);
    for (const [parent, keys] of lists) this.sortByKeys(parent, keys);
  }

  /** All that have children to sort. */
  private parents(): (Entity | null)[] {
    const { tree, by } = this;
    if (by.parent !== undefined) return this.isKept(by.parent) ? [by.parent] : [];
    const found: Entity[] = [];
    const note = (entity: Entity) => {
      if (tree.childCount(entity) !== 0) found.push(entity);
    };
    for (const root of tree.roots()) tree.forEachDescendant(root, note, { includeSelf: true });
    return found;
  }

  private sortAll(parent: Entity | null): void {
    if (this.by.parent !== undefined) this.keys.clear();
    this.sortByKeys(parent, this.readKeys(parent));
  }

  private readKeys(parent: Entity | null): Map<Entity, number | string> {
    return new Map(this.tree.childrenOf(parent).map((child) => [child, this.keyOf(child)]));
  }

  private sortByKeys(parent: Entity | null, keys: ReadonlyMap<Entity, number | string>): void {
    this.move(() => sortChildren(this.tree, parent, (a, b) => compareKeys(keys.get(a), keys.get(b))));
    for (const [child, key] of keys) this.keys.set(child, key);
  }

  /** Reads a key. Until the child is at its position, none is known. */
  private keyOf(child: Entity): number | string {
    this.keys.delete(child);
    return sortable(treeOf(this.tree), child, this.by.key(child));
  }

  /** Moves a child to where its key belongs; beside equal ones as near as possible. */
  private place(child: Entity, parent: Entity | null): void {
    const { tree } = this;
    const key = this.keyOf(child);
    const at = tree.indexOf(child);
    const first = this.countBefore(parent, at, (other) => compareKeys(other, key) < 0);
    const last = this.countBefore(parent, at, (other) => compareKeys(other, key) <= 0);
    if (first === undefined || last === undefined) {
      this.sortAll(parent);
      return;
    }
    if (at < first) this.move(() => tree.moveChild(child, first));
    else if (at > last) this.move(() => tree.moveChild(child, last));
    this.keys.set(child, key);
  }

  /** Moves made here need no notes. */
  private move(edit: () => void): void {
    this.isMoving = true;
    try {
      edit();
    } finally {
      this.isMoving = false;
    }
  }

  /** How many siblings of the child at `at` come before, by halving; nothing where a key is not known. */
  private countBefore(
    parent: Entity | null,
    at: number,
    isBefore: (key: number | string) => boolean,
  ): number | undefined {
    const { tree, keys } = this;
    let low = 0;
    let high = tree.childCount(parent) - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      const sibling = tree.childAt(parent, middle < at ? middle : middle + 1);
      const key = sibling === null ? undefined : keys.get(sibling);
      if (key === undefined) return undefined;
      if (isBefore(key)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
