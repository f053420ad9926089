/**
 * The canvas renderer for a game, set up with the options of the game.
 */
import { type CanvasRenderer, type CanvasRendererOptions, createCanvasRenderer } from "../canvas/index.ts";
import { type ArgumentTest, checkOptions, expectArguments } from "../ecs/index.ts";
import type { Game } from "./game-api.ts";

/** Options of `onCanvas`. */
export interface OnCanvasOptions
  extends Omit<CanvasRendererOptions, "canvas" | "interpolation" | "particles" | "yAxis"> {
  /** `parent` keeps the canvas as large as its parent element. Its own size if left out. */
  readonly fit?: "parent";
}

const aCanvas: ArgumentTest = {
  expected: "a canvas of the page",
  fits: (value) => typeof (Object(value) as Partial<HTMLCanvasElement>).getContext === "function",
};

/**
 * Draws a game on a canvas: `createGame({ renderer: onCanvas(canvas, { fit: "parent" }) })`.
 *
 * Size and pixel ratio are taken from the page.
 */
export function onCanvas(
  canvas: HTMLCanvasElement,
  options: OnCanvasOptions = {},
): (game: Game) => CanvasRenderer {
  const doing = "draw a game on a canvas";
  expectArguments(doing, ["the canvas", canvas, aCanvas], ["the options", options, "object"]);
  return (game) => {
    const { fit, ...rest } = options;
    checkOptions(game.world.checks, doing, { fit }, { fit: ["parent"] });
    const parent = fit === "parent" ? canvas.parentElement : null;
    const box = parent ?? canvas;
    // An inline canvas leaves room for the text line below it, and grows its parent by that at every resize.
    if (parent !== null) canvas.style.display = "block";
    const renderer = createCanvasRenderer(game.space, {
      width: box.clientWidth || canvas.width,
      height: box.clientHeight || canvas.height,
      resolution: globalThis.devicePixelRatio || 1,
      ...rest,
      canvas,
      interpolation: game.interpolation,
      particles: game.particles,
      yAxis: game.yAxis,
    });
    if (parent === null || typeof ResizeObserver !== "function") return renderer;
    const observer = new ResizeObserver(() => {
      if (parent.clientWidth > 0 && parent.clientHeight > 0)
        renderer.resize(parent.clientWidth, parent.clientHeight);
    });
    observer.observe(parent);
    const dispose = renderer.dispose.bind(renderer);
    return Object.assign(renderer, {
      dispose() {
        observer.disconnect();
        dispose();
      },
    });
  };
}
