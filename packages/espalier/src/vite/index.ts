/**
 * A Vite plugin: scene files and maps reload into the running game.
 *
 * @packageDocumentation
 */

export type { MapFileOptions } from "./map-scenes.ts";
export { type EspalierPlugin, type EspalierPluginOptions, espalier, SCENE_CHANGED } from "./plugin.ts";
