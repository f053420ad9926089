/**
 * The files of a log. `000000000042.log` holds the batches after number 42, `000000000042.snapshot` the world after it. Log files
 * follow each other without a gap, and snapshots only shorten reading: any one of them, with the log files after it, gives the world.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The beginning of a log file: its kind, and the version of the format. */
export const FILE_HEADER: Uint8Array = /* @__PURE__ */ new TextEncoder().encode("ESPLOG1\n");

/** A file of a log: the world after batch `sequence`, or the batches after it. */
export interface LogFile {
  readonly sequence: number;
  readonly path: string;
}

/** All files of a log, the oldest first. */
export interface LogFolder {
  readonly logs: readonly LogFile[];
  readonly snapshots: readonly LogFile[];
  /** Snapshots that were not finished. */
  readonly unfinished: readonly string[];
}

export function logPath(folder: string, sequence: number): string {
  return join(folder, `${nameOf(sequence)}.log`);
}

export function snapshotPath(folder: string, sequence: number): string {
  return join(folder, `${nameOf(sequence)}.snapshot`);
}

/** A snapshot gets its final name when it is completely on the disk. */
export function unfinishedPath(folder: string, sequence: number): string {
  return `${snapshotPath(folder, sequence)}.part`;
}

export function listFiles(folder: string): LogFolder {
  const names = readdirSync(folder).sort();
  const ofKind = (pattern: RegExp) =>
    names.flatMap((name) => {
      const digits = pattern.exec(name)?.[1];
      return digits === undefined ? [] : [{ sequence: Number(digits), path: join(folder, name) }];
    });
  return {
    logs: ofKind(/^(\d{12})\.log$/),
    snapshots: ofKind(/^(\d{12})\.snapshot$/),
    unfinished: ofKind(/^(\d{12})\.snapshot\.part$/).map(({ path }) => path),
  };
}

/** Padded, so that names sort like numbers. */
function nameOf(sequence: number): string {
  return String(sequence).padStart(12, "0");
}
