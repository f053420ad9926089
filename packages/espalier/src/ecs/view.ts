/**
 * Views: cursors through which `each` and `update` give the values of the entity they stand at.
 *
 * Generated as text where the environment allows it (`component-code.ts`); the plain twin is below.
 */
import { generateView } from "./component-code.ts";
import { type Entity, INDEX_BITS } from "./entity.ts";
import { ARCHETYPE } from "./place-record.ts";
import type { WorldState } from "./state.ts";
import type { Store } from "./store.ts";
import { badValue, writeField, writeOne, written } from "./write.ts";

/** A cursor over one component: `index$` is moved along, the fields read and write the columns. */
export interface View {
  index$: number;
}

/** What a view may rely on. */
export interface ViewKind {
  /** Whether writes need not be recorded or told of, because a copy made before stands for them. */
  readonly free: boolean;
  /**
   * Whether columns may move while it is in use: arrays are looked up each time, which is somewhat slower. Otherwise it may
   * only be used while columns are locked, and writing to memory that another room keeps only between `beginMarking` and
   * `endMarking`.
   */
  readonly lasting: boolean;
}

/** Makes a cursor for one component. All views of a store and a kind share one class, so that callbacks see one shape. */
export function createView(s: WorldState, store: Store, generate: boolean, kind: ViewKind): View {
  if (!generate) return new (plainViewOf(s, store))() as View;
  const classes = kind.lasting ? store.lastingViews : store.views;
  const at = kind.free ? 1 : 0;
  classes[at] ??= generatedView(s, store, kind);
  return new (classes[at] as new () => View)();
}

/** A cursor for those who keep one. */
export function createLastingView(s: WorldState, store: Store): View {
  return createView(s, store, s.generates, { free: false, lasting: true });
}

function generatedView(s: WorldState, store: Store, { free, lasting }: ViewKind): new () => View {
  const { external, rows } = store;
  const memory = lasting ? undefined : external?.memory?.();
  const marks = memory?.marks;
  const row =
    memory !== undefined
      ? `slots[this.index$] * ${memory.width}`
      : external !== undefined
        ? "external.rowOf(this.index$)"
        : rows !== undefined
          ? "(rows.get(this.index$) ?? -1)"
          : "this.index$";
  return generateView(
    {
      names: store.names,
      fields: store.fields,
      row,
      lasting,
      checks: s.checks,
      isReserved: store.reserved !== undefined,
      told: toldBy(external !== undefined, marks?.bits),
      free,
    },
    {
      s,
      columns: store.columns,
      external,
      rows,
      slots: memory?.slots,
      marks: marks?.bySlot,
      guard: store.guard,
      bad: (index, field, value) => badValue(s, store, field, index, value),
      complete: (index, field, value) => writeField(s, store, field, index, value),
      slow: slowWriter(s, store),
    },
  );
}

/** What a write to field number k tells whoever keeps the values elsewhere: text that follows the write. */
function toldBy(isExternal: boolean, bits: readonly number[] | undefined): (field: number) => string {
  if (!isExternal) return () => "";
  if (bits === undefined) return () => "external.written(this.index$);";
  return (field) => `marks[slots[this.index$]] |= ${bits[field]};`;
}

/** The slow path of views: writes a number that somebody must hear of. */
function slowWriter(s: WorldState, store: Store): (index: number, field: number, encoded: number) => void {
  const { table } = s;
  return (index, field, encoded) => {
    // A loop may have destroyed the entity it stands at, or removed the component: there is nothing left to write to.
    const archetype = table.info[(index << 2) | ARCHETYPE];
    if (archetype < 0 || s.graph.all[archetype]?.has[store.id] !== 1) return;
    const entity = (
      table.wide ? table.handleAt(index) : (table.info[index << 2] << INDEX_BITS) | index
    ) as Entity;
    if (writeOne(s, entity, store, store.rowOf(index), field, encoded)) written(s, entity, store);
  };
}

// The plain twin -----------------------------------------------------------------------------------------------------------

/** For first passes and where no code can be made from text. Closures over the columns object, so growth does not matter. */
function plainViewOf(s: WorldState, store: Store): new () => View {
  if (store.plainView !== undefined) return store.plainView as new () => View;
  class PlainView {
    index$ = 0;
  }
  store.names.forEach((name, k) => {
    Object.defineProperty(PlainView.prototype, name, plainAccessor(s, store, name, k));
  });
  store.plainView = PlainView;
  return PlainView;
}

function plainAccessor(s: WorldState, store: Store, name: string, k: number): PropertyDescriptor {
  const { columns, guard } = store;
  const field = store.fields[k];
  const { array, encode, decode, fits } = store.types[k];
  const set = function (this: View, value: unknown) {
    writeField(s, store, k, this.index$, value);
  };
  if (!store.isDense || array === undefined || encode !== undefined || fits === undefined) {
    return {
      get(this: View) {
        const held = (columns[name] as unknown[])[store.rowOf(this.index$)];
        return decode === undefined ? held : decode(held, s, field);
      },
      set,
    };
  }
  const isFit = fits(field, s.checks);
  const isReserved = store.reserved !== undefined;
  return {
    get(this: View) {
      return (columns[name] as Float64Array)[this.index$];
    },
    set(this: View, value: number) {
      if (guard.on || isReserved || !isFit(value)) set.call(this, value);
      else (columns[name] as Float64Array)[this.index$] = value;
    },
  };
}
