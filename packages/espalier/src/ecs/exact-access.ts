/**
 * The values of one component as its columns hold them, copied and written back: what undo stands on.
 */
import type { Columns, ExactAccess } from "./access.ts";
import { type Column, type Field, isPacked } from "./fields.ts";
import { compile } from "./generate.ts";
import type { Store } from "./store.ts";

/** What `put` puts behind the values. */
const BEHIND = 3;

/** Made when it is first asked for. */
export function exactOf(world: { readonly generates: boolean }, store: Store): ExactAccess {
  store.exact ??= world.generates ? generatedExact(store) : plainExact(store);
  return store.exact;
}

function plainExact(store: Store): ExactAccess {
  const { columns } = store;
  const packed = namesOf(store, true);
  const references = namesOf(store, false);
  return {
    save(row, numbers, at) {
      packed.forEach((name, k) => {
        numbers[at + k] = columns[name]?.[row] as number;
      });
    },
    put(row, tape, place, entity, head) {
      const size = packed.length;
      tape.reserve(size + BEHIND);
      const { numbers, count } = tape;
      this.save(row, numbers, count);
      this.saveReferences(row, tape.references, tape.references.length);
      numbers[count + size] = place;
      numbers[count + size + 1] = entity;
      numbers[count + size + 2] = head;
      tape.count = count + size + BEHIND;
    },
    saveMany(ids, from, to, numbers, at, list) {
      for (let k = from; k < to; k++) {
        const row = store.rowOf(ids[k]);
        this.save(row, numbers, at + (k - from) * packed.length);
        this.saveReferences(row, list, list.length);
      }
    },
    load(row, numbers, at) {
      packed.forEach((name, k) => {
        (columns[name] as Column)[row] = numbers[at + k];
      });
    },
    saveReferences(row, list, at) {
      references.forEach((name, k) => {
        list[at + k] = columns[name]?.[row];
      });
    },
    loadReferences(row, list, at) {
      references.forEach((name, k) => {
        (columns[name] as unknown[])[row] = list[at + k];
      });
    },
  };
}

function generatedExact(store: Store): ExactAccess {
  const packed = namesOf(store, true);
  const references = namesOf(store, false);
  const save = (names: readonly string[]) =>
    names.map((name, k) => `to[at + ${k}] = c.${name}[r];`).join(" ");
  const load = (names: readonly string[]) =>
    names.map((name, k) => `c.${name}[r] = from[at + ${k}];`).join(" ");
  const push = references.map((name) => `list.push(c.${name}[r]);`).join(" ");
  const make = compile(
    ["c", "store"],
    `return {
      save(r, to, at) { ${save(packed)} },
      put(r, tape, place, entity, head) {
        if (tape.count + ${packed.length + BEHIND} > tape.numbers.length) tape.reserve(${packed.length + BEHIND});
        const to = tape.numbers, at = tape.count, list = tape.references;
        ${save(packed)} ${push}
        to[at + ${packed.length}] = place;
        to[at + ${packed.length + 1}] = entity;
        to[at + ${packed.length + 2}] = head;
        tape.count = at + ${packed.length + BEHIND};
      },
      saveMany(ids, from, end, to, at, list) {
        for (let k = from; k < end; k++) {
          const r = ${store.isDense ? "ids[k]" : "store.rowOf(ids[k])"};
          ${save(packed)} ${push}
          at += ${packed.length};
        }
      },
      load(r, from, at) { ${load(packed)} },
      saveReferences(r, to, at) { ${save(references)} },
      loadReferences(r, from, at) { ${load(references)} },
    };`,
  ) as (columns: Columns, store: Store) => ExactAccess;
  return make(store.columns, store);
}

/** The fields that live in typed arrays, or those that do not. */
function namesOf({ names, fields }: Store, packed: boolean): string[] {
  return names.filter((_, k) => isPacked((fields[k] as Field).kind) === packed);
}
