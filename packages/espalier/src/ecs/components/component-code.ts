/**
 * The code of one component as text: how the values of one entity are initialised, assigned, read, saved and loaded, and the
 * views through which loops give them. The kinds of fields contribute the expressions; see `field-types/`. The plain twins
 * are in `access.ts` and `view.ts`.
 */
import type { Aliveness } from "../field-types/field-type.ts";
import type { ComputedMemory } from "../queries/terms.ts";
import { type Column, encodeValue, type Field, type FieldType } from "./fields.ts";
import { compile, compileShared } from "./generate.ts";

export type Columns = { [field: string]: Column };

export interface StoreAccess {
  /** Writes every field of the rows rows[from..to) once: the given values, defaults for the rest. No code of the user's runs. */
  init(rows: ArrayLike<number>, from: number, to: number, values: object | undefined): void;
  /** Writes the given fields. */
  assign(row: number, values: object): void;
  /** A fresh plain object. References to dead entities read as `null`. */
  read(row: number, host: Aliveness): object;
  /** Whether the given values of fields that must be finite are. */
  areFinite(values: object): boolean;
  /** How many values are given, if all of them fit their fields; -1 if one does not. */
  countFit(values: object): number;
  /** Copies numbers to numbers[at] and on, and pushes strings and objects, as the columns hold them. */
  save(row: number, numbers: Float64Array, at: number, references: unknown[]): void;
  /** Writes what `save` copied. */
  load(row: number, numbers: Float64Array, at: number, references: readonly unknown[], first: number): void;
  /** Rebinds to reallocated column arrays. */
  moved(): void;
}

/** The functions of one component over its columns. */
export function generateAccess(
  component: string,
  columns: Columns,
  names: readonly string[],
  fields: readonly Field[],
): StoreAccess {
  const types = fields.map(({ type }) => type);
  // Those that functions make are always among the values.
  const initials = fields.map((field) =>
    typeof field.initial === "function" ? undefined : encodeValue(field, field.initial),
  );
  const encoded = (k: number) => types[k].code.encode?.("v", `t${k}`) ?? "v";
  const fits = (k: number) => types[k].code.fits?.("v", fields[k], `t${k}`) ?? `fits(${k}, v)`;
  const completely = (k: number, value: unknown) => types[k].misfit(fields[k], value) === undefined;
  const initial = (k: number) => {
    const value = initials[k];
    return typeof value === "number" && Number.isFinite(value) && !Object.is(value, -0)
      ? `${value}`
      : `i${k}`;
  };
  const each = (text: (name: string, k: number) => string) => names.map(text).join(" ");
  const packed = types.map(({ array }) => array !== undefined);
  const before = (k: number, isPacked: boolean) => packed.slice(0, k).filter((it) => it === isPacked).length;
  const read = names.map((name, k) => `${name}: ${readText(types[k], `a${k}[r]`, "host", k)}`);
  return compileShared(
    component,
    ["c", "fits", ...names.map((_, k) => `i${k}`), ...names.map((_, k) => `t${k}`)],
    `${each((name, k) => `let a${k} = c.${name};`)}
    return {
      moved() { ${each((name, k) => `a${k} = c.${name};`)} },
      init(rows, from, to, values) {
        ${each((_, k) => `let v${k} = ${initial(k)};`)}
        if (values !== undefined) { let v; ${each(
          (name, k) => `if ((v = values.${name}) !== undefined) v${k} = ${encoded(k)};`,
        )} }
        for (let k = from; k < to; k++) {
          const r = rows[k];
          ${each((_, k) => `a${k}[r] = v${k};`)}
        }
      },
      assign(r, values) {
        let v; ${each((name, k) => `if ((v = values.${name}) !== undefined) a${k}[r] = ${encoded(k)};`)}
      },
      read(r, host) { return { ${read.join(", ")} }; },
      areFinite(values) {
        let v; ${each((name, k) =>
          fields[k].finite ? `if ((v = values.${name}) !== undefined && !(${fits(k)})) return false;` : "",
        )}
        return true;
      },
      countFit(values) {
        let v, count = 0; ${each(
          (name, k) => `if ((v = values.${name}) !== undefined) { if (!(${fits(k)})) return -1; count++; }`,
        )}
        return count;
      },
      save(r, to, at, list) {
        ${each((_, k) => (packed[k] ? `to[at + ${before(k, true)}] = a${k}[r];` : `list.push(a${k}[r]);`))}
      },
      load(r, from, at, list, first) {
        ${each(
          (_, k) =>
            `a${k}[r] = ${packed[k] ? `from[at + ${before(k, true)}]` : `list[first + ${before(k, false)}]`};`,
        )}
      },
    };`,
  )(columns, completely, ...initials, ...fields.map(constantOf)) as StoreAccess;
}

/** Properties of a prototype by name. */
export type Accessors = { [name: string]: PropertyDescriptor };

/** What the text of a view is made of. */
export interface ViewParts {
  readonly names: readonly string[];
  readonly fields: readonly Field[];
  /** The expression for the row of the entity at `this.index$`, or at `this.slot$`. */
  readonly row: string;
  /** Whether the arrays are looked up in the columns object, so that they may be replaced. */
  readonly lasting: boolean;
  /** Whether values are checked. Those that must be finite always are. */
  readonly checks: boolean;
  /** Whether only the complete way may write: it refuses, or has more to do. */
  readonly writesCompletely: boolean;
  /** Text behind a write to field number k. */
  readonly report: (field: number) => string;
  /** Whether writes need not be recorded, because a copy made before stands for them. */
  readonly isCopied: boolean;
}

/** What the text of a view refers to. */
export interface ViewConstants {
  /** Says which entities are alive. */
  readonly s: object;
  readonly columns: Columns;
  readonly external: { written(index: number): void } | undefined;
  readonly rows: ReadonlyMap<number, number> | undefined;
  readonly shared: { readonly rows: Int32Array } | undefined;
  readonly marks: Uint8Array | undefined;
  readonly guard: { readonly on: boolean; readonly heard: boolean };
  /** Throws: the value does not fit. */
  readonly bad: (index: number, field: number, value: unknown) => never;
  /** The complete way to write one field. */
  readonly complete: (index: number, field: number, value: unknown) => void;
  /** Writes a number that has listeners. */
  readonly slow: (index: number, field: number, encoded: number) => void;
}

/**
 * The accessors of the views of one component. The arrays are constants of the text: V8 then checks neither type nor length nor
 * address of them. When they are replaced (the world grew), the accessors are made anew.
 */
export function generateAccessors(parts: ViewParts, constants: ViewConstants): Accessors {
  const { names, fields, row, lasting, checks, isCopied } = parts;
  const members = names.map((name, k) => {
    const field = fields[k];
    const { type } = field;
    const { array, code } = type;
    const here = `${lasting ? `columns.${name}` : `a${k}`}[${row}]`;
    const read =
      code.read === undefined
        ? `return ${here};`
        : `const e = ${here}; return ${readText(type, "e", "s", k)};`;
    const encoded = code.encode?.("v", `t${k}`) ?? "v";
    const check =
      checks || field.finite ? `if (!(${code.fits?.("v", field, `t${k}`)})) bad(this.index$, ${k}, v);` : "";
    const report = parts.report(k);
    // A listener may come in the middle of a loop that a copy stands for.
    const guarded = `if (guard.${isCopied ? "heard" : "on"}) slow(this.index$, ${k}, ${encoded}); else`;
    const write =
      array !== undefined && code.fits !== undefined && !parts.writesCompletely
        ? `${check} ${guarded} { ${here} = ${encoded}; ${report} }`
        : `complete(this.index$, ${k}, v);`;
    return `get ${name}() { ${read} } set ${name}(v) { ${write} }`;
  });
  const all = {
    ...constants,
    ...Object.fromEntries(names.map((name, k) => [`a${k}`, constants.columns[name]])),
    ...Object.fromEntries(fields.map((field, k) => [`t${k}`, constantOf(field)])),
  };
  return accessorsFrom(members, all);
}

/**
 * Accessors of computed numbers, with their arrays as constants: 3.5 ns for two of them instead of 6. Setting them is left to
 * the class below.
 */
export function generateReaders(memory: ComputedMemory, base: object): Accessors {
  const { values, width, fields } = memory;
  const members = Object.entries(fields).map(
    ([name, k]) =>
      `get ${name}() { return values[this.slot$ * ${width} + ${k}]; } set ${name}(v) { base.${name} = v; }`,
  );
  return accessorsFrom(members, { values, base });
}

function accessorsFrom(members: readonly string[], constants: object): Accessors {
  const text = `return class { ${members.join("\n")} }.prototype;`;
  const prototype = compile(Object.keys(constants), text)(...Object.values(constants));
  const { constructor: _, ...accessors } = Object.getOwnPropertyDescriptors(prototype as object);
  return accessors;
}

function readText({ code }: FieldType, held: string, host: string, k: number): string {
  return code.read?.(held, host, `t${k}`) ?? held;
}

function constantOf(field: Field): unknown {
  return field.type.code.constant?.(field);
}
