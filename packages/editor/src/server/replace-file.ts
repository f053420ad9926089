/**
 * Writes a file as a whole: a temporary file beside it is renamed over it, so that a half-written file is never visible.
 */
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Refusal } from "./refusal.ts";

/**
 * The file keeps its permissions.
 *
 * @param file - Without symbolic links: a link would be replaced by a file.
 * @param name - Its name in messages.
 * @throws Refusal for a file that is read-only, and when the system refuses; nothing is written then.
 */
export function replaceFile(file: string, text: string, name: string): void {
  const temporary = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const status = statSync(file, { throwIfNoEntry: false });
    requireWritable(status, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(temporary, text, { flag: "wx" });
    if (status !== undefined) chmodSync(temporary, status.mode & 0o7777);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    if (error instanceof Refusal) throw error;
    throw new Refusal(500, `Cannot write ${name}: ${(error as Error).message}`);
  }
}

/** Checks the permissions, which root should respect too: they say that the file is not meant to be changed. */
function requireWritable(status: Stats | undefined, name: string): void {
  if (status === undefined) return;
  if (!status.isFile()) throw new Refusal(403, `Cannot write ${name}: it is not a file.`);
  if ((status.mode & 0o222) === 0) {
    throw new Refusal(
      403,
      `Cannot write ${name}: it is read-only. Allow writing to it, or save as another file.`,
    );
  }
}
