/**
 * Reports unknown names of states, in development: an entity that waits for one would be inactive for ever. A separate function, so that
 * production bundles leave it out.
 */
import { describeValue, type Entity, type World } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { UnknownStateError } from "../errors.ts";
import { suggest } from "../nearest.ts";
import { InState, knownStates, State } from "./components.ts";

/** Reports the names in the `InState` of an entity that the `State` above it does not allow, if that has a list. */
export function reportUnknown(
  { world, tree }: { readonly world: World; readonly tree: Hierarchy },
  entity: Entity,
): void {
  const gate = world.isAlive(entity) ? world.get(entity, InState) : undefined;
  let above = gate === undefined ? null : tree.parentOf(entity);
  while (above !== null && !world.has(above, State)) above = tree.parentOf(above);
  const state = above === null ? undefined : world.get(above, State);
  const known = state === undefined ? undefined : knownStates(state);
  if (gate === undefined || state === undefined || known === undefined) return;
  for (const name of new Set([...(gate.present ?? []), ...(gate.running ?? [])])) {
    if (known.includes(name)) continue;
    world.onError(
      new UnknownStateError(
        `${tree.label(entity)} has an InState for ${describeValue(name)}, and the State above it allows no such state. ${suggest(name, known, "states")}`,
        { entities: [entity], component: "InState", value: name, from: state.now, known },
      ),
    );
  }
}
