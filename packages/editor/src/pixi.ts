/**
 * Draws the viewport of the editor with PixiJS, for `loadPixi` of `startEditor` and `mountEditor`.
 *
 * @packageDocumentation
 */

export { openPixiCanvas } from "./viewport/pixi-canvas.ts";
