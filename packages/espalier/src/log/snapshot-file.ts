/**
 * Snapshots as files. A snapshot is written under another name, forced onto the disk, and renamed: a file with the final name is complete.
 */
import { renameSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { snapshotPath, unfinishedPath } from "./log-files.ts";
import { refusal, syncFolder } from "./log-writer.ts";

/** Forced onto the disk before the file is closed. */
const FORCED = { flush: true } as const;

/** Writes a snapshot asynchronously. */
export async function writeSnapshot(folder: string, sequence: number, bytes: ArrayBuffer): Promise<void> {
  const path = unfinishedPath(folder, sequence);
  const written = writeFile(path, new Uint8Array(bytes), FORCED).then(() => complete(folder, sequence, path));
  await written.catch((cause: unknown) => {
    throw refusal(path, cause);
  });
}

/** Writes a snapshot synchronously. */
export function writeSnapshotNow(folder: string, sequence: number, bytes: ArrayBuffer): void {
  const path = unfinishedPath(folder, sequence);
  try {
    writeFileSync(path, new Uint8Array(bytes), FORCED);
    complete(folder, sequence, path);
  } catch (cause) {
    throw refusal(path, cause);
  }
}

function complete(folder: string, sequence: number, path: string): void {
  renameSync(path, snapshotPath(folder, sequence));
  syncFolder(folder);
}
