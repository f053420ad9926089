/**
 * Messages that go up: from where something happened to everything that contains it.
 */

import type { Entity, EntityLike } from "../../ecs/index.ts";
import { requireFunction } from "../../ecs/internal.ts";
import { requireTree } from "../arguments.ts";
import type { Hierarchy } from "../hierarchy.ts";
import { forEachAncestor } from "../walks/relatives.ts";
import type { Verdict } from "../walks/verdict.ts";

/**
 * Gives a message to `from`, its parent, and so on up to the root, until `handle` answers `"stop"`. Gives the entity
 * that stopped it, or `null`. The way is the one at the start; entities that die meanwhile are passed over.
 *
 * @example
 * ```ts
 * const Button = tag("Button");
 * const button = world.spawn(Button);
 * const label = tree.attachNew(button);
 * bubble(tree, label, (entity) => (world.has(entity, Button) ? "stop" : undefined)); // → button
 * ```
 */
export function bubble(
  tree: Hierarchy,
  from: EntityLike,
  handle: (entity: Entity) => Verdict,
): Entity | null {
  requireTree(tree, "bubble");
  requireFunction(handle, "bubble", "the handler");
  let stoppedBy: Entity | null = null;
  forEachAncestor(
    tree,
    from,
    (entity) => {
      const verdict = handle(entity);
      if (verdict === "stop") stoppedBy = entity;
      return verdict;
    },
    { includeSelf: true },
  );
  return stoppedBy;
}
