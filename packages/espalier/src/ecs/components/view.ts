/**
 * Views: cursors through which `each` and `update` give the values of the entity they stand at.
 *
 * Generated as text where the environment allows it (`component-code.ts`); the plain twin is below.
 */

import { type Entity, INDEX_BITS } from "../entities/entity.ts";
import { ARCHETYPE } from "../entities/index-record.ts";
import { settle } from "../listeners/notices.ts";
import { askGuards, badValue, writeField, writeOne, written } from "../mutate/write.ts";
import type { ComputedTerm } from "../queries/terms.ts";
import type { WorldState } from "../state.ts";
import { type Accessors, generateAccessors, generateReaders } from "./component-code.ts";
import { decodeValue, type Field } from "./fields.ts";
import type { Store } from "./store.ts";
import { type View, ViewPrototype } from "./view-prototype.ts";

/** What a view may rely on. */
export interface ViewKind {
  /** Whether writes to what can be copied need not be recorded, because a copy made before stands for them. */
  readonly free: boolean;
  /**
   * Whether columns may move while it is in use: arrays are looked up each time, which is somewhat slower. Otherwise it may
   * only be used while columns are locked, and writing to memory that another room keeps only between `beginMarking` and
   * `endMarking`.
   */
  readonly lasting: boolean;
}

/** Makes a cursor for one component; `generate`: with accessors made from text, where that is possible at all. */
export function createView(s: WorldState, store: Store, generate: boolean, kind: ViewKind): View {
  if (!s.generates) return createPlainView(s, store, kind);
  const at = (kind.lasting ? 2 : 0) | (kind.free ? 1 : 0);
  let known = store.views[at];
  if (known === undefined) {
    known = new ViewPrototype(
      Object.prototype,
      // For first passes.
      accessorsOf(store, (k) => completeAccessor(s, store, k, isCopiedIn(store, kind))),
    );
    store.views[at] = known;
  }
  // Only those that hold arrays as constants become stale when columns move.
  known.refresh(kind.lasting ? 0 : store.resized, generate, () => generatedAccessors(s, store, kind));
  return known.create(kind.lasting ? undefined : store.external?.memory?.().slots);
}

/** A cursor for a computed term; `lasting` and `generate` as for components. */
export function createReader(s: WorldState, term: ComputedTerm, generate: boolean, lasting: boolean): View {
  if (!s.generates || lasting || term.memory === undefined) return term.createView() as View;
  // What is not a number the term's own views compute, and they refuse writes.
  const base = Object.getPrototypeOf(term.createView()) as object;
  const known = s.readers.get(term) ?? new ViewPrototype(base, {});
  s.readers.set(term, known);
  const memory = term.memory();
  known.refresh(memory, generate, () => generateReaders(memory, base));
  return known.create(memory.slots);
}

/** A cursor that may be kept. */
export function createLastingView(s: WorldState, store: Store): View {
  return createView(s, store, s.generates, { free: false, lasting: true });
}

function generatedAccessors(s: WorldState, store: Store, kind: ViewKind): Accessors {
  const { external, rows, shared } = store;
  const isCopied = isCopiedIn(store, kind);
  // A write to a shared value may need one more row, and so longer columns, at any time.
  const lasting = kind.lasting || shared !== undefined;
  const memory = lasting ? undefined : external?.memory?.();
  const marks = memory?.marks;
  const row =
    memory !== undefined
      ? `this.slot$ * ${memory.width}`
      : external !== undefined
        ? "external.rowOf(this.index$)"
        : rows !== undefined
          ? "(rows.get(this.index$) ?? -1)"
          : shared !== undefined
            ? "shared.rows[this.index$]"
            : "this.index$";
  return generateAccessors(
    {
      names: store.names,
      fields: store.fields,
      row,
      lasting,
      checks: s.checks,
      writesCompletely: store.reserved !== undefined || shared !== undefined,
      report: reportBy(external !== undefined, marks?.bits),
      isCopied,
    },
    {
      s,
      columns: store.columns,
      external,
      rows,
      shared,
      marks: marks?.bySlot,
      guard: store.guard,
      bad: (index, field, value) => badValue(s, store, field, index, value),
      complete: (index, field, value) => writeField(s, store, field, index, value, isCopied),
      slow: slowWriter(s, store),
    },
  );
}

/** The notice that a write to field number k sends to an external storage: text that follows the write. */
function reportBy(isExternal: boolean, bits: readonly number[] | undefined): (field: number) => string {
  if (!isExternal) return () => "";
  if (bits === undefined) return () => "external.written(this.index$);";
  return (field) => `marks[this.slot$] |= ${bits[field]};`;
}

/** The slow path of views: writes a number that has listeners. */
function slowWriter(s: WorldState, store: Store): (index: number, field: number, encoded: number) => void {
  const { table } = s;
  return (index, field, encoded) => {
    // A loop may have destroyed the entity it stands at, or removed the component: there is nothing left to write to.
    const archetype = table.info[(index << 2) | ARCHETYPE];
    if (archetype < 0 || s.graph.all[archetype]?.has[store.id] !== 1) return;
    const entity = (
      table.wide ? table.handleAt(index) : (table.info[index << 2] << INDEX_BITS) | index
    ) as Entity;
    if (store.writeGuards !== undefined) {
      const value = decodeValue(store.fields[field] as Field, encoded, s);
      askGuards(s, store, entity, { [store.names[field] as string]: value });
    }
    s.requireUnasked("set a component");
    if (writeOne(s, entity, store, store.rowOf(index), field, encoded)) written(s, entity, store);
    if (s.notices.waits) settle(s);
  };
}

/** Whether a copy stands for what a view of this kind writes: of other components it records each write (see `ColumnCopies`). */
function isCopiedIn({ packed, shared }: Store, { free }: ViewKind): boolean {
  return free && packed !== 0 && shared === undefined;
}

// Accessors that are not generated -------------------------------------------------------------------------------------------

/** Of every field, by its number. */
function accessorsOf({ names }: Store, accessor: (field: number) => PropertyDescriptor): Accessors {
  return Object.fromEntries(names.map((name, k) => [name, { ...accessor(k), configurable: true }]));
}

/** Reads and writes in the complete way: slow, and made in no time. */
function completeAccessor(s: WorldState, store: Store, k: number, isCopied: boolean): PropertyDescriptor {
  const name = store.names[k];
  const field = store.fields[k];
  return {
    get(this: View) {
      return decodeValue(field, store.columns[name][store.rowOf(this.index$)], s);
    },
    set(this: View, value: unknown) {
      writeField(s, store, k, this.index$, value, isCopied);
    },
  };
}

// The plain twin -----------------------------------------------------------------------------------------------------------

/** Where a plain view stands. One class for all, so that a loop which serves all queries moves every view in the same way. */
class Cursor {
  index$ = 0;
}

const CURSOR = Symbol("cursor");

/** What a plain loop moves along for a view: its cursor, or the view itself. */
export function cursorOf(view: View): { index$: number } {
  return (view as View & { [CURSOR]?: Cursor })[CURSOR] ?? view;
}

/**
 * For where no code can be made from text. The accessors are closures over the cursor and the arrays: `p += v`
 * takes 1.7 ns an entity for the only query of a program and 11 beside others, where lookups by name took 48 and generated
 * code takes 1.4.
 *
 * @param kind - Where `lasting`, the arrays are looked up each time.
 */
function createPlainView(s: WorldState, store: Store, kind: ViewKind): View {
  const cursor = new Cursor();
  const isCopied = isCopiedIn(store, kind);
  const accessors = accessorsOf(store, (k) => {
    const isQuick = !kind.lasting && store.isDense && store.types[k].fits !== undefined;
    return isQuick ? quickAccessor(s, store, cursor, k, isCopied) : completeAccessor(s, store, k, isCopied);
  });
  return Object.create(Object.defineProperties(plainPrototype(cursor), accessors)) as View;
}

/** Of its own for each view: V8 takes objects with accessors of their own for slow ones. */
function plainPrototype(cursor: Cursor): object {
  return {
    get index$(): number {
      return cursor.index$;
    },
    set index$(index: number) {
      cursor.index$ = index;
    },
    [CURSOR]: cursor,
  };
}

/** For numbers in columns that do not move while the view is used. */
function quickAccessor(
  s: WorldState,
  store: Store,
  cursor: Cursor,
  k: number,
  isCopied: boolean,
): PropertyDescriptor {
  const { guard } = store;
  const field = store.fields[k];
  const values = store.columns[store.names[k]] as Float64Array;
  const { encode, decode, fits } = store.types[k];
  const isFit = (fits as NonNullable<typeof fits>)(field, s.checks);
  const isReserved = store.reserved !== undefined;
  return {
    get: decode === undefined ? () => values[cursor.index$] : () => decode(values[cursor.index$], s, field),
    set:
      encode === undefined
        ? (value: number) => {
            if ((isCopied ? guard.heard : guard.on) || isReserved || !isFit(value))
              writeField(s, store, k, cursor.index$, value, isCopied);
            else values[cursor.index$] = value;
          }
        : (value: unknown) => {
            if ((isCopied ? guard.heard : guard.on) || isReserved || !isFit(value))
              writeField(s, store, k, cursor.index$, value, isCopied);
            else values[cursor.index$] = encode(value, field) as number;
          },
  };
}
