/** Every call that takes an entity takes an object that stands for one, and does the same. */
import { type Commands, createWorld, type Entity } from "espalier";
import { describe, expect, it } from "vitest";
import { snapshot } from "../testing.ts";
import { type Call, replaced, rightArguments, type Stage } from "./runner.ts";

/** Calls that answer instead of refusing an object of another world. */
const answersForeign: ReadonlySet<string> = new Set([
  "world.isAlive",
  "query.includes",
  "tree.canAttach",
  "up.canAttach",
  "up.whyNotAttach",
  "hierarchy: whyNotAttach",
  "ecs: indexOf",
  "ecs: generationOf",
]);

/** Calls of objects that belong to no world, which can refuse none. */
const ofNoWorld = /^ids\.|^follower\.ids/;

/** Calls that the library makes itself, with handles. */
const takesHandlesOnly: ReadonlySet<string> = new Set(["textures.find"]);

const takesEntities = (type: string) => /\bEntity(Like)?\b/.test(type) && !type.includes("=>");

export function describeObjects(what: string, calls: readonly Call[], makeStage: () => Stage): void {
  const cases = calls.flatMap((call) =>
    call.signature.parameters.flatMap(({ type }, at) =>
      takesEntities(type) ? [{ name: call.name, parameter: `${type} (${at})`, call, at, type }] : [],
    ),
  );
  if (cases.length === 0) return;
  describe(`every entity that is given to a call of ${what}`, () => {
    it.each(cases)("$name takes $parameter as an object too", ({ name, call, at, type }) => {
      if (takesHandlesOnly.has(name)) return;
      expect(type).toContain("EntityLike");
      // Hooks of React get their world from the provider.
      const isHook = name.startsWith("react: ");
      const plain = outcome(makeStage(), call, at, (handle) => handle);
      expect(outcome(makeStage(), call, at, (handle) => ({ id: handle }))).toEqual(plain);
      if (isHook) return;
      expect(outcome(makeStage(), call, at, (handle, { world }) => ({ id: handle, world }))).toEqual(plain);
      if (answersForeign.has(name) || ofNoWorld.test(name) || String(plain.thrown) !== "undefined") return;
      const elsewhere = createWorld();
      const foreign = outcome(makeStage(), call, at, (id) => ({ id, world: elsewhere }), true);
      if (foreign.given) expect(foreign.thrown).toMatch(/^ForeignEntityError/);
    });
  });
}

interface Outcome {
  readonly given: boolean;
  readonly thrown: string | undefined;
  readonly answer: unknown;
  readonly world: unknown;
}

/** What a call with right arguments does, where the entities of one of them are replaced. */
function outcome(
  stage: Stage,
  call: Call,
  at: number,
  replace: (handle: Entity, stage: Stage) => unknown,
  isRefused = false,
): Outcome {
  const right = rightArguments(stage, call.signature.parameters);
  let given = false;
  const swap = (value: unknown): unknown => {
    if (typeof value === "number") {
      given = true;
      return replace(value as Entity, stage);
    }
    return Array.isArray(value) ? value.map(swap) : handleOfObject(value, swap);
  };
  // Where `null` is right too, an entity is asked for as well.
  const own = replaced(right, at, swap(right[at] ?? stage.right.EntityLike ?? stage.right.Entity));
  // Rest arguments are given one by one.
  const rest = call.signature.parameters.at(-1)?.isRest === true ? own.slice(0, -1) : own;
  const last = own.at(-1);
  const args = rest.length === own.length ? own : [...rest, ...(Array.isArray(last) ? last : [last])];
  let thrown: string | undefined;
  let answer: unknown;
  try {
    answer = shown(call.find(stage)(...args));
    // What was recorded happens now.
    (stage.right.Commands as Commands | undefined)?.flush();
  } catch (error) {
    thrown = String(error);
  }
  const world = isRefused || stage.world.isDisposed ? undefined : snapshot(stage.world);
  stage.end?.();
  return { given, thrown, answer, world };
}

/** Entity objects that a stage has as right values: their handles, replaced. */
function handleOfObject(value: unknown, swap: (value: unknown) => unknown): unknown {
  const { id } = Object(value) as { readonly id?: unknown };
  return typeof value === "object" && typeof id === "number" ? swap(id) : value;
}

/** An answer as data. Objects of the library are shown by their class: those of two worlds are not equal. */
function shown(answer: unknown): unknown {
  if (typeof answer === "function") return "a function";
  if (typeof answer !== "object" || answer === null) return answer;
  if (typeof (answer as Iterator<unknown>).next === "function")
    return [...(answer as Iterable<unknown>)].map(shown);
  if (Array.isArray(answer)) return answer.map(shown);
  if (ArrayBuffer.isView(answer)) return [...(answer as Float64Array)];
  const { name } = Object.getPrototypeOf(answer)?.constructor ?? { name: "none" };
  if (name !== "Object") return name;
  return Object.fromEntries(
    Object.entries(answer).map(([key, value]) => [key, key === "values" ? typeof value : flat(value)]),
  );
}

const flat = (value: unknown) => (typeof value === "object" && value !== null ? "an object" : String(value));
