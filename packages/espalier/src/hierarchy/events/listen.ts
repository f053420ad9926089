/**
 * Adding listeners that are called at once, while a change is made. Those called after it are in `notices.ts`.
 */

import type { Entity } from "../../ecs/index.ts";
import { observing, requireFunction } from "../../ecs/internal.ts";
import type { LinkListener, TreeState } from "../state.ts";

/** Calls `listener` with every entity that is about to be destroyed. Returns a function that ends it. */
export function onDestroying(t: TreeState, listener: (entity: Entity) => void): () => void {
  requireFunction(listener, "listen to what is about to go", "the listener");
  t.ecs.observing = observing;
  // One entry per call, so that ending one of two equal listeners leaves the other.
  const own = (entity: Entity) => listener(entity);
  t.destroyingListeners = [...t.destroyingListeners, own];
  return () => {
    t.destroyingListeners = t.destroyingListeners.filter((other) => other !== own);
  };
}

/**
 * For structures derived from the links: called after every change of a parent, at once, with node numbers (0: no
 * parent; for a node that dies the new parent is -1, and the call comes before the links change).
 */
export function onLinked(t: TreeState, listener: LinkListener): () => void {
  requireFunction(listener, "listen to moves", "the listener");
  const own: LinkListener = (child, from, to) => listener(child, from, to);
  t.linkListeners = [...t.linkListeners, own];
  t.dependents.count++;
  return () => {
    if (!t.linkListeners.includes(own)) return;
    t.linkListeners = t.linkListeners.filter((other) => other !== own);
    t.dependents.count--;
  };
}
