/**
 * One process writes a log at a time. The lock is a file with the number of the process and the time it started: a process that was killed
 * leaves its lock behind, and the next one recognises that.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LockedLogError } from "./errors.ts";
import { refusal } from "./log-writer.ts";

/** Takes the lock of a folder. The result gives it back. */
export function lockFolder(folder: string): () => void {
  const file = join(folder, "lock");
  const own = `${process.pid} ${performance.timeOrigin}`;
  for (;;) {
    try {
      writeFileSync(file, own, { flag: "wx" });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as { code?: unknown }).code !== "EEXIST") throw refusal(file, error);
    }
    const pid = holderOf(file, own);
    if (pid !== undefined) {
      throw new LockedLogError(
        `Cannot open the log in ${folder}: process ${pid} has it open. Close it there first, or delete ${file} if that process does not use it.`,
        { pid, file },
      );
    }
    rmSync(file, { force: true });
  }
}

/** The living process that has the lock; nothing when it is gone. */
function holderOf(file: string, own: string): number | undefined {
  const text = textOf(file);
  const pid = Number(text.split(" ")[0]);
  if (text === own) return pid;
  // The number of this process, at another time: in a container every run may get the same one.
  if (pid === process.pid || !Number.isInteger(pid) || pid <= 0) return undefined;
  try {
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    return (error as { code?: unknown }).code === "EPERM" ? pid : undefined;
  }
}

/** What is in a lock; nothing when it was given back meanwhile. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return "";
    throw refusal(file, error);
  }
}
