/**
 * Puts the entities of a draft below their parents: missing ones are created, others moved if their parent changed.
 */
import type { Entity } from "../../ecs/index.ts";
import { attachNode } from "../build.ts";
import { memberOf } from "../member.ts";
import type { Draft } from "../read/read.ts";
import type { Work } from "./prepare.ts";

/** Creates the entity of a node, or puts it under its parent. Parents come before their children. */
export function placer(work: Work): (k: number) => void {
  const { tree, before, after, entities, former, doomed, scene, parent: top, keepRoots } = work;
  const { world } = tree;
  const lost = belowDoomed(work);

  const make = (k: number, parent: Entity | null) => {
    const node = after.nodes[k];
    const note = scene === 0 ? undefined : { scene, id: node.fixId() };
    const made = attachNode(tree, node, parent, undefined, note);
    if (typeof node.name === "string") tree.setName(made, node.name);
    work.added.add(k);
    return made;
  };

  /** Whether a node has another parent than in the former draft. */
  const isMoved = (k: number, { nodes }: Draft) => {
    if (former[k] < 0) return false;
    const was = nodes[former[k]].parent;
    const { parent } = after.nodes[k];
    return parent < 0 ? was >= 0 : was < 0 || former[parent] !== was;
  };

  /** Whether no ancestor of an entity belongs to the scene or is about to be removed. */
  const isTop = (entity: Entity) => {
    for (const above of tree.ancestors(entity)) {
      if (memberOf(world, above)?.scene === scene || doomed.has(above)) return false;
    }
    return true;
  };

  /** The game may have put it below an entity that is removed now, although the file still has it. */
  const isLost = (entity: Entity) => {
    if (!lost.delete(entity)) return false;
    for (const above of tree.ancestors(entity)) {
      if (doomed.has(above)) return true;
      if (!lost.has(above)) return false;
    }
    return false;
  };

  /** The game may have put the new parent below the entity: the entity in between trades parents with it. */
  const makeWay = (entity: Entity, parent: Entity) => {
    if (tree.childCount(entity) === 0 || !tree.isAncestor(entity, parent)) return;
    let below = parent;
    for (const above of tree.ancestors(parent)) {
      if (above === entity) break;
      below = above;
    }
    tree.attach(below, tree.parentOf(entity));
  };

  return (k) => {
    const node = after.nodes[k];
    const isRoot = node.parent < 0;
    const parent = isRoot ? top : entities[node.parent];
    const entity = entities[k];
    if (entity === undefined || !world.isAlive(entity)) {
      // Entities that the game destroyed stay destroyed, with their descendants.
      entities[k] = parent === undefined || former[k] >= 0 ? undefined : make(k, parent);
      return;
    }
    if (parent === undefined || (keepRoots && isRoot)) return;
    const stays =
      before === undefined ? isRoot && isTop(entity) : !isLost(entity) && !isMoved(k, before.draft);
    if (stays || tree.parentOf(entity) === parent) return;
    if (parent !== null) makeWay(entity, parent);
    tree.attach(entity, parent);
    work.moved.add(k);
  };
}

/** Entities below removed ones. None are added later: entities are moved only below ones that stay. */
function belowDoomed({ tree, doomed }: Work): Set<Entity> {
  const found = new Set<Entity>();
  for (const top of doomed.keys()) {
    if (found.has(top)) continue;
    tree.forEachDescendant(top, (entity) => {
      if (found.has(entity)) return "skip";
      found.add(entity);
      return undefined;
    });
  }
  return found;
}
