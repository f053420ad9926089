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

/**
 * Makes a cursor for one component. All views of a store share one class, so that callbacks see one shape.
 * @param free Whether writes need not be recorded or told of, because a copy made before stands for them.
 */
export function createView(s: WorldState, store: Store, generate: boolean, free = false): View {
  if (!generate) return new (plainViewOf(s, store))() as View;
  if (free) {
    store.freeView ??= generatedView(s, store, { free: true, lasting: false });
    return new store.freeView() as View;
  }
  store.guardedView ??= generatedView(s, store, { free: false, lasting: false });
  return new store.guardedView() as View;
}

/** A cursor that stays valid when the columns move: somewhat slower, for those who keep one. */
export function createLastingView(s: WorldState, store: Store): View {
  const View = s.generates ? generatedView(s, store, { free: false, lasting: true }) : plainViewOf(s, store);
  return new View();
}

interface ViewKind {
  readonly free: boolean;
  /** Whether the arrays are looked up in the columns object, so that they may be replaced. */
  readonly lasting: boolean;
}

function generatedView(s: WorldState, store: Store, { free, lasting }: ViewKind): new () => View {
  const { external, rows } = store;
  const memory = lasting ? undefined : external?.memory?.();
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
      isExternal: external !== undefined,
      free,
    },
    {
      s,
      columns: store.columns,
      external,
      rows,
      slots: memory?.slots,
      guard: store.guard,
      bad: (index, field, value) => badValue(s, store, field, index, value),
      complete: (index, field, value) => writeField(s, store, field, index, value),
      slow: slowWriter(s, store),
    },
  );
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
