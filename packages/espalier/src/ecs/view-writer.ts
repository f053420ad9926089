/**
 * How views write what somebody must hear of.
 */
import type { Entities } from "./entities.ts";
import type { Field } from "./fields.ts";
import { compile, tooLongToInline } from "./generate.ts";
import { ARCHETYPE, HANDLE_TEXT } from "./place-record.ts";
import type { Store } from "./store.ts";
import { rowText, type WriteTexts } from "./view.ts";
import { PUT_WRITE, writeHead } from "./write-tape.ts";
import type { WriteWindow } from "./write-window.ts";

export interface WriterHost {
  readonly table: Entities;
  readonly window: WriteWindow;
  /** Records that a field is about to change. */
  writing(store: Store, field: number, index: number, before: unknown): void;
  /** Tells of a write that was made. */
  wrote(store: Store, index: number): void;
}

/** Writes field number n of the entity at an index with `writers[n]`; what to write is in `given[0]`. */
export interface LongWay {
  readonly given: Float64Array;
  readonly writers: readonly ((index: number) => void)[];
}

/** For views that ask at every write whether somebody must hear of it. */
export function carefulTexts(store: Store, host: WriterHost): WriteTexts {
  const { given, writers } = createLongWay(store, host);
  return {
    head: writers.map((_, k) => `const write${k} = writers[${k}];`).join(" "),
    instead: (k, encoded) => `if (store.guarded) { given[0] = ${encoded}; write${k}(this.index$); } else`,
    target: "columns",
    constants: { given, writers },
  };
}

/**
 * The long way for each field of a component. A writer finds its value in `given`, because an argument would be put into a
 * box; and it is too long to be inlined, so that V8 has its budget for the short way.
 */
export function createLongWay(store: Store, host: WriterHost): LongWay {
  const given = new Float64Array(1);
  const writers = store.names.map((name, k) => writerText(store, name, k)).join(",\n");
  const source = `${PUT_WRITE} return [${writers}];`;
  return {
    given,
    writers: compile(["store", "columns", "host", "external", "rows", "window", "table", "given"], source)(
      store,
      store.columns,
      host,
      store.external,
      store.rows,
      host.window,
      host.table,
      given,
    ) as LongWay["writers"],
  };
}

function writerText(store: Store, name: string, field: number): string {
  const isExternal = store.external !== undefined;
  const canBeCopied = !isExternal || store.external?.memory !== undefined;
  // A loop may have destroyed the entity it stands at, or taken the component: there is nothing left to write to.
  const isGone = store.rows === undefined ? `table.info[i << 2 | ${ARCHETYPE}] < 0` : "r < 0";
  const kept = (store.fields[field] as Field).kind === "f32" ? "Math.fround(given[0])" : "given[0]";
  return `(i) => {
    ${tooLongToInline("i")}
    const r = ${rowText(store, "i")}, n = ${kept}, b = columns.${name}[r], to = window.recorder;
    if (${isGone} || Object.is(b, n)) return;
    if (to !== undefined) {
      if (to.tape !== undefined) put(to.tape, b, ${HANDLE_TEXT}, ${writeHead(store.id, field)});
      else host.writing(store, ${field}, i, b);
    }
    columns.${name}[r] = n; ${isExternal ? "external.written(i);" : ""}
    if (store.heard) host.wrote(store, i);
    ${canBeCopied ? "else if (--window.left === 0) window.copy(store);" : ""}
  }`;
}
