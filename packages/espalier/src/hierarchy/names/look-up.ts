/**
 * Looking entities up by name, for users: what the first page of the guide does not use.
 */
import type { Entity, EntityLike } from "../../ecs/index.ts";
import { handleIn } from "../../ecs/internal.ts";
import type { Hierarchy } from "../hierarchy.ts";
import { treeOf } from "../hierarchy-reader.ts";
import { entityOrNull, parentNodeOf } from "../nodes.ts";
import * as paths from "./find.ts";

/** The child (`null`: the root) of that name; the first one if several share it; `null` if there is none. */
export function childNamed(tree: Hierarchy, parent: EntityLike | null, name: string): Entity | null {
  const t = treeOf(tree);
  return entityOrNull(t, t.names.find(parentNodeOf(t, parent, "find a child"), name));
}

/**
 * All entities that match a pattern, in tree order, each once: `*` is any part of a name, `?` one character, `**` any
 * number of levels. Unnamed entities match only `**`.
 *
 * @example
 * ```ts
 * const { named } = spawnTree(tree, { name: "tank", children: [{ name: "turret" }, { name: "tracks" }] });
 * findAll(tree, "/tank/t*"); // → [named.turret, named.tracks]
 * ```
 */
export function findAll(tree: Hierarchy, pattern: string, from: EntityLike | null = null): Entity[] {
  const t = treeOf(tree);
  return paths.findAll(t, pattern, handleIn(t.ecs, from));
}

/** A path that leads to `entity` from `from`; through the roots when they are in different trees. */
export function relativePath(tree: Hierarchy, from: EntityLike, entity: EntityLike): string {
  const t = treeOf(tree);
  return paths.relativePath(t, handleIn(t.ecs, from), handleIn(t.ecs, entity));
}

/**
 * `tree.find` from an entity, then from its parent, and so on outwards; at last from the roots. The first that is found, or `null`: as a name in a
 * program is looked up.
 *
 * @example
 * ```ts
 * const { named } = spawnTree(tree, { name: "tank", children: [{ name: "gun" }, { name: "sounds" }] });
 * findOutwards(tree, "sounds", named.gun); // → named.sounds
 * ```
 */
export function findOutwards(tree: Hierarchy, path: string, from: EntityLike): Entity | null {
  const t = treeOf(tree);
  for (let at: Entity | null = handleIn(t.ecs, from); at !== null; at = tree.parentOf(at)) {
    const found = paths.find(t, path, at);
    if (found !== null) return found;
  }
  return paths.find(t, path, null);
}
