/**
 * Collects the problems of one reading, with their locations.
 *
 * A location is kept as a path. The texts are scanned for the positions of paths only when there is a problem.
 */
import type { SceneProblem, SceneProblemCode } from "../errors.ts";
import { formatPath, type Json, type JsonStep } from "../json/json.ts";
import { Lines } from "../json/lines.ts";
import { locate } from "../json/locate.ts";
import type { Fault } from "../json/tokens.ts";
import { FormerPaths } from "./former-paths.ts";

/** A text or value that entities are read from. */
export interface Source {
  readonly file: string | undefined;
  /** `undefined` when it was passed as a value. */
  readonly text: string | undefined;
  readonly value: Json;
  /** Whether `value` was migrated from an older version and may differ from the text. */
  readonly isMigrated?: boolean;
}

export interface ProblemLocation {
  readonly source: Source;
  /** A function if it takes work to find: most locations in a file with very many problems are never shown. */
  readonly path: readonly JsonStep[] | (() => readonly JsonStep[]);
  /** Whether the key at the end of the path is meant, not its value. */
  readonly key?: boolean;
  readonly entity?: string | undefined;
}

interface Entry extends ProblemLocation {
  readonly path: readonly JsonStep[];
  readonly code: SceneProblemCode;
  readonly message: string;
  /** Known for faults of the text itself. */
  readonly offset?: number;
}

/** Problems beyond this are counted, not kept. */
const mostProblems = 1000;
/** The same when all paths together have this many steps: a file may be nested 100,000 levels deep. */
const mostSteps = 2_000_000;

export class Report {
  private readonly entries: Entry[] = [];
  private more = 0;
  private steps = 0;

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  /** Whether further problems are only counted, so that their locations need not be computed. */
  get isFull(): boolean {
    return this.entries.length >= mostProblems || this.steps >= mostSteps;
  }

  /** @param message - A function if it takes work to build. */
  add(code: SceneProblemCode, location: ProblemLocation, message: string | (() => string)): void {
    if (this.isFull) {
      this.more++;
      return;
    }
    const path = typeof location.path === "function" ? location.path() : location.path;
    this.steps += path.length;
    this.entries.push({
      ...location,
      path,
      code,
      message: typeof message === "string" ? message : message(),
    });
  }

  addFaults(source: Source, faults: readonly Fault[]): void {
    for (const { offset, message } of faults) {
      if (this.isFull) this.more++;
      else this.entries.push({ source, path: [], code: "scene/syntax", message, offset });
    }
  }

  /** All problems, with line and column where there is a text; sorted by their location within each file. */
  problems(): SceneProblem[] {
    const bySource = new Map<Source, Entry[]>();
    for (const entry of this.entries) {
      const list = bySource.get(entry.source);
      if (list === undefined) bySource.set(entry.source, [entry]);
      else list.push(entry);
    }
    const problems = [...bySource].flatMap(([source, entries]) => locateAll(source, entries));
    const last = problems.at(-1);
    if (this.more > 0 && last !== undefined) {
      const message = `There are ${this.more} more problems. Fix those above first.`;
      problems.push({ ...last, message, line: undefined, column: undefined, path: "", entity: undefined });
    }
    return problems;
  }
}

function locateAll(source: Source, entries: readonly Entry[]): SceneProblem[] {
  const { text, file } = source;
  if (text === undefined) return entries.map((entry) => problemOf(entry, file, undefined));
  const lines = new Lines(text);
  const asked = entries.filter((entry) => entry.offset === undefined);
  const inText = source.isMigrated === true ? new FormerPaths(text) : undefined;
  const found = locate(
    text,
    asked.map(({ path, key, entity }) => ({ path: inText?.of(path, entity) ?? path, key: key === true })),
  );
  const offsets = new Map(asked.map((entry, k) => [entry, found[k]]));
  return entries
    .map((entry) => ({ entry, offset: entry.offset ?? (offsets.get(entry) as number) }))
    .sort((a, b) => a.offset - b.offset)
    .map(({ entry, offset }) => problemOf(entry, file, lines.at(offset)));
}

function problemOf(
  { code, message, path, entity }: Entry,
  file: string | undefined,
  at: { readonly line: number; readonly column: number } | undefined,
): SceneProblem {
  return { code, message, file, line: at?.line, column: at?.column, path: formatPath(path), entity };
}
