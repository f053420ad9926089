/**
 * Maps of Tiled and LDtk as modules: `import scene from "./cave.tmj?scene"`.
 */
import { readFile } from "node:fs/promises";
import { checkOptions, expectArguments } from "../ecs/index.ts";
import { type ImportedMap, type ImportMapOptions, importMap, mapFiles } from "../maps/index.ts";

/** How maps are imported: see `importMap`. */
export interface MapFileOptions extends Pick<ImportMapOptions, "yAxis" | "texture" | "prefabs"> {
  /** Which files are maps: those that end in `.tmj` and `.ldtk` if left out. */
  readonly files?: RegExp;
}

export interface MapScenes {
  /** Whether a path is that of a map. */
  isMap(path: string): boolean;
  /** The map as a scene. What it reads beside is remembered. */
  read(path: string, content?: string): Promise<ImportedMap & { readonly watched: readonly string[] }>;
  /** The maps that have read a file. */
  usersOf(path: string): string[];
}

const pattern = {
  expected: "a regular expression",
  fits: (value: unknown) => value instanceof RegExp,
};

/** @throws InvalidOptionError, InvalidArgumentError. */
export function createMapScenes(given: RegExp | MapFileOptions): MapScenes {
  const options = given instanceof RegExp ? { files: given } : given;
  checkOptions(true, "make the Vite plugin", options, {
    files: "anything",
    yAxis: ["up", "down"],
    texture: "function",
    prefabs: "anything",
  });
  const { files = mapFiles, ...importing } = options;
  expectArguments("make the Vite plugin", ["the files of maps", files, pattern]);
  /** What each map has read, by its path. */
  const readBy = new Map<string, readonly string[]>();

  return {
    isMap: (path) => files.test(path),
    async read(path, content) {
      const beside = (file: string) => resolvePath(path, file);
      const text = content ?? (await readFile(path, "utf8"));
      const imported = await importMap(path, text, {
        ...importing,
        read: (file) => readFile(beside(file), "utf8"),
      });
      const watched = imported.files.map(beside);
      readBy.set(path, watched);
      return { ...imported, watched };
    },
    usersOf: (path) => [...readBy].filter(([, files]) => files.includes(path)).map(([map]) => map),
  };
}

/** The path of a file that another one names. */
function resolvePath(from: string, file: string): string {
  if (/^([a-z]:)?\//i.test(file)) return file;
  const parts = from.split("/").slice(0, -1);
  for (const part of file.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}
