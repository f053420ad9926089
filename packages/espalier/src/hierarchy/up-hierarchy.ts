/**
 * The light form: only the parent of each entity is kept, 16 bytes per entity.
 *
 * Children, siblings and order are not offered, and so there is nothing to keep up to date when an entity is destroyed: a
 * parent that died reads as `null`, also when an entity with the same handle lives again. For following, ownership marks and the
 * like; where children matter use `createHierarchy`.
 */
import { type ComponentInit, type Entity, type EntityLike, formatEntity, type World } from "../ecs/index.ts";
import {
  asOneCall,
  checkOptions,
  DEVELOPMENT,
  extend,
  grown,
  handleIn,
  INDEX_MASK,
  provideCheck,
  requireFunction,
  spawn,
  stateOf,
  type WorldState,
} from "../ecs/internal.ts";
import { wrongParents } from "./check-parents.ts";
import { type CircularHierarchyError, cycleError } from "./errors.ts";
import type { RawLinks } from "./links/links.ts";
import { commonAncestorAt, depthAt, isInside, nodesUpTo, rootAt } from "./links/measure.ts";
import { ancestorOptions } from "./options.ts";
import { registerTree, requireFreeName, type TreeReversible } from "./trees.ts";
import type { Verdict } from "./walks/verdict.ts";

/** Options of `createUpHierarchy`. */
export interface UpHierarchyOptions {
  /** Distinguishes several hierarchies of one world. `"links"` if left out. */
  readonly name?: string;
}

const upOptions = { name: "string", links: "anything" } as const;

/**
 * Creates a hierarchy of parent pointers only.
 *
 * @example
 * ```ts
 * const owners = createUpHierarchy(world, { name: "owners" });
 * const [sword, hero] = [world.spawn(), world.spawn()];
 * owners.attach(sword, hero);
 * owners.parentOf(sword); // → hero
 * ```
 */
export function createUpHierarchy(world: World, options: UpHierarchyOptions = {}): UpHierarchy {
  return new UpHierarchy(world, options);
}

/**
 * The key under which it keeps its state, for the rooms of this package.
 */
export const PARENTS: unique symbol = Symbol.for("espalier.parents");

interface ParentsState {
  readonly ecs: WorldState;
  /** The parent's handle, with its generation, so that a dead or replaced parent is recognised. */
  parents: Float64Array;
  /** By entity: which life of its parent it belongs to, because a handle may live again. */
  parentLives: Int32Array;
  /** By index: its present or last life, 0 where none lived yet. An undone destroy continues the former one, so that its children are its children again. */
  lives: Int32Array;
  /** Gives the index of the parent of the living entity at an index, 0 for none. */
  readonly links: Pick<RawLinks, "parent">;
  /** Grows with every change. */
  version: number;
  /** In the record of changes, this stands for the hierarchy. */
  readonly reversible: TreeReversible;
}

/** A tree of which only the parents are known: cheap to write, without children in order. Made by `createUpHierarchy`. */
export class UpHierarchy {
  /** @internal */
  readonly [PARENTS]: ParentsState;
  /** The world whose entities are in it. */
  readonly world: World;
  /** The name of the hierarchy; unique in its world. */
  readonly name: string;
  /** The bytes that an entity costs in it. */
  readonly bytesPerNode = 16;

  /** @internal Use `createUpHierarchy`. */
  constructor(world: World, options: UpHierarchyOptions) {
    const ecs = stateOf(world);
    ecs.requireUsable("create a hierarchy");
    checkOptions(ecs.checks, "create a hierarchy of parents only", options, upOptions);
    this.world = world;
    this.name = options.name ?? "links";
    requireFreeName(ecs, this.name);
    registerTree(ecs, this);
    this[PARENTS] = createParents(ecs);
    if (DEVELOPMENT) provideCheck(ecs, { name: this.name, check: () => wrongParents(world, this[PARENTS]) });
  }

  /** Gives `child` the parent; `null` takes it away. `false` when nothing changes. O(depth), to find cycles. */
  attach(child: EntityLike, parent: EntityLike | null): boolean {
    const error = this.whyNotAttach(child, parent);
    if (error !== null) throw error;
    if (parent === null) return this.detach(child);
    const u = this[PARENTS];
    const [entity, to] = [handleIn(u.ecs, child), handleIn(u.ecs, parent)];
    if (keptParent(this, entity) === to) return false;
    write(u, entity, to);
    return true;
  }

  /** The same as `attach`, under the name that other libraries use. */
  setParent(child: EntityLike, parent: EntityLike | null): boolean {
    return this.attach(child, parent);
  }

  /** Creates an entity with that parent. */
  attachNew(parent: EntityLike | null, ...inits: ComponentInit[]): Entity {
    const u = this[PARENTS];
    const to = handleIn(u.ecs, parent);
    if (to !== null) u.ecs.require(to, "attach a new entity");
    return asOneCall(u.ecs, () => {
      const entity = spawn(u.ecs, inits);
      if (to !== null) write(u, entity, to);
      return entity;
    });
  }

  /** Whether `attach(child, parent)` would be allowed. Does not throw. */
  canAttach(child: EntityLike, parent: EntityLike | null): boolean {
    return this.whyNotAttach(child, parent) === null;
  }

  /** The error that `attach(child, parent)` would throw, or `null`. */
  whyNotAttach(child: EntityLike, parent: EntityLike | null): Error | null {
    const u = this[PARENTS];
    try {
      u.ecs.require(child, "attach");
      if (parent === null) return null;
      u.ecs.require(parent, "attach");
      return cycle(u, handleIn(u.ecs, child), handleIn(u.ecs, parent)) ?? null;
    } catch (error) {
      return error as Error;
    }
  }

  /** Takes the parent away. `false` when there is none. */
  detach(child: EntityLike): boolean {
    const u = this[PARENTS];
    const index = u.ecs.require(child, "detach");
    if (u.links.parent(index) === 0) return false;
    write(u, u.ecs.handleAt(index), 0);
    return true;
  }

  /** The parent; `null` for a root and for one whose parent died. */
  parentOf(entity: EntityLike): Entity | null {
    const u = this[PARENTS];
    return entityOrNull(u, u.links.parent(u.ecs.require(entity, "read the parent")));
  }

  /** Whether the entity has no parent. */
  isRoot(entity: EntityLike): boolean {
    return this.parentOf(entity) === null;
  }

  /** The entity at the top; the entity itself if it has no parent. */
  rootOf(entity: EntityLike): Entity {
    const u = this[PARENTS];
    return u.ecs.handleAt(rootAt(u, u.ecs.require(entity, "find the root")));
  }

  /** How many ancestors it has. */
  depthOf(entity: EntityLike): number {
    const u = this[PARENTS];
    return depthAt(u, u.ecs.require(entity, "read the depth"));
  }

  /** Walks up: the parent first, the root last. They are those of the start, without those that die meanwhile. */
  ancestors(entity: EntityLike, options: { readonly includeSelf?: boolean } = {}): IterableIterator<Entity> {
    const u = this[PARENTS];
    checkOptions(u.ecs.checks, "walk the ancestors", options, ancestorOptions);
    const index = u.ecs.require(entity, "walk the ancestors");
    return living(u, entitiesAt(u, nodesUpTo(u, options.includeSelf ? index : u.links.parent(index), 0)));
  }

  /** Calls `visit` for each ancestor, the parent first; ends early on `"stop"`. Safe like `ancestors`. */
  forEachAncestor(
    entity: EntityLike,
    visit: (ancestor: Entity) => Verdict,
    options: { readonly includeSelf?: boolean } = {},
  ): void {
    requireFunction(visit, "walk the ancestors", "the callback");
    for (const ancestor of this.ancestors(entity, options)) if (visit(ancestor) === "stop") return;
  }

  /** The deepest entity that is above both, or one of them if it is above the other; `null` in different trees. */
  commonAncestor(a: EntityLike, b: EntityLike): Entity | null {
    const u = this[PARENTS];
    const doing = "compare entities";
    return entityOrNull(u, commonAncestorAt(u, u.ecs.require(a, doing), u.ecs.require(b, doing)));
  }

  /** Whether `ancestor` is somewhere above `entity`. No entity is its own ancestor. */
  isAncestor(ancestor: EntityLike, entity: EntityLike): boolean {
    const u = this[PARENTS];
    const above = u.ecs.require(ancestor, "compare entities");
    const index = u.ecs.require(entity, "compare entities");
    return index !== above && isInside(u, index, above);
  }

  /** Whether `entity` is somewhere below `ancestor`. */
  isDescendant(entity: EntityLike, ancestor: EntityLike): boolean {
    return this.isAncestor(ancestor, entity);
  }
}

/** The handle of the parent of an entity; 0 for none, and for one that died. */
export function keptParent(tree: UpHierarchy, entity: Entity): number {
  const { ecs, links } = tree[PARENTS];
  const parent = links.parent(entity & INDEX_MASK);
  return parent === 0 ? 0 : ecs.handleAt(parent);
}

/** In the records of changes, instead of the former parent: the entity continues a former life. */
const LIFE = -3;

/** Gives an entity a parent (0: none) for undo and for loading. @throws CircularHierarchyError */
export function setParentUnchecked(tree: UpHierarchy, child: Entity, parent: number): void {
  const u = tree[PARENTS];
  reverse(u, child, parent, u.lives[parent & INDEX_MASK]);
}

function createParents(ecs: WorldState): ParentsState {
  const u: ParentsState = {
    ecs,
    parents: new Float64Array(ecs.table.capacity),
    parentLives: new Int32Array(ecs.table.capacity),
    lives: new Int32Array(ecs.table.capacity).fill(1, 0, ecs.table.used + 1),
    links: {
      parent: (index) => {
        const parent = u.parents[index] as Entity;
        if (parent === 0 || !ecs.isAlive(parent)) return 0;
        const at = parent & INDEX_MASK;
        return u.lives[at] === u.parentLives[index] ? at : 0;
      },
    },
    version: 0,
    reversible: { isTree: true, reverse: (entity, a, b) => reverse(u, entity as Entity, a, b) },
  };
  extend(ecs, {
    life: {
      created: (ids, from, to) => {
        for (let k = from; k < to; k++) {
          u.parents[ids[k]] = 0;
          u.lives[ids[k]]++;
        }
      },
      leaving: (ids, from, to) => {
        if (!ecs.recorder.wanted) return;
        for (const index of ids.subarray(from, to)) {
          const entity = ecs.handleAt(index);
          if (u.parents[index] !== 0)
            ecs.recorder.room(u.reversible, entity, u.parents[index], u.parentLives[index]);
          // Undone first, so that the way up is complete when the parent is set.
          ecs.recorder.room(u.reversible, entity, LIFE, u.lives[index]);
        }
      },
    },
    columns: {
      grow: (capacity) => {
        u.parents = grown(u.parents, capacity);
        u.parentLives = grown(u.parentLives, capacity);
        u.lives = grown(u.lives, capacity);
      },
      dispose: () => {},
    },
  });
  return u;
}

/** Undoes a recorded change: entity, former parent and the life of that; or that the entity died. */
function reverse(u: ParentsState, entity: Entity, parent: number, life: number): void {
  const { ecs } = u;
  const index = ecs.require(entity, "undo a change of its parent");
  if (parent === LIFE) {
    if (ecs.recorder.wanted) ecs.recorder.room(u.reversible, entity, LIFE, u.lives[index]);
    const before = u.lives[index];
    u.lives[index] = life;
    const chain = wayBackTo(u, index);
    if (chain === undefined) return;
    u.lives[index] = before;
    throw cycleError(entitiesAt(u, chain), formatEntity);
  }
  const isThere = ecs.isAlive(parent) && u.lives[parent & INDEX_MASK] === life;
  const error = isThere ? cycle(u, entity, parent as Entity) : undefined;
  if (error !== undefined) throw error;
  write(u, entity, parent, life);
}

/** The way up from a node that leads back to it; nothing where it ends at a root. */
function wayBackTo({ links }: ParentsState, index: number): number[] | undefined {
  const way = [index];
  for (let up = links.parent(index); up !== 0; up = links.parent(up)) {
    if (up === index) return way.reverse();
    way.push(up);
  }
  return undefined;
}

function entityOrNull({ ecs }: ParentsState, index: number): Entity | null {
  return index === 0 ? null : ecs.handleAt(index);
}

/** @param life The life of the parent that is meant; the present one if left out. */
function write(u: ParentsState, child: Entity, parent: number, life = u.lives[parent & INDEX_MASK]): void {
  const { ecs, parents, parentLives, reversible } = u;
  ecs.requireUnasked("change a parent");
  u.version++;
  const index = child & INDEX_MASK;
  if (ecs.recorder.wanted) ecs.recorder.room(reversible, child, parents[index], parentLives[index]);
  parents[index] = parent;
  parentLives[index] = life;
}

function entitiesAt({ ecs }: ParentsState, indices: readonly number[]): Entity[] {
  return indices.map((index) => ecs.handleAt(index));
}

function* living({ ecs }: ParentsState, way: readonly Entity[]): IterableIterator<Entity> {
  for (const entity of way) if (ecs.isAlive(entity)) yield entity;
}

function cycle(u: ParentsState, child: Entity, parent: Entity): CircularHierarchyError | undefined {
  const index = child & INDEX_MASK;
  if (!isInside(u, parent & INDEX_MASK, index)) return undefined;
  const chain = [index, ...nodesUpTo(u, parent & INDEX_MASK, index).reverse()];
  return cycleError(entitiesAt(u, chain), formatEntity);
}
