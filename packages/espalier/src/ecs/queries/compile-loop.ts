// biome-ignore-all lint/complexity/useLiteralKeys: brackets reach private state, and the compiler still checks them
/**
 * Raw loops that keep their speed: compiled for one query, with its arrays as constants.
 *
 * V8 knows an array as a constant only in a function that exists once. One that is made for two worlds, or that gets
 * its arrays as arguments, takes three times as long. So the loop is made again from its text, once for each query.
 */

import { refuseArgument } from "../checks/arguments.ts";
import type { Columns } from "../components/access.ts";
import { createColumn, describeValue, type Field } from "../components/fields.ts";
import type { Store } from "../components/store.ts";
import { QueryError } from "../errors.ts";
import { functionFrom, needsNothing } from "./loop.ts";
import { Query } from "./query.ts";
import type { ColumnListOf, Term } from "./terms.ts";

/** The list of matches, `ids[k]` for `k < count`, and the columns of each component with fields, as for `run`. */
export type LoopArrays<T extends readonly Term[]> = readonly [ids: Int32Array, ...columns: ColumnListOf<T>];

/** Gets the arrays and gives the loop over them. */
export type LoopFactory<T extends readonly Term[], A extends readonly unknown[]> = (
  arrays: LoopArrays<T>,
) => (count: number, ...args: A) => void;

type AnyLoop = (count: number, ...args: unknown[]) => void;
type AnyFactory = (arrays: readonly unknown[]) => AnyLoop;

/**
 * The fastest way to walk a query: makes a loop over its arrays, with code of its own, and gives a function that brings
 * the list of matches up to date and runs it. Worlds may grow, and any number of worlds and loops may be there.
 *
 * The factory is read as text, so it must use nothing but its parameters and what is global; give the rest as arguments.
 * One that uses more still works, as the closure it is and not as fast. As in `run`, writes are not seen by change
 * detection, and structure is locked.
 *
 * @example
 * ```ts
 * const Position = component("Position", { x: f32() });
 * const Velocity = component("Velocity", { x: f32(2) });
 * const e = world.spawn(Position, Velocity);
 * const move = compileLoop(world.query(Position, Velocity), ([ids, position, velocity]) => {
 *   const { x } = position;
 *   const { x: speed } = velocity;
 *   return (count, seconds: number) => {
 *     for (let k = 0; k < count; k++) x[ids[k]!]! += speed[ids[k]!]! * seconds;
 *   };
 * });
 * move(0.5);
 * world.get(e, Position); // → { x: 1 }
 * ```
 */
export function compileLoop<const T extends readonly Term[], A extends readonly unknown[]>(
  query: Query<T>,
  factory: LoopFactory<T, A>,
): (...args: A) => void {
  if (typeof factory !== "function") {
    throw new QueryError(
      `Cannot compile a loop: expected a function that gets the arrays, got ${describeValue(factory)}.`,
      { value: factory },
    );
  }
  if (!(query instanceof Query)) refuseArgument(query, "compile a loop", "it", "a query");
  const world = query.state;
  // All columns are replaced together, and not always with the table: loops under way hold them.
  const [first] = query.viewedStores();
  const text = world.generates ? selfContained(factory as unknown as AnyFactory, query) : undefined;
  let ids: Int32Array | undefined;
  let resized = -1;
  let loop: AnyLoop = () => {};
  return (...args) => {
    const count = query.sync();
    const { indices } = query;
    if (ids !== indices || resized !== (first?.resized ?? 0)) {
      ids = indices;
      resized = first?.resized ?? 0;
      const make = text === undefined ? factory : (functionFrom(text) as typeof factory);
      loop = (make as unknown as AnyFactory)([indices, ...query.columnSets()]);
    }
    world.lockStructure();
    try {
      runApart(loop, count, args);
    } catch (error) {
      if (text === undefined || !(error instanceof ReferenceError)) throw error;
      throw new QueryError(
        `Cannot run the loop of ${query}: ${error.message}. A compiled loop sees only its parameters and what is global. Give it the rest as arguments.`,
        { subject: String(query), cause: error },
      );
    } finally {
      world.unlockStructure();
    }
  };
}

/**
 * Runs a loop and is never grown together with it: V8 would compile the two as one then and take the arrays for
 * variables. It does not where the call has seen several functions, once it began to take notes of them.
 */
function runApart(loop: AnyLoop, count: number, args: readonly unknown[]): void {
  loop(count, ...args);
}

let isPrimed = false;

function prime(): void {
  if (isPrimed) return;
  isPrimed = true;
  const strangers: AnyLoop[] = [() => {}, () => null, () => "", () => []];
  for (let k = 0; k < 2000; k++) runApart(strangers[k & 3] as AnyLoop, 0, []);
}

/** The text of a factory that needs nothing but its parameters, found out by trying it on arrays of one element. */
function selfContained(factory: AnyFactory, query: Query<readonly Term[]>): string | undefined {
  prime();
  const text = String(factory);
  const arrays = [new Int32Array(1), ...query.viewedStores().map(oneRow)];
  return needsNothing(text, (alone) => (alone as AnyFactory)(arrays)(1)) ? text : undefined;
}

function oneRow(store: Store): Columns {
  return Object.fromEntries(
    store.names.map((name, k) => [name, createColumn(store.fields[k] as Field, 1, 0)]),
  );
}
