/**
 * Editing a hierarchy. Every call checks everything first; when it throws, nothing has changed.
 */
import { type ComponentInit, describe, type Entity, INDEX_MASK, type World } from "../ecs/index.ts";
import type { Constraint } from "./constraints.ts";
import type { DestroyPolicy, HierarchyOptions } from "./core.ts";
import {
  CircularHierarchyError,
  type DuplicateNameError,
  InvalidEditError,
  NotAChildError,
} from "./errors.ts";
import { NamedHierarchy } from "./named.ts";
import { createUpHierarchy, type UpHierarchy, type UpHierarchyOptions } from "./up-hierarchy.ts";

/** Where among the siblings: at an index, beside a sibling, or at an end. Last if left out. */
export interface PlaceOptions {
  /** An index among the children without the moved one; clamped, negative counts from the end (-1: last place). */
  readonly at?: number | "first" | "last";
  readonly before?: Entity;
  readonly after?: Entity;
}

/**
 * Creates a hierarchy over the entities of a world. Every entity is in it from the start, as a root. With
 * `links: "up"` it keeps parents only, and has no calls for children.
 */
export function createHierarchy(
  world: World,
  options: UpHierarchyOptions & { readonly links: "up" },
): UpHierarchy;
export function createHierarchy(world: World, options?: HierarchyOptions): Hierarchy;
export function createHierarchy(
  world: World,
  options: HierarchyOptions | (UpHierarchyOptions & { readonly links: "up" }) = {},
): Hierarchy | UpHierarchy {
  return options.links === "up"
    ? createUpHierarchy(world, options)
    : new Hierarchy(world, options as HierarchyOptions);
}

export class Hierarchy extends NamedHierarchy {
  /** The parent that an entity now being created will get, for constraints on its components. */
  private guardedParent = 0;

  // One entity ---------------------------------------------------------------------------------------------------------

  /**
   * Puts `child`, with everything below it, under `parent` (`null`: makes it a root). Last, unless told otherwise.
   * Attaching to the parent it has already only changes its place. `false` when it is there already.
   *
   * @throws CircularHierarchyError when `parent` is `child` or below it, and the errors of the limits and constraints.
   */
  attach(child: Entity, parent: Entity | null, options?: PlaceOptions): boolean {
    const node = this.node(child, "attach");
    const to = this.parentNode(parent, "attach");
    const error = this.refusal(node, to, 1) ?? this.nameTaken(node, to);
    if (error !== undefined) throw error;
    return this.place(node, to, options === undefined ? 0 : this.beforeNode(node, to, options));
  }

  /** Whether `attach(child, parent)` would be allowed. Does not throw, also for dead entities. */
  canAttach(child: Entity, parent: Entity | null): boolean {
    return this.whyNotAttach(child, parent) === null;
  }

  /** The error that `attach(child, parent)` would throw, or `null`. */
  whyNotAttach(child: Entity, parent: Entity | null): Error | null {
    try {
      const node = this.node(child, "attach");
      const to = this.parentNode(parent, "attach");
      return this.refusal(node, to, 1) ?? this.nameTaken(node, to) ?? null;
    } catch (error) {
      return error as Error;
    }
  }

  /** `attach` by the name other systems use: `null` makes it a root. */
  setParent(child: Entity, parent: Entity | null): boolean {
    return this.attach(child, parent);
  }

  /** Creates an entity as last child of `parent`: one operation, one event. */
  attachNew(parent: Entity | null, ...inits: ComponentInit[]): Entity {
    return this.attachNewAt(parent, undefined, ...inits);
  }

  /** `attachNew` with a place among the siblings. */
  attachNewAt(parent: Entity | null, options: PlaceOptions | undefined, ...inits: ComponentInit[]): Entity {
    const to = this.parentNode(parent, "attach a new entity");
    if (to !== 0) {
      const error = this.tooMany(to, 1) ?? this.tooDeepForNew(to);
      if (error !== undefined) throw error;
    }
    const before = options === undefined ? 0 : this.beforeNode(0, to, options);
    if (this.constraints.length !== 0 && to !== 0) return this.attachNewConstrained(to, before, inits);
    this.nextBefore = before;
    this.nextParent = to;
    try {
      return inits.length === 0 ? this.world.spawn() : this.world.spawn(...inits);
    } finally {
      this.nextParent = 0;
      this.nextBefore = 0;
    }
  }

  /** Constraints are asked about an entity that exists: create it apart, ask, and take it back if they refuse. */
  private attachNewConstrained(parent: number, before: number, inits: readonly ComponentInit[]): Entity {
    this.guardedParent = parent;
    let entity: Entity;
    try {
      entity = this.world.spawn(...inits);
    } finally {
      this.guardedParent = 0;
    }
    const error = this.constrained(entity & INDEX_MASK, parent);
    if (error !== undefined) {
      this.world.unspawn(entity);
      throw error;
    }
    this.place(entity & INDEX_MASK, parent, before);
    return entity;
  }

  /** Makes the entity a root; it keeps everything below it. `false` when it is one already. */
  detach(child: Entity): boolean {
    const node = this.node(child, "detach");
    if (this.links.parent(node) === 0) return false;
    const error = this.constrained(node, 0) ?? this.nameTaken(node, 0);
    if (error !== undefined) throw error;
    return this.place(node, 0, 0);
  }

  /** Moves a child to another place among its siblings. */
  moveChild(
    child: Entity,
    to: number | "first" | "last" | { readonly before: Entity } | { readonly after: Entity },
  ): boolean {
    const node = this.node(child, "move a child");
    const options = typeof to === "object" ? to : { at: to };
    const parent = this.links.parent(node);
    return this.place(node, parent, this.beforeNode(node, parent, options));
  }

  /**
   * Exchanges the places of two entities, each with everything below it.
   * @throws CircularHierarchyError when one is below the other.
   */
  swap(a: Entity, b: Entity): boolean {
    const left = this.node(a, "swap");
    const right = this.node(b, "swap");
    if (left === right) return false;
    const { links } = this;
    const leftParent = links.parent(left);
    const rightParent = links.parent(right);
    const error =
      this.refusal(left, rightParent, 0) ??
      this.refusal(right, leftParent, 0) ??
      (leftParent === rightParent ? undefined : this.swapNameTaken(left, right));
    if (error !== undefined) throw error;
    // Neighbours need care: the place of one is described by the other.
    if (links.next(left) === right) return this.place(right, leftParent, left);
    if (links.next(right) === left) return this.place(left, leftParent, right);
    const afterLeft = links.next(left);
    this.place(left, rightParent, right);
    this.place(right, leftParent, afterLeft);
    return true;
  }

  // Many at once -------------------------------------------------------------------------------------------------------

  /** Puts several under one parent, in the given order: all of them, or, if one is refused, none. */
  attachMany(children: readonly Entity[], parent: Entity | null, options?: PlaceOptions): void {
    const to = this.parentNode(parent, "attach");
    const nodes = this.distinct(children, "attach");
    this.requireAttachable(nodes, to);
    let before = options === undefined ? 0 : this.beforeNode(0, to, options, nodes);
    // The sibling that marks the place may itself be among those that move.
    const moving = new Set(nodes);
    while (before !== 0 && moving.has(before)) before = this.links.next(before);
    for (const node of nodes) this.place(node, to, before);
  }

  /** Puts several under `parent` from `index` on. */
  insertChildren(parent: Entity | null, index: number, children: readonly Entity[]): void {
    this.attachMany(children, parent, { at: index });
  }

  /**
   * Carries out several attachments to different parents, in order: all of them, or, if one is refused, none. A cycle
   * that only their combination forms is found too.
   */
  attachAll(pairs: readonly (readonly [child: Entity, parent: Entity | null])[]): void {
    const { links } = this;
    const planned = new Map<number, number>();
    const joined = new Map<number, number>();
    const parentOf = (node: number) => planned.get(node) ?? links.parent(node);
    const steps = pairs.map(([child, parent]) => {
      const node = this.node(child, "attach");
      const to = this.parentNode(parent, "attach");
      for (let up = to; up > 0; up = parentOf(up)) {
        if (up !== node) continue;
        const chain: Entity[] = [];
        for (let n = to; n !== node; n = parentOf(n)) chain.push(this.handleAt(n));
        chain.push(child);
        chain.reverse();
        throw new CircularHierarchyError(
          `Cannot move ${this.label(child)} under ${this.label(parent as Entity)}: together with the attachments before it, it would become its own ancestor (${chain.map((e) => this.label(e)).join(" > ")}). Leave one of them out.`,
          chain,
        );
      }
      if (parentOf(node) !== to) {
        joined.set(to, (joined.get(to) ?? 0) + 1);
        joined.set(parentOf(node), (joined.get(parentOf(node)) ?? 0) - 1);
      }
      planned.set(node, to);
      const error = links.parent(node) === to ? undefined : this.constrained(node, to);
      if (error !== undefined) throw error;
      return [node, to] as const;
    });
    for (const [to, count] of joined) {
      const error = count > 0 ? this.tooMany(to, count) : undefined;
      if (error !== undefined) throw error;
    }
    this.requireDepths(planned);
    this.requireNames(planned);
    for (const [node, to] of steps) this.place(node, to, 0);
  }

  /** Makes several roots. Those that are roots already are passed over. */
  detachMany(children: readonly Entity[]): void {
    const nodes = this.distinct(children, "detach").filter((node) => this.links.parent(node) !== 0);
    this.requireAttachable(nodes, 0);
    for (const node of nodes) this.place(node, 0, 0);
  }

  /** Makes all children of `parent` roots, in order. */
  detachChildren(parent: Entity): void {
    this.detachMany(this.childrenOf(parent));
  }

  /** Makes `children` the children of `parent`, in that order; the others become roots. */
  replaceChildren(parent: Entity, children: readonly Entity[]): void {
    const to = this.node(parent, "replace the children");
    const nodes = this.distinct(children, "attach");
    const wanted = new Set(nodes);
    const leaving = this.childrenOf(parent).map((child) => child & INDEX_MASK);
    const out = leaving.filter((node) => !wanted.has(node));
    for (const node of nodes) {
      const error = this.refusal(node, to, nodes.length - this.links.count(to));
      if (error !== undefined) throw error;
    }
    this.requireAttachable(out, 0);
    this.requireNames(new Map([...nodes.map((n) => [n, to] as const), ...out.map((n) => [n, 0] as const)]));
    for (const node of out) this.place(node, 0, 0);
    for (const node of nodes) if (this.links.parent(node) !== to) this.place(node, to, 0);
    this.reorder(to, nodes);
  }

  /** Makes the entity and each of its children a root: it stands alone. What is below the children stays with them. */
  isolate(entity: Entity): void {
    const node = this.node(entity, "isolate");
    const all = [node, ...this.childrenOf(entity).map((child) => child & INDEX_MASK)];
    const moving = all.filter((n) => this.links.parent(n) !== 0);
    this.requireAttachable(moving, 0);
    for (const n of moving) this.place(n, 0, 0);
  }

  /** Makes the entity and everything below it roots without links, in pre-order. Nobody dies. */
  dissolve(entity: Entity): void {
    const nodes = [...this.descendants(entity, { includeSelf: true })].map((e) => e & INDEX_MASK);
    const moving = nodes.filter((n) => this.links.parent(n) !== 0);
    this.requireAttachable(moving, 0);
    for (const n of moving) this.place(n, 0, 0);
  }

  /**
   * Sorts the children (`null`: the roots). Stable; one event; nothing happens when they are in order already.
   */
  sortChildren(parent: Entity | null, compare: (a: Entity, b: Entity) => number): boolean {
    const node = this.parentNode(parent, "sort the children");
    const sorted = this.childrenOf(parent).sort(compare);
    if (
      sorted.length !== this.links.count(node) ||
      sorted.some((e) => this.links.parent(e & INDEX_MASK) !== node)
    ) {
      throw new InvalidEditError(
        "Cannot sort the children: the comparison changed them. Compare without changing the tree.",
      );
    }
    return this.reorder(
      node,
      sorted.map((child) => child & INDEX_MASK),
    );
  }

  // End ----------------------------------------------------------------------------------------------------------------

  /**
   * Destroys an entity. What becomes of its children says `children`, or else the hierarchy's `onDestroy`. `false` when
   * it is dead already.
   */
  destroy(entity: Entity, options: { readonly children?: DestroyPolicy } = {}): boolean {
    if (!this.world.isAlive(entity)) return this.world.destroy(entity);
    const policy = options.children ?? this.onDestroy;
    if (policy === this.onDestroy) return this.world.destroy(entity);
    if (policy === "cascade")
      return this.world.destroy(...this.descendants(entity, { order: "post", includeSelf: true }));
    const node = entity & INDEX_MASK;
    const to = policy === "adopt" ? this.links.parent(node) : 0;
    const before = policy === "adopt" ? this.links.next(node) : 0;
    for (let child = this.links.first(node); child !== 0; child = this.links.first(node))
      this.place(child, to, before);
    return this.world.destroy(entity);
  }

  /** Adds a rule. Nodes that break it already stay; it holds for changes from now on. Returns a function that ends it. */
  constrain(constraint: Constraint): () => void {
    this.constraints = [...this.constraints, constraint];
    const ends = (constraint.components ?? []).map((component) =>
      this.world.guard(component, (index) => {
        const entity = index === 0 ? null : this.handleAt(index);
        const parent = this.entityOrNull(index === 0 ? this.guardedParent : this.links.parent(index));
        const why = constraint.add?.(entity, component, parent);
        if (why === undefined) return;
        if (entity !== null) throw this.constraintError(constraint, `add ${component.name} to`, entity, why);
        throw this.constraintError(
          constraint,
          `create an entity with ${component.name} under`,
          (parent ?? 0) as Entity,
          why,
        );
      }),
    );
    return () => {
      this.constraints = this.constraints.filter((other) => other !== constraint);
      for (const end of ends) end();
    };
  }

  // Checks -------------------------------------------------------------------------------------------------------------

  /** The child of `parent` before which a moved node shall stand; 0 for last. */
  private beforeNode(
    moving: number,
    parent: number,
    options: PlaceOptions,
    alsoMoving?: readonly number[],
  ): number {
    const { links } = this;
    const given = [options.at, options.before, options.after].filter((value) => value !== undefined).length;
    if (given > 1)
      throw new InvalidEditError("Cannot place a child: give one of at, before and after, not several.");
    if (options.before !== undefined) return this.siblingNode(options.before, parent);
    if (options.after !== undefined) {
      const sibling = this.siblingNode(options.after, parent);
      // Behind itself is where it is.
      return links.next(sibling) === moving && moving !== 0 ? links.next(moving) : links.next(sibling);
    }
    const { at } = options;
    if (at === undefined || at === "last") return 0;
    if (at === "first") return links.first(parent) === moving ? links.next(moving) : links.first(parent);
    if (!Number.isInteger(at)) {
      throw new TypeError(
        `Cannot place a child at ${describe(at)}: an index is an integer, "first" or "last".`,
      );
    }
    const moved = new Set(alsoMoving ?? [moving]);
    const staying =
      links.count(parent) - [...moved].filter((node) => node !== 0 && links.parent(node) === parent).length;
    const index = Math.min(Math.max(at < 0 ? staying + 1 + at : at, 0), staying);
    if (index === staying) return 0;
    if (moved.size === 1 && (moving === 0 || links.parent(moving) !== parent))
      return this.positions.at(parent, index);
    // Positions count without the moved ones.
    let left = index;
    let node = links.first(parent);
    for (; node !== 0; node = links.next(node)) {
      if (moved.has(node)) continue;
      if (left-- === 0) break;
    }
    return node;
  }

  private siblingNode(sibling: Entity, parent: number): number {
    const node = this.node(sibling, "place a child beside a sibling");
    if (this.links.parent(node) === parent) return node;
    const of = parent === 0 ? "a root" : `a child of ${this.label(this.handleAt(parent))}`;
    throw new NotAChildError(
      `Cannot place a child beside ${this.label(sibling)}: it is not ${of}. Name one of its children, or leave the place out.`,
      [sibling],
    );
  }

  private distinct(entities: readonly Entity[], doing: string): number[] {
    const seen = new Set<number>();
    for (const entity of entities) {
      const node = this.node(entity, doing);
      if (seen.has(node)) {
        throw new InvalidEditError(
          `Cannot ${doing} ${this.label(entity)} twice in one call. List each entity once.`,
          [entity],
        );
      }
      seen.add(node);
    }
    return [...seen];
  }

  private requireAttachable(nodes: readonly number[], to: number): void {
    const joining = nodes.filter((node) => this.links.parent(node) !== to).length;
    for (const node of nodes) {
      const error = this.refusal(node, to, joining);
      if (error !== undefined) throw error;
    }
    this.requireNames(new Map(nodes.map((node) => [node, to])));
  }

  /** Depth of every planned move, all moves counted together. */
  private requireDepths(planned: ReadonlyMap<number, number>): void {
    if (this.options.maxDepth === undefined) return;
    // Rare and bounded by the batch: build the planned tree of the moved nodes and measure each.
    for (const [node, to] of planned) {
      let depth = 0;
      for (let up = to; up > 0; up = planned.get(up) ?? this.links.parent(up)) depth++;
      const height = this.plannedHeight(node, planned);
      if (depth + height > this.options.maxDepth) {
        throw this.tooDeepError(node, to, depth + height);
      }
    }
  }

  private plannedHeight(top: number, planned: ReadonlyMap<number, number>): number {
    const added = new Map<number, number[]>();
    for (const [node, to] of planned) added.set(to, [...(added.get(to) ?? []), node]);
    let height = 0;
    const stack: [number, number][] = [[top, 0]];
    while (stack.length > 0) {
      const [node, depth] = stack.pop() as [number, number];
      height = Math.max(height, depth);
      for (let child = this.links.first(node); child !== 0; child = this.links.next(child)) {
        if (!planned.has(child)) stack.push([child, depth + 1]);
      }
      for (const child of added.get(node) ?? []) stack.push([child, depth + 1]);
    }
    return height;
  }

  private nameTaken(node: number, parent: number): DuplicateNameError | undefined {
    const name = this.names.of(node);
    if (!this.names.unique || name === undefined || this.links.parent(node) === parent) return undefined;
    const other = this.names.find(parent, name);
    return other === 0 || other === node ? undefined : this.duplicateName(node, other, name);
  }

  private swapNameTaken(left: number, right: number): DuplicateNameError | undefined {
    const { links } = this;
    try {
      this.requireNames(
        new Map([
          [left, links.parent(right)],
          [right, links.parent(left)],
        ]),
      );
      return undefined;
    } catch (error) {
      return error as DuplicateNameError;
    }
  }

  /** Unique names after all planned moves together. */
  private requireNames(planned: ReadonlyMap<number, number>): void {
    if (!this.names.unique) return;
    const taken = new Map<string, number>();
    for (const [node, parent] of planned) {
      const name = this.names.of(node);
      if (name === undefined) continue;
      const key = `${parent}/${name}`;
      const there = this.names.find(parent, name);
      const other =
        taken.get(key) ?? (there !== 0 && there !== node && !planned.has(there) ? there : undefined);
      if (other !== undefined) throw this.duplicateName(node, other, name);
      taken.set(key, node);
    }
  }
}
