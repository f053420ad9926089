/**
 * Paths that stay inside a folder, whatever is requested.
 */
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { Refusal } from "./refusal.ts";

/**
 * The absolute path of a file of the folder; links inside the folder are followed.
 *
 * @param isAllowed - Called with its path from the folder, with `/`.
 * @throws Refusal for paths outside, even through a symbolic link, and for files that are not allowed.
 */
export function insidePath(folder: string, path: unknown, isAllowed: (path: string) => boolean): string {
  if (typeof path !== "string" || path === "" || path.includes("\0")) {
    throw new Refusal(400, "Give the path of a file.");
  }
  const root = realpathSync(folder);
  const wanted = resolve(root, path);
  if (isAbsolute(path) || !isBelow(root, wanted))
    throw new Refusal(403, `${path} is outside the project folder.`);
  const steps = relative(root, wanted).split(sep);
  const isHidden = steps.some((part) => part.startsWith(".") || part === "node_modules");
  if (isHidden || !isAllowed(steps.join("/"))) {
    throw new Refusal(403, `${path} is not a file that the editor may use.`);
  }
  // The target of links counts: of the file itself or, when it is new, of the nearest existing folder.
  let there = wanted;
  const rest: string[] = [];
  while (!existsSync(there) && there !== dirname(there)) {
    rest.unshift(basename(there));
    there = dirname(there);
  }
  const real = realpathSync(there);
  if (real !== root && !isBelow(root, real))
    throw new Refusal(403, `${path} leads outside the project folder.`);
  return join(real, ...rest);
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
