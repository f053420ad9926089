/**
 * Maps of Tiled and LDtk as scenes.
 *
 * @packageDocumentation
 */

export { InvalidMapError, MapError, MissingMapFileError, UnsupportedMapError } from "./errors.ts";
export { importMap, mapFiles } from "./import-map.ts";
export type { ImportedMap, ImportMapOptions, NotImported } from "./imported-map.ts";
export { importLdtk } from "./ldtk.ts";
export { importTiled } from "./tiled.ts";
