/**
 * Editing a hierarchy. Every call checks everything first; when it throws, nothing has changed.
 */
import type { ComponentInit, Entity, World } from "../ecs/index.ts";
import { checkOptions, destroyAlone, INDEX_MASK, requireFunction, requireList } from "../ecs/internal.ts";
import { cycleError, InvalidEditError } from "./errors.ts";
import { type DestroyPolicy, destroyOptions, type HierarchyOptions, keepOptions } from "./options.ts";
import { type PlaceOptions, PlacingHierarchy } from "./placing.ts";
import { createUpHierarchy, type UpHierarchy, type UpHierarchyOptions } from "./up-hierarchy.ts";

export interface DestroyOptions {
  /** What becomes of the children. What the hierarchy's `onDestroy` says if left out. */
  readonly children?: DestroyPolicy;
  /** Something that children which live on keep: `"world"` with `espalier/transform`. */
  readonly keep?: string;
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
  checkOptions(false, "create a hierarchy", options, {});
  return options.links === "up"
    ? createUpHierarchy(world, options)
    : new Hierarchy(world, options as HierarchyOptions);
}

export class Hierarchy extends PlacingHierarchy {
  // One entity ---------------------------------------------------------------------------------------------------------

  /**
   * Puts `child`, with everything below it, under `parent` (`null`: makes it a root). Last, unless told otherwise.
   * Attaching to the parent it has already only changes its place. `false` when it is there already.
   *
   * @throws CircularHierarchyError when `parent` is `child` or below it, and the errors of the limits and constraints.
   *
   * @example
   * ```ts
   * const tank = world.spawn();
   * const turret = world.spawn();
   * tree.attach(turret, tank);
   * tree.childrenOf(tank); // → [turret]
   * tree.attach(tank, turret); // throws CircularHierarchyError: Cannot move #1 under #2
   * ```
   */
  attach(child: Entity, parent: Entity | null, options?: PlaceOptions): boolean {
    const node = this.node(child, "attach");
    const to = this.parentNode(parent, "attach");
    const error = this.refusal(node, to);
    if (error !== undefined) throw error;
    if (options === undefined) return this.place(node, to, 0);
    const before = this.beforeNode(node, to, options);
    if (options.keep === undefined) return this.place(node, to, before);
    return this.placeKeeping(options.keep, node, to, before);
  }

  /** `place` with what `keep` names as it was. Nothing has changed when that cannot be. */
  private placeKeeping(keep: string, node: number, to: number, before: number): boolean {
    const finish = this.keeper(keep)(this.handleAt(node), this.entityOrNull(to));
    return this.together(() => {
      const isPlaced = this.place(node, to, before);
      if (isPlaced) finish();
      return isPlaced;
    });
  }

  /** Whether `attach(child, parent)` would be allowed. Does not throw, also for dead entities. */
  canAttach(child: Entity, parent: Entity | null): boolean {
    return this.whyNotAttach(child, parent) === null;
  }

  /** The error that `attach(child, parent)` would throw, or `null`. */
  whyNotAttach(child: Entity, parent: Entity | null): Error | null {
    try {
      const node = this.node(child, "attach");
      return this.refusal(node, this.parentNode(parent, "attach")) ?? null;
    } catch (error) {
      return error as Error;
    }
  }

  /** `attach` by the name other systems use: `null` makes it a root. */
  setParent(child: Entity, parent: Entity | null): boolean {
    return this.attach(child, parent);
  }

  /**
   * Creates an entity as last child of `parent` (`null`: as last root): one operation, one event.
   *
   * @example
   * ```ts
   * const Health = component("Health", { hp: f32(100) });
   * const tank = world.spawn();
   * const turret = tree.attachNew(tank, Health({ hp: 50 }));
   * tree.parentOf(turret); // → tank
   * ```
   */
  attachNew(parent: Entity | null, ...inits: ComponentInit[]): Entity {
    if (!this.isPlain) return this.attachNewAt(parent, undefined, ...inits);
    this.nextParent = this.newParentNode(parent);
    try {
      return this.world.spawn(...inits);
    } finally {
      // For a spawn that was refused; otherwise it is taken.
      this.nextParent = 0;
    }
  }

  /** The node of the parent of a new entity. */
  private newParentNode(parent: Entity | null): number {
    const to = this.parentNode(parent, "attach a new entity");
    const error = this.doomedParent(to);
    if (error !== undefined) throw error;
    return to;
  }

  /** `attachNew` with a place among the siblings. */
  attachNewAt(parent: Entity | null, options: PlaceOptions | undefined, ...inits: ComponentInit[]): Entity {
    const to = this.newParentNode(parent);
    if (to !== 0) {
      const error = this.tooMany(to, 1) ?? this.tooDeepForNew(to);
      if (error !== undefined) throw error;
    }
    const before = options === undefined ? 0 : this.beforeNode(0, to, options);
    if (this.constraints.length !== 0 && to !== 0) return this.attachNewConstrained(to, before, inits);
    this.nextParent = to;
    this.nextBefore = before;
    try {
      return this.world.spawn(...inits);
    } finally {
      this.nextParent = 0;
      this.nextBefore = 0;
    }
  }

  /** Constraints are asked about an entity that exists: create it apart, ask, and take it back if they refuse. */
  private attachNewConstrained(parent: number, before: number, inits: readonly ComponentInit[]): Entity {
    const { world } = this;
    const beforeEntity = this.entityOrNull(before);
    const parentEntity = this.handleAt(parent);
    this.guardedParent = parent;
    let entity: Entity;
    try {
      entity = world.spawn(...inits);
    } finally {
      this.guardedParent = 0;
    }
    // Observers of the spawn may have done anything.
    if (!world.isAlive(entity)) return entity;
    const node = entity & INDEX_MASK;
    const error = this.whyNotAttach(entity, parentEntity);
    if (error !== null) {
      destroyAlone(this.state, entity, true);
      throw error;
    }
    const isStill =
      beforeEntity !== null && this.isAliveAt(before, beforeEntity) && this.links.parent(before) === parent;
    this.place(node, parent, isStill ? before : 0);
    return entity;
  }

  /**
   * Makes the entity a root, the last one; it keeps everything below it. `false` when it is one already.
   * @param options `keep`: as for `attach`.
   */
  detach(child: Entity, options?: Pick<PlaceOptions, "keep">): boolean {
    const node = this.node(child, "detach");
    checkOptions(this.world.checks, "detach", options, keepOptions);
    if (this.links.parent(node) === 0) return false;
    const error = this.refusal(node, 0);
    if (error !== undefined) throw error;
    const keep = options?.keep;
    return keep === undefined ? this.place(node, 0, 0) : this.placeKeeping(keep, node, 0, 0);
  }

  /** Moves a child to another place among its siblings. `false` when it is there already. */
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
   * Exchanges the places of two entities, each with everything below it. `false` for an entity with itself.
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
      this.cycle(left, rightParent) ??
      this.cycle(right, leftParent) ??
      this.doomedParent(rightParent, left) ??
      this.doomedParent(leftParent, right);
    if (error !== undefined) throw error;
    if (!this.isPlain && leftParent !== rightParent) {
      this.requirePlan(
        new Map([
          [left, rightParent],
          [right, leftParent],
        ]),
      );
    }
    // Neighbours need care: the place of one is described by the other.
    if (links.next(left) === right) return this.place(right, leftParent, left);
    if (links.next(right) === left) return this.place(left, leftParent, right);
    const afterLeft = links.next(left);
    const afterRight = links.next(right);
    return this.together(() => {
      // Undo goes back move by move, and then a full array would have to hold one more: one of them waits among the roots.
      const waits = this.options.links === "inline" && this.state.records.wanted;
      if (waits && leftParent !== rightParent) this.place(left, 0, 0);
      else this.place(left, rightParent, right);
      this.place(right, leftParent, afterLeft);
      this.place(left, rightParent, afterRight);
      return true;
    });
  }

  // Many at once -------------------------------------------------------------------------------------------------------

  /**
   * Puts several under one parent, next to each other and in the given order: all of them, or, if one is refused, none.
   * Those that are in their place already do not move.
   */
  attachMany(children: readonly Entity[], parent: Entity | null, options?: PlaceOptions): void {
    const to = this.parentNode(parent, "attach");
    const nodes = this.distinct(children, "attach");
    this.requireAttachable(nodes, to);
    const moving = new Set(nodes);
    let before = options === undefined ? 0 : this.beforeNode(0, to, options, moving);
    // The sibling that marks the place may itself be among those that move.
    while (before !== 0 && moving.has(before)) before = this.links.next(before);
    // Each goes behind the one before it; the first behind the last of those that stay before the place.
    let previous = before === 0 ? this.links.last(to) : this.links.prev(before);
    while (previous !== 0 && moving.has(previous)) previous = this.links.prev(previous);
    const keep = options?.keep;
    const finishes = keep === undefined ? [] : children.map((child) => this.keeper(keep)(child, parent));
    this.together(() => {
      for (const node of nodes) {
        this.place(node, to, previous === 0 ? this.links.first(to) : this.links.next(previous));
        previous = node;
      }
      for (const finish of finishes) finish();
    });
  }

  /** Puts several under `parent` from `index` on. */
  insertChildren(parent: Entity | null, index: number, children: readonly Entity[]): void {
    this.attachMany(children, parent, { at: index });
  }

  /**
   * Carries out several attachments to different parents, in order: all of them, or, if one is refused, none. A cycle
   * that only their combination forms is found too, and every parent must have room when its turn comes.
   */
  attachAll(pairs: readonly (readonly [child: Entity, parent: Entity | null])[]): void {
    const plan = new Map<number, number>();
    const counts = new Map<number, number>();
    const countOf = (node: number) => counts.get(node) ?? this.links.count(node);
    const parentOf = (node: number) => plan.get(node) ?? this.links.parent(node);
    requireList(pairs, "attach", "the list of pairs");
    const steps = pairs.map((pair) => {
      requireList(pair, "attach", "a pair of child and parent");
      const [child, parent] = pair;
      const node = this.node(child, "attach");
      const to = this.parentNode(parent, "attach");
      for (let up = to; up > 0; up = parentOf(up)) {
        if (up !== node) continue;
        const chain: Entity[] = [];
        for (let n = to; n !== node; n = parentOf(n)) chain.push(this.handleAt(n));
        chain.push(child);
        throw cycleError(
          chain.reverse(),
          (entity) => this.label(entity),
          "together with the attachments before it, ",
          "Leave one of them out.",
        );
      }
      const from = parentOf(node);
      if (from !== to) {
        const error = this.doomedParent(to, node) ?? this.tooMany(to, 1, countOf(to));
        if (error !== undefined) throw error;
        counts.set(to, countOf(to) + 1);
        counts.set(from, countOf(from) - 1);
      }
      plan.set(node, to);
      return [node, to] as const;
    });
    if (!this.isPlain) this.requirePlan(plan);
    this.together(() => {
      for (const [node, to] of steps) this.place(node, to, 0);
    });
  }

  /** Makes several roots, in the given order. Those that are roots already are passed over. */
  detachMany(children: readonly Entity[]): void {
    this.toRoots(this.distinct(children, "detach"));
  }

  /** Makes all children of `parent` roots, in order. */
  detachChildren(parent: Entity): void {
    this.toRoots(this.childNodes(this.node(parent, "detach the children")));
  }

  /** Makes `children` the children of `parent`, in that order; the others become roots. */
  replaceChildren(parent: Entity, children: readonly Entity[]): void {
    const to = this.node(parent, "replace the children");
    const nodes = this.distinct(children, "attach");
    const wanted = new Set(nodes);
    const out = this.childNodes(to).filter((node) => !wanted.has(node));
    for (const node of nodes) {
      const error = this.cycle(node, to) ?? this.doomedParent(to, node);
      if (error !== undefined) throw error;
    }
    if (!this.isPlain) {
      const error = this.tooMany(to, nodes.length - this.links.count(to));
      if (error !== undefined) throw error;
      const plan = new Map(out.map((node) => [node, 0]));
      for (const node of nodes) if (this.links.parent(node) !== to) plan.set(node, to);
      this.requirePlan(plan);
    }
    this.together(() => {
      for (const node of out) this.place(node, 0, 0);
      nodes.forEach((node, k) => {
        if (this.links.parent(node) === to) return;
        this.place(node, to, k === 0 ? this.links.first(to) : this.links.next(nodes[k - 1]));
      });
      this.reorder(to, nodes);
    });
  }

  /** Makes the entity and each of its children a root: it stands alone. What is below the children stays with them. */
  isolate(entity: Entity): void {
    const node = this.node(entity, "isolate");
    this.toRoots([node, ...this.childNodes(node)]);
  }

  /** Makes the entity and everything below it roots without links, in pre-order. Nobody dies. */
  dissolve(entity: Entity): void {
    const nodes: number[] = [];
    this.forEachDescendant(
      entity,
      (descendant) => {
        nodes.push(descendant & INDEX_MASK);
      },
      { includeSelf: true },
    );
    this.toRoots(nodes);
  }

  /** Sorts the children (`null`: the roots). Stable; one event; `false` when they are in order already. */
  sortChildren(parent: Entity | null, compare: (a: Entity, b: Entity) => number): boolean {
    const node = this.parentNode(parent, "sort the children");
    requireFunction(compare, "sort the children", "what compares them");
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
   * it is dead already. With `children`, a child that may not go where it is sent makes the call throw. `keep`: as for
   * `attach`, for the children that live on.
   */
  destroy(entity: Entity, options: DestroyOptions = {}): boolean {
    checkOptions(this.world.checks, "destroy an entity", options, destroyOptions);
    const { keep } = options;
    const policy = options.children ?? (keep === undefined ? undefined : this.onDestroy);
    const { world } = this;
    if (policy === undefined || !world.isAlive(entity)) return world.destroy(entity);
    const node = this.node(entity, "destroy");
    this.state.requireUnlocked("destroy an entity");
    if (policy === "cascade") {
      if (this.onDestroy === "cascade") return world.destroy(entity);
      const doomed = Array.from(this.descendants(entity, { order: "post" }));
      for (const descendant of doomed) world.destroy(descendant);
      return world.destroy(entity);
    }
    const to = policy === "adopt" ? this.links.parent(node) : 0;
    const children = this.childNodes(node);
    if (!this.isPlain) {
      const error = this.tooMany(to, children.length, this.links.count(to) - 1);
      if (error !== undefined) throw error;
      this.requirePlan(new Map(children.map((child) => [child, to])), node);
    }
    const home = this.entityOrNull(to);
    const kept = keep === undefined ? [] : children.map((child) => this.handleAt(child));
    const finishes = kept.map((child) => this.keeper(keep as string)(child, home));
    this.together(() => {
      this.sendChildren(node, policy);
      // An observer may have destroyed some.
      finishes.forEach((finish, k) => {
        if (world.isAlive(kept[k])) finish();
      });
    });
    return world.destroy(entity);
  }

  // Checks -------------------------------------------------------------------------------------------------------------

  private toRoots(nodes: readonly number[]): void {
    const moving = nodes.filter((node) => this.links.parent(node) !== 0);
    this.requireAttachable(moving, 0);
    this.together(() => {
      for (const node of moving) this.place(node, 0, 0);
    });
  }

  private distinct(entities: readonly Entity[], doing: string): number[] {
    requireList(entities, doing, "the list of entities");
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
}
