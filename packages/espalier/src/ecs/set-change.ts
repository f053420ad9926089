/**
 * Writing some fields of a component when somebody must hear of it.
 */
import { encodeValue, type Field, type FieldKind, isPacked } from "./fields.ts";
import { compile } from "./generate.ts";
import type { Store } from "./store.ts";
import { type Change, PUT_WRITE, writeHead } from "./write-tape.ts";

export function createChange(store: Store, generate: boolean): Change {
  return generate ? generatedChange(store) : plainChange(store);
}

function plainChange(store: Store): Change {
  const { names, fields, columns } = store;
  return (row, values, recorder, entity, index) => {
    let changed = false;
    names.forEach((name, k) => {
      const value = (values as { [field: string]: unknown })[name];
      if (value === undefined) return;
      const { kind } = fields[k] as Field;
      const encoded = kind === "f32" ? Math.fround(value as number) : encodeValue(kind, value);
      const column = columns[name] as unknown[];
      const before = column[row];
      if (Object.is(before, encoded)) return;
      recorder?.writing(entity, index, store, k, before);
      column[row] = encoded;
      changed = true;
    });
    return changed;
  };
}

function generatedChange(store: Store): Change {
  const lines = store.names.map((name, k) => {
    const { kind } = store.fields[k] as Field;
    const call = `if (told !== undefined) told.writing(e, i, store, ${k}, b);`;
    const put = `if (t !== undefined) put(t, b, e, ${writeHead(store.id, k)}); else`;
    return `if ((v = values.${name}) !== undefined) {
      const n = ${encodedText(kind)}, b = c.${name}[r];
      if (!Object.is(b, n)) { ${isPacked(kind) ? put : ""} ${call} c.${name}[r] = n; changed = true; }
    }`;
  });
  return compile(
    ["c", "store"],
    `${PUT_WRITE} return (r, values, told, e, i) => {
      const t = told === undefined ? undefined : told.tape;
      let v, changed = false; ${lines.join(" ")} return changed;
    };`,
  )(store.columns, store) as Change;
}

/** From the value `v` that users see to what its column will hold. */
function encodedText(kind: FieldKind): string {
  if (kind === "bool") return "v ? 1 : 0";
  if (kind === "entity") return "v === null ? 0 : v";
  return kind === "f32" ? "Math.fround(v)" : "v";
}
