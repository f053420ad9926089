/**
 * Maps of any tool, distinguished by their file extension.
 */
import { expectArguments } from "../ecs/index.ts";
import { UnsupportedMapError } from "./errors.ts";
import type { ImportedMap, ImportMapOptions } from "./imported-map.ts";
import { importLdtk } from "./ldtk.ts";
import { importTiled } from "./tiled.ts";

/** The extensions of files that `importMap` reads. */
export const mapFiles: RegExp = /\.(tmj|ldtk)$/i;

/**
 * Reads a map by the name of its file: `.tmj` and `.json` by Tiled, `.ldtk` by LDtk.
 *
 * @throws UnsupportedMapError for other files, with what to choose in Tiled for `.tmx`.
 */
export async function importMap(
  file: string,
  content: string | object,
  options: ImportMapOptions = {},
): Promise<ImportedMap> {
  expectArguments("import a map", ["the name of the file", file, "text"]);
  const [, ending = ""] = /\.([a-z]+)$/i.exec(file) ?? [];
  const given = { file, ...options };
  if (/^ldtk$/i.test(ending)) return await importLdtk(content, given);
  if (/^(tmj|json)$/i.test(ending)) return await importTiled(content, given);
  const advice = /^(tmx|tsx)$/i.test(ending)
    ? "In Tiled, choose File > Export As… > JSON map files (.tmj)"
    : "Known are .tmj (Tiled) and .ldtk (LDtk)";
  throw new UnsupportedMapError(
    `Cannot import ${file}: files ending in .${ending} are not read. ${advice}.`,
    {
      file,
      value: ending,
    },
  );
}
