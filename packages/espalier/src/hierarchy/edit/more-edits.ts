/**
 * Edits of several entities at once that are made of the simpler ones: each is one call, all of it or nothing.
 */
import type { ComponentInit, Entity, EntityLike } from "../../ecs/index.ts";
import {
  archetypeOfNew,
  asOneCallOrNone,
  complete,
  describeValue,
  destroyAlone,
  destroyEach,
  handleIn,
  requireNumber,
} from "../../ecs/internal.ts";
import { CircularHierarchyError, InvalidEditError, InvalidPathError } from "../errors.ts";
import type { Hierarchy } from "../hierarchy.ts";
import { treeOf } from "../hierarchy-reader.ts";
import { isInside } from "../links/measure.ts";
import { parsePath } from "../names/paths.ts";
import { setName } from "../names/set-name.ts";
import { entityAt, labelOf, nodeOf, parentNodeOf } from "../nodes.ts";
import type { KeepOptions } from "../options.ts";
import { refusalOfNew, tooMany } from "../rules/refuse.ts";
import type { TreeState } from "../state.ts";
import { attach, attachNew } from "./attach.ts";
import { attachAll } from "./attach-many.ts";
import { keepIn } from "./keep.ts";
import { together } from "./place.ts";

/**
 * Destroys all children of an entity, each with what is below it; the entity stays. Gives how many children there were.
 *
 * @example
 * ```ts
 * const tank = world.spawn();
 * tree.attachNew(tree.attachNew(tank));
 * destroyChildren(tree, tank); // → 1
 * world.count; // → 1
 * ```
 */
export function destroyChildren(tree: Hierarchy, parent: EntityLike): number {
  const t = treeOf(tree);
  nodeOf(t, parent, "destroy the children");
  const children = tree.childrenOf(parent);
  if (children.length > 0) destroyEach(t.ecs, children);
  return children.length;
}

/**
 * Creates `count` entities with the same components as last children of `parent` (`null`: as last roots): `world.spawnMany` under a
 * parent, and as much cheaper than a loop.
 *
 * @example
 * ```ts
 * const Wheel = tag("Wheel");
 * const car = world.spawn();
 * const wheels = attachNewMany(tree, car, 4, Wheel);
 * tree.childrenOf(car); // → wheels
 * ```
 */
export function attachNewMany(
  tree: Hierarchy,
  parent: EntityLike | null,
  count: number,
  ...inits: ComponentInit[]
): Entity[] {
  const t = treeOf(tree);
  const { ecs, world } = t;
  requireNumber(count, "attach new entities", "their number");
  ecs.requireUnlocked("create an entity");
  const to = parentNodeOf(t, parent, "attach new entities");
  if (count > 0) {
    const error = refusalOfNew(t, to) ?? tooMany(t, to, count);
    if (error !== undefined) throw error;
  }
  const all = complete(ecs, inits, 0);
  // Functions that make defaults may change the tree, and constraints are asked about each.
  if (count > 1 && (t.constraints.length !== 0 || archetypeOfNew(ecs, all).areMade)) {
    // Refuses what cannot be a number of entities.
    world.reserve(count);
    return oneByOne(t, handleIn(ecs, parent), count, inits);
  }
  t.guardedParent = to;
  t.nextParent = to;
  try {
    return world.spawnMany(count, ...inits);
  } finally {
    // For a spawn that was refused, or of none; otherwise they are taken.
    t.nextParent = 0;
    t.guardedParent = 0;
  }
}

function oneByOne(
  t: TreeState,
  parent: Entity | null,
  count: number,
  inits: readonly ComponentInit[],
): Entity[] {
  const made: Entity[] = [];
  return asOneCallOrNone(t.ecs, () => {
    try {
      for (let k = 0; k < count; k++) made.push(attachNew(t, parent, inits));
      return made;
    } catch (error) {
      for (const entity of made.reverse()) destroyAlone(t.ecs, entity, true);
      throw error;
    }
  });
}

/**
 * Puts `replacement` into the position of an entity: under its parent, among its siblings, with its children. The entity that was there
 * becomes a root without children, and can be destroyed; the names of both stay.
 *
 * @throws CircularHierarchyError when the entity is below `replacement`.
 *
 * @example
 * ```ts
 * const tank = world.spawn();
 * const [turret, hatch] = [tree.attachNew(tank), tree.attachNew(tank)];
 * const gun = tree.attachNew(turret);
 * const better = world.spawn();
 * replaceInTree(tree, turret, better);
 * tree.childrenOf(tank); // → [better, hatch]
 * tree.parentOf(gun); // → better
 * ```
 */
export function replaceInTree<Keep extends string>(
  tree: Hierarchy<Keep>,
  entity: EntityLike,
  replacement: EntityLike,
  options?: KeepOptions<NoInfer<Keep>>,
): void {
  const t = treeOf(tree);
  const keep = keepIn(t, "replace an entity", options);
  const old = nodeOf(t, entity, "replace an entity");
  const fresh = nodeOf(t, replacement, "replace an entity");
  entity = entityAt(t, old);
  replacement = entityAt(t, fresh);
  if (old === fresh) {
    throw new InvalidEditError(`Cannot replace ${labelOf(t, entity)} by itself. Give another entity.`, {
      entities: [entity],
    });
  }
  if (isInside(t, old, fresh)) {
    throw new CircularHierarchyError(
      `Cannot replace ${labelOf(t, entity)} by ${labelOf(t, replacement)}, which is above it. Detach ${labelOf(t, entity)} first.`,
      { chain: [replacement, entity] },
    );
  }
  const parent = tree.parentOf(entity);
  const children = tree.childrenOf(entity).filter((child) => child !== replacement);
  let next = t.links.next(old);
  if (next === fresh) next = t.links.next(fresh);
  const before = next === 0 ? undefined : entityAt(t, next);
  together(t, () => {
    // The position is free before it is taken: a family that is full stays so.
    const pairs: [Entity, Entity | null][] = [
      [entity, null],
      [replacement, parent],
    ];
    for (const child of children) pairs.push([child, replacement]);
    attachAll(t, pairs, keep);
    if (parent === null) attach(t, replacement, null, { before: entity });
    else if (before !== undefined) attach(t, replacement, parent, { before });
  });
}

/**
 * The entity at the end of a path of names; what is missing on the way is created, named, with `inits`. As `tree.find`: `/a/b` starts at the roots,
 * `a/b` at `from`.
 *
 * @throws InvalidPathError where what is missing has no name: wildcards, numbers, `..` above the roots.
 *
 * @example
 * ```ts
 * const crates = ensurePath(tree, "/level/props/crates");
 * ensurePath(tree, "/level/props/crates") === crates; // → true
 * tree.pathOf(crates); // → "/level/props/crates"
 * ```
 */
export function ensurePath(
  tree: Hierarchy,
  path: string,
  from: EntityLike | null = null,
  ...inits: ComponentInit[]
): Entity {
  const t = treeOf(tree);
  const { absolute, steps } = parsePath(path);
  let at: Entity | null = absolute ? null : handleIn(t.ecs, from);
  parentNodeOf(t, at, "find by path");
  const made: Entity[] = [];
  return asOneCallOrNone(t.ecs, () => {
    try {
      for (const step of steps) {
        if (step.kind === "self") continue;
        if (step.kind === "up" && at !== null) at = tree.parentOf(at);
        else if (step.kind === "name") {
          const found = t.names.find(parentNodeOf(t, at, "find by path"), step.name);
          if (found !== 0) at = entityAt(t, found);
          else {
            at = attachNew(t, at, inits);
            made.push(at);
            setName(t, at, step.name);
          }
        } else if (
          step.kind === "id" &&
          tree.world.isAlive(step.entity) &&
          tree.parentOf(step.entity) === at
        ) {
          at = step.entity;
        } else
          refusePath(
            path,
            step.kind === "up" ? "there is nothing above the roots" : "only names can be created",
          );
      }
      return at ?? refusePath(path, "it leads to no entity");
    } catch (error) {
      for (const entity of made.reverse()) destroyAlone(t.ecs, entity, true);
      throw error;
    }
  });
}

function refusePath(path: string, why: string): never {
  throw new InvalidPathError(`Cannot create what is missing on the path ${describeValue(path)}: ${why}.`, {
    path,
    value: path,
  });
}
