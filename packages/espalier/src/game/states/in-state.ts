/**
 * States as conditions of systems.
 */
import { describeValue, expectArguments, type RunCondition } from "../../ecs/index.ts";
import { EntityObject } from "../entity-object.ts";
import { UnknownStateError } from "../errors.ts";
import { suggest } from "../nearest.ts";
import { knownStates, State } from "./components.ts";

/**
 * Lets a system run only while an entity is in one of these states, and not after the entity was destroyed.
 *
 * @throws UnknownStateError for a state that is not in `allowed` of the entity's `State`.
 *
 * @example
 * ```ts
 * const game = createGame();
 * const flow = game.spawn(State({ now: "menu" }));
 * let waves = 0;
 * game.system({ name: "waves", runIf: inState(flow, "playing"), run: () => void waves++ });
 * game.step(3);
 * flow.set(State, { now: "playing" });
 * game.step(2);
 * waves; // → 2
 * ```
 */
export function inState(entity: EntityObject, ...states: readonly string[]): RunCondition {
  const doing = "run a system in a state";
  expectArguments(doing, ["the entity", entity, anEntityObject], ...states.map(aName));
  const state = entity.isAlive ? entity.find(State) : undefined;
  const known = state === undefined ? undefined : knownStates(state);
  const wrong = known === undefined ? undefined : states.find((name) => !known.includes(name));
  if (wrong !== undefined) {
    throw new UnknownStateError(
      `Cannot ${doing} ${describeValue(wrong)}: the State of ${entity} allows no such state. ${suggest(wrong, known!, "states")}`,
      { entities: [entity.id], component: "State", value: wrong, from: state!.now, known: known! },
    );
  }
  return () => entity.isAlive && states.includes(entity.find(State)?.now as string);
}

const anEntityObject = {
  expected: "an entity object. Pass what game.spawn() or game.entity() returned",
  fits: (value: unknown) => value instanceof EntityObject,
};

const aName = (name: string) => ["a state", name, "text"] as const;
