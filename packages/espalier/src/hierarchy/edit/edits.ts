/**
 * The edits of a hierarchy that are functions: those that the first page of the guide does not use. Each checks everything first; when
 * it throws, nothing has changed. Command buffers have all of them, by the same names (`hierarchyCommands`).
 */
import type { ComponentInit, Entity, EntityLike } from "../../ecs/index.ts";
import { handleIn, handlesIn } from "../../ecs/internal.ts";
import type { Hierarchy } from "../hierarchy.ts";
import { treeOf } from "../hierarchy-reader.ts";
import type { AttachOptions, KeepOptions } from "../options.ts";
import type { TreeState } from "../state.ts";
import { attach, attachNew } from "./attach.ts";
import * as many from "./attach-many.ts";
import * as out from "./detach.ts";
import { keepIn } from "./keep.ts";
import * as siblings from "./swap.ts";

/**
 * `tree.attach` by the name other systems use: `null` makes it a root.
 *
 * @example
 * ```ts
 * const [tank, turret] = [world.spawn(), world.spawn()];
 * setParent(tree, turret, tank);
 * tree.parentOf(turret); // → tank
 * ```
 */
export function setParent<Keep extends string>(
  tree: Hierarchy<Keep>,
  child: EntityLike,
  parent: EntityLike | null,
  options?: KeepOptions<NoInfer<Keep>>,
): boolean {
  const t = treeOf(tree);
  keepIn(t, "set the parent", options);
  return attach(t, handleIn(t.ecs, child), handleIn(t.ecs, parent), options);
}

/**
 * `tree.attachNew` with a position among the siblings.
 *
 * @example
 * ```ts
 * const tank = world.spawn();
 * const turret = tree.attachNew(tank);
 * const tracks = attachNewAt(tree, tank, { before: turret });
 * tree.childrenOf(tank); // → [tracks, turret]
 * ```
 */
export function attachNewAt<Keep extends string>(
  tree: Hierarchy<Keep>,
  parent: EntityLike | null,
  options: AttachOptions<NoInfer<Keep>> | undefined,
  ...inits: ComponentInit[]
): Entity {
  const t = treeOf(tree);
  return attachNew(t, handleIn(t.ecs, parent), inits, options);
}

/**
 * Exchanges the positions of two entities, each with everything below it. `false` for an entity with itself.
 * @throws CircularHierarchyError when one is below the other.
 *
 * @example
 * ```ts
 * const tank = world.spawn();
 * const [turret, hatch] = [tree.attachNew(tank), tree.attachNew(tank)];
 * swap(tree, turret, hatch);
 * tree.childrenOf(tank); // → [hatch, turret]
 * ```
 */
export function swap<Keep extends string>(
  tree: Hierarchy<Keep>,
  a: EntityLike,
  b: EntityLike,
  options?: KeepOptions<NoInfer<Keep>>,
): boolean {
  const t = treeOf(tree);
  return siblings.swap(t, handleIn(t.ecs, a), handleIn(t.ecs, b), keepIn(t, "swap", options));
}

/**
 * Puts several under one parent, next to each other and in the given order: all of them, or, if one is refused, none.
 * Those that are in their position already do not move.
 *
 * @example
 * ```ts
 * const tank = world.spawn();
 * const wheels = [world.spawn(), world.spawn()];
 * attachMany(tree, wheels, tank);
 * tree.childrenOf(tank); // → wheels
 * ```
 */
export function attachMany<Keep extends string>(
  tree: Hierarchy<Keep>,
  children: readonly EntityLike[],
  parent: EntityLike | null,
  options?: AttachOptions<NoInfer<Keep>>,
): void {
  const t = treeOf(tree);
  many.attachMany(t, handlesIn(t.ecs, children), handleIn(t.ecs, parent), options);
}

/** Puts several under `parent` from `index` on: `attachMany` with `at`. */
export function insertChildren<Keep extends string>(
  tree: Hierarchy<Keep>,
  parent: EntityLike | null,
  index: number,
  children: readonly EntityLike[],
  options?: KeepOptions<NoInfer<Keep>>,
): void {
  const t = treeOf(tree);
  keepIn(t, "insert children", options);
  many.attachMany(t, handlesIn(t.ecs, children), handleIn(t.ecs, parent), { ...options, at: index });
}

/**
 * Carries out several attachments to different parents, in order: all of them, or, if one is refused, none. A cycle
 * that only their combination forms is found too, and every parent must have room when its turn comes.
 */
export function attachAll<Keep extends string>(
  tree: Hierarchy<Keep>,
  pairs: readonly (readonly [child: EntityLike, parent: EntityLike | null])[],
  options?: KeepOptions<NoInfer<Keep>>,
): void {
  const t = treeOf(tree);
  many.attachAll(t, handlePairs(t, pairs), keepIn(t, "attach", options));
}

/** Makes several roots, in the given order. Those that are roots already are passed over. */
export function detachMany<Keep extends string>(
  tree: Hierarchy<Keep>,
  children: readonly EntityLike[],
  options?: KeepOptions<NoInfer<Keep>>,
): void {
  const t = treeOf(tree);
  out.detachMany(t, handlesIn(t.ecs, children), keepIn(t, "detach", options));
}

/** Makes all children of `parent` roots, in order. */
export function detachChildren<Keep extends string>(
  tree: Hierarchy<Keep>,
  parent: EntityLike,
  options?: KeepOptions<NoInfer<Keep>>,
): void {
  const t = treeOf(tree);
  out.detachChildren(t, handleIn(t.ecs, parent), keepIn(t, "detach the children", options));
}

/**
 * Makes `children` the children of `parent`, in that order; the others become roots.
 *
 * @example
 * ```ts
 * const tank = world.spawn();
 * const [turret, hatch, flag] = [tree.attachNew(tank), tree.attachNew(tank), world.spawn()];
 * replaceChildren(tree, tank, [flag, turret]);
 * tree.childrenOf(tank); // → [flag, turret]
 * tree.isRoot(hatch); // → true
 * ```
 */
export function replaceChildren<Keep extends string>(
  tree: Hierarchy<Keep>,
  parent: EntityLike,
  children: readonly EntityLike[],
  options?: KeepOptions<NoInfer<Keep>>,
): void {
  const t = treeOf(tree);
  many.replaceChildren(
    t,
    handleIn(t.ecs, parent),
    handlesIn(t.ecs, children),
    keepIn(t, "replace the children", options),
  );
}

/** Makes the entity and each of its children a root: it stands alone. What is below the children stays with them. */
export function isolate<Keep extends string>(
  tree: Hierarchy<Keep>,
  entity: EntityLike,
  options?: KeepOptions<NoInfer<Keep>>,
): void {
  const t = treeOf(tree);
  out.isolate(t, handleIn(t.ecs, entity), keepIn(t, "isolate", options));
}

/** Makes the entity and everything below it roots without links, in pre-order. Nothing is destroyed. */
export function dissolve<Keep extends string>(
  tree: Hierarchy<Keep>,
  entity: EntityLike,
  options?: KeepOptions<NoInfer<Keep>>,
): void {
  const t = treeOf(tree);
  out.dissolve(t, handleIn(t.ecs, entity), keepIn(t, "dissolve", options));
}

/** Sorts the children (`null`: the roots) by a comparison. Stable; one event; `false` when they are in order already. */
export function sortChildren(
  tree: Hierarchy,
  parent: EntityLike | null,
  compare: (a: Entity, b: Entity) => number,
): boolean {
  const t = treeOf(tree);
  return many.sortChildren(t, handleIn(t.ecs, parent), compare);
}

/**
 * Sorts the children (`null`: the roots) by a key, which is read once for each: numbers, then strings. Stable; one event; `false` when
 * they are in order already.
 *
 * @example
 * ```ts
 * const shelf = world.spawn();
 * const [b, a] = [tree.attachNew(shelf), tree.attachNew(shelf)];
 * tree.setName(b, "b");
 * tree.setName(a, "a");
 * sortChildrenBy(tree, shelf, (book) => tree.nameOf(book)!);
 * tree.childrenOf(shelf); // → [a, b]
 * ```
 */
export function sortChildrenBy(
  tree: Hierarchy,
  parent: EntityLike | null,
  keyOf: (child: Entity) => number | string,
): boolean {
  const t = treeOf(tree);
  return many.sortChildrenBy(t, handleIn(t.ecs, parent), keyOf);
}

/** The pairs with handles instead of objects. What is not a list of pairs is returned as it is, and refused later. */
function handlePairs(
  { ecs }: TreeState,
  pairs: readonly (readonly [child: EntityLike, parent: EntityLike | null])[],
): readonly (readonly [child: Entity, parent: Entity | null])[] {
  if (!Array.isArray(pairs)) return pairs as readonly (readonly [Entity, Entity | null])[];
  return pairs.map((pair) =>
    Array.isArray(pair) ? ([handleIn(ecs, pair[0]), handleIn(ecs, pair[1])] as const) : pair,
  );
}
