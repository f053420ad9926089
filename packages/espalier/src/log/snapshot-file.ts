/**
 * Snapshots as files. A snapshot is written under another name, forced onto the disk, and renamed: a file with the right name is complete.
 */
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { snapshotPath, unfinishedPath } from "./log-files.ts";
import { refusal, syncFolder } from "./log-writer.ts";

/** Writes a snapshot while the program continues. */
export async function writeSnapshot(folder: string, sequence: number, bytes: ArrayBuffer): Promise<void> {
  const path = unfinishedPath(folder, sequence);
  try {
    const file = await open(path, "w");
    try {
      await file.writeFile(new Uint8Array(bytes));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(path, snapshotPath(folder, sequence));
  } catch (cause) {
    throw refusal(path, cause);
  }
  syncFolder(folder);
}

/** The same, before it returns. */
export function writeSnapshotNow(folder: string, sequence: number, bytes: ArrayBuffer): void {
  const path = unfinishedPath(folder, sequence);
  try {
    const file = openSync(path, "w");
    try {
      const rest = new Uint8Array(bytes);
      for (let done = 0; done < rest.length; ) done += writeSync(file, rest, done);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(path, snapshotPath(folder, sequence));
  } catch (cause) {
    throw refusal(path, cause);
  }
  syncFolder(folder);
}
