/**
 * How fast time passes for entities: the inherited `TimeScale`, and not at all for those that do not take part.
 */
import type { EntityLike, Resource } from "../ecs/index.ts";
import { resource } from "../ecs/index.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { createInherited } from "./inherited.ts";
import { timeScale } from "./presets.ts";
import { requireTree } from "./require-tree.ts";
import { activityOf } from "./taking-part.ts";

/** How fast time passes for entities. Right at once after any change. */
export interface Pace {
  /** 1 is as fast as for the game; 0 stands still, as everything does that is not active. Multiply `dt` by it. */
  of(entity: EntityLike): number;
  /** Brings all values up to date, so that `of` is quick. */
  propagate(): void;
}

const Shared: Resource<Map<Hierarchy, Pace>> = /* @__PURE__ */ resource(
  "espalier/inherit pace",
  () => new Map(),
);

/**
 * The pace of the entities of a tree, made when first asked for and shared by all rooms.
 *
 * @example
 * ```ts
 * const pace = paceOf(tree);
 * const level = world.spawn(TimeScale({ value: 0.5 }));
 * const enemy = tree.attachNew(level, TimeScale({ value: 0.5 }));
 * pace.of(enemy); // → 0.25
 * world.add(level, Active({ on: false }));
 * pace.of(enemy); // → 0
 * ```
 */
export function paceOf(tree: Hierarchy): Pace {
  const { world } = requireTree(tree);
  const all = world.resource(Shared);
  let found = all.get(tree);
  if (found === undefined) {
    const activities = activityOf(tree);
    const scales = createInherited(tree, timeScale);
    found = {
      of: (entity) => (activities.of(entity) ? scales.of(entity) : 0),
      propagate() {
        activities.propagate();
        scales.propagate();
      },
    };
    all.set(tree, found);
  }
  return found;
}
