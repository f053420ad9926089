/**
 * Maps of Tiled and LDtk from disk, by `espalier/maps`.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { importMap, MapError } from "espalier/maps";
import { exitCodes, Stop } from "../exit-codes.ts";
import { shown } from "../files.ts";
import { isInside } from "../write-target.ts";
import type { Imported } from "./imported.ts";

export interface MapImportOptions {
  readonly yUp?: boolean;
  /** The target folder of the scene. */
  readonly into?: string;
  /** The folder outside of which nothing is read; if left out the current one or, for maps elsewhere, theirs. */
  readonly within?: string | undefined;
}

/** Whether files with that extension are maps. */
export const isMapFile = (ending: string): boolean => ending === ".tmj" || ending === ".ldtk";

/** Reads a map. Classes of objects that have a prefab beside the scene (`Coin.prefab.json`) become instances of it. */
export async function importMapFile(
  file: string,
  text: string,
  options: MapImportOptions,
): Promise<Imported> {
  const folder = dirname(resolve(file));
  const into = resolve(options.into ?? folder);
  // Tile sets are often beside the folder of the maps.
  const within = options.within ?? (isInside(resolve(file), process.cwd()) ? process.cwd() : folder);
  const { scene, notImported } = await importMap(shown(file), text, {
    yAxis: options.yUp === true ? "up" : "down",
    texture: (path) => relative(into, join(folder, path)).replaceAll("\\", "/"),
    prefabs(className) {
      const name = `${className}.prefab.json`;
      return /^[\w -]+$/.test(className) && existsSync(join(into, name)) ? name : undefined;
    },
    read(path) {
      const other = resolve(folder, path);
      if (!isInside(other, within)) {
        throw new Stop(
          exitCodes.problems,
          `Cannot import ${shown(file)}: it names ${path}, which is outside of ${shown(within)}. Nothing was read from it.`,
        );
      }
      return readFileSync(other, "utf8");
    },
  }).catch((error: unknown) => {
    if (error instanceof MapError) throw new Stop(exitCodes.problems, error.message);
    throw error;
  });
  const unmapped = notImported.map(({ where, what, kept }) => ({ node: where, what, kept }));
  return { scene, unmapped, needs: [] };
}
