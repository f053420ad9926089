/**
 * The part of a 2D context that is drawn with. A browser's fits, an offscreen one's too, and so does the recording one.
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

/** What a context is, where one is an argument. */
export const aContext: ArgumentTest = {
  expected: 'a 2D context. Pass canvas.getContext("2d") or createRecordingContext()',
  fits: (value) => typeof (Object(value) as Partial<Context2D>).setTransform === "function",
};

/** What a canvas is, where one is an argument. */
export const aCanvas: ArgumentTest = {
  expected: "a canvas",
  fits: (value) => typeof (Object(value) as Partial<HTMLCanvasElement>).getContext === "function",
};

/** How many pixels of a canvas make one of the screen. */
export const aResolution: ArgumentTest = {
  expected: "a finite number above 0",
  fits: (value) => Number.isFinite(value) && (value as number) > 0,
};

/** Makes a canvas of a size in pixels; nothing where there is none. */
export type MakeCanvas = (width: number, height: number) => AnyCanvas | undefined;

/** A new canvas where the environment has such; nothing in Node. */
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
