/**
 * What rooms outside of the core ask of the arguments of their calls: whatever is passed, the answer is an error that helps.
 */
import { isWorld } from "../world.ts";
import { refuseArgument } from "./arguments.ts";

/** What an argument is to be. A list of names stands for an object with these numbers; `?` behind a name lets it be left out. */
export type ArgumentKind =
  | "function"
  | "list"
  | "object"
  | "text"
  | "number"
  | "finite number"
  | "boolean"
  | "world"
  | readonly string[]
  | ArgumentTest;

/** A kind of argument that only a room knows. */
export interface ArgumentTest {
  /** Completes "it is 5, not …": "a renderer. Pass what createRenderer() returned". */
  readonly expected: string;
  /** Whether a value is of this kind. */
  readonly fits: (value: unknown) => boolean;
}

/** An argument with its name in messages and what it is to be. */
export type ExpectedArgument = readonly [what: string, value: unknown, kind: ArgumentKind];

/**
 * Refuses arguments that are not what they should be. For the doors of rooms and tools; values of entities have fields for that.
 *
 * @param doing - Completes "Cannot …" in the message.
 * @throws InvalidArgumentError
 *
 * @example
 * ```ts
 * const size = { width: 5, height: "6" };
 * expectArguments("resize", ["the size", size, ["width", "height"]]);
 * // throws InvalidArgumentError: Cannot resize: height of the size is "6", not a number.
 * ```
 */
export function expectArguments(doing: string, ...expected: readonly ExpectedArgument[]): void {
  for (const each of expected) {
    if (!Array.isArray(each))
      refuseArgument(each, "check arguments", "what is expected", "a name, a value and a kind");
    const [what, value, kind] = each as ExpectedArgument;
    const test = typeof kind === "string" ? tests[kind] : kind;
    if (Array.isArray(test)) expectNumbers(doing, what, value, test as readonly string[]);
    else if (!(Object(test) as ArgumentTest).fits?.(value))
      refuseArgument(value, doing, what, (Object(test) as ArgumentTest).expected ?? "of a kind that exists");
  }
}

/**
 * The same for calls that run too often to ask first: what to throw when such a call threw. That is an error about the first
 * argument that is not what it should be, otherwise what was thrown.
 */
export function explainThrown(
  error: unknown,
  doing: string,
  ...expected: readonly ExpectedArgument[]
): unknown {
  try {
    expectArguments(doing, ...expected);
    return error;
  } catch (refused) {
    return refused;
  }
}

type NamedKind = Extract<ArgumentKind, string>;

const tests: { readonly [Kind in NamedKind]: ArgumentTest } = {
  function: { expected: "a function", fits: (value) => typeof value === "function" },
  list: { expected: "an array", fits: (value) => Array.isArray(value) },
  object: { expected: "an object", fits: (value) => typeof value === "object" && value !== null },
  text: { expected: "a string", fits: (value) => typeof value === "string" },
  number: { expected: "a number", fits: (value) => typeof value === "number" },
  "finite number": { expected: "a finite number", fits: (value) => Number.isFinite(value) },
  boolean: { expected: "true or false", fits: (value) => typeof value === "boolean" },
  world: { expected: "a world. Pass what createWorld() returned", fits: isWorld },
};

function expectNumbers(doing: string, what: string, value: unknown, names: readonly string[]): void {
  if (typeof value !== "object" || value === null) {
    const numbers = names.map((name) => name.replace("?", "")).join(", ");
    refuseArgument(value, doing, what, `an object with the numbers ${numbers}`);
  }
  for (const name of names) {
    const field = name.replace("?", "");
    const number = (value as { readonly [field: string]: unknown })[field];
    if (typeof number === "number" || (number === undefined && field !== name)) continue;
    refuseArgument(number, doing, `${field} of ${what}`, "a number");
  }
}
