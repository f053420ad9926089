/**
 * What server and clients share: which components are sent, how, and what a client may send.
 */
import {
  type AnyComponent,
  type Component,
  describeValue,
  type Entity,
  type Field,
  isComponent,
  type Schema,
  type ValueOf,
} from "espalier";
import { type Encoding, isQuantized, type ReplicatedComponent } from "./encodings.ts";
import { InvalidReplicationError } from "./errors.ts";
import { type ComponentPlan, type FieldPlan, inputPlanOf, planOf } from "./field-plans.ts";
import { hashOf } from "./hash.ts";
import { inputClassOf, type StateClasses, stateClassesOf } from "./state-classes.ts";

/** A component for `replicate`: all of it exactly, or as set by `fields`. */
export type Replicable = AnyComponent | ReplicatedComponent;

/** Options of `replicate`. */
export interface ReplicateOptions<Input extends Schema = Schema> {
  /** The components that clients get. */
  readonly components: readonly Replicable[];
  /** The component that a client may write on the entities it owns: its input. It is not sent to others. */
  readonly input?: Component<Input>;
  /** How the fields of the input are sent, by field: numbers have bounds. */
  readonly bounds?: { readonly [Name in keyof Input]?: Encoding };
}

/** What server and clients share. Created by `replicate`. */
export interface Replication<Input extends Schema = Schema> {
  /** The replicated components. */
  readonly components: readonly AnyComponent[];
  /** The component that holds the input of a client. */
  readonly input: Component<Input> | undefined;
  /** The Colyseus schema of an input: `inputs = this.defineInput(arena.Input)` in a room. */
  readonly Input: new () => InputData<Input>;
  /** What both sides must agree on, a line for each component. */
  readonly lines: readonly string[];
  /** The same as a number. */
  readonly hash: number;
  /** @internal */
  readonly plans: readonly ComponentPlan[];
  /** @internal */
  readonly inputPlan: readonly FieldPlan[];
  /** @internal The Colyseus schema of the state, with views or without. */
  readonly classes: { readonly all: StateClasses; readonly viewed: StateClasses };
}

/** The fields of an input. */
export type InputData<Input extends Schema> = {
  -readonly [Name in keyof ValueOf<Input>]: ValueOf<Input>[Name] extends Entity | null
    ? number
    : ValueOf<Input>[Name];
};

/**
 * Defines which parts of a world are sent. Both sides import the same definition.
 *
 * @throws InvalidReplicationError
 *
 * @example
 * ```ts
 * const Position = component("Position", { x: f32(), y: f32() });
 * const Health = component("Health", { hp: f32(100) });
 * const Steer = component("Steer", { turn: f32() });
 * const arena = replicate({
 *   components: [fields(Position, { x: range(-512, 512), y: range(-512, 512) }), Health],
 *   input: Steer,
 *   bounds: { turn: range(-1, 1) },
 * });
 * arena.lines[1]; // → "Health { hp: f32 }"
 * ```
 */
export function replicate<Input extends Schema = Schema>(
  options: ReplicateOptions<Input>,
): Replication<Input> {
  const { components: given, input, bounds = {} } = Object(options) as ReplicateOptions<Input>;
  if (!Array.isArray(given)) {
    throw new InvalidReplicationError(
      `Cannot replicate: components is an array of components, got ${describeValue(given)}.`,
      { option: "components", value: given },
    );
  }
  const plans = given.map(planOfComponent);
  const names = new Set<string>();
  for (const { component } of plans) {
    if (!names.has(component.name)) names.add(component.name);
    else
      throw new InvalidReplicationError(
        `Cannot replicate ${component.name} twice. List each component once.`,
        {
          component: component.name,
        },
      );
  }
  if (plans.length > MOST_COMPONENTS) {
    throw new InvalidReplicationError(
      `Cannot replicate ${plans.length} components: Colyseus takes ${MOST_COMPONENTS} in one entity.`,
      { limit: MOST_COMPONENTS, value: plans.length },
    );
  }
  if (input !== undefined && !isComponent(input)) {
    throw new InvalidReplicationError(
      `Cannot replicate: input is a component, got ${describeValue(input)}.`,
      {
        option: "input",
        value: input,
      },
    );
  }
  if (input !== undefined && names.has(input.name)) {
    throw new InvalidReplicationError(
      `Cannot replicate ${input.name}: it is the input, which goes from clients to the server. Take it out of components.`,
      { component: input.name },
    );
  }
  const inputPlan =
    input === undefined ? [] : inputPlanOf(input, bounds as { readonly [name: string]: Encoding });
  const lines = [
    ...plans.map(({ component, fields }) => lineOf(component.name, fields)),
    ...(input === undefined ? [] : [`input ${lineOf(input.name, inputPlan)}`]),
  ];
  return {
    components: plans.map(({ component }) => component),
    input,
    Input: inputClassOf(inputPlan) as unknown as new () => InputData<Input>,
    lines,
    hash: hashOf([PROTOCOL, ...lines].join("\n")),
    plans,
    inputPlan,
    classes: { all: stateClassesOf(plans, false), viewed: stateClassesOf(plans, true) },
  };
}

/** Both sides must use the same version: changes with the form of the state. */
const PROTOCOL = "espalier 1";

/** Colyseus numbers the fields of a schema with six bits; an entity has four of its own. */
const MOST_COMPONENTS = 60;

function planOfComponent(given: unknown): ComponentPlan {
  if (isComponent(given)) return planOf(given, {});
  const { component, encodings } = Object(given) as ReplicatedComponent;
  if (isComponent(component)) return planOf(component, encodings);
  throw new InvalidReplicationError(
    `Cannot replicate ${describeValue(given)}: list components, or what fields(…) returned.`,
    { value: given },
  );
}

function lineOf(name: string, plans: readonly FieldPlan[]): string {
  if (plans.length === 0) return name;
  return `${name} { ${plans.map(({ name: field, field: spec, encoding }) => `${field}: ${kindOf(spec, encoding)}`).join(", ")} }`;
}

function kindOf({ kind, names }: Field, encoding: Encoding): string {
  if (isQuantized(encoding)) {
    const { min, max, bits, mode } = encoding;
    return `${kind} ${mode} ${min}..${max} in ${bits} bits`;
  }
  return names === undefined ? kind : `${kind} ${names.join("|")}`;
}
