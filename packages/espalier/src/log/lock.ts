/**
 * One process writes a log at a time, in one of its threads. A lock is a file whose name no other process has: `lock-<process>-<time it
 * started>`, in Node the same name for all its threads. It is made first, and then the folder is listed: of two that come at the same
 * time, the later one sees the lock of the other. Locks of processes that were killed are deleted by whoever finds them, which can never
 * hit the lock of a living one, because that has another name.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LockedLogError, LogError } from "./errors.ts";
import { refusal } from "./log-writer.ts";

/** What is in the lock of a process that has the log. Until then it is empty: others may be before it. */
const HELD = "held";
/** Milliseconds between two looks, and how many of them, where others take the lock at the same time. */
const PAUSE = 2;
const LOOKS = 500;

interface Lock {
  readonly name: string;
  readonly pid: number;
}

/** Takes the lock of a folder. The result gives it back. */
export function lockFolder(folder: string): () => void {
  const own = `lock-${process.pid}-${performance.timeOrigin}`;
  const file = join(folder, own);
  const refuse = ({ name, pid }: Lock): LockedLogError => {
    const path = join(folder, name);
    return new LockedLogError(
      `Cannot open the log in ${folder}: ${pid === process.pid ? "this process" : `process ${pid}`} has it open. Close it there first, or delete ${path} if ${pid === process.pid ? "a thread that has ended left it" : "that process does not use it"}.`,
      { pid, file: path },
    );
  };
  // Another thread of this process has the same name, and may make it whenever this one has not.
  let isOurs = false;
  const makeOwn = () => {
    isOurs = make(file);
    if (!isOurs) throw refuse({ name: own, pid: process.pid });
  };
  makeOwn();
  try {
    for (let look = 1; ; look++) {
      const others = livingLocks(folder, own);
      const holder = others.find(({ name }) => isHeld(join(folder, name)));
      if (holder !== undefined) throw refuse(holder);
      if (others.length === 0) {
        writeFileSync(file, HELD);
        return () => rmSync(file, { force: true });
      }
      if (look === LOOKS) throw refuse(others[0] as Lock);
      // The lowest name waits for what the others do, and these make room for it: one of them gets the lock.
      const makesRoom = others.some(({ name }) => name < own);
      if (makesRoom) {
        isOurs = false;
        rmSync(file, { force: true });
      }
      pause();
      if (makesRoom) makeOwn();
    }
  } catch (error) {
    if (isOurs) rmSync(file, { force: true });
    throw error instanceof LogError ? error : refusal(file, error);
  }
}

/** Makes a lock. `false`: it is there. */
function make(file: string): boolean {
  try {
    writeFileSync(file, "", { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === "EEXIST") return false;
    throw refusal(file, error);
  }
}

/** The locks of other processes that are alive. Deletes the others. */
function livingLocks(folder: string, own: string): Lock[] {
  return readdirSync(folder).flatMap((name) => {
    const pid = Number(/^lock-(\d+)-[\d.]+$/.exec(name)?.[1]);
    if (name === own || Number.isNaN(pid)) return [];
    if (isAlive(pid)) return [{ name, pid }];
    rmSync(join(folder, name), { force: true });
    return [];
  });
}

function isAlive(pid: number): boolean {
  // The number of this process, at another time: in a container every run may get the same one.
  if (pid === process.pid || pid === 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === "EPERM";
  }
}

function isHeld(file: string): boolean {
  try {
    return readFileSync(file, "utf8") !== "";
  } catch (error) {
    // It was given back meanwhile.
    if ((error as { code?: unknown }).code === "ENOENT") return false;
    throw error;
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
}
