/**
 * Packages that only some commands need: loaded on demand, with help when they are not installed.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { exitCodes, Stop } from "./exit-codes.ts";

/** Loads a package, or a sub-path of one, from the user's project or from beside this program. */
export async function loadTool<Module>(name: string, why: string): Promise<Module> {
  // It may be CommonJS, whose exports Node provides as the default export.
  const module = (await import(pathToFileURL(findTool(name, why)).href)) as { readonly default?: object };
  return { ...module.default, ...module } as Module;
}

/** The file of a package that only some commands need. @throws Stop when it is not installed. */
export function findTool(name: string, why: string): string {
  for (const from of [pathToFileURL(join(process.cwd(), "x.js")).href, import.meta.url]) {
    const path = resolveFrom(name, from);
    if (path !== undefined) return path;
  }
  const [packageName] = /^(@[^/]+\/)?[^/]+/.exec(name) ?? [name];
  throw new Stop(exitCodes.missing, `${why} Install it with: npm install --save-dev ${packageName}`);
}

function resolveFrom(name: string, from: string): string | undefined {
  try {
    return createRequire(from).resolve(name);
  } catch {
    return undefined;
  }
}
