/**
 * The light form: only the parent of each entity is kept, 8 bytes per entity.
 *
 * Children, siblings and order are not offered, and so there is nothing to keep up to date when an entity is destroyed: a
 * parent that died reads as `null`. For following, ownership marks and the like; where children matter use
 * `createHierarchy`.
 */
import { type ComponentInit, type Entity, formatEntity, type World } from "../ecs/index.ts";
import {
  checkOptions,
  extend,
  INDEX_MASK,
  provideCheck,
  requireFunction,
  spawn,
  stateOf,
  type WorldState,
} from "../ecs/internal.ts";
import { wrongParents } from "./check-parents.ts";
import { type CircularHierarchyError, cycleError } from "./errors.ts";
import { ancestorOptions } from "./options.ts";
import { registerTree, requireFreeName, type TreeReversible } from "./trees.ts";
import type { Verdict } from "./walks/visit.ts";

/** Options of `createUpHierarchy`. */
export interface UpHierarchyOptions {
  /** Tells several hierarchies of one world apart. `"links"` if left out. */
  readonly name?: string;
}

const upOptions = { name: "string", links: ["up"] } as const;

/** Creates a hierarchy of parent pointers only. */
export function createUpHierarchy(world: World, options: UpHierarchyOptions = {}): UpHierarchy {
  return new UpHierarchy(world, options);
}

/**
 * The key under which it keeps its state, for the rooms of this package.
 * @internal
 */
export const PARENTS: unique symbol = Symbol.for("espalier.parents");

/** @internal */
interface ParentsState {
  readonly ecs: WorldState;
  /** The parent's handle, with its generation, so that a dead or replaced parent is recognised. */
  parents: Float64Array;
  /** Grows with every change. */
  version: number;
  /** In the record of changes, this stands for the hierarchy. */
  readonly reversible: TreeReversible;
}

/** A tree of which only the parents are known: cheap to write, without children in order. Made by `createUpHierarchy`. */
export class UpHierarchy {
  /** @internal */
  readonly [PARENTS]: ParentsState;
  readonly world: World;
  readonly name: string;
  readonly bytesPerNode = 8;

  /** @internal Use `createUpHierarchy`. */
  constructor(world: World, options: UpHierarchyOptions) {
    const ecs = stateOf(world);
    ecs.requireUsable("create a hierarchy");
    checkOptions(ecs.checks, "create a hierarchy of parents only", options, upOptions);
    this.world = world;
    this.name = options.name ?? "links";
    requireFreeName(ecs, this.name);
    registerTree(ecs, this);
    this[PARENTS] = createParents(ecs, this.name);
    provideCheck(ecs, { name: this.name, check: () => wrongParents(world, this[PARENTS].parents) });
  }

  /** Gives `child` the parent; `null` takes it away. `false` when nothing changes. O(depth), to find cycles. */
  attach(child: Entity, parent: Entity | null): boolean {
    const u = this[PARENTS];
    const index = u.ecs.require(child, "attach");
    if (parent === null) return this.detach(child);
    u.ecs.require(parent, "attach");
    const error = cycle(u, child, parent);
    if (error !== undefined) throw error;
    if (u.parents[index] === parent) return false;
    write(u, child, parent);
    return true;
  }

  setParent(child: Entity, parent: Entity | null): boolean {
    return this.attach(child, parent);
  }

  /** Creates an entity with that parent. */
  attachNew(parent: Entity | null, ...inits: ComponentInit[]): Entity {
    const u = this[PARENTS];
    const { version } = u;
    if (parent !== null) u.ecs.require(parent, "attach a new entity");
    const entity = spawn(u.ecs, inits);
    // Observers of the spawn may have destroyed either, or put the parent below the new entity.
    if (parent === null || !u.ecs.isAlive(entity) || !u.ecs.isAlive(parent)) return entity;
    if (version === u.version) write(u, entity, parent);
    else this.attach(entity, parent);
    return entity;
  }

  /** Whether `attach(child, parent)` would be allowed. Does not throw. */
  canAttach(child: Entity, parent: Entity | null): boolean {
    return this.whyNotAttach(child, parent) === null;
  }

  /** The error that `attach(child, parent)` would throw, or `null`. */
  whyNotAttach(child: Entity, parent: Entity | null): Error | null {
    const u = this[PARENTS];
    try {
      u.ecs.require(child, "attach");
      if (parent === null) return null;
      u.ecs.require(parent, "attach");
      return cycle(u, child, parent) ?? null;
    } catch (error) {
      return error as Error;
    }
  }

  /** Takes the parent away. `false` when there is none. */
  detach(child: Entity): boolean {
    const u = this[PARENTS];
    if (parentAt(u, u.ecs.require(child, "detach")) === 0) return false;
    write(u, child, 0);
    return true;
  }

  /** The parent; `null` for a root and for one whose parent died. */
  parentOf(entity: Entity): Entity | null {
    const u = this[PARENTS];
    const index = u.ecs.require(entity, "read the parent");
    return parentAt(u, index) === 0 ? null : (u.parents[index] as Entity);
  }

  isRoot(entity: Entity): boolean {
    return this.parentOf(entity) === null;
  }

  /** The entity at the top; the entity itself if it has no parent. */
  rootOf(entity: Entity): Entity {
    const u = this[PARENTS];
    let index = u.ecs.require(entity, "find the root");
    for (let up = parentAt(u, index); up !== 0; up = parentAt(u, up)) index = up;
    return u.ecs.handleAt(index);
  }

  /** How many ancestors it has. */
  depthOf(entity: Entity): number {
    const u = this[PARENTS];
    let depth = 0;
    for (let up = parentAt(u, u.ecs.require(entity, "read the depth")); up !== 0; up = parentAt(u, up))
      depth++;
    return depth;
  }

  /** Walks up: the parent first, the root last. They are those of the start, without those that die meanwhile. */
  ancestors(entity: Entity, options: { readonly includeSelf?: boolean } = {}): IterableIterator<Entity> {
    const u = this[PARENTS];
    checkOptions(u.ecs.checks, "walk the ancestors", options, ancestorOptions);
    return living(u, wayUp(u, entity, options.includeSelf ?? false));
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
    const above = new Set(wayUp(this[PARENTS], a, true));
    return wayUp(this[PARENTS], b, true).find((entity) => above.has(entity)) ?? null;
  }

  /** Whether `ancestor` is somewhere above `entity`. No entity is its own ancestor. */
  isAncestor(ancestor: Entity, entity: Entity): boolean {
    const u = this[PARENTS];
    const above = u.ecs.require(ancestor, "compare entities");
    let up = parentAt(u, u.ecs.require(entity, "compare entities"));
    while (up !== 0 && up !== above) up = parentAt(u, up);
    return up !== 0;
  }

  /** Whether `entity` is somewhere below `ancestor`. */
  isDescendant(entity: Entity, ancestor: Entity): boolean {
    return this.isAncestor(ancestor, entity);
  }
}

/** Gives the index of the parent of the living entity at an index, 0 for none. For query terms. */
export function upParents(tree: UpHierarchy): (index: number) => number {
  const u = tree[PARENTS];
  return (index) => parentAt(u, index);
}

/** The handle that is kept as the parent of an entity, alive or dead; 0 for none. */
export function keptParent(tree: UpHierarchy, entity: Entity): number {
  return tree[PARENTS].parents[entity & INDEX_MASK];
}

function createParents(ecs: WorldState, name: string): ParentsState {
  const u: ParentsState = {
    ecs,
    parents: new Float64Array(ecs.table.capacity),
    version: 0,
    reversible: {
      isTree: true,
      reverse: (entity, parent) => {
        ecs.require(entity as Entity, "undo a change of its parent");
        const error = ecs.isAlive(parent) ? cycle(u, entity as Entity, parent as Entity) : undefined;
        if (error !== undefined) throw error;
        write(u, entity as Entity, parent);
      },
    },
  };
  extend(ecs, {
    name,
    created: (ids, from, to) => {
      for (let k = from; k < to; k++) u.parents[ids[k]] = 0;
    },
    leaving: (ids, from, to) => {
      if (!ecs.recorder.wanted) return;
      for (const index of ids.subarray(from, to)) {
        if (u.parents[index] !== 0) ecs.recorder.room(u.reversible, ecs.handleAt(index), u.parents[index], 0);
      }
    },
    grow: (capacity) => {
      const parents = new Float64Array(capacity);
      parents.set(u.parents);
      u.parents = parents;
    },
  });
  return u;
}

function parentAt({ ecs, parents }: ParentsState, index: number): number {
  const parent = parents[index] as Entity;
  return parent !== 0 && ecs.isAlive(parent) ? parent & INDEX_MASK : 0;
}

function write(u: ParentsState, child: Entity, parent: number): void {
  const { ecs, parents, reversible } = u;
  u.version++;
  const index = child & INDEX_MASK;
  if (ecs.recorder.wanted) ecs.recorder.room(reversible, child, parents[index], 0);
  parents[index] = parent;
}

function wayUp(u: ParentsState, entity: Entity, includeSelf: boolean): Entity[] {
  const index = u.ecs.require(entity, "walk the ancestors");
  const way: Entity[] = [];
  for (let up = includeSelf ? index : parentAt(u, index); up !== 0; up = parentAt(u, up))
    way.push(u.ecs.handleAt(up));
  return way;
}

function* living({ ecs }: ParentsState, way: readonly Entity[]): IterableIterator<Entity> {
  for (const entity of way) if (ecs.isAlive(entity)) yield entity;
}

function cycle(u: ParentsState, child: Entity, parent: Entity): CircularHierarchyError | undefined {
  let up = parent & INDEX_MASK;
  while (up !== 0 && up !== (child & INDEX_MASK)) up = parentAt(u, up);
  if (up === 0) return undefined;
  const way = wayUp(u, parent, true);
  const chain = way.slice(0, way.indexOf(child) + 1).reverse();
  return cycleError(chain, formatEntity);
}
