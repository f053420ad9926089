/**
 * States as components: a name that applies to everything below, and what is active in which state.
 */
import {
  type AnyComponent,
  type Component,
  component,
  describeValue,
  type Field,
  object,
  string,
  type ValueOf,
} from "../../ecs/index.ts";
import { entityEvent } from "../../hierarchy/index.ts";
import { defineInherited, type InheritedDefinition } from "../../inherit/index.ts";

/** Which states may follow a state. */
export type AllowedStates = { readonly [state: string]: readonly string[] };

/** The fields of `State`. */
export type StateSchema = {
  /** The name of the state. */
  now: Field<string, "string">;
  /** By the name of a state, the states that may follow it; `null` for any. */
  allowed: Field<AllowedStates | null, "object">;
};

/**
 * The state of a game, a menu or a character: applies to everything below, down to the next `State`. With `allowed` only the states that
 * it lists for the current one can follow; without it, any.
 */
export const State: Component<StateSchema> = /* @__PURE__ */ component(
  "State",
  {
    now: /* @__PURE__ */ string(),
    allowed: /* @__PURE__ */ object((): AllowedStates | null => null, wrongAllowed),
  },
  { storage: "sparse" },
);

/** All states that a `State` knows; `undefined` if any name is allowed. */
export function knownStates({ now, allowed }: ValueOf<StateSchema>): readonly string[] | undefined {
  if (allowed === null) return undefined;
  return [...new Set([now, ...Object.keys(allowed), ...Object.values(allowed).flat()])];
}

type Names = Field<readonly string[] | null, "object">;

/** The fields of `InState`. */
export type InStateSchema = {
  /** The states in which it is active. */
  present: Names;
  /** The states in which time passes for it. */
  running: Names;
};

/**
 * In which states of the nearest `State` above an entity is active, and in which time passes for it: sets `Active` and `TimeScale` of its
 * entity. A list that is left out has no effect.
 */
export const InState: Component<InStateSchema> = /* @__PURE__ */ component(
  "InState",
  {
    present: /* @__PURE__ */ object((): readonly string[] | null => null, wrongNames),
    running: /* @__PURE__ */ object((): readonly string[] | null => null, wrongNames),
  },
  { storage: "sparse" },
);

/** The components of this folder. */
export const stateComponents: readonly AnyComponent[] = [State, InState];

/** The state of the nearest entity that has one, including itself; `null` without any. */
export const nearestState: InheritedDefinition<StateSchema, string | null> = /* @__PURE__ */ defineInherited({
  name: "state",
  component: State,
  initial: null as string | null,
  combine: (_, own) => own.now,
});

/** Sent to an entity whose state changed, and for its first state: `from` is "" then. */
export const StateEntered = /* @__PURE__ */ entityEvent<{
  /** The new state. */
  readonly state: string;
  /** The state before. */
  readonly from: string;
}>("StateEntered");

/** Sent to an entity whose state changed, before `StateEntered`. */
export const StateExited = /* @__PURE__ */ entityEvent<{
  /** The former state. */
  readonly state: string;
  /** The new state. */
  readonly to: string;
}>("StateExited");

function wrongNames(value: unknown): string | undefined {
  if (value === null || (Array.isArray(value) && value.every((name) => typeof name === "string")))
    return undefined;
  return `takes an array of names of states, or null, got ${describeValue(value)}`;
}

function wrongAllowed(value: unknown): string | undefined {
  if (value === null) return undefined;
  const isRight =
    typeof value === "object" &&
    !Array.isArray(value) &&
    Object.values(value).every((names) => Array.isArray(names) && wrongNames(names) === undefined);
  return isRight
    ? undefined
    : `takes arrays of names by the name of a state, or null, got ${describeValue(value)}`;
}
