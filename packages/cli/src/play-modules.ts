/**
 * The modules that a config provides for Play: code of the project, which the page of the editor runs because the owner of the project
 * started it with this config. Exactly these files are served, and nothing that a scene names.
 */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, extname, join, relative, resolve, sep } from "node:path";
import type { Config } from "./config.ts";
import { exitCodes, Stop } from "./exit-codes.ts";
import { shown } from "./files.ts";

export interface PlayModules {
  /** The path of the first one, as the page requests it. */
  readonly entry: string;
  /** Files by the paths at which the page requests them. */
  readonly files: { readonly [path: string]: string };
}

/** `play` of the config: the data as it is, and the modules that `play.module` names. */
export function playOf({ play, folder }: Pick<Config, "play" | "folder">): {
  readonly modules: PlayModules | undefined;
  readonly data: object | undefined;
} {
  if (play === undefined || folder === undefined) return { modules: undefined, data: play };
  const { module, ...data } = play as { readonly module?: unknown };
  if (module === undefined) return { modules: undefined, data };
  if (typeof module !== "string")
    throw new Stop(exitCodes.usage, "Cannot play: play.module is the path of a module of JavaScript.");
  return { modules: playModules(module, folder), data };
}

/** Static imports, exports and dynamic imports, with their specifiers. */
const imports =
  /(?:^|[;\n}])\s*(?:import|export)\b(?:[^"'`;]*?\bfrom)?\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/g;

/**
 * A module and everything it imports by relative paths.
 *
 * @param module - As written in the config, relative to the config.
 * @throws Stop when a file is missing, is not JavaScript, lies outside of the folder of the config, or imports a package other
 * than the library.
 */
export function playModules(module: string, folder: string): PlayModules {
  const root = realpathSync(folder);
  const files: { [path: string]: string } = {};
  const pathOf = (file: string): string => relative(root, file).split(sep).join("/");
  const todo = [{ file: resolve(root, module), from: "play.module" }];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { file, from } = next;
    const path = pathOf(file);
    if (files[path] !== undefined) continue;
    const refuse = (why: string): never => {
      throw new Stop(exitCodes.usage, `Cannot play with ${shown(file)} (${from}): ${why}`);
    };
    if (!existsSync(file)) refuse("there is no such file.");
    if (path.startsWith("..") || pathOf(realpathSync(file)) !== path) {
      refuse("it lies outside of the folder of the config.");
    }
    if (![".js", ".mjs"].includes(extname(file))) {
      refuse("a page runs JavaScript only. Build it first, and name what was built.");
    }
    files[path] = file;
    for (const [, direct, called] of readFileSync(file, "utf8").matchAll(imports)) {
      const name = (direct ?? called) as string;
      if (/^\.{1,2}\//.test(name)) todo.push({ file: join(dirname(file), name), from: path });
      else if (!/^espalier(\/|$)/.test(name)) {
        refuse(`it imports ${name}, and the page has the library only. Bundle it first.`);
      }
    }
  }
  return { entry: pathOf(resolve(root, module)), files };
}
