/**
 * What `spawn` finds out about a list of components, kept for the next time it is given the same list: a game spawns the same
 * few kinds of entities again and again.
 */
import type { SpawnPlan } from "../archetypes/archetype.ts";
import { type AnyComponent, type ComponentInit, InitValues } from "../components/component.ts";
import type { Store } from "../components/store.ts";
import { checkAll, checkFor, storeOfInit, valuesOf } from "../components/validate.ts";
import type { WorldState } from "../state.ts";
import { areMade } from "./start-values.ts";

/** How many plans a world keeps: a power of 2. Lists that fall on the same place take turns. */
const PLANS = 64;

/**
 * Checks the components of a new entity with their values; throws for what is refused, guards included. Gives the plan of an
 * equal list, if it is known.
 */
export function checkSpawn(s: WorldState, inits: readonly ComponentInit[]): SpawnPlan | undefined {
  const plan = s.plans[placeOf(inits)];
  if (plan === undefined || !isFor(plan, inits)) {
    checkAll(s, inits, 0);
    return undefined;
  }
  const { stores } = plan;
  for (let k = 0; k < stores.length; k++) {
    const store = stores[k] as Store;
    const values = valuesOf(inits[k] as ComponentInit);
    checkFor(s, store, values, 0, false);
    if (store.guards !== undefined) for (const guard of store.guards) guard(0, values);
  }
  return plan;
}

/** Makes the plan for a list that was checked. */
export function makePlan(s: WorldState, inits: readonly ComponentInit[]): SpawnPlan {
  const stores = inits.map((init) => storeOfInit(s, init));
  let archetype = s.graph.empty;
  for (const store of stores) archetype = archetype.withComponent[store.id] ?? s.graph.with(archetype, store);
  const plan = { stores, archetype, areMade: areMade(stores) };
  s.plans[placeOf(inits)] = plan;
  return plan;
}

/** Whether the list names the same components in the same order. */
function isFor({ stores }: SpawnPlan, inits: readonly ComponentInit[]): boolean {
  if (stores.length !== inits.length) return false;
  for (let k = 0; k < inits.length; k++) {
    const init = inits[k];
    if ((init instanceof InitValues ? init.component : init) !== (stores[k] as Store).component) return false;
  }
  return true;
}

function placeOf(inits: readonly ComponentInit[]): number {
  let place = inits.length;
  for (let k = 0; k < inits.length; k++) {
    const init = inits[k];
    const key =
      init instanceof InitValues || typeof init === "function" ? (init as AnyComponent | InitValues).key : 0;
    place = place * 7 + key;
  }
  return place & (PLANS - 1);
}
