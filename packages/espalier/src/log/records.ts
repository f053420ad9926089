/**
 * One batch in a log file: its length, a checksum, its number, its bytes. A process that is killed while it writes leaves a
 * prefix of a record, which this file recognises.
 */
import { crc32 } from "node:zlib";

/** Length (u32), checksum of what follows it (u32), sequence number (f64). */
const HEADER = 16;
const CHECKED_FROM = 8;

/** A batch in a file. */
export interface LogRecord {
  /** The number of the batch: one more than that of the batch before it. */
  readonly sequence: number;
  readonly bytes: Uint8Array;
  /** Where the record ends in the file. */
  readonly end: number;
}

/** How the records of a file end. */
export type FileEnd =
  /** With its last record. */
  | { readonly kind: "whole"; readonly offset: number }
  /** With a part of a record, behind which nothing stands: the process ended while it wrote. */
  | { readonly kind: "torn"; readonly offset: number }
  /** With bytes that are not a record although more follows. */
  | { readonly kind: "damaged"; readonly offset: number };

export function writeRecord(sequence: number, bytes: Uint8Array): Uint8Array {
  const record = new Uint8Array(HEADER + bytes.length);
  const header = new DataView(record.buffer);
  header.setUint32(0, bytes.length, true);
  header.setFloat64(8, sequence, true);
  record.set(bytes, HEADER);
  header.setUint32(4, crc32(record.subarray(CHECKED_FROM)), true);
  return record;
}

/**
 * The records of a file from `offset` on, the first of them with the number after `last`. The generator's result says how the file ends.
 */
export function* readRecords(file: Uint8Array, offset: number, last: number): Generator<LogRecord, FileEnd> {
  let at = offset;
  let sequence = last;
  while (at < file.length) {
    const record = recordAt(file, at);
    if (record === undefined || record.sequence !== sequence + 1)
      return { kind: isFollowed(file, at, sequence) ? "damaged" : "torn", offset: at };
    yield record;
    sequence = record.sequence;
    at = record.end;
  }
  return { kind: "whole", offset: at };
}

/** The record that begins at `at`, if it is complete. */
function recordAt(file: Uint8Array, at: number): LogRecord | undefined {
  if (at + HEADER > file.length) return undefined;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const end = at + HEADER + view.getUint32(at, true);
  if (end > file.length || view.getUint32(at + 4, true) !== crc32(file.subarray(at + CHECKED_FROM, end)))
    return undefined;
  return { sequence: view.getFloat64(at + 8, true), bytes: file.subarray(at + HEADER, end), end };
}

/**
 * Whether there is a complete record somewhere after `at`: a torn record is always the last one in a file, so this means other
 * damage. Numbers are
 * compared first, because checksums of every possible length would take hours.
 */
function isFollowed(file: Uint8Array, at: number, last: number): boolean {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const highest = last + 1 + file.length / HEADER;
  for (let k = at + 1; k + HEADER <= file.length; k++) {
    const sequence = view.getFloat64(k + 8, true);
    if (sequence > last && sequence <= highest && recordAt(file, k) !== undefined) return true;
  }
  return false;
}
