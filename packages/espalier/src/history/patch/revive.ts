/**
 * Recreates a destroyed entity with its old handle.
 */
import { type ComponentInit, type Entity, type EntityLike, handleOf, type World } from "../../ecs/index.ts";
import { revive as reviveAt, stateOf } from "../../ecs/internal.ts";
import { isObject, requirePart, requireWorld } from "../arguments.ts";
import { requireSettled } from "../undo/recording.ts";
import { type IdMap, requireIdMap } from "./id-map.ts";
import type { Key } from "./patch.ts";

/**
 * Creates an entity with the handle of a destroyed one: everything that kept that handle refers to it again. It is a root, and
 * has the given
 * components. With `ids` and a key, it is registered there too.
 *
 * @throws InvalidHistoryError for an invalid `under`; DeadEntityError when it is alive, or another entity has its index; what
 * `spawn` throws for components.
 *
 * @example
 * ```ts
 * const Target = component("Target", { at: entityRef() });
 * const tank = world.spawn();
 * const gun = world.spawn(Target({ at: tank }));
 * world.destroy(tank);
 * world.get(gun, Target); // → { at: null }
 * revive(world, tank);
 * world.get(gun, Target); // → { at: tank }
 * ```
 */
export function revive(
  world: World,
  entity: EntityLike,
  components: readonly ComponentInit[] = [],
  under?: { readonly ids: IdMap; readonly key: Key },
): Entity {
  requireWorld(world, "revive an entity");
  requireSettled(world, "revive an entity");
  requirePart(
    Array.isArray(components),
    "revive an entity",
    "components are an array of components",
    components,
  );
  requirePart(isObject(under) && under.ids !== undefined, "revive an entity", "under is { ids, key }", under);
  requireIdMap(under?.ids, "revive an entity");
  const handle = handleOf(world, entity);
  const work = () => {
    under?.ids.set(under.key, handle);
    reviveAt(stateOf(world), handle, components, true);
    return handle;
  };
  return under === undefined ? work() : under.ids.allOrNothing(work);
}
