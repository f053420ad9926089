/**
 * The light form: every entity knows its parent and nothing else, 8 bytes per entity.
 *
 * Children, siblings and order are not offered, and so there is nothing to keep up when an entity is destroyed: a
 * parent that died reads as `null`. For following, ownership marks and the like; where children matter use
 * `createHierarchy`.
 */
import { type ComponentInit, type Entity, formatEntity, type World } from "../ecs/index.ts";
import {
  checkOptions,
  extend,
  INDEX_MASK,
  requireFunction,
  stateOf,
  type WorldState,
} from "../ecs/internal.ts";
import { type CircularHierarchyError, cycleError } from "./errors.ts";
import { ancestorOptions } from "./options.ts";
import type { Verdict } from "./reader.ts";

export interface UpHierarchyOptions {
  /** Tells several hierarchies of one world apart. `"links"` if left out. */
  readonly name?: string;
}

const upOptions = { name: "string", links: ["up"] } as const;

/** Creates a hierarchy of parent pointers only. */
export function createUpHierarchy(world: World, options: UpHierarchyOptions = {}): UpHierarchy {
  return new UpHierarchy(world, options);
}

export class UpHierarchy {
  readonly world: World;
  /** @internal */
  readonly state: WorldState;
  readonly name: string;
  readonly bytesPerNode = 8;
  /** The parent's handle, with its generation, so that a dead or replaced parent is recognised. */
  private parents: Float64Array;

  constructor(world: World, options: UpHierarchyOptions) {
    stateOf(world).requireUsable("create a hierarchy");
    checkOptions(world.checks, "create a hierarchy of parents only", options, upOptions);
    this.world = world;
    this.state = stateOf(world);
    this.name = options.name ?? "links";
    this.parents = new Float64Array(stateOf(world).table.capacity);
    extend(this.state, {
      name: this.name,
      created: (ids, from, to) => {
        for (let k = from; k < to; k++) this.parents[ids[k]] = 0;
      },
      record: (index) => {
        if (this.parents[index] !== 0)
          this.state.records.room(this, this.state.handleAt(index), this.parents[index], 0);
      },
      grow: (capacity) => {
        const parents = new Float64Array(capacity);
        parents.set(this.parents);
        this.parents = parents;
      },
    });
  }

  /** Gives `child` the parent; `null` takes it away. `false` when nothing changes. */
  attach(child: Entity, parent: Entity | null): boolean {
    const index = this.state.require(child, "attach");
    if (parent === null) return this.detach(child);
    this.state.require(parent, "attach");
    const error = this.cycle(child, parent);
    if (error !== undefined) throw error;
    if (this.parents[index] === parent) return false;
    this.write(child, index, parent);
    return true;
  }

  setParent(child: Entity, parent: Entity | null): boolean {
    return this.attach(child, parent);
  }

  /** Creates an entity with that parent. */
  attachNew(parent: Entity | null, ...inits: ComponentInit[]): Entity {
    if (parent !== null) this.state.require(parent, "attach a new entity");
    const entity = this.world.spawn(...inits);
    // Observers of the spawn may have destroyed either.
    if (parent !== null && this.world.isAlive(entity) && this.world.isAlive(parent))
      this.attach(entity, parent);
    return entity;
  }

  /** Whether `attach(child, parent)` would be allowed. Does not throw. */
  canAttach(child: Entity, parent: Entity | null): boolean {
    return this.whyNotAttach(child, parent) === null;
  }

  /** The error that `attach(child, parent)` would throw, or `null`. */
  whyNotAttach(child: Entity, parent: Entity | null): Error | null {
    try {
      this.state.require(child, "attach");
      if (parent === null) return null;
      this.state.require(parent, "attach");
      return this.cycle(child, parent) ?? null;
    } catch (error) {
      return error as Error;
    }
  }

  /** Takes the parent away. `false` when there is none. */
  detach(child: Entity): boolean {
    const index = this.state.require(child, "detach");
    if (this.parentOf(child) === null) return false;
    this.write(child, index, 0);
    return true;
  }

  /** The parent; `null` for a root and for one whose parent died. */
  parentOf(entity: Entity): Entity | null {
    const parent = this.parents[this.state.require(entity, "read the parent")] as Entity;
    return parent !== 0 && this.world.isAlive(parent) ? parent : null;
  }

  isRoot(entity: Entity): boolean {
    return this.parentOf(entity) === null;
  }

  /** The entity at the top; the entity itself if it has no parent. */
  rootOf(entity: Entity): Entity {
    let root = entity;
    for (let up = this.parentOf(entity); up !== null; up = this.parentOf(up)) root = up;
    return root;
  }

  /** How many ancestors it has. */
  depthOf(entity: Entity): number {
    let depth = 0;
    for (let up = this.parentOf(entity); up !== null; up = this.parentOf(up)) depth++;
    return depth;
  }

  /** Walks up: the parent first, the root last. They are those of the start, without those that die meanwhile. */
  ancestors(entity: Entity, options: { readonly includeSelf?: boolean } = {}): IterableIterator<Entity> {
    checkOptions(this.world.checks, "walk the ancestors", options, ancestorOptions);
    return this.living(this.wayUp(entity, options.includeSelf ?? false));
  }

  /** Calls `visit` for each ancestor, the parent first; ends early on `"stop"`. Safe like `ancestors`. */
  forEachAncestor(
    entity: Entity,
    visit: (ancestor: Entity) => Verdict,
    options: { readonly includeSelf?: boolean } = {},
  ): void {
    requireFunction(visit, "walk the ancestors", "the callback");
    for (const ancestor of this.ancestors(entity, options)) if (visit(ancestor) === "stop") return;
  }

  /** The deepest entity that is above both, or one of them if it is above the other; `null` in different trees. */
  commonAncestor(a: Entity, b: Entity): Entity | null {
    const above = new Set(this.wayUp(a, true));
    return this.wayUp(b, true).find((entity) => above.has(entity)) ?? null;
  }

  /** Whether `ancestor` is somewhere above `entity`. Nobody is above itself. */
  isAncestor(ancestor: Entity, entity: Entity): boolean {
    this.state.require(ancestor, "compare entities");
    for (let up = this.parentOf(entity); up !== null; up = this.parentOf(up))
      if (up === ancestor) return true;
    return false;
  }

  /** Whether `entity` is somewhere below `ancestor`. */
  isDescendant(entity: Entity, ancestor: Entity): boolean {
    return this.isAncestor(ancestor, entity);
  }

  /** @internal The place of the parent of the living entity at `index`; 0 for none. For query terms. */
  parentAt(index: number): number {
    const parent = this.parents[index] as Entity;
    return parent !== 0 && this.world.isAlive(parent) ? parent & INDEX_MASK : 0;
  }

  private wayUp(entity: Entity, includeSelf: boolean): Entity[] {
    const way: Entity[] = [];
    let up = includeSelf
      ? this.state.handleAt(this.state.require(entity, "walk the ancestors"))
      : this.parentOf(entity);
    for (; up !== null; up = this.parentOf(up)) way.push(up);
    return way;
  }

  private *living(way: readonly Entity[]): IterableIterator<Entity> {
    for (const entity of way) if (this.world.isAlive(entity)) yield entity;
  }

  /**
   * Undoes one recorded change.
   * @throws the errors of `attach`, when something that was not recorded stands in the way.
   */
  reverse(entity: Entity | null, parent: number): void {
    const index = this.state.require(entity as Entity, "undo a change of its parent");
    const error = this.world.isAlive(parent) ? this.cycle(entity as Entity, parent as Entity) : undefined;
    if (error !== undefined) throw error;
    this.write(entity as Entity, index, parent);
  }

  private write(child: Entity, index: number, parent: number): void {
    if (this.state.records.wanted) this.state.records.room(this, child, this.parents[index], 0);
    this.parents[index] = parent;
  }

  private cycle(child: Entity, parent: Entity): CircularHierarchyError | undefined {
    let up: Entity | null = parent;
    while (up !== null && up !== child) up = this.parentOf(up);
    if (up === null) return undefined;
    const way = this.wayUp(parent, true);
    const chain = way.slice(0, way.indexOf(child) + 1).reverse();
    return cycleError(chain, formatEntity);
  }
}
