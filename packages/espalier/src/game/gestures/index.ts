/**
 * Taps, drags, pinches and turns, recognised by @use-gesture/vanilla and fed to the game.
 *
 * @packageDocumentation
 */

export { createGestures, type GameGestures } from "./create-gestures.ts";
