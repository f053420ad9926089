/**
 * Calls everything with bad values: every argument in turn, and every option of every options argument, while the other
 * arguments are right.
 */
import { checkWorld, EspalierError, type World } from "espalier";
import { badValues, type Handles } from "./bad-values.ts";
import { membersOf, type Parameter, propertiesOf, type Signature, type Signatures } from "./signatures.ts";

/** What one set of calls happens on. Made anew often: a call may break anything. */
export interface Stage extends Handles {
  readonly world: World;
  /** Objects whose methods are called: the name for reports, the type in the source, the object. */
  readonly objects: readonly (readonly [name: string, type: string, object: object])[];
  /** A right value for a parameter, by its type as written, else by its name. */
  readonly right: { readonly [typeOrName: string]: unknown };
  /** What the world reported to `onError`. */
  readonly reported: unknown[];
  /** Does ordinary things, so that what a bad call left behind shows. */
  poke(): void;
  /** Frees what is not freed by itself. */
  end?(): void;
}

/** A call with a bad value that ended in something other than an answer or an error with a code. */
export interface RawEnd {
  readonly call: string;
  readonly what: string;
}

export interface Result {
  calls: number;
  readonly raw: RawEnd[];
}

export interface Call {
  readonly name: string;
  readonly signature: Signature;
  readonly find: (stage: Stage) => (...args: unknown[]) => unknown;
}

/** The exported functions of a module; classes are left out, because the library makes their objects. */
export function callsOfModule(
  signatures: Signatures,
  name: string,
  module: { readonly [name: string]: unknown },
): Call[] {
  return Object.entries(module).flatMap(([key, value]): Call[] => {
    if (typeof value !== "function" || isClass(value) || "key" in value) return [];
    // A constant that is a function was made by another one, like the kinds of fields: its parameters have no names.
    const signature = signatures.functions.get(key) ?? unnamedParameters(Math.max(1, value.length));
    return [{ name: `${name}: ${key}`, signature, find: () => value as (...args: unknown[]) => unknown }];
  });
}

function isClass(value: object): boolean {
  return /^class\b/.test(String(value));
}

function unnamedParameters(count: number): Signature {
  return {
    parameters: Array.from({ length: count }, (_, k) => ({ name: `#${k}`, type: "", isRest: false })),
  };
}

/** The public methods of the objects of a stage. */
export function callsOfObjects(signatures: Signatures, makeStage: () => Stage): Call[] {
  const example = makeStage();
  const calls = example.objects.flatMap(([name, type, object]): Call[] => {
    const members = [...membersOf(signatures, type)];
    if (members.length === 0) throw new Error(`The source has no ${type} with methods.`);
    const at = (stage: Stage) =>
      stage.objects.find(([other]) => other === name)?.[2] as { [member: string]: unknown };
    const setters = settersOf(object).map((member): Call => {
      const find = (stage: Stage) => (value: unknown) => {
        at(stage)[member] = value;
      };
      return { name: `${name}.${member} =`, signature: unnamedParameters(1), find };
    });
    const methods = members.flatMap(([member, signature]): Call[] => {
      if (typeof (object as { [member: string]: unknown })[member] !== "function") return [];
      const find = (stage: Stage) => (at(stage)[member] as (...args: unknown[]) => unknown).bind(at(stage));
      return [{ name: `${name}.${member}`, signature, find }];
    });
    return [...methods, ...setters];
  });
  example.end?.();
  return calls;
}

/** The properties of an object that do something when they are written. */
function settersOf(object: object): string[] {
  const found = new Set<string>();
  for (let at = object; at !== Object.prototype && at !== null; at = Object.getPrototypeOf(at))
    for (const [name, { set }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (set !== undefined) found.add(name);
  return [...found];
}

/** The ways to spoil the arguments of a call: one per argument, and one per option of an argument. */
function* spoilers(
  signatures: Signatures,
  stage: Stage,
  { parameters }: Signature,
): IterableIterator<readonly [label: string, spoil: (right: unknown[], bad: unknown) => unknown[]]> {
  for (const [k, { name, type }] of parameters.entries()) {
    yield [name, (right, bad) => replaced(right, k, bad)];
    // Options are plain objects or left out; a tree or a world has properties too, but nobody makes one by hand.
    const right = rightArguments(stage, parameters)[k];
    if (right !== undefined && Object.getPrototypeOf(Object(right)) !== Object.prototype) continue;
    for (const property of propertiesOf(signatures, type.replace(/^readonly /, "")).keys()) {
      yield [
        `${name}.${property}`,
        (right, bad) => replaced(right, k, { ...(right[k] as object | undefined), [property]: bad }),
      ];
    }
  }
}

/** Makes all bad calls of `call`. What each left behind is looked for only when something is wrong after all of them. */
export async function callBadly(
  signatures: Signatures,
  call: Call,
  makeStage: () => Stage,
  result: Result,
): Promise<void> {
  const example = makeStage();
  const all = [...spoilers(signatures, example, call.signature)];
  example.end?.();
  for (const [label, spoil] of all) {
    const make = async (stage: Stage, badName: string) => {
      const bad = (badValues[badName] as (handles: Handles) => unknown)(stage);
      const args = spoil(rightArguments(stage, call.signature.parameters), bad);
      return ends(() => call.find(stage)(...args));
    };
    const names = Object.keys(badValues);
    result.calls += names.length;
    const stage = makeStage();
    const ended = new Map<string, string>();
    for (const badName of names) {
      const raw = await make(stage, badName);
      if (raw !== undefined) ended.set(badName, raw);
    }
    if ((await leftBehind(stage)) !== undefined) {
      for (const badName of names) {
        if (ended.has(badName)) continue;
        const fresh = makeStage();
        const raw = (await make(fresh, badName)) ?? (await leftBehind(fresh));
        if (raw !== undefined) ended.set(badName, raw);
        fresh.end?.();
      }
    }
    stage.end?.();
    for (const [badName, what] of ended)
      result.raw.push({ call: `${call.name}(${label}: ${badName})`, what });
  }
}

/** Which parameters of a call are options. */
export function optionsOf({ parameters }: Signature): number[] {
  const isOptions = ({ name, type }: Parameter) => /options$/i.test(name) || /Options(?:<.*>)?$/.test(type);
  return parameters.flatMap((parameter, k) => (isOptions(parameter) ? [k] : []));
}

/** What a call says to an option that it does not have, at parameter `at`, while everything else is right. */
export async function withUnknownOption(call: Call, at: number, makeStage: () => Stage): Promise<string> {
  const stage = makeStage();
  try {
    const right = rightArguments(stage, call.signature.parameters);
    const answer = call.find(stage)(
      ...replaced(right, at, { ...(right[at] as object | undefined), nonsense: 1 }),
    );
    if (isIterator(answer)) answer.next();
    // What makes a part of a game is called when the game is made.
    if (typeof answer === "function" && stage.right.Game !== undefined) answer(stage.right.Game);
    await answer;
    return "no error";
  } catch (error) {
    return String(error);
  } finally {
    stage.end?.();
  }
}

async function leftBehind(stage: Stage): Promise<string | undefined> {
  return (await ends(() => stage.poke())) ?? wrongAfter(stage);
}

/** How a call ended, if that is neither an answer nor an error with a code. */
async function ends(run: () => unknown): Promise<string | undefined> {
  try {
    const answer = run();
    if (isThenable(answer)) await Promise.race([answer, new Promise((end) => setTimeout(end, 10))]);
    else if (isSignal(answer)) {
      // What a signal was made of is first used when somebody reads it.
      answer.get();
      answer.subscribe(() => {})();
    } else if (isIterator(answer)) for (let k = 0; k < 3; k++) answer.next();
    return undefined;
  } catch (error) {
    return rawError(error);
  }
}

/** What is wrong with an error; those of Espalier have a code, and are the caller's to fix. */
function rawError(error: unknown): string | undefined {
  if (!(error instanceof EspalierError))
    return String((error as Error)?.stack ?? String(error)).slice(0, 400);
  if (!error.code.includes("/") || error.code === "ecs/internal") return String(error);
  // The arguments were right and there is no screen: the cause is what the renderer's library said.
  if (error.code === "render/unavailable") return undefined;
  // What was reported of an observer or a command carries what it threw.
  return error.cause === undefined ? undefined : rawError(error.cause);
}

function wrongAfter({ world, reported }: Stage): string | undefined {
  const error = reported
    .splice(0)
    .map(rawError)
    .find((text) => text !== undefined);
  if (error !== undefined) return `reported: ${error}`;
  if (world.isDisposed) return undefined;
  const found = checkWorld(world);
  return found.length === 0 ? undefined : `check: ${found.map(({ message }) => message).join(" ")}`;
}

export function rightArguments(stage: Stage, parameters: readonly Parameter[]): unknown[] {
  return parameters.map(({ name, type }) => {
    const plain = type.replace(/^readonly /, "").replace(/<.*>/, "");
    const keys = [name, type, plain, plain.replaceAll("EntityLike", "Entity")];
    for (const key of keys) if (Object.hasOwn(stage.right, key)) return stage.right[key];
    if (/=>/.test(type)) return () => undefined;
    return undefined;
  });
}

export const replaced = (list: readonly unknown[], k: number, value: unknown) =>
  list.map((each, at) => (at === k ? value : each));

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | undefined)?.then === "function";
}

function isSignal(value: unknown): value is { get(): unknown; subscribe(call: () => void): () => void } {
  const { get, subscribe } = Object(value) as { readonly get?: unknown; readonly subscribe?: unknown };
  return typeof get === "function" && typeof subscribe === "function";
}

function isIterator(value: unknown): value is Iterator<unknown> {
  return typeof (value as Iterator<unknown> | undefined)?.next === "function";
}
