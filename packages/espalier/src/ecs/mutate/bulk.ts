/**
 * Changes of every match of a query in one call.
 */

import type { Archetype } from "../archetypes/archetype.ts";
import { complete, withoutBundles } from "../bundles/complete.ts";
import type { AnyComponent, ComponentInit } from "../components/component.ts";
import { describeValue } from "../components/fields.ts";
import type { Store } from "../components/store.ts";
import { checkAll, requireUnreserved, storeOfInit, valuesOf } from "../components/validate.ts";
import { INDEX_MASK } from "../entities/entity.ts";
import { QueryError } from "../errors.ts";
import { settle } from "../listeners/notices.ts";
import { runRemoving } from "../listeners/notify.ts";
import { Query } from "../queries/query.ts";
import type { Term } from "../queries/terms.ts";
import type { WorldState } from "../state.ts";
import { addChecked, addRows, removeOne, removeRows } from "./change-components.ts";
import { destroyEach } from "./destroy.ts";
import { areMade, makeDefaults } from "./start-values.ts";
import { overwrite } from "./write.ts";

/** Adds components to every match. The matches are those at the start. */
export function addAll(s: WorldState, query: Query<readonly Term[]>, given: readonly ComponentInit[]): void {
  requireOwn(s, query, "add a component");
  const inits = withoutBundles(given);
  if (complete(s, inits, 0) !== inits) {
    addCompleted(s, query, inits);
    return;
  }
  checkAll(s, inits, 0);
  const stores = inits.map((init) => storeOfInit(s, init));
  if (stores.some(({ guards }) => guards !== undefined)) {
    for (const entity of query.ids()) checkAll(s, inits, entity & INDEX_MASK);
  }
  const lists = areMade(s, inits) ? undefined : wholeLists(s, query, stores);
  if (lists === undefined) {
    const entities = query.ids();
    const values = areMade(s, inits) ? entities.map(() => makeDefaults(s, inits)) : undefined;
    entities.forEach((entity, k) => {
      // A function that makes a default may have destroyed it.
      if (s.isAlive(entity)) addChecked(s, entity, values?.[k] ?? inits);
    });
    if (s.notices.waits) settle(s);
    return;
  }
  for (const [list, count] of lists) {
    let at = list;
    let first = 0;
    for (let k = 0; k < stores.length; k++) {
      const store = stores[k] as Store;
      const values = valuesOf(inits[k] as ComponentInit);
      const last = first + count;
      if (at.has[store.id] === 1) {
        for (let row = first; row < last; row++) overwrite(s, s.handleAt(at.ids[row]), store, values);
      } else {
        at = addRows(s, at, first, last, store, values);
        first = at.count - count;
      }
    }
  }
}

/** The same where components require others, which some of the matches may have. */
function addCompleted(s: WorldState, query: Query<readonly Term[]>, inits: readonly ComponentInit[]): void {
  const entities = query.ids();
  const each = entities.map((entity) => complete(s, inits, entity & INDEX_MASK));
  entities.forEach((entity, k) => {
    checkAll(s, each[k] as readonly ComponentInit[], entity & INDEX_MASK);
  });
  const values = each.map((own) => (areMade(s, own) ? makeDefaults(s, own) : own));
  entities.forEach((entity, k) => {
    // A function that makes a default may have destroyed it.
    if (s.isAlive(entity)) addChecked(s, entity, values[k] as readonly ComponentInit[]);
  });
  if (s.notices.waits) settle(s);
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
  const lists = wholeLists(s, query, stores);
  if (lists === undefined) {
    const entities = query.ids();
    for (const entity of entities) for (const store of stores) runRemoving(s, entity, store);
    for (const entity of entities) for (const store of stores) removeOne(s, entity, store);
    if (s.notices.waits) settle(s);
    return;
  }
  for (const [list, count] of lists) {
    let at = list;
    let first = 0;
    for (const store of stores) {
      if (at.has[store.id] !== 1) continue;
      at = removeRows(s, at, first, first + count, store);
      first = at.count - count;
    }
  }
}

/**
 * The lists of all matches, and how many are in each, if they can be moved as a whole: no term has to be asked for each entity, no
 * observer has to be notified, nothing is recorded (which tells where each stood when those before it had gone).
 *
 * A list that is moved goes through all its changes before the next one. What one list leaves behind in another is behind the
 * entities that are counted here, and that other one has nothing left to gain or lose.
 */
function wholeLists(
  s: WorldState,
  query: Query<readonly Term[]>,
  stores: readonly Store[],
): (readonly [Archetype, number])[] | undefined {
  if (s.recorder.wanted || stores.some(({ observers }) => observers !== undefined)) return undefined;
  return query.archetypes
    ?.filter(({ count }) => count !== 0)
    .map((archetype) => [archetype, archetype.count] as const);
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
      { value: query },
    );
  }
  if (query.state === s) return;
  throw new QueryError(`Cannot ${doing}: ${query} belongs to another world. Make the query with this one.`, {
    subject: String(query),
  });
}
