/**
 * Some entities of a world as a scene file, with generated ids.
 */
import type { Entity, EntityLike } from "../../ecs/index.ts";
import { stateOf } from "../../ecs/internal.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { inTreeOrder } from "../among-siblings.ts";
import { requireEntity, requireList, requireOptions, requireTree } from "../arguments.ts";
import type { Registry } from "../registry.ts";
import { SceneIds } from "./ids.ts";
import { printWorld, type SaveOptions, saveOptions } from "./write.ts";

/** @param from - All roots if left out. */
export function saveEntities(
  registry: Registry,
  tree: Hierarchy,
  from: readonly EntityLike[] | undefined,
  options: SaveOptions,
): string {
  requireTree(tree, "save");
  requireOptions(options, "save", saveOptions, tree.world.checks);
  const saved = requireList(from === undefined ? tree.childrenOf(null) : from, "what is saved", "save").map(
    (entity) => requireEntity(tree, entity, "save"),
  );
  const ids = new SceneIds();
  for (const entity of saved) ids.generate(entity, tree.nameOf(entity));
  return printWorld({
    tree,
    registry,
    ids,
    tops: topsOf(tree, saved),
    keys: {},
    doing: "save the scene",
    options,
  });
}

/** The entities that are not below another, in tree order. */
function topsOf(tree: Hierarchy, from: readonly Entity[]): Entity[] {
  const given = new Set(from);
  const tops = new Set<Entity>();
  for (const entity of given) {
    stateOf(tree.world).require(entity, "save");
    let isTop = true;
    for (const above of tree.ancestors(entity)) if (given.has(above)) isTop = false;
    if (isTop) tops.add(entity);
  }
  return inTreeOrder(tree, tops);
}
