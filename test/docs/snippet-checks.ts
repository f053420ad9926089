/** What an instrumented snippet calls while it runs. */
import { Console } from "node:console";
import { Writable } from "node:stream";
import { expect } from "vitest";

/** What one snippet prints and throws, compared with what its comments say. */
export class Checks {
  /** The errors that were announced by `throws` and came. */
  readonly thrown: unknown[] = [];
  readonly path: string;
  readonly console: Console;
  #printed = "";

  constructor(path: string) {
    this.path = path;
    const stdout = new Writable({
      write: (chunk, _encoding, done) => {
        this.#printed += String(chunk);
        done();
      },
    });
    this.console = new Console({ stdout, colorMode: false });
  }

  /** The start of a statement: what is printed behind this mark is its output. */
  mark(): number {
    return this.#printed.length;
  }

  /** A statement with a value. One that has none but printed something is compared by its output. */
  value(
    mark: number,
    actual: unknown,
    expected: (() => unknown) | undefined,
    text: string,
    line: number,
    near: boolean,
  ): void {
    if (actual === undefined && this.#printed.length > mark && !near) {
      this.printed(mark, text, line);
      return;
    }
    const where = `${this.path}:${line}`;
    if (expected === undefined) {
      throw new Error(`${where}: "${text}" is not an expression to compare with; strings need quotes.`);
    }
    const wanted = plain(expected(), true);
    const got = plain(actual, Array.isArray(wanted));
    expect(near ? approach(got, wanted, toleranceOf(text)) : got, where).toEqual(wanted);
  }

  /** A statement without a value: everything it printed. */
  printed(mark: number, text: string, line: number): void {
    expect(trimmed(this.#printed.slice(mark)), `${this.path}:${line}`).toBe(trimmed(text));
  }

  /** A statement that throws `Name: start of the message`, or just `Name`. */
  threw(thrown: { error: unknown } | undefined, text: string, line: number): void {
    const where = `${this.path}:${line}`;
    if (thrown === undefined) throw new Error(`${where}: nothing was thrown; expected ${text}`);
    const wanted = text.replaceAll(/\s*\n\s*/g, " ");
    const { error } = thrown;
    const got = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const [name] = wanted.split(":");
    // The length first, so that a failure shows the two texts side by side. In production messages have no prose.
    if (wanted === name || process.env.ESPALIER_TARGET === "production")
      expect(got.split(":")[0], where).toBe(name);
    else expect(got.slice(0, wanted.length), where).toBe(wanted);
    this.thrown.push(error);
  }
}

const running = new Map<string, Checks>();
let runs = 0;

/** For the snippet module: the checks that `runSnippet` prepared for it. */
export function checksOf(id: string): Checks {
  const checks = running.get(id);
  if (checks === undefined) throw new Error(`The snippet ${id} was imported without runSnippet.`);
  return checks;
}

/** Runs a snippet: `docs/guide/x.md` and the line of its fence. Fails as its expectations fail. */
export async function runSnippet({ path, line }: { path: string; line: number }): Promise<Checks> {
  // Counted, because a module that is imported again does not run again.
  const id = `${path}:${line}:${++runs}`;
  const checks = new Checks(path);
  const before = globalThis.console;
  running.set(id, checks);
  globalThis.console = checks.console;
  try {
    await import(/* @vite-ignore */ `virtual:snippet/${id}.ts`);
  } finally {
    globalThis.console = before;
    running.delete(id);
  }
  return checks;
}

function trimmed(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd();
}

/** Typed arrays as arrays and -0 as 0, at any depth; other iterables as arrays when `list` asks for one. */
function plain(value: unknown, list: boolean): unknown {
  if (typeof value === "number") return value === 0 ? 0 : value;
  if (typeof value !== "object" || value === null) return value;
  if (ArrayBuffer.isView(value) && Symbol.iterator in value) return plain([...(value as Uint8Array)], list);
  if (Array.isArray(value)) return value.map((item) => plain(item, Array.isArray(item)));
  if (list && Symbol.iterator in value) return plain([...(value as Iterable<unknown>)], false);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, false)]));
}

/** Half a unit of the last decimal place that `text` shows. */
function toleranceOf(text: string): number {
  const decimals = [...text.matchAll(/\.(\d+)/g)].map((match) => match[1]!.length);
  return 0.5000001 * 10 ** -Math.max(0, ...decimals);
}

/** `actual` with the numbers that are near enough to `expected` replaced by it, so that the rest can be compared. */
function approach(actual: unknown, expected: unknown, tolerance: number): unknown {
  if (typeof actual === "number" && typeof expected === "number") {
    return Math.abs(actual - expected) <= tolerance ? expected : actual;
  }
  if (Array.isArray(actual) && Array.isArray(expected)) {
    return actual.map((item, index) => approach(item, expected[index], tolerance));
  }
  if (typeof actual === "object" && actual !== null && typeof expected === "object" && expected !== null) {
    const other = expected as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(actual).map(([key, item]) => [key, approach(item, other[key], tolerance)]),
    );
  }
  return actual;
}
