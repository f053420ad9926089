/**
 * Resolves a path to write to, and checks whether it may be written.
 */
import { accessSync, constants, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { exitCodes, Stop } from "./exit-codes.ts";
import { shown, whyNot } from "./files.ts";

export interface WriteTarget {
  /** The absolute path; for files with symbolic links resolved. */
  readonly path: string;
  /** The status of the existing file; `undefined` for a new one. */
  readonly status: Stats | undefined;
}

/**
 * The file of a path, with links followed.
 *
 * @throws Stop for an empty path, a folder, and a file that is read-only.
 */
export function writeTarget(file: string): WriteTarget {
  if (file.trim() === "") {
    throw new Stop(
      exitCodes.usage,
      `Cannot write ${shown(file)}: the path is empty. Name a file; if the path comes from a variable, set it.`,
    );
  }
  const refuse = (why: string) => new Stop(exitCodes.usage, `Cannot write ${shown(file)}: ${why}.`);
  const aFolder = "it is a folder. Name a file in it";
  if (file.endsWith("/") || file.endsWith(sep) || [".", ".."].includes(basename(file))) throw refuse(aFolder);
  try {
    const status = statSync(resolve(file), { throwIfNoEntry: false });
    if (status?.isDirectory()) throw refuse(aFolder);
    // The links /dev/stdout and /dev/fd lead to pipes, which have no path of their own.
    if (status !== undefined && !status.isFile()) return { path: resolve(file), status };
    const path = realPath(file);
    if (status !== undefined) {
      // Root may write everywhere, but the permissions of the file say that it is not meant to be changed.
      if ((status.mode & 0o222) === 0) throw refuse("it is read-only. Allow writing to it first");
      accessSync(path, constants.W_OK);
    }
    return { path, status };
  } catch (error) {
    throw error instanceof Stop ? error : refuse(whyNot(error));
  }
}

/** Whether a file is, or would be, in a folder, with symbolic links resolved. `false` if that is unknown. */
export function isInside(file: string, folder: string): boolean {
  try {
    const way = relative(realPath(folder), realPath(file));
    return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  } catch {
    return false;
  }
}

/** The number of chained links that Linux follows. */
const mostLinks = 40;

/** The path without symbolic links, as far as it exists. A link to nothing counts as what it names: writing would create that. */
function realPath(path: string): string {
  let wanted = resolve(path);
  for (let links = 0; links <= mostLinks; links++) {
    const { there, rest } = existingPart(wanted);
    const next = rest[0] === undefined ? undefined : linkAt(join(there, rest[0]));
    if (next === undefined) return join(there, ...rest);
    wanted = resolve(there, next, ...rest.slice(1));
  }
  throw Object.assign(new Error("too many symbolic links"), { code: "ELOOP" });
}

/** The nearest part of a path that exists, without links, and the names below it. */
function existingPart(path: string): { readonly there: string; readonly rest: readonly string[] } {
  const rest: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return { there: realpathSync(at), rest };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (at === dirname(at) || (code !== "ENOENT" && code !== "ENOTDIR")) throw error;
      rest.unshift(basename(at));
    }
  }
}

/** What a symbolic link names; nothing for anything else. */
function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
