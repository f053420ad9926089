/**
 * Runs one program and reports what happens: what it prints, the values of its statements, its errors, and the trees after each
 * statement. In a worker, or in a page of its own for programs that need one; either is thrown away after the program, so nothing is left over.
 */
import type { World } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";
import { drawTrees, type Made } from "./draw-trees.ts";
import { formatValue } from "./format-value.ts";
import { instrument, reporter } from "./instrument.ts";
import type { Message, Order } from "./messages.ts";
import { modules } from "./modules.ts";

/** More pictures than this are not sent: a page cannot show them. */
const maxFrames = 1000;
const AsyncFunction = (async () => {}).constructor as new (
  ...names: string[]
) => (...values: unknown[]) => Promise<void>;

const made: Made = { worlds: [], trees: [] };
let line = 0;
let frames = 0;
let drawn = "[]";

let send: (message: Message) => void = () => {};
const show = (value: unknown) => (typeof value === "string" ? value : formatValue(value));

/**
 * Runs a program. Later events, in its timers and frames, are reported too.
 *
 * @param tellPage - Receives every message for the page.
 */
export async function runProgram({ code }: Order, tellPage: (message: Message) => void): Promise<void> {
  send = tellPage;
  try {
    const body = instrument(code);
    const loaded = await loadAll(body);
    const require = (name: string) => loaded.get(name);
    await new AsyncFunction("require", "exports", "console", reporter, body)(require, {}, printer(), report);
  } catch (error) {
    tell(error, false);
  }
  redraw();
  send({ type: "done" });
  // Programs with timers go on; the picture follows.
  setInterval(redraw, 100);
}

self.addEventListener("unhandledrejection", (event) => tell(event.reason, false));

/** What the instrumented program calls. */
const report = {
  at: (now: number) => void (line = now),
  done: (now: number) => {
    line = now;
    redraw();
  },
  value: (now: number, value: unknown, isAsked: boolean) => {
    if (value === undefined || !(isAsked || isPlain(value))) return;
    send({ type: "value", line: now, text: formatValue(value) });
  },
  threw: (now: number, error: unknown) => {
    line = now;
    tell(error, true);
  },
};

/** Whether a value is worth showing unasked: not a function, and not an instance of a class. */
function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "function";
  const prototype = Object.getPrototypeOf(value);
  const isObject =
    prototype === Object.prototype && !Object.values(value).some((one) => typeof one === "function");
  return isObject || Array.isArray(value) || ArrayBuffer.isView(value);
}

function redraw(): void {
  if (frames >= maxFrames) return;
  const trees = drawTrees(made);
  const text = JSON.stringify(trees);
  if (text === drawn) return;
  drawn = text;
  frames++;
  send({ type: "frame", frame: { line, trees } });
}

function tell(error: unknown, expected: boolean): void {
  const {
    name = "Error",
    message = String(error),
    code,
  } = (error ?? {}) as { name?: string; message?: string; code?: unknown };
  // A parser says where: "… (3:7)".
  const location = /\((\d+):\d+\)/.exec(message);
  const at = line === 0 && location !== null ? Number(location[1]) : line;
  const known = typeof code === "string" && /^[a-z]+\/[a-z-]+$/.test(code) ? { code } : {};
  send({ type: "error", line: at, name, text: message, expected, ...known });
}

/** A console for the program. Nothing reaches the real one. */
function printer(): object {
  const print =
    (level: "log" | "warn" | "error") =>
    (...values: unknown[]) =>
      send({ type: "print", line, level, text: values.map(show).join(" ") });
  const log = print("log");
  const table = (rows: unknown) => {
    for (const row of Array.isArray(rows) ? rows : [rows]) log(row);
  };
  return {
    log,
    info: log,
    debug: log,
    dir: log,
    table,
    warn: print("warn"),
    error: print("error"),
    time() {},
    timeEnd() {},
  };
}

/** The modules that a program names, watched: the worlds and trees it makes are remembered. */
async function loadAll(body: string): Promise<Map<string, object>> {
  const names = new Set(
    [...body.matchAll(/require\('([^']+)'\)|require\("([^"]+)"\)/g)].map((match) => match[1] ?? match[2]!),
  );
  const loaded = new Map<string, object>();
  for (const name of names) {
    const load = modules[name];
    if (load === undefined) {
      throw new Error(`The playground has no "${name}". It has ${Object.keys(modules).join(", ")}.`);
    }
    const module = (await load()) as { readonly default?: object };
    // A package that was not an ES module is entirely in its default export.
    loaded.set(name, watched({ ...module.default, ...module }));
  }
  return loaded;
}

type Maker = (...values: never[]) => unknown;

function watched(module: { [name: string]: unknown }): object {
  const watch = (name: string, remember: (result: never) => void) => {
    const make = module[name] as Maker | undefined;
    if (make === undefined) return;
    module[name] = (...values: never[]) => {
      const result = make(...values);
      remember(result as never);
      return result;
    };
  };
  watch("createWorld", (world: World) => rememberWorld(world));
  watch("createHierarchy", (tree: Hierarchy) => rememberTree(tree));
  watch("createGame", ({ tree }: { tree: Hierarchy }) => rememberTree(tree));
  return module;
}

function rememberWorld(world: World): void {
  if (!made.worlds.includes(world)) made.worlds.push(world);
}

function rememberTree(tree: Hierarchy): void {
  rememberWorld(tree.world);
  // A tree that knows parents only has no walk to draw.
  if ("roots" in tree) made.trees.push(tree);
}
