/**
 * The other people who edit the scene, in the viewport: their selections, and their pointers.
 */
import { type Affine2D, transformPoint } from "espalier/transform";
import type { EditorDocument } from "../document/document.ts";
import type { OtherUser } from "../share/collab.ts";
import { drawOutlines } from "./draw-overlay.ts";

type Context = CanvasRenderingContext2D;

/** More entities per person are not outlined. */
const MOST = 500;

export function drawOthers(
  context: Context,
  document: EditorDocument,
  others: readonly OtherUser[],
  view: Affine2D,
): void {
  for (const { selection, color } of others) {
    const alive = selection.slice(0, MOST).filter((entity) => document.world.isAlive(entity));
    context.setLineDash([5, 3]);
    drawOutlines(context, document, alive, view, color, 1.5);
    context.setLineDash([]);
  }
  // Drawn over all outlines.
  for (const { name, color, cursor } of others) {
    if (cursor === null) continue;
    const { x, y } = transformPoint(view, cursor.x, cursor.y);
    drawPointer(context, x, y, color);
    drawName(context, x + 12, y + 16, name, color);
  }
}

/** An arrow whose tip is at the point, with a light outline so that it is visible on any background. */
function drawPointer(context: Context, x: number, y: number, color: string): void {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + 4, y + 14);
  context.lineTo(x + 7, y + 8.5);
  context.lineTo(x + 13, y + 7);
  context.closePath();
  context.fillStyle = color;
  context.fill();
  context.lineWidth = 1;
  context.strokeStyle = "#fff";
  context.stroke();
}

function drawName(context: Context, x: number, y: number, name: string, color: string): void {
  context.font = "11px system-ui, sans-serif";
  const width = context.measureText(name).width + 10;
  context.fillStyle = "#14161a";
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  context.beginPath();
  context.roundRect(x, y, width, 17, 4);
  context.fill();
  context.stroke();
  context.fillStyle = "#fff";
  context.textBaseline = "middle";
  context.fillText(name, x + 5, y + 9);
}
