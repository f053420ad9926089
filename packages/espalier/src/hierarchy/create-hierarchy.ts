/**
 * Making hierarchies, and telling tools of them: what `inspect` shows of an entity, what `check(world)` asks.
 */
import type { World } from "../ecs/index.ts";
import { checkOptions, DEVELOPMENT, provideCheck, provideComputed } from "../ecs/internal.ts";
import { findingsIn } from "./check.ts";
import { Hierarchy } from "./hierarchy.ts";
import { treeOf } from "./hierarchy-reader.ts";
import type { UpLinks } from "./link-forms.ts";
import type { HierarchyOptions } from "./options.ts";
import type { UpHierarchy, UpHierarchyOptions } from "./up-hierarchy.ts";

/** Creates a hierarchy that keeps parents only, and has no calls for children. */
export function createHierarchy(
  world: World,
  options: UpHierarchyOptions & { readonly links: UpLinks },
): UpHierarchy;
/**
 * Creates a hierarchy over the entities of a world. Every entity is in it from the start, as a root.
 *
 * Spaces of your own are announced by name, so that `keep` offers them and a wrong name is an error of the types:
 * `createHierarchy<"grid">(world)`.
 *
 * @example
 * ```ts
 * const tree = createHierarchy(world);
 * const tank = world.spawn();
 * const turret = tree.attachNew(tank);
 * tree.childrenOf(tank); // → [turret]
 * ```
 */
export function createHierarchy<OwnSpace extends string = never>(
  world: World,
  options?: HierarchyOptions<OwnSpace | "world" | "rect">,
): Hierarchy<OwnSpace | "world" | "rect">;
export function createHierarchy(
  world: World,
  options: HierarchyOptions | (UpHierarchyOptions & { readonly links: UpLinks }) = {},
): Hierarchy | UpHierarchy {
  checkOptions(false, "create a hierarchy", options, {});
  const { links } = options;
  if (typeof links === "object" && links !== null && "createHierarchy" in links) {
    return links.createHierarchy(world, options as UpHierarchyOptions);
  }
  const tree = new Hierarchy(world, options as HierarchyOptions);
  if (DEVELOPMENT) provideCheck(treeOf(tree).ecs, { name: tree.name, check: () => findingsIn(tree) });
  provideComputed(world, tree.name, { name: "depth", compute: (entity) => tree.depthOf(entity) });
  provideComputed(world, tree.name, { name: "path", compute: (entity) => tree.pathOf(entity) });
  return tree;
}
