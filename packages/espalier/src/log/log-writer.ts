/**
 * Appends records to one file. A failed write is rolled back, so that the file always ends with a complete record as far as this process
 * can ensure it.
 */
import { closeSync, fdatasync, fdatasyncSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { LogWriteError } from "./errors.ts";
import { FILE_HEADER } from "./log-files.ts";
import { writeRecord } from "./records.ts";

/**
 * When appended batches are forced onto the disk: each before `append()` returns, at most this many milliseconds later, or when the system
 * decides. A killed process loses nothing in any case; the policy matters when the machine loses power.
 */
export type SyncPolicy = "always" | "never" | SyncInterval;

/** Forces batches onto the disk at intervals. */
export interface SyncInterval {
  /** At most this many milliseconds after they were appended. */
  readonly every: number;
}

/** An open log file. */
export class LogWriter {
  readonly path: string;
  /** Its length in bytes. */
  size: number;
  private readonly sync: SyncPolicy;
  private readonly file: number;
  private readonly timer: ReturnType<typeof setInterval> | undefined;
  private isSynced = true;
  /** The number of pending requests to the disk. */
  private asked = 0;
  /** The error of writing appended batches to the disk, until a call reports it. */
  private failure: Error | undefined;

  /** @param size - The length of the existing content; 0 for a new file. Anything after that is cut off. */
  constructor(path: string, size: number, sync: SyncPolicy) {
    this.path = path;
    this.size = size;
    this.sync = sync;
    try {
      this.file = openSync(path, size === 0 ? "w" : "r+");
    } catch (cause) {
      throw refusal(path, cause);
    }
    if (size === 0) {
      this.write(FILE_HEADER);
      if (sync !== "never") syncFolder(dirname(path));
    } else ftruncateSync(this.file, size);
    if (typeof sync === "object") {
      const timer = setInterval(() => this.syncSoon(), sync.every);
      // The timer must not keep the process alive.
      timer.unref();
      this.timer = timer;
    }
  }

  append(sequence: number, bytes: Uint8Array): void {
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw refusal(this.path, failure);
    this.write(writeRecord(sequence, bytes));
  }

  close(): void {
    clearInterval(this.timer);
    try {
      if (this.sync !== "never" && (!this.isSynced || this.asked > 0)) fdatasyncSync(this.file);
      if (this.failure !== undefined) throw this.failure;
    } catch (cause) {
      throw refusal(this.path, cause);
    } finally {
      closeSync(this.file);
    }
  }

  /** All bytes, or none of them. */
  private write(bytes: Uint8Array): void {
    const start = this.size;
    try {
      let done = 0;
      while (done < bytes.length)
        done += writeSync(this.file, bytes, done, bytes.length - done, start + done);
      if (this.sync === "always") fdatasyncSync(this.file);
    } catch (cause) {
      this.cutTo(start);
      throw refusal(this.path, cause);
    }
    this.size = start + bytes.length;
    this.isSynced = this.sync === "always";
  }

  private cutTo(size: number): void {
    try {
      ftruncateSync(this.file, size);
    } catch {
      // The next write starts at the same offset, and reading stops before an incomplete record.
    }
  }

  private syncSoon(): void {
    if (this.isSynced) return;
    this.isSynced = true;
    this.asked++;
    fdatasync(this.file, (error) => {
      this.asked--;
      this.failure = error ?? this.failure;
    });
  }
}

export function refusal(file: string, cause: unknown): LogWriteError {
  return new LogWriteError(
    `Cannot write ${file}: ${(cause as Error).message}. Free some space or repair the folder, and append again.`,
    { file, cause },
  );
}

/** Forces the names in a folder onto the disk. */
export function syncFolder(folder: string): void {
  try {
    const file = openSync(folder, "r");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch {
    // Some systems cannot do that with folders; names are safe there once the files are.
  }
}
