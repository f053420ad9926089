/** What both pages share: Pixi's renderer, the texture, and counting the pixels drawn. */
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

export function countPixels(pixi) {
  const { gl } = pixi;
  const data = new Uint8Array(screen.width * screen.height * 4);
  gl.readPixels(0, 0, screen.width, screen.height, gl.RGBA, gl.UNSIGNED_BYTE, data);
  let count = 0;
  for (let k = 0; k < data.length; k += 4) if (data[k] > 0) count++;
  return count;
}

export const startX = (k) => k % 300;
export const startY = (k) => Math.floor(k / 300) * 6;

/**
 * Runs frames without the work of the GPU: everything is computed and uploaded, and the draw calls are made, but not
 * executed. Where Chromium draws by software the frames would wait for it, 28 ms of each.
 */
export function withoutGpu(pixi, runFrames) {
  const { gl } = pixi;
  gl.drawElements = () => {};
  try {
    runFrames();
  } finally {
    delete gl.drawElements;
  }
}
