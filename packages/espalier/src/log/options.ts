/**
 * The options for opening a log.
 */
import { type AnyComponent, checkOptions, describeValue } from "../ecs/index.ts";
import { type AnyTree, type ChangeFormat, createChangeFormat, type ValueCodec } from "../history/index.ts";
import { InvalidLogError } from "./errors.ts";
import type { SyncPolicy } from "./log-writer.ts";

/** The schema of a log: the same for the process that writes it and for tools that read it. */
export interface LogFormatOptions {
  /** All components that entities of the world may have. */
  readonly components: readonly AnyComponent[];
  /** The hierarchies of the world. */
  readonly trees?: readonly AnyTree[];
}

/** Options of `openWorldLog`. */
export interface WorldLogOptions extends LogFormatOptions {
  /** Codecs for values that cannot be written otherwise, by `"Component.field"`. */
  readonly codecs?: { readonly [field: string]: ValueCodec };
  /** When batches are forced onto the disk: `{ every: 1000 }` (milliseconds) if left out. */
  readonly sync?: SyncPolicy;
  /** When a log file reaches this many bytes, a snapshot and a new file follow: 64 MiB if left out. */
  readonly rotateBytes?: number;
  /** `"cut"` discards everything after damage in the middle of a log. Such a log is refused if left out. */
  readonly damaged?: "refuse" | "cut";
}

function refusalOf(doing: string, what: string, value: unknown): InvalidLogError {
  return new InvalidLogError(`Cannot ${doing}: ${what}, got ${describeValue(value)}.`, { value });
}

function requireFolder(doing: string, folder: unknown, options: LogFormatOptions): void {
  if (typeof folder !== "string" || folder === "") throw refusalOf(doing, "the folder is a path", folder);
  if (options === undefined) throw refusalOf(doing, "it takes { components }", options);
}

/** Options of `readWorldLog`. */
export interface ReadLogOptions extends LogFormatOptions {
  /** Only batches after this number are read: all of them if left out. */
  readonly from?: number;
}

/** @throws InvalidLogError, InvalidOptionError */
export function requireReadOptions(folder: unknown, options: ReadLogOptions): void {
  requireFolder("read a log", folder, options);
  checkOptions(true, "read a log", options, { components: "anything", trees: "anything", from: "number" });
}

/** @throws InvalidLogError, InvalidOptionError */
export function requireOptions(folder: unknown, options: WorldLogOptions): void {
  const doing = "open a log";
  const refuse = (what: string, value: unknown) => refusalOf(doing, what, value);
  requireFolder(doing, folder, options);
  checkOptions(true, doing, options, {
    components: "anything",
    trees: "anything",
    codecs: "anything",
    sync: "anything",
    rotateBytes: "number",
    damaged: ["refuse", "cut"],
  });
  const { sync, rotateBytes } = options;
  if (rotateBytes !== undefined && !(rotateBytes > 0))
    throw refuse("rotateBytes is a number above 0", rotateBytes);
  if (sync === undefined || sync === "always" || sync === "never") return;
  if (!((Object(sync) as { every?: number }).every! > 0))
    throw refuse('sync is "always", "never" or { every: milliseconds }', sync);
}

/** The format of its batches. */
export function formatOf({ components, trees }: LogFormatOptions): ChangeFormat {
  return createChangeFormat({ components, trees: (trees ?? []).map(({ name }) => name) });
}

/** The parts of the state of the world, for snapshots and streams. */
export function stateOptions({ trees, codecs }: WorldLogOptions) {
  return { ...(trees && { trees }), ...(codecs && { codecs }) };
}
