import { onCanvas } from "espalier/game";

/** Draws with the 2D canvas, as large as the page. */
export async function makeRenderer(canvas: HTMLCanvasElement) {
  return onCanvas(canvas, { fit: "parent" });
}
