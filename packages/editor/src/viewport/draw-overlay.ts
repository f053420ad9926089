/**
 * What is drawn over and under the scene: the grid, outlines of the selection, gizmos, links between parents and children.
 */
import type { Entity } from "espalier";
import type { CameraView } from "espalier/render";
import { type Affine2D, multiply2D, transformPoint } from "espalier/transform";
import type { EditorDocument } from "../document/document.ts";
import { localBounds } from "../document/space/drawn.ts";
import type { Rect } from "../document/space/rect.ts";
import type { SnapLine } from "../document/space/snapping.ts";
import { AXIS, type GizmoTool, type Handle, RING, type ScreenAxes } from "./gizmo.ts";

/** Colours that follow the theme. */
export interface OverlayColors {
  readonly grid: string;
  readonly strong: string;
  readonly accent: string;
  /** The colour of the axes of the grid. */
  readonly muted: string;
  /** The colour of links between parents and children. */
  readonly link: string;
  readonly x: string;
  readonly y: string;
  readonly warn: string;
}

type Context = CanvasRenderingContext2D;

export function drawGrid(context: Context, view: CameraView, size: number, colors: OverlayColors): void {
  const { visible, matrix } = view;
  let step = size > 0 ? size : 8;
  // Lines closer than some pixels are noise.
  while (step * Math.abs(matrix.a) < 14) step *= 4;
  context.lineWidth = 1;
  for (const [from, to, isX] of [
    [visible.minX, visible.maxX, true],
    [visible.minY, visible.maxY, false],
  ] as const) {
    for (let at = Math.floor(from / step) * step; at <= to; at += step) {
      const isStrong = Math.round(at / step) % 8 === 0;
      const point = isX ? transformPoint(matrix, at, 0) : transformPoint(matrix, 0, at);
      const pixel = Math.round(isX ? point.x : point.y) + 0.5;
      context.strokeStyle = at === 0 ? colors.muted : isStrong ? colors.strong : colors.grid;
      context.beginPath();
      if (isX) {
        context.moveTo(pixel, 0);
        context.lineTo(pixel, view.screen.height);
      } else {
        context.moveTo(0, pixel);
        context.lineTo(view.screen.width, pixel);
      }
      context.stroke();
    }
  }
}

/** Outlines, or a small cross where nothing is drawn. */
export function drawOutlines(
  context: Context,
  document: EditorDocument,
  entities: readonly Entity[],
  view: Affine2D,
  color: string,
  width: number,
): void {
  context.strokeStyle = color;
  context.lineWidth = width;
  for (const entity of entities) {
    if (!document.world.has(entity, document.space.component)) continue;
    const matrix = multiply2D(view, document.space.worldOf(entity));
    const local = localBounds(document, entity);
    context.beginPath();
    if (local === undefined) cross(context, matrix);
    else corners(context, matrix, local);
    context.stroke();
  }
}

function corners(context: Context, matrix: Affine2D, { left, top, right, bottom }: Rect): void {
  const points = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ] as const;
  points.forEach(([x, y], k) => {
    const point = transformPoint(matrix, x, y);
    if (k === 0) context.moveTo(point.x, point.y);
    else context.lineTo(point.x, point.y);
  });
  context.closePath();
}

function cross(context: Context, { x, y }: Affine2D): void {
  context.moveTo(x - 5, y);
  context.lineTo(x + 5, y);
  context.moveTo(x, y - 5);
  context.lineTo(x, y + 5);
}

/** A line from every child to its parent. */
export function drawLinks(
  context: Context,
  document: EditorDocument,
  entities: Iterable<Entity>,
  view: Affine2D,
  color: string,
): void {
  const { tree, world, space } = document;
  const path = new Path2D();
  const ends = new Path2D();
  let left = 5000;
  for (const entity of entities) {
    const parent = tree.parentOf(entity);
    if (parent === null || left-- === 0) continue;
    if (!world.has(entity, space.component) || !world.has(parent, space.component)) continue;
    const [from, to] = [space.worldPosition(parent), space.worldPosition(entity)];
    const [a, b] = [transformPoint(view, from.x, from.y), transformPoint(view, to.x, to.y)];
    path.moveTo(a.x, a.y);
    path.lineTo(b.x, b.y);
    ends.rect(b.x - 2, b.y - 2, 4, 4);
  }
  // Dark below and light above: one of them is visible on any background.
  context.strokeStyle = "#000a";
  context.lineWidth = 3;
  context.stroke(path);
  context.stroke(ends);
  context.strokeStyle = context.fillStyle = color;
  context.lineWidth = 1;
  context.setLineDash([4, 3]);
  context.stroke(path);
  context.setLineDash([]);
  context.fill(ends);
}

export function drawGizmo(
  context: Context,
  tool: GizmoTool,
  axes: ScreenAxes,
  active: Handle | undefined,
  colors: OverlayColors,
): void {
  if (tool === "select") return;
  const { origin } = axes;
  context.lineWidth = 2;
  context.lineCap = "round";
  if (tool === "rotate") {
    context.strokeStyle = active === "ring" ? colors.warn : colors.accent;
    context.beginPath();
    context.arc(origin.x, origin.y, RING, 0, Math.PI * 2);
    context.stroke();
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(origin.x, origin.y);
    context.lineTo(origin.x + axes.x.x * RING, origin.y + axes.x.y * RING);
    context.stroke();
    return;
  }
  for (const axis of ["x", "y"] as const) {
    const color = active === axis ? colors.warn : colors[axis];
    const tip = { x: origin.x + axes[axis].x * AXIS, y: origin.y + axes[axis].y * AXIS };
    context.strokeStyle = color;
    context.fillStyle = color;
    context.beginPath();
    context.moveTo(origin.x + axes[axis].x * 9, origin.y + axes[axis].y * 9);
    context.lineTo(tip.x, tip.y);
    context.stroke();
    if (tool === "move") arrow(context, tip, axes[axis]);
    else if (tool === "scale") context.fillRect(tip.x - 4.5, tip.y - 4.5, 9, 9);
    else diamond(context, tip);
  }
  if (tool === "skew") return;
  context.fillStyle = active === "xy" ? colors.warn : colors.accent;
  context.globalAlpha = 0.85;
  context.fillRect(origin.x - 5, origin.y - 5, 10, 10);
  context.globalAlpha = 1;
}

function arrow(context: Context, { x, y }: { x: number; y: number }, along: { x: number; y: number }): void {
  context.beginPath();
  context.moveTo(x + along.x * 9, y + along.y * 9);
  context.lineTo(x - along.y * 5, y + along.x * 5);
  context.lineTo(x + along.y * 5, y - along.x * 5);
  context.fill();
}

function diamond(context: Context, { x, y }: { x: number; y: number }): void {
  context.beginPath();
  context.moveTo(x, y - 6);
  context.lineTo(x + 6, y);
  context.lineTo(x, y + 6);
  context.lineTo(x - 6, y);
  context.fill();
}

export function drawMarquee(
  context: Context,
  a: { x: number; y: number },
  b: { x: number; y: number },
  color: string,
): void {
  context.strokeStyle = color;
  context.fillStyle = color;
  context.lineWidth = 1;
  context.globalAlpha = 0.12;
  context.fillRect(a.x, a.y, b.x - a.x, b.y - a.y);
  context.globalAlpha = 1;
  context.strokeRect(a.x + 0.5, a.y + 0.5, b.x - a.x, b.y - a.y);
}

export function drawSnapLines(
  context: Context,
  lines: readonly SnapLine[],
  view: CameraView,
  color: string,
): void {
  context.strokeStyle = color;
  context.lineWidth = 1;
  for (const { axis, at } of lines) {
    const point = axis === "x" ? transformPoint(view.matrix, at, 0) : transformPoint(view.matrix, 0, at);
    // In the middle of a pixel: between two pixels it would be a pale line two pixels wide.
    const pixel = Math.round(axis === "x" ? point.x : point.y) + 0.5;
    context.beginPath();
    if (axis === "x") {
      context.moveTo(pixel, 0);
      context.lineTo(pixel, view.screen.height);
    } else {
      context.moveTo(0, pixel);
      context.lineTo(view.screen.width, pixel);
    }
    context.stroke();
  }
}
