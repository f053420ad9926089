/**
 * Code of its own for entities that leave, with the archetypes that come up again and again as its parts.
 */
import type { Archetype } from "./archetype.ts";
import type { Entities } from "./entities.ts";
import { GENERATION_STEP, INDEX_BITS } from "./entity.ts";
import { compile } from "./generate.ts";
import { limitOf } from "./many-places.ts";
import { ARCHETYPE, NOBODY, ROW } from "./place-record.ts";

/** V8 does not make long texts fast. */
const MOST_ARCHETYPES = 32;
const MOST_VALUES = 256;

/** Makes the code of a world anew when there is another archetype to know, or its table was replaced. */
export abstract class LearnedCode<Code> {
  private readonly known: Archetype[] = [];
  private values = 0;
  private code: Code | undefined = undefined;
  private info: Int32Array | undefined = undefined;
  private isWide = false;
  /** By number of the archetype: how many of its entities went another way. */
  private readonly others: number[] = [];
  /** After so many that went another way, an archetype is worth its part. */
  protected abstract readonly least: number;

  protected abstract generate(table: Entities, archetypes: readonly Archetype[]): Code;

  /** The code as of now; nothing where each entity must go by itself: lists that something walks are copied first. */
  current(table: Entities): Code | undefined {
    if (table.iterating !== 0 || this.known.length === 0) return undefined;
    if (this.code === undefined || this.info !== table.info || this.isWide !== table.wide) {
      this.info = table.info;
      this.isWide = table.wide;
      this.code = this.generate(table, this.known);
    }
    return this.code;
  }

  /** An entity of this archetype went another way. */
  learn(archetype: Archetype, table: Entities): void {
    if (!table.generates) return;
    const others = (this.others[archetype.id] ?? 0) + 1;
    this.others[archetype.id] = others;
    if (others !== this.least) return;
    const values = this.values + archetype.packed;
    if (this.known.length === MOST_ARCHETYPES || values > MOST_VALUES) return;
    // Tags are plain, but sparse ones have a row to give back.
    const mayLearn = archetype.releasing.length === 0 && archetype.stores.every((store) => store.isPlain);
    if (!mayLearn) return;
    this.known.push(archetype);
    this.values = values;
    this.code = undefined;
  }
}

/** Methods that may use `table`, its `info`, and what the texts below use of archetypes. */
export function compileFor(
  table: Entities,
  archetypes: readonly Archetype[],
  methods: string,
  others: readonly (readonly [string, unknown])[] = [],
): unknown {
  const constants: (readonly [string, unknown])[] = [
    ...others,
    ["table", table],
    ["info", table.info],
    ...archetypes.map((archetype) => [`a${archetype.id}`, archetype] as const),
    ...archetypes.flatMap(({ id, stores }) =>
      stores.map(({ columns }, s) => [`c${id}_${s}`, columns] as const),
    ),
  ];
  const make = compile(
    constants.map(([name]) => name),
    `return { ${methods} };`,
  );
  return make(...constants.map(([, value]) => value));
}

/** The handle of `i`. */
export function handleText({ wide }: Entities): string {
  return wide ? `(generation * ${GENERATION_STEP} + i)` : `(generation << ${INDEX_BITS} | i)`;
}

/** Whether the place needs `release` itself. */
export function spentText(table: Entities): string {
  return `generation >= ${limitOf(table)}`;
}

/** The values of entity `i`, which is of that archetype. */
export function valueTexts(id: number, stores: Archetype["stores"]): string[] {
  return stores.flatMap(({ names }, s) => names.map((name) => `c${id}_${s}.${name}[i]`));
}

/** Takes `row` out of the list of an archetype; sets `last`, which is there then. */
export function outOfList(id: number): string {
  return `const list = a${id}.ids; last = list[--a${id}.count]; list[row] = last; a${id}.revision++;`;
}

/** Then gives the place of `i`, `n` in the table, back. */
export const RELEASED = `info[last << 2 | ${ROW}] = row; info[n] = generation + 1; info[n | ${ARCHETYPE}] = ${NOBODY};
  info[n | ${ROW}] = free; free = i;`;
