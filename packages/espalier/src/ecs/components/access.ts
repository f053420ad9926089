/**
 * How the values of one entity are initialised, assigned, read, saved and loaded as a whole.
 *
 * Generated as text where the environment allows it (`component-code.ts`); the plain twin is below.
 */
import { type Columns, generateAccess, type StoreAccess } from "./component-code.ts";
import { type Column, type Field, initialValue, misfit } from "./fields.ts";

export type { Columns, StoreAccess };

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
  component: string,
  columns: Columns,
  names: readonly string[],
  fields: readonly Field[],
  generate: boolean,
): StoreAccess {
  return generate ? generateAccess(component, columns, names, fields) : plainAccess(columns, names, fields);
}

// The plain twin -----------------------------------------------------------------------------------------------------------

type Values = { readonly [field: string]: unknown };

function plainAccess(columns: Columns, names: readonly string[], fields: readonly Field[]): StoreAccess {
  const column = (k: number) => columns[names[k]] as unknown[];
  const types = fields.map(({ type }) => type);
  const encodes = types.map(({ encode }) => encode);
  const decodes = types.map(({ decode }) => decode);
  const packed = types.map(({ array }) => array !== undefined);
  const initials = fields.map((field) =>
    typeof field.initial === "function" ? undefined : initialValue(field),
  );
  const put = (row: number, k: number, value: unknown) => {
    const encode = encodes[k];
    column(k)[row] = encode === undefined ? value : encode(value, fields[k]);
  };
  return {
    moved() {},
    init(rows, from, to, values) {
      for (let at = from; at < to; at++) {
        const row = rows[at];
        for (let k = 0; k < names.length; k++) {
          const value = (values as Values | undefined)?.[names[k]];
          if (value !== undefined) put(row, k, value);
          else column(k)[row] = initials[k];
        }
      }
    },
    assign(row, values) {
      for (let k = 0; k < names.length; k++) {
        const value = (values as Values)[names[k]];
        if (value !== undefined) put(row, k, value);
      }
    },
    read(row, host) {
      const values: { [field: string]: unknown } = {};
      for (let k = 0; k < names.length; k++) {
        const held = column(k)[row];
        const decode = decodes[k];
        values[names[k]] = decode === undefined ? held : decode(held, host, fields[k]);
      }
      return values;
    },
    areFinite(values) {
      return fields.every((field, k) => {
        const value = (values as Values)[names[k]];
        return !field.finite || value === undefined || misfit(field, value) === undefined;
      });
    },
    countFit(values) {
      let count = 0;
      for (let k = 0; k < names.length; k++) {
        const value = (values as Values)[names[k]];
        if (value === undefined) continue;
        if (misfit(fields[k], value) !== undefined) return -1;
        count++;
      }
      return count;
    },
    save(row, numbers, at, references) {
      let to = at;
      for (let k = 0; k < names.length; k++) {
        if (packed[k]) numbers[to++] = column(k)[row] as number;
        else references.push(column(k)[row]);
      }
    },
    load(row, numbers, at, references, first) {
      let from = at;
      let reference = first;
      for (let k = 0; k < names.length; k++) {
        column(k)[row] = packed[k] ? numbers[from++] : references[reference++];
      }
    },
  };
}
