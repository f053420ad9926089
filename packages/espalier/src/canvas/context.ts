/**
 * The part of a 2D context that is used. Contexts of browsers, offscreen contexts and the recording one have it.
 */
import type { ArgumentTest } from "../ecs/index.ts";

/** The calls and properties used. */
export type Context2D = Pick<
  CanvasRenderingContext2D,
  | "setTransform"
  | "transform"
  | "clearRect"
  | "fillRect"
  | "save"
  | "restore"
  | "beginPath"
  | "closePath"
  | "moveTo"
  | "lineTo"
  | "rect"
  | "roundRect"
  | "arc"
  | "ellipse"
  | "clip"
  | "fill"
  | "stroke"
  | "fillText"
  | "measureText"
  | "drawImage"
  | "createLinearGradient"
  | "createRadialGradient"
  | "fillStyle"
  | "strokeStyle"
  | "lineWidth"
  | "lineJoin"
  | "lineCap"
  | "font"
  | "textAlign"
  | "textBaseline"
  | "globalAlpha"
  | "globalCompositeOperation"
  | "imageSmoothingEnabled"
>;

/** A canvas to draw into and to draw from. */
export type AnyCanvas = HTMLCanvasElement | OffscreenCanvas;

/** The expected form of a context as an argument. */
export const aContext: ArgumentTest = {
  expected: 'a 2D context. Pass canvas.getContext("2d") or createRecordingContext()',
  fits: (value) => typeof (Object(value) as Partial<Context2D>).setTransform === "function",
};

/** The expected form of a canvas as an argument. */
export const aCanvas: ArgumentTest = {
  expected: "a canvas",
  fits: (value) => typeof (Object(value) as Partial<HTMLCanvasElement>).getContext === "function",
};

/** The expected form of a resolution: pixels of the canvas per pixel of the screen. */
export const aResolution: ArgumentTest = {
  expected: "a finite number above 0",
  fits: (value) => Number.isFinite(value) && (value as number) > 0,
};

/** Creates a canvas of a size in pixels; `undefined` if that is impossible. */
export type MakeCanvas = (width: number, height: number) => AnyCanvas | undefined;

/** A new canvas if the environment has canvases; `undefined` in Node. */
export function makeCanvas(width: number, height: number): AnyCanvas | undefined {
  if (typeof OffscreenCanvas === "function") return new OffscreenCanvas(width, height);
  if (typeof document === "undefined") return undefined;
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return canvas;
}

export function contextOf(canvas: AnyCanvas): Context2D | null {
  return canvas.getContext("2d") as Context2D | null;
}
