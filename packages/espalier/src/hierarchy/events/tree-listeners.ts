/**
 * Functions that a hierarchy calls when it changes, for users. `tree.events` is the stream to read instead.
 */
import type { Entity, EntityLike } from "../../ecs/index.ts";
import { checkOptions, requireFunction, requireObject } from "../../ecs/internal.ts";
import type { Hierarchy } from "../hierarchy.ts";
import { treeOf } from "../hierarchy-reader.ts";
import { nodeOf } from "../nodes.ts";
import type { SubtreeWatcher } from "./events.ts";
import * as listeners from "./listen.ts";
import type { ChildrenListener } from "./notices.ts";

/**
 * Calls `watcher` when a subtree comes under `entity` or goes from under it. A move inside is neither. Of a
 * destroyed subtree every entity is reported, children first. Returns a function that ends it; it also ends when
 * the entity is destroyed.
 *
 * @example
 * ```ts
 * const bag = world.spawn();
 * const seen: string[] = [];
 * watchSubtree(tree, bag, { joined: () => seen.push("in"), left: () => seen.push("out") });
 * tree.destroy(tree.attachNew(bag));
 * seen; // → ["in", "out"]
 * ```
 */
export function watchSubtree(tree: Hierarchy, entity: EntityLike, watcher: SubtreeWatcher): () => void {
  const t = treeOf(tree);
  requireObject(watcher, "watch a subtree", "the watcher");
  checkOptions(tree.world.checks, "watch a subtree", watcher, { joined: "function", left: "function" });
  return t.notices.watch(nodeOf(t, entity, "watch a subtree"), watcher);
}

/**
 * Calls `listener` with each entity (`null`: the roots) whose list of children changed, also when it became empty;
 * once per call, however many came and went in it. Returns a function that ends it.
 */
export function onChildrenChanged(tree: Hierarchy, listener: ChildrenListener): () => void {
  const t = treeOf(tree);
  requireFunction(listener, "listen to children", "the listener");
  return t.notices.listen(listener);
}

/**
 * Calls `listener` with every entity that is about to be destroyed, parents first, before anything goes. It may detach
 * or move some: those live on. Returns a function that ends it.
 */
export function onDestroying(tree: Hierarchy, listener: (entity: Entity) => void): () => void {
  return listeners.onDestroying(treeOf(tree), listener);
}
