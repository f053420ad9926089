/**
 * The code of one component: how the values of one entity are initialised, assigned, read, saved and loaded as a whole.
 *
 * Generated as text where the environment allows it, with a plain twin beside it.
 */
import {
  type Column,
  encodeValue,
  type Field,
  type FieldKind,
  initialValue,
  isPacked,
  misfit,
} from "./fields.ts";
import { compile } from "./generate.ts";

export type Columns = { [field: string]: Column };

export interface Aliveness {
  isAlive(entity: number): boolean;
}

export interface StoreAccess {
  /** Writes every field once: the given values, defaults for the rest. */
  init(row: number, values: object | undefined): void;
  /** Writes the given fields. */
  assign(row: number, values: object): void;
  /** A fresh plain object. References to dead entities read as `null`. */
  read(row: number, host: Aliveness): object;
  /** Whether the given values of fields that must be finite are. */
  areFinite(values: object): boolean;
  /** Copies numbers to numbers[at] and on, and pushes strings and objects, as the columns hold them. */
  save(row: number, numbers: Float64Array, at: number, references: unknown[]): void;
  /** Writes what `save` copied. */
  load(row: number, numbers: Float64Array, at: number, references: readonly unknown[], first: number): void;
}

/**
 * The object that holds the columns, with a hidden class of its own: V8 tracks per hidden class which properties never
 * change, so a component whose columns never moved is not slowed down by one whose columns did.
 */
export function createColumns(names: readonly string[], columns: readonly Column[]): Columns {
  const holder = new (class Columns {})() as Columns;
  names.forEach((name, k) => {
    holder[name] = columns[k] as Column;
  });
  return holder;
}

export function createAccess(
  columns: Columns,
  names: readonly string[],
  fields: readonly Field[],
  generate: boolean,
): StoreAccess {
  return generate ? generatedAccess(columns, names, fields) : plainAccess(columns, names, fields);
}

function plainAccess(columns: Columns, names: readonly string[], fields: readonly Field[]): StoreAccess {
  const column = (k: number) => columns[names[k] as string] as unknown[];
  return {
    init(row, values) {
      for (let k = 0; k < names.length; k++) {
        const value = (values as { [field: string]: unknown } | undefined)?.[names[k] as string];
        const field = fields[k] as Field;
        column(k)[row] = value === undefined ? initialValue(field) : encodeValue(field.kind, value);
      }
    },
    assign(row, values) {
      for (let k = 0; k < names.length; k++) {
        const value = (values as { [field: string]: unknown })[names[k] as string];
        if (value !== undefined) column(k)[row] = encodeValue((fields[k] as Field).kind, value);
      }
    },
    read(row, host) {
      const values: { [field: string]: unknown } = {};
      for (let k = 0; k < names.length; k++) {
        values[names[k] as string] = decodeValue((fields[k] as Field).kind, column(k)[row], host);
      }
      return values;
    },
    areFinite(values) {
      return fields.every((field, k) => {
        const value = (values as { [field: string]: unknown })[names[k] as string];
        return !field.finite || value === undefined || misfit(field, value) === undefined;
      });
    },
    save(row, numbers, at, references) {
      let to = at;
      for (let k = 0; k < names.length; k++) {
        const value = column(k)[row];
        if (isPacked((fields[k] as Field).kind)) numbers[to++] = value as number;
        else references.push(value);
      }
    },
    load(row, numbers, at, references, first) {
      let from = at;
      let reference = first;
      for (let k = 0; k < names.length; k++) {
        column(k)[row] = isPacked((fields[k] as Field).kind) ? numbers[from++] : references[reference++];
      }
    },
  };
}

/** From the value a column holds to the value users see. */
export function decodeValue(kind: FieldKind, value: unknown, host: Aliveness): unknown {
  if (kind === "bool") return value === 1;
  if (kind === "entity") return value !== 0 && host.isAlive(value as number) ? value : null;
  return value;
}

function generatedAccess(columns: Columns, names: readonly string[], fields: readonly Field[]): StoreAccess {
  const initials = fields.map((field) => (field.kind === "object" ? field.initial : initialValue(field)));
  const encoded = (k: number) => {
    const kind = fields[k]?.kind;
    return kind === "bool" ? "v ? 1 : 0" : kind === "entity" ? "v === null ? 0 : v" : "v";
  };
  const initial = (k: number) =>
    fields[k]?.kind === "object"
      ? `i${k}()`
      : typeof initials[k] === "number" && Number.isFinite(initials[k]) && !Object.is(initials[k], -0)
        ? `${initials[k]}`
        : `i${k}`;
  const reset = names.map((name, k) => `c.${name}[r] = ${initial(k)};`);
  const init = names.map(
    (name, k) => `v = values.${name}; c.${name}[r] = v === undefined ? ${initial(k)} : ${encoded(k)};`,
  );
  const assign = names.map(
    (name, k) => `if ((v = values.${name}) !== undefined) c.${name}[r] = ${encoded(k)};`,
  );
  const read = names.map((name, k) => {
    const kind = fields[k]?.kind;
    const value = `c.${name}[r]`;
    if (kind === "bool") return `${name}: ${value} === 1`;
    if (kind === "entity") return `${name}: ${value} !== 0 && host.isAlive(${value}) ? ${value} : null`;
    return `${name}: ${value}`;
  });
  let saved = 0;
  let loaded = 0;
  let referenced = 0;
  const packed = (k: number) => isPacked((fields[k] as Field).kind);
  const save = names.map((name, k) =>
    packed(k) ? `to[at + ${saved++}] = c.${name}[r];` : `list.push(c.${name}[r]);`,
  );
  const load = names.map(
    (name, k) => `c.${name}[r] = ${packed(k) ? `from[at + ${loaded++}]` : `list[first + ${referenced++}]`};`,
  );
  // Subtracting finds NaN and the infinities in one step, also those that rounding to 32 bits makes.
  const finite = names.flatMap((name, k) => {
    if (!fields[k]?.finite) return [];
    const kept = fields[k]?.kind === "f32" ? "Math.fround(v)" : "v";
    return `if ((v = values.${name}) !== undefined && !(typeof v === "number" && ${kept} - ${kept} === 0)) return false;`;
  });
  const parameters = initials.map((_, k) => `i${k}`);
  return compile(
    ["c", ...parameters],
    `return {
      init(r, values) {
        if (values === undefined) { ${reset.join(" ")} }
        else { let v; ${init.join(" ")} }
      },
      assign(r, values) { let v; ${assign.join(" ")} },
      read(r, host) { return { ${read.join(", ")} }; },
      areFinite(values) { let v; ${finite.join(" ")} return true; },
      save(r, to, at, list) { ${save.join(" ")} },
      load(r, from, at, list, first) { ${load.join(" ")} },
    };`,
  )(columns, ...initials) as StoreAccess;
}
