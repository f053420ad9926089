/**
 * Writing files: all of them or none, without overwriting unless that is allowed.
 */
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { exitCodes, Stop } from "./exit-codes.ts";
import { shown, whyNot } from "./files.ts";
import { type WriteTarget, writeTarget } from "./write-target.ts";

export interface NewFile {
  readonly file: string;
  readonly text: string;
}

/** A file with text or bytes. */
export interface NewContent {
  readonly file: string;
  readonly text: string | Uint8Array;
}

/**
 * Writes all files or, when one of them cannot be written, none: the former state is restored, including folders. Each new file
 * replaces the old one atomically, with its permissions; nothing else is moved or replaced.
 *
 * @param force - Replace existing files.
 * @throws Stop for what `writeTarget` refuses, and when the disk refuses.
 */
export function writeFiles(files: readonly NewContent[], force: boolean): void {
  const targets = targetsOf(files, force);
  const undos: Undo[] = [];
  const leftovers = new Set<string>();
  let current = files[0]?.file ?? "";
  try {
    const commits = files.map(({ file, text }, k) => {
      current = file;
      return stage(targets[k] as WriteTarget, text, undos, leftovers);
    });
    commits.forEach((commit, k) => {
      current = files[k]?.file as string;
      commit();
    });
  } catch (error) {
    for (const undo of undos.reverse()) attempt(undo);
    if (error instanceof Stop) throw error;
    throw new Stop(exitCodes.usage, `Cannot write ${shown(current)}: ${whyNot(error)}.`);
  } finally {
    for (const leftover of leftovers) attempt(() => rmSync(leftover, { force: true }));
  }
}

/** Writes one file; see `writeFiles`. */
export function writeFile(file: string, text: string, force: boolean): void {
  writeFiles([{ file, text }], force);
}

/** The targets of the files. Everything that can be refused without writing is refused here. */
function targetsOf(files: readonly NewContent[], force: boolean): WriteTarget[] {
  const paths = new Set<string>();
  return files.map(({ file }) => {
    const target = writeTarget(file);
    const refuse = (why: string) => new Stop(exitCodes.usage, `Cannot write ${shown(file)}: ${why}`);
    if (paths.has(target.path)) throw refuse("two files would be written there. Use --out for another.");
    if (!force && target.status !== undefined) {
      throw refuse("it already exists. Use --force to replace it, or --out for another.");
    }
    paths.add(target.path);
    return target;
  });
}

type Undo = () => void;

/** Writes the text beside its target. Returns the function that moves it there. */
function stage(
  { path, status }: WriteTarget,
  text: string | Uint8Array,
  undos: Undo[],
  leftovers: Set<string>,
): () => void {
  // A terminal or a pipe is written to directly and cannot be replaced.
  if (status !== undefined && !status.isFile()) return () => writeFileSync(path, text);
  makeFolder(dirname(path), undos);
  const beside = (ending: string) => {
    const name = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.${ending}`);
    leftovers.add(name);
    return name;
  };
  const temporary = beside("tmp");
  undos.push(() => rmSync(temporary, { force: true }));
  writeFileSync(temporary, text, { flag: "wx" });
  if (status === undefined) {
    return () => {
      renameSync(temporary, path);
      undos.push(() => rmSync(path, { force: true }));
    };
  }
  chmodSync(temporary, status.mode & 0o7777);
  // A copy: the file itself stays where it is until the new one replaces it.
  const backup = beside("bak");
  copyFileSync(path, backup, constants.COPYFILE_EXCL);
  chmodSync(backup, status.mode & 0o7777);
  return () => {
    renameSync(temporary, path);
    undos.push(() => {
      // If even this fails, the copy is all that is left of the old file.
      leftovers.delete(backup);
      renameSync(backup, path);
    });
  };
}

function attempt(undo: Undo): void {
  try {
    undo();
  } catch {
    // The first failure is the one to report.
  }
}

/** Creates a folder with its parents, and records how to remove those that did not exist. */
function makeFolder(folder: string, undos: Undo[]): void {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.push(at);
  for (const each of missing.reverse()) {
    mkdirSync(each);
    undos.push(() => rmdirSync(each));
  }
}
