/**
 * Changes of every match of a query in one call.
 */

import type { AnyComponent, ComponentInit } from "../components/component.ts";
import { describeValue } from "../components/fields.ts";
import { checkAll, requireUnreserved } from "../components/validate.ts";
import { INDEX_MASK } from "../entities/entity.ts";
import { QueryError } from "../errors.ts";
import { Query } from "../queries/query.ts";
import type { Term } from "../queries/terms.ts";
import type { WorldState } from "../state.ts";
import { addChecked, removeOne } from "./change-components.ts";
import { destroyEach } from "./destroy.ts";

/** Adds components to every match. The matches are those at the start. */
export function addAll(s: WorldState, query: Query<readonly Term[]>, inits: readonly ComponentInit[]): void {
  requireOwn(s, query, "add a component");
  const stores = checkAll(s, inits, 0);
  const entities = query.ids();
  if (stores.some(({ guards }) => guards !== undefined)) {
    for (const entity of entities) checkAll(s, inits, entity & INDEX_MASK);
  }
  // An observer of an earlier one may have destroyed others.
  for (const entity of entities) if (s.isAlive(entity)) addChecked(s, entity, stores, inits);
}

/** Removes components from every match. */
export function removeAll(
  s: WorldState,
  query: Query<readonly Term[]>,
  components: readonly AnyComponent[],
): void {
  requireOwn(s, query, "remove a component");
  const stores = components.map((component) => s.store(component));
  for (const store of stores) requireUnreserved(store, "remove", undefined);
  for (const entity of query.ids()) {
    for (const store of stores) if (s.isAlive(entity)) removeOne(s, entity, store);
  }
}

/** Destroys every match, with everything that must go with them. */
export function destroyAll(s: WorldState, query: Query<readonly Term[]>): void {
  requireOwn(s, query, "destroy an entity");
  destroyEach(s, query.ids());
}

function requireOwn(s: WorldState, query: Query<readonly Term[]>, doing: string): void {
  s.requireUsable(doing);
  s.requireUnlocked(doing);
  if (!(query instanceof Query)) {
    throw new QueryError(
      `Cannot ${doing}: ${describeValue(query)} is not a query. Make one with query() of this world.`,
    );
  }
  if (query.state === s) return;
  throw new QueryError(`Cannot ${doing}: ${query} belongs to another world. Make the query with this one.`);
}
