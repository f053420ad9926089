/**
 * Paths that stay inside a folder, whatever somebody asks for.
 */
import { existsSync, realpathSync } from "node:fs";
import { dirname, extname, isAbsolute, relative, resolve, sep } from "node:path";

/** A request that is refused, with the status to answer. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * The absolute path of a file of the folder.
 *
 * @param endings - The endings that are allowed.
 * @throws Refusal for what is outside, also behind a symbolic link, and for other endings.
 */
export function insidePath(folder: string, path: unknown, endings: readonly string[]): string {
  if (typeof path !== "string" || path === "" || path.includes("\0")) {
    throw new Refusal(400, "Give the path of a file.");
  }
  const root = realpathSync(folder);
  const wanted = resolve(root, path);
  if (isAbsolute(path) || !isBelow(root, wanted))
    throw new Refusal(403, `${path} is outside the project folder.`);
  if (!endings.includes(extname(wanted).toLowerCase())) {
    throw new Refusal(403, `${path} is not a file that the editor may use.`);
  }
  if (
    relative(root, wanted)
      .split(sep)
      .some((part) => part.startsWith(".") || part === "node_modules")
  ) {
    throw new Refusal(403, `${path} is not a file that the editor may use.`);
  }
  // Where links lead counts: of the file itself, or, when it is new, of the nearest folder that is there.
  let there = wanted;
  while (!existsSync(there) && there !== dirname(there)) there = dirname(there);
  const real = realpathSync(there);
  if (real !== root && !isBelow(root, real))
    throw new Refusal(403, `${path} leads outside the project folder.`);
  return wanted;
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
