/**
 * Changes of every match of a query in one call. The public ones know their world by the query; command buffers name theirs.
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

/**
 * Adds components to every match of a query. The matches are those at the start: `addAll(world.query(A), B)` ends also when B makes the
 * query match again.
 * @throws QueryError for what is not a query, and what `world.add` throws; nothing was added.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const Frozen = tag("Frozen");
 * world.spawnMany(3, Health);
 * addAll(world.query(Health), Frozen);
 * world.query(Frozen).count(); // → 3
 * ```
 */
export function addAll(query: Query<readonly Term[]>, ...inits: ComponentInit[]): void {
  addToMatches(stateOfQuery(query, "add a component"), query, inits);
}

/**
 * Removes components from every match of a query.
 * @throws QueryError for what is not a query.
 *
 * @example
 * ```ts
 * const Frozen = tag("Frozen");
 * world.spawnMany(3, Frozen);
 * removeAll(world.query(Frozen), Frozen);
 * world.query(Frozen).count(); // → 0
 * ```
 */
export function removeAll(query: Query<readonly Term[]>, ...components: AnyComponent[]): void {
  removeFromMatches(stateOfQuery(query, "remove a component"), query, components);
}

/**
 * Destroys every match of a query, with everything that must go with them.
 * @throws QueryError for what is not a query.
 *
 * @example
 * ```ts
 * const Frozen = tag("Frozen");
 * world.spawnMany(3, Frozen);
 * destroyAll(world.query(Frozen));
 * world.count; // → 0
 * ```
 */
export function destroyAll(query: Query<readonly Term[]>): void {
  destroyMatches(stateOfQuery(query, "destroy an entity"), query);
}

/** Adds components to every match. The matches are those at the start. */
export function addToMatches(
  s: WorldState,
  query: Query<readonly Term[]>,
  given: readonly ComponentInit[],
): void {
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
export function removeFromMatches(
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
 * observer has to be notified, nothing is recorded (a record says where each stood after those before it had left).
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
export function destroyMatches(s: WorldState, query: Query<readonly Term[]>): void {
  requireOwn(s, query, "destroy an entity");
  destroyEach(s, query.ids());
}

/** The state of a query's world. Refuses what is not a query. */
function stateOfQuery(query: Query<readonly Term[]>, doing: string): WorldState {
  if (query instanceof Query) return query.state;
  throw new QueryError(
    `Cannot ${doing}: ${describeValue(query)} is not a query. Make one with query() of a world.`,
    { value: query },
  );
}

function requireOwn(s: WorldState, query: Query<readonly Term[]>, doing: string): void {
  s.requireUsable(doing);
  s.requireUnlocked(doing);
  if (query.state === s) return;
  throw new QueryError(`Cannot ${doing}: ${query} belongs to another world. Make the query with this one.`, {
    subject: String(query),
  });
}
