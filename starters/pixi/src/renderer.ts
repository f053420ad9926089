import type { Game } from "espalier/game";
import { createPixiRenderer } from "espalier/pixi";
import { autoDetectRenderer } from "pixi.js";

/** Draws with PixiJS, as large as the page. */
export async function makeRenderer(canvas: HTMLCanvasElement) {
  const [width, height] = [window.innerWidth, window.innerHeight];
  const renderer = await autoDetectRenderer({
    canvas,
    width,
    height,
    preference: "webgl",
    antialias: true,
    resolution: window.devicePixelRatio,
    autoDensity: true,
  });
  return ({ space, interpolation, particles, yAxis }: Game) => {
    const drawn = createPixiRenderer(space, { renderer, width, height, interpolation, particles, yAxis });
    window.addEventListener("resize", () => drawn.resize(window.innerWidth, window.innerHeight));
    return drawn;
  };
}
