/**
 * The code of one component, second part: views, cursors through which `each` and `update` give the values of the entity they
 * stand at. Generated as text where the environment allows it, with a plain twin below.
 *
 * The arrays are constants of the generated text: V8 then checks neither type nor length nor address of them. When they are
 * replaced (the world grew), the classes are made anew.
 */
import { decodeValue } from "./access.ts";
import { type Entity, INDEX_BITS } from "./entity.ts";
import { type Field, type FieldKind, integerRange, isPacked } from "./fields.ts";
import { compile, tooLongToInline } from "./generate.ts";
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
  const { external } = store;
  const memory = lasting ? undefined : external?.memory?.();
  const arrays = store.names.map((name) => store.columns[name]);
  const row =
    memory !== undefined
      ? `Math.imul(slots[this.index$], ${memory.width})`
      : external !== undefined
        ? "external.rowOf(this.index$)"
        : store.rows !== undefined
          ? "(rows.get(this.index$) ?? -1)"
          : "this.index$";
  const members = store.names.map((name, k) => {
    const field = store.fields[k] as Field;
    const { kind, finite = false } = field;
    const here = `${lasting ? `columns.${name}` : `a${k}`}[${row}]`;
    const read =
      kind === "bool"
        ? `return ${here} === 1;`
        : kind === "entity"
          ? `const e = ${here}; return e !== 0 && s.isAlive(e) ? e : null;`
          : `return ${here};`;
    const isPlain = isPacked(kind) && kind !== "entity" && store.reserved === undefined;
    const encoded = kind === "bool" ? "v ? 1 : 0" : "v";
    const fits = finite ? finiteText(kind) : fitsText(field);
    const check = s.checks || finite ? `if (!(${fits})) bad(s, store, ${k}, this.index$, v);` : "";
    const told =
      memory === undefined
        ? external === undefined
          ? ""
          : "external.written(this.index$);"
        : `if ((marks[slots[this.index$]] & ${memory.mask}) !== ${memory.mask}) tell(this.index$);`;
    const guarded = free ? "" : `if (guard.on) slow(this.index$, ${k}, ${encoded}); else`;
    const write = isPlain
      ? `${check} ${guarded} { ${here} = ${encoded}; ${told} }`
      : `writeField(s, store, ${k}, this.index$, v);`;
    return `get ${name}() { ${read} } set ${name}(v) { ${write} }`;
  });
  const constants = {
    s,
    store,
    external,
    columns: store.columns,
    rows: store.rows,
    slots: memory?.slots,
    marks: memory?.marks,
    guard: store.guard,
    bad: badValue,
    writeField,
    slow: slowWriter(s, store),
    ...Object.fromEntries(arrays.map((array, k) => [`a${k}`, array])),
  };
  return compile(
    Object.keys(constants),
    // Called once for an entity and pass: inlined into every setter, it would leave no budget for the setters themselves.
    `function tell(i) { ${tooLongToInline("i")} external.written(i); }
    return class View { constructor() { this.index$ = 0; } ${members.join("\n")} };`,
  )(...Object.values(constants)) as new () => View;
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

/** Comparing refuses NaN and the infinities, also those that rounding to 32 bits makes: from halfway to 2^128 on. */
function finiteText(kind: FieldKind): string {
  const limit = kind === "f32" ? "3.4028235677973366e38" : "Infinity";
  return `typeof v === "number" && v < ${limit} && v > -${limit}`;
}

/** The test a value must pass. */
function fitsText(field: Field): string {
  const range = integerRange(field);
  if (field.kind === "bool") return `typeof v === "boolean"`;
  if (range === undefined) return `typeof v === "number"`;
  return `typeof v === "number" && v >= ${range[0]} && v <= ${range[1]} && v === Math.floor(v)`;
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
  const field = store.fields[k] as Field;
  const { kind } = field;
  const set = function (this: View, value: unknown) {
    writeField(s, store, k, this.index$, value);
  };
  if (!store.isDense || !isPacked(kind) || kind === "entity" || kind === "bool") {
    return {
      get(this: View) {
        return decodeValue(kind, (columns[name] as unknown[])[store.rowOf(this.index$)], s);
      },
      set,
    };
  }
  const fits = plainCheck(s, field);
  const isReserved = store.reserved !== undefined;
  return {
    get(this: View) {
      return (columns[name] as Float64Array)[this.index$];
    },
    set(this: View, value: number) {
      if (guard.on || isReserved || !fits(value)) set.call(this, value);
      else (columns[name] as Float64Array)[this.index$] = value;
    },
  };
}

function plainCheck(s: WorldState, field: Field): (value: number) => boolean {
  const range = integerRange(field);
  if (field.finite) {
    return field.kind === "f32"
      ? (value) => typeof value === "number" && Number.isFinite(Math.fround(value))
      : (value) => Number.isFinite(value);
  }
  if (!s.checks) return () => true;
  if (range === undefined) return (value) => typeof value === "number";
  const [low, high] = range;
  return (value) => Number.isInteger(value) && value >= low && value <= high;
}
