/**
 * A Vite plugin: scene files reload into the running game.
 *
 * @packageDocumentation
 */

export { type EspalierPlugin, type EspalierPluginOptions, espalier, SCENE_CHANGED } from "./plugin.ts";
