/**
 * Views: cursors through which `each` and `update` give the values of the entity they stand at.
 */
import { type Aliveness, decodeValue } from "./access.ts";
import { type Field, type FieldKind, integerRange, isPacked } from "./fields.ts";
import { compile } from "./generate.ts";
import type { Store } from "./store.ts";

/** What views need from the world. */
export interface ViewHost extends Aliveness {
  /** Whether values are compared with their fields before they are written. */
  readonly checks: boolean;
  /** The slow, complete way to write one field: checks, records, marks, observers. */
  writeField(store: Store, field: number, index: number, value: unknown): void;
  badValue(store: Store, field: number, index: number, value: unknown): never;
  /** How the fields of a component are written where somebody may have to hear of it. */
  writeTexts?(store: Store): WriteTexts;
}

/** Texts of a view class. */
export interface WriteTexts {
  /** Stands before the class. */
  readonly head: string;
  /** Stands before a write of field number `k`, and may do it in another way. */
  readonly instead: (k: number, encoded: string) => string;
  /** The name of the columns that are written. */
  readonly target: string;
  /** What these texts use, by name. */
  readonly constants: { readonly [name: string]: unknown };
}

export const straight: WriteTexts = { head: "", instead: () => "", target: "columns", constants: {} };

/** A cursor over one component: `index$` is moved along, the fields read and write the columns. */
export interface View {
  index$: number;
}

/** Makes a cursor for one component. All views of a store share one class, so that callbacks see one shape. */
export function createView(store: Store, host: ViewHost, generate: boolean): View {
  store.viewClass ??= generate
    ? generateViewClass(store, host, host.writeTexts?.(store) ?? straight)
    : plainView(store, host);
  return new store.viewClass() as View;
}

export function generateViewClass(store: Store, host: ViewHost, texts: WriteTexts): new () => View {
  const { head, instead, target, constants } = texts;
  const members = store.names.map((name, k) => {
    const field = store.fields[k] as Field;
    const { kind, finite = false } = field;
    // Reaching the array through one constant object costs as little as a constant array (1.4 against 1.3 ns), and
    // unlike that it survives growth.
    const at = `.${name}[${rowText(store, "this.index$")}]`;
    const here = `columns${at}`;
    const written = store.external === undefined ? "" : "external.written(this.index$);";
    const read =
      kind === "bool"
        ? `return ${here} === 1;`
        : kind === "entity"
          ? `const e = ${here}; return e !== 0 && host.isAlive(e) ? e : null;`
          : `return ${here};`;
    const isPlain = isPacked(kind) && kind !== "entity" && store.reserved === undefined;
    const encoded = kind === "bool" ? "v ? 1 : 0" : "v";
    const write = isPlain
      ? `${host.checks || finite ? `if (!(${finite ? finiteFits(kind) : fits(field)})) host.badValue(store, ${k}, this.index$, v);` : ""}
           ${instead(k, encoded)} { ${target}${at} = ${encoded}; ${written} }`
      : `host.writeField(store, ${k}, this.index$, v);`;
    return `get ${name}() { ${read} } set ${name}(v) { ${write} }`;
  });
  const source = `${head} return class View { constructor() { this.index$ = 0; } ${members.join("\n")} };`;
  return compile(["store", "columns", "host", "external", "rows", ...Object.keys(constants)], source)(
    store,
    store.columns,
    host,
    store.external,
    store.rows,
    ...Object.values(constants),
  ) as new () => View;
}

/** The row of an entity in the columns of a component; uses its `external` and `rows`. */
export function rowText({ external, rows }: Store, index: string): string {
  if (external !== undefined) return `external.rowOf(${index})`;
  return rows === undefined ? index : `(rows.get(${index}) ?? -1)`;
}

/** Subtracting finds NaN and the infinities in one step, also those that rounding to 32 bits makes. */
function finiteFits(kind: FieldKind): string {
  const kept = kind === "f32" ? "Math.fround(v)" : "v";
  return `typeof v === "number" && ${kept} - ${kept} === 0`;
}

/** The test a value must pass, as text: cheap enough to stay in every build. */
function fits(field: Field): string {
  const range = integerRange(field);
  if (field.kind === "bool") return `typeof v === "boolean"`;
  if (range === undefined) return `typeof v === "number"`;
  return `typeof v === "number" && v >= ${range[0]} && v <= ${range[1]} && v === Math.floor(v)`;
}

function plainView(store: Store, host: ViewHost): new () => View {
  class PlainView {
    index$ = 0;
  }
  store.names.forEach((name, k) => {
    const kind = (store.fields[k] as Field).kind;
    Object.defineProperty(PlainView.prototype, name, {
      get(this: View) {
        return decodeValue(kind, (store.columns[name] as unknown[])[store.rowOf(this.index$)], host);
      },
      set(this: View, value: unknown) {
        host.writeField(store, k, this.index$, value);
      },
    });
  });
  return PlainView;
}
