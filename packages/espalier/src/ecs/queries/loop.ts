/**
 * The loops of one query: those of `each` and `update`, and those that users write for `compileLoop`.
 *
 * Generated as text where the environment allows it, with plain twins below.
 */
import { compile, evaluateIn, tooLongToInline } from "../components/generate.ts";
import { cursorOf } from "../components/view.ts";
import type { View } from "../components/view-prototype.ts";
import { HANDLE_TEXT } from "../entities/index-record.ts";
import type { WorldState } from "../state.ts";
import type { Pass } from "./pass.ts";
import type { Viewed } from "./split-terms.ts";

/** What the loops ask the query while they run. */
export interface LoopHost {
  /** Whether the entity at `index` passes the filter terms. */
  passes(index: number): boolean;
  /** Whether the entity at `index` still lives and matches. */
  holds(index: number): boolean;
}

export type Callback = (...args: never[]) => void;
/** `argument` is what the callback gets behind its views, in loops that hand one over. */
export type Loop = (fn: Callback, pass: Pass, host: LoopHost, argument: unknown) => void;

export interface LoopShape {
  readonly viewed: readonly Viewed[];
  readonly filtered: boolean;
  /** Whether entities are given to the callback and structural changes are expected while it runs. */
  readonly entities: boolean;
  /** Whether an argument is handed over. */
  readonly hasArgument: boolean;
}

/** The loop of `each` and `update`: calls `fn` for every entity of the pass, with the views standing at it. */
export function createLoop(
  views: readonly View[],
  shape: LoopShape,
  world: WorldState,
  generate: boolean,
): Loop {
  return (generate ? generatedLoop : plainLoop)(views, shape, world);
}

/**
 * The loop of `update` for queries that need nothing but the list of their matches. The list is a constant of the
 * generated code, so V8 checks neither its type nor where it lies: 0.8 ns an entity instead of 1.2.
 */
export type FlatLoop = (fn: Callback, count: number, argument: unknown) => void;

export function createFlatLoop(
  views: readonly View[],
  ids: Int32Array,
  hasArgument: boolean,
  generate: boolean,
): FlatLoop {
  if (!generate) return plainFlatLoop(views, ids, hasArgument);
  const names = views.map((_, k) => `view${k}`);
  return compile(
    ["ids", ...names],
    `return function loop(fn, pass, argument) {
      ${tooLongToInline("pass")}
      for (let k = 0; k < pass; k++) {
        const i = ids[k];
        ${views.map((view, k) => standText(view, k, "i")).join(" ")}
        fn(${(hasArgument ? [...names, "argument"] : names).join(", ")});
      }
    };`,
  )(ids, ...views) as FlatLoop;
}

/** Makes view number k stand at an index. */
function standText({ slots$ }: View, k: number, index: string): string {
  const slot = slots$ === undefined ? "" : `view${k}.slot$ = view${k}.slots$[view${k}.index$];`;
  return `view${k}.index$ = ${index}; ${slot}`;
}

function generatedLoop(
  views: readonly View[],
  { viewed, filtered, entities, hasArgument }: LoopShape,
  world: WorldState,
): Loop {
  const names = views.map((_, k) => `view${k}`);
  // Whether an entity has a component is the same for a whole list; whether a second entity is found for it is not.
  const choose = viewed.map(({ optional, resolve }, k) =>
    optional && !resolve ? `const arg${k} = present[t][${k}] ? view${k} : undefined;` : "",
  );
  const args = viewed.map(({ optional, resolve }, k) => {
    if (!optional) return `view${k}`;
    return resolve ? `(view${k}.index$ === 0 ? undefined : view${k})` : `arg${k}`;
  });
  if (entities) args.unshift(HANDLE_TEXT);
  if (hasArgument) args.push("argument");
  return compile(
    ["world", "table", "viewed", ...names],
    `return function loop(fn, pass, host, argument) {
      ${tooLongToInline("pass")}
      const { lists, counts, present } = pass;
      ${entities ? "const version = world.version;" : ""}
      for (let t = 0; t < lists.length; t++) {
        const ids = lists[t], n = counts[t]; ${choose.join(" ")}
        for (let k = 0; k < n; k++) {
          const i = ids[k];
          ${entities ? "if (world.version !== version && !host.holds(i)) continue;" : ""}
          ${filtered ? "if (!host.passes(i)) continue;" : ""}
          ${views.map((view, k) => standText(view, k, viewed[k].resolve ? `viewed[${k}].resolve(i)` : "i")).join(" ")}
          fn(${args.join(", ")});
        }
      }
    };`,
  )(world, world.table, viewed, ...views) as Loop;
}

// Loops that users write ----------------------------------------------------------------------------------------------------

/** A function made again from its text, with code and type feedback of its own. */
export function functionFrom(text: string): unknown {
  return compile([], `"use strict"; return (${text});`)();
}

/** Whether the text of a function uses no name from its surroundings, found out by trying it. */
export function needsNothing(text: string, attempt: (alone: unknown) => void): boolean {
  try {
    attempt(evaluateIn(onlyStandard(), text));
  } catch (error) {
    // What a value of a trial leads to says nothing; that the text cannot be read, or misses a name, does.
    return !(error instanceof ReferenceError || error instanceof SyntaxError);
  }
  return true;
}

/** Names that mean the same everywhere. A variable of the factory's surroundings may be called like any other global. */
const STANDARD =
  " undefined NaN Infinity Math Number String Boolean Object Array Map Set Int8Array Uint8Array Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array Error TypeError RangeError console performance Date isNaN isFinite ";

/** A scope in which nothing else is defined. */
function onlyStandard(): object {
  const missing = (_: object, name: string | symbol): boolean => {
    throw new ReferenceError(`${String(name)} is not defined`);
  };
  return new Proxy(
    {},
    {
      has: (_, name) => !STANDARD.includes(` ${String(name)} `),
      get: (target, name) => (name === Symbol.unscopables ? undefined : missing(target, name)),
      set: missing,
    },
  );
}

// The plain twins ----------------------------------------------------------------------------------------------------------

/** Loops for one and two views, the most common ones, and for any number: a list of arguments costs 10 ns a call. */
function plainFlatLoop(views: readonly View[], ids: Int32Array, hasArgument: boolean): FlatLoop {
  const cursors = views.map(cursorOf);
  const [a, b] = views as readonly never[];
  const [first, second] = cursors;
  const hasSlots = views.some(({ slots$ }) => slots$ !== undefined);
  if (views.length === 1 && !hasSlots && !hasArgument) {
    return (fn, count) => {
      for (let k = 0; k < count; k++) {
        first.index$ = ids[k];
        fn(a);
      }
    };
  }
  if (views.length === 2 && !hasSlots && !hasArgument) {
    return (fn, count) => {
      for (let k = 0; k < count; k++) {
        first.index$ = ids[k];
        second.index$ = ids[k];
        fn(a, b);
      }
    };
  }
  return (fn, count, argument) => {
    const given: readonly unknown[] = hasArgument ? [...views, argument] : views;
    for (let k = 0; k < count; k++) {
      for (let v = 0; v < cursors.length; v++) {
        cursors[v].index$ = ids[k];
        views[v].slot$ = views[v].slots$?.[ids[k]] ?? 0;
      }
      fn(...(given as readonly never[]));
    }
  };
}

function plainLoop(
  views: readonly View[],
  { viewed, filtered, entities, hasArgument }: LoopShape,
  world: WorldState,
): Loop {
  return (fn, pass, host, argument) => {
    const version = world.version;
    for (let t = 0; t < pass.lists.length; t++) {
      const args: unknown[] = views.map((view, k) =>
        viewed[k].optional && !viewed[k].resolve && !pass.present[t]?.[k] ? undefined : view,
      );
      const ids = pass.lists[t] as Int32Array;
      for (let k = 0; k < (pass.counts[t] as number); k++) {
        const index = ids[k] as number;
        if (entities && world.version !== version && !host.holds(index)) continue;
        if (filtered && !host.passes(index)) continue;
        for (let v = 0; v < views.length; v++) {
          const { optional, resolve } = viewed[v];
          const at = resolve?.(index) ?? index;
          views[v].index$ = at;
          views[v].slot$ = views[v].slots$?.[at] ?? 0;
          if (optional && resolve) args[v] = at === 0 ? undefined : views[v];
        }
        const given = entities ? [world.table.handleAt(index), ...args] : args;
        (fn as (...args: unknown[]) => void)(...given, ...(hasArgument ? [argument] : []));
      }
    }
  };
}
