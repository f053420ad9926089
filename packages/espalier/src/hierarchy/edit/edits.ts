/**
 * The edits of a hierarchy that are functions: those that the first page of the guide does not use. Each checks everything first; when
 * it throws, nothing has changed. Command buffers have all of them, by the same names (`hierarchyCommands`).
 */
import type { ComponentInit, Entity } from "../../ecs/index.ts";
import type { Hierarchy } from "../hierarchy.ts";
import { treeOf } from "../hierarchy-reader.ts";
import type { KeepOptions, PlaceOptions } from "../options.ts";
import { attach, attachNew } from "./attach.ts";
import * as many from "./attach-many.ts";
import * as out from "./detach.ts";
import { keepIn } from "./keep.ts";
import * as places from "./swap.ts";

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
  child: Entity,
  parent: Entity | null,
  options?: KeepOptions<NoInfer<Keep>>,
): boolean {
  const t = treeOf(tree);
  keepIn(t, "set the parent", options);
  return attach(t, child, parent, options);
}

/**
 * `tree.attachNew` with a place among the siblings.
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
  parent: Entity | null,
  options: PlaceOptions<NoInfer<Keep>> | undefined,
  ...inits: ComponentInit[]
): Entity {
  return attachNew(treeOf(tree), parent, inits, options);
}

/**
 * Exchanges the places of two entities, each with everything below it. `false` for an entity with itself.
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
  a: Entity,
  b: Entity,
  options?: KeepOptions<NoInfer<Keep>>,
): boolean {
  const t = treeOf(tree);
  return places.swap(t, a, b, keepIn(t, "swap", options));
}

/**
 * Puts several under one parent, next to each other and in the given order: all of them, or, if one is refused, none.
 * Those that are in their place already do not move.
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
  children: readonly Entity[],
  parent: Entity | null,
  options?: PlaceOptions<NoInfer<Keep>>,
): void {
  many.attachMany(treeOf(tree), children, parent, options);
}

/** Puts several under `parent` from `index` on: `attachMany` with `at`. */
export function insertChildren<Keep extends string>(
  tree: Hierarchy<Keep>,
  parent: Entity | null,
  index: number,
  children: readonly Entity[],
  options?: KeepOptions<NoInfer<Keep>>,
): void {
  const t = treeOf(tree);
  keepIn(t, "insert children", options);
  many.attachMany(t, children, parent, { ...options, at: index });
}

/**
 * Carries out several attachments to different parents, in order: all of them, or, if one is refused, none. A cycle
 * that only their combination forms is found too, and every parent must have room when its turn comes.
 */
export function attachAll<Keep extends string>(
  tree: Hierarchy<Keep>,
  pairs: readonly (readonly [child: Entity, parent: Entity | null])[],
  options?: KeepOptions<NoInfer<Keep>>,
): void {
  const t = treeOf(tree);
  many.attachAll(t, pairs, keepIn(t, "attach", options));
}

/** Makes several roots, in the given order. Those that are roots already are passed over. */
export function detachMany<Keep extends string>(
  tree: Hierarchy<Keep>,
  children: readonly Entity[],
  options?: KeepOptions<NoInfer<Keep>>,
): void {
  const t = treeOf(tree);
  out.detachMany(t, children, keepIn(t, "detach", options));
}

/** Makes all children of `parent` roots, in order. */
export function detachChildren<Keep extends string>(
  tree: Hierarchy<Keep>,
  parent: Entity,
  options?: KeepOptions<NoInfer<Keep>>,
): void {
  const t = treeOf(tree);
  out.detachChildren(t, parent, keepIn(t, "detach the children", options));
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
  parent: Entity,
  children: readonly Entity[],
  options?: KeepOptions<NoInfer<Keep>>,
): void {
  const t = treeOf(tree);
  many.replaceChildren(t, parent, children, keepIn(t, "replace the children", options));
}

/** Makes the entity and each of its children a root: it stands alone. What is below the children stays with them. */
export function isolate<Keep extends string>(
  tree: Hierarchy<Keep>,
  entity: Entity,
  options?: KeepOptions<NoInfer<Keep>>,
): void {
  const t = treeOf(tree);
  out.isolate(t, entity, keepIn(t, "isolate", options));
}

/** Makes the entity and everything below it roots without links, in pre-order. Nothing is destroyed. */
export function dissolve<Keep extends string>(
  tree: Hierarchy<Keep>,
  entity: Entity,
  options?: KeepOptions<NoInfer<Keep>>,
): void {
  const t = treeOf(tree);
  out.dissolve(t, entity, keepIn(t, "dissolve", options));
}

/** Sorts the children (`null`: the roots) by a comparison. Stable; one event; `false` when they are in order already. */
export function sortChildren(
  tree: Hierarchy,
  parent: Entity | null,
  compare: (a: Entity, b: Entity) => number,
): boolean {
  return many.sortChildren(treeOf(tree), parent, compare);
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
  parent: Entity | null,
  keyOf: (child: Entity) => number | string,
): boolean {
  return many.sortChildrenBy(treeOf(tree), parent, keyOf);
}
