/**
 * Copies everything an entity holds, for undo: all components of its archetype in one call.
 */
import { exactOf } from "./exact-access.ts";
import { compile } from "./generate.ts";
import type { Store } from "./store.ts";

export interface ArchetypeCopy {
  /** How many values live in typed arrays, over all components. */
  readonly numbers: number;
  /** Copies them, as the columns hold them, to numbers[at] and on; strings and objects to the end of `references`. */
  save(index: number, numbers: Float64Array, at: number, references: unknown[]): void;
  /** `save` for ids[from..to), one behind the other. */
  saveMany(
    ids: Int32Array,
    from: number,
    to: number,
    numbers: Float64Array,
    at: number,
    references: unknown[],
  ): void;
}

/** The plain way: good for archetypes that are rarely copied. */
export function plainCopy(world: { readonly generates: boolean }, stores: readonly Store[]): ArchetypeCopy {
  const size = sizeOf(stores);
  return {
    numbers: size,
    saveMany(ids, from, to, numbers, at, references) {
      for (let k = from; k < to; k++) this.save(ids[k], numbers, at + (k - from) * size, references);
    },
    save(index, numbers, at, references) {
      let to = at;
      for (let k = 0; k < stores.length; k++) {
        const store = stores[k] as Store;
        const row = store.rowOf(index);
        const exact = exactOf(world, store);
        exact.save(row, numbers, to);
        if (store.packed !== store.fields.length) exact.saveReferences(row, references, references.length);
        to += store.packed;
      }
    },
  };
}

/** The same as code of its own, which takes a third of the time: 10 instead of 30 ns for three small components. */
export function generatedCopy(stores: readonly Store[]): ArchetypeCopy {
  const numbers = sizeOf(stores);
  let to = 0;
  const lines = stores.map((store, s) => {
    if (store.fields.length === 0) return "";
    const row = store.isDense ? "i" : `stores[${s}].rowOf(i)`;
    const saves = store.names.map((name, k) => {
      const value = `c${s}.${name}[r]`;
      return isNumber(store, k) ? `to[at + ${to++}] = ${value};` : `list.push(${value});`;
    });
    return `{ const r = ${row}; ${saves.join(" ")} }`;
  });
  const body = lines.join(" ");
  const copy = compile(
    ["stores", ...stores.map((_, s) => `c${s}`)],
    `return {
      save(i, to, at, list) { ${body} },
      saveMany(ids, from, end, to, at, list) {
        for (let k = from; k < end; k++) { const i = ids[k]; ${body} at += ${numbers}; }
      },
    };`,
  )(stores, ...stores.map((store) => store.columns)) as Omit<ArchetypeCopy, "numbers">;
  return { numbers, ...copy };
}

function sizeOf(stores: readonly Store[]): number {
  return stores.reduce((sum, store) => sum + store.packed, 0);
}

function isNumber(store: Store, field: number): boolean {
  const kind = store.fields[field]?.kind;
  return kind !== "string" && kind !== "object";
}
