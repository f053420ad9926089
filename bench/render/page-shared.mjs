/** What both subjects share: Pixi's renderer, the texture, and where sprites begin. */
import { autoDetectRenderer, Texture } from "pixi.js";

export const screen = { width: 320, height: 240 };

export async function createPixi() {
  const pixi = await autoDetectRenderer({
    ...screen,
    preference: "webgl",
    antialias: false,
    preserveDrawingBuffer: true,
  });
  document.body.append(pixi.canvas);
  return pixi;
}

export function dot() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 4;
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, 4, 4);
  return Texture.from(canvas);
}

/** What is drawn, as numbers. */
export function readPixels({ gl }) {
  const data = new Uint8Array(screen.width * screen.height * 4);
  gl.readPixels(0, 0, screen.width, screen.height, gl.RGBA, gl.UNSIGNED_BYTE, data);
  return data;
}

export const startX = (k) => k % 300;
export const startY = (k) => Math.floor(k / 300) * 6;
