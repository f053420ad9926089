/**
 * Writing files: all of them or none, and none over another without leave.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { exitCodes, Stop } from "./exit-codes.ts";
import { shown, whyNot } from "./files.ts";

export interface NewFile {
  readonly file: string;
  readonly text: string;
}

/**
 * Writes all files, or, when one of them cannot be written, none: what was there is there again, folders included.
 *
 * @param force - Replace files that are there.
 */
export function writeFiles(files: readonly NewFile[], force: boolean): void {
  for (const { file } of files) {
    if (!force && isThere(file)) {
      throw new Stop(
        exitCodes.usage,
        `Cannot write ${shown(file)}: it is there. Use --force to replace it, or --out for another.`,
      );
    }
  }
  const done: Undo[] = [];
  const staged: { readonly from: string; readonly to: string }[] = [];
  let current = files[0]?.file ?? "";
  try {
    for (const { file, text } of files) {
      current = file;
      const target = realTarget(file);
      if (isDevice(target)) {
        writeFileSync(target, text);
        continue;
      }
      makeFolder(dirname(target), done);
      const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
      done.push(() => rmSync(temporary, { force: true }));
      writeFileSync(temporary, text, { flag: "wx" });
      staged.push({ from: temporary, to: target });
    }
    for (const { from, to } of staged) {
      current = to;
      replace(from, to, done);
    }
  } catch (error) {
    for (const undo of done.reverse()) attempt(undo);
    if (error instanceof Stop) throw error;
    throw new Stop(exitCodes.usage, `Cannot write ${shown(current)}: ${whyNot(error)}.`);
  }
  for (const { to } of staged) rmSync(backupOf(to), { force: true });
}

/** Writes one file; see `writeFiles`. */
export function writeFile(file: string, text: string, force: boolean): void {
  writeFiles([{ file, text }], force);
}

/** Whether a file is, or would be, in a folder, wherever symbolic links lead. */
export function isInside(file: string, folder: string): boolean {
  const way = relative(realPath(folder), realPath(file));
  return way !== ".." && !way.startsWith(`..${sep}`) && resolve(way) !== way;
}

/** The path without symbolic links, as far as it exists. */
function realPath(path: string): string {
  const rest: string[] = [];
  for (let at = resolve(path); ; at = dirname(at)) {
    try {
      return join(realpathSync(at), ...rest);
    } catch {
      // A link that leads nowhere would be written through: what it names counts.
      if (at === dirname(at)) return resolve(path);
      rest.unshift(basename(at));
    }
  }
}

type Undo = () => void;

function attempt(undo: Undo): void {
  try {
    undo();
  } catch {
    // The first failure is the one to tell.
  }
}

function replace(from: string, to: string, done: Undo[]): void {
  if (isThere(to)) {
    const backup = backupOf(to);
    renameSync(to, backup);
    done.push(() => renameSync(backup, to));
  }
  renameSync(from, to);
  done.push(() => rmSync(to, { force: true }));
}

function backupOf(file: string): string {
  return join(dirname(file), `.${basename(file)}.${process.pid}.bak`);
}

/** Makes a folder with all above it, and notes how to take away those that were not there. */
function makeFolder(folder: string, done: Undo[]): void {
  const missing: string[] = [];
  for (let at = resolve(folder); !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.push(at);
  for (const each of missing.reverse()) {
    mkdirSync(each);
    done.push(() => rmdirSync(each));
  }
}

/** Where a file that is a symbolic link leads: the link stays. */
function realTarget(file: string): string {
  return existsSync(file) ? realpathSync(file) : resolve(file);
}

function isThere(file: string): boolean {
  return statusOf(file) !== undefined;
}

/** Something that is written to and cannot be replaced, such as a terminal. */
function isDevice(file: string): boolean {
  const status = statusOf(file);
  return status !== undefined && !status.isFile() && !status.isDirectory();
}

function statusOf(file: string) {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw new Stop(exitCodes.usage, `Cannot write ${shown(file)}: ${whyNot(error)}.`);
  }
}
