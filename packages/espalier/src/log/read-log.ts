/**
 * Finding the world in a folder: the newest complete snapshot, and every batch after it.
 */
import { readFileSync } from "node:fs";
import { DamagedLogError } from "./errors.ts";
import { FILE_HEADER, type LogFile, type LogFolder } from "./log-files.ts";
import { type FileEnd, type LogRecord, readRecords } from "./records.ts";

/** Bytes that were cut off at the end of the log. */
export interface CutOff {
  /** The file that was cut. */
  readonly file: string;
  /** How many bytes were cut off. */
  readonly bytes: number;
}

/** Where a log continues. */
export interface LogEnd {
  /** The number of the last batch. */
  readonly sequence: number;
  /** The file to append to, and its valid length; `undefined` when there is none yet. */
  readonly file: { readonly path: string; readonly size: number } | undefined;
  /** The data after the last batch: a torn batch, or discarded damage. */
  readonly cutOff: CutOff | undefined;
  /** The file with the discarded damage, and those after it. */
  readonly givenUp: readonly string[];
}

/** A batch of a log. */
export type LoggedBatch = Pick<LogRecord, "sequence" | "bytes">;

/**
 * The batches after number `from`, oldest first. The generator's result is where the log continues.
 *
 * @param isCut - Whether everything after damage is discarded. Damage is refused if left out.
 * @throws DamagedLogError
 */
export function* readBatches(
  { logs }: LogFolder,
  from: number,
  isCut: boolean,
): Generator<LoggedBatch, LogEnd> {
  let sequence = from;
  let last: LogEnd["file"];
  // The file with the batch after `from` is the last one that begins at or before it.
  const before = logs.filter((log) => log.sequence <= from).length;
  if (before === 0 && logs[0] !== undefined) throw gap(logs[0], from);
  const files = logs.slice(Math.max(before - 1, 0));
  for (const [k, log] of files.entries()) {
    const isLast = k === files.length - 1;
    const bytes = readFileSync(log.path);
    if (k > 0 && log.sequence !== sequence) throw gap(log, sequence);
    if (!startsRight(bytes)) {
      // The process ended before the first bytes of a new file were written.
      if (isLast && bytes.length < FILE_HEADER.length)
        return { sequence, file: last, cutOff: cutOffOf(log, bytes.length, 0), givenUp: [log.path] };
      if (!isCut) throw damaged(log, 0, sequence);
      return giveUp(files.slice(k), sequence, cutOffOf(log, bytes.length, 0));
    }
    const records = readRecords(bytes, FILE_HEADER.length, log.sequence);
    let step = records.next();
    for (; step.done !== true; step = records.next()) {
      if (step.value.sequence <= sequence) continue;
      sequence = step.value.sequence;
      yield step.value;
    }
    const end: FileEnd = step.value;
    last = { path: log.path, size: end.offset };
    if (end.kind === "whole") continue;
    const cutOff = cutOffOf(log, bytes.length, end.offset);
    if (end.kind === "torn" && isLast) return { sequence, file: last, cutOff, givenUp: [] };
    if (!isCut) throw damaged(log, end.offset, sequence);
    return giveUp(files.slice(k), sequence, cutOff);
  }
  return { sequence, file: last, cutOff: undefined, givenUp: [] };
}

function giveUp(files: readonly LogFile[], sequence: number, cutOff: CutOff | undefined): LogEnd {
  return { sequence, file: undefined, cutOff, givenUp: files.map(({ path }) => path) };
}

function startsRight(bytes: Uint8Array): boolean {
  return FILE_HEADER.every((byte, k) => bytes[k] === byte);
}

function cutOffOf({ path }: LogFile, length: number, offset: number): CutOff | undefined {
  return length === offset ? undefined : { file: path, bytes: length - offset };
}

function damaged({ path }: LogFile, offset: number, sequence: number): DamagedLogError {
  return new DamagedLogError(
    `Cannot read the log: ${path} is damaged at byte ${offset}, after batch ${sequence}, and more follows. Use a copy of the folder, or open it with damaged: "cut" to continue from batch ${sequence} without what follows.`,
    { file: path, offset, sequence },
  );
}

function gap({ path, sequence: at }: LogFile, sequence: number): DamagedLogError {
  return new DamagedLogError(
    `Cannot read the log: ${path} continues after batch ${at}, and the files before it end with batch ${sequence}. A file is missing: use a copy of the folder.`,
    { file: path, offset: 0, sequence },
  );
}
