/**
 * Reading what was added, changed and removed.
 */
import type { AnyComponent } from "../components/component.ts";
import type { Entity } from "../entities/entity.ts";
import { Query } from "../queries/query.ts";
import type { Term } from "../queries/terms.ts";
import { stateOf, type World } from "../world.ts";
import type { ChangeReader } from "./changes.ts";
import { readChanges } from "./read-changes.ts";

/**
 * A new reader of what is added, changed and removed from now on. `filter` narrows what `read()` lists.
 *
 * @param of - A world, or a query: its reader lists only entities that match it.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const tank = world.spawn(Health);
 * const hurt = changesOf(world, Health);
 * world.set(tank, Health, { hp: 5 });
 * hurt.read(); // → { added: [], changed: [tank], removed: [] }
 * ```
 */
export function changesOf(
  of: World | Query<readonly Term[]>,
  component: AnyComponent,
  filter?: (entity: Entity) => boolean,
): ChangeReader {
  if (!(of instanceof Query)) return readChanges(stateOf(of), component, filter);
  const matches = (entity: Entity) => of.includes(entity);
  return readChanges(
    of.state,
    component,
    typeof filter === "function" ? (entity) => matches(entity) && filter(entity) : (filter ?? matches),
  );
}
