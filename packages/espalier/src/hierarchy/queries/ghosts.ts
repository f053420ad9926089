/**
 * Ghosts: entities that are in the structure and that everything else sees through. A folder in an editor, a group that
 * only holds things together.
 */

import { type AnyComponent, type Entity, type EntityLike, type Tag, tag } from "../../ecs/index.ts";
import { requireTree } from "../arguments.ts";
import type { Hierarchy } from "../hierarchy.ts";

/** Marks a ghost. Values that flow down pass through it as if it had none of its own. */
export const Ghost: Tag = /* @__PURE__ */ tag("Ghost");

/** The components of this room, for scene formats: `createSceneFormat({ components: [hierarchyComponents] })`. */
export const hierarchyComponents: readonly AnyComponent[] = [Ghost];

/** The nearest ancestor that is not a ghost, or `null`. */
export function solidParent(tree: Hierarchy, entity: EntityLike): Entity | null {
  requireTree(tree, "find a parent");
  for (const ancestor of tree.ancestors(entity)) if (!tree.world.has(ancestor, Ghost)) return ancestor;
  return null;
}

/** The children, and instead of each ghost its own: all that hang on `entity` if ghosts are not counted. */
export function* solidChildren(tree: Hierarchy, entity: EntityLike): IterableIterator<Entity> {
  requireTree(tree, "list children");
  const walk = tree.descendants(entity);
  for (const descendant of walk) {
    if (tree.world.has(descendant, Ghost)) continue;
    yield descendant;
    walk.skip();
  }
}

/** Everything below, in pre-order, without the ghosts. */
export function* solidDescendants(tree: Hierarchy, entity: EntityLike): IterableIterator<Entity> {
  requireTree(tree, "list descendants");
  for (const descendant of tree.descendants(entity)) if (!tree.world.has(descendant, Ghost)) yield descendant;
}
