/**
 * Gizmos: their position, the handle under the pointer, and the change that a drag makes. Pure geometry.
 */
import type { Entity } from "espalier";
import type { Affine2D, Point } from "espalier/transform";
import { around, translation } from "../commands/transform/transform-entities.ts";
import type { EditorDocument } from "../document/document.ts";
import { subtreeBounds } from "../document/space/bounds.ts";
import { snapAngle, snapNumber } from "../document/space/snapping.ts";

export type GizmoTool = "select" | "move" | "rotate" | "scale" | "skew";
/** `xy` is the centre: free movement, uniform scaling. */
export type Handle = "x" | "y" | "xy" | "ring";

/** A point and a direction in the world. */
export interface GizmoFrame {
  readonly x: number;
  readonly y: number;
  /** The direction of its x axis. */
  readonly angle: number;
}

/** The length of the axes on the screen, in pixels. */
export const AXIS = 64;
export const RING = 58;
const REACH = 8;

export interface FrameOptions {
  readonly orientation: "local" | "world";
  readonly pivot: "origin" | "center";
}

/** The position of the gizmo of these entities; `undefined` without any. The last entity determines it. */
export function gizmoFrame(
  document: EditorDocument,
  entities: readonly Entity[],
  { orientation, pivot }: FrameOptions,
): GizmoFrame | undefined {
  const last = entities.at(-1);
  if (last === undefined) return undefined;
  const { space } = document;
  const angle = orientation === "local" ? space.worldRotation(last) : 0;
  if (pivot === "center") {
    const bounds = subtreeBounds(document, entities);
    if (bounds !== undefined) {
      return { x: (bounds.left + bounds.right) / 2, y: (bounds.top + bounds.bottom) / 2, angle };
    }
  }
  const { x, y } = space.worldPosition(last);
  return { x, y, angle };
}

/** The axes of a frame on the screen: their origin and unit directions. */
export interface ScreenAxes {
  readonly origin: Point;
  readonly x: Point;
  readonly y: Point;
}

export function screenAxes(frame: GizmoFrame, view: Affine2D): ScreenAxes {
  const { a, b, c, d } = view;
  const [cos, sin] = [Math.cos(frame.angle), Math.sin(frame.angle)];
  return {
    origin: { x: a * frame.x + c * frame.y + view.x, y: b * frame.x + d * frame.y + view.y },
    x: unit(a * cos + c * sin, b * cos + d * sin),
    y: unit(-a * sin + c * cos, -b * sin + d * cos),
  };
}

/** The handle at a point of the screen; `undefined` when there is none. */
export function handleAt(tool: GizmoTool, axes: ScreenAxes, x: number, y: number): Handle | undefined {
  const [dx, dy] = [x - axes.origin.x, y - axes.origin.y];
  const distance = Math.hypot(dx, dy);
  if (tool === "select") return undefined;
  if (tool === "rotate") return Math.abs(distance - RING) <= REACH ? "ring" : undefined;
  if (distance <= 11 && tool !== "skew") return "xy";
  for (const axis of ["x", "y"] as const) {
    const along = dx * axes[axis].x + dy * axes[axis].y;
    const across = Math.abs(dx * axes[axis].y - dy * axes[axis].x);
    if (along > 8 && along < AXIS + 12 && across <= REACH) return axis;
  }
  return undefined;
}

export interface DragOptions {
  /** The spacing of the grid; 0 for none. */
  readonly grid: number;
  /** Degrees; 0 for none. */
  readonly angle: number;
  /** World units per pixel of the screen: 1 if left out. */
  readonly pixel?: number;
}

/** Dragging this many pixels to the right doubles the size. */
const DOUBLE = 100;

/** The transformation that a drag from one point of the world to another makes. */
export function dragChange(
  tool: GizmoTool,
  handle: Handle,
  frame: GizmoFrame,
  from: Point,
  to: Point,
  { grid, angle, pixel = 1 }: DragOptions,
): Affine2D {
  const [cos, sin] = [Math.cos(frame.angle), Math.sin(frame.angle)];
  // A point in the coordinates of the frame.
  const inFrame = ({ x, y }: Point) => ({
    x: (x - frame.x) * cos + (y - frame.y) * sin,
    y: -(x - frame.x) * sin + (y - frame.y) * cos,
  });
  const [start, now] = [inFrame(from), inFrame(to)];
  const linear = (a: number, b: number, c: number, d: number) => {
    // Rotated into the frame, transformed, rotated back.
    const [p, q, r, s] = [cos * a - sin * b, sin * a + cos * b, cos * c - sin * d, sin * c + cos * d];
    return around(
      frame.x,
      frame.y,
      p * cos - r * sin,
      q * cos - s * sin,
      p * sin + r * cos,
      q * sin + s * cos,
    );
  };
  switch (tool) {
    case "rotate": {
      const turn =
        Math.atan2(to.y - frame.y, to.x - frame.x) - Math.atan2(from.y - frame.y, from.x - frame.x);
      const by = snapAngle(turn, angle);
      return around(frame.x, frame.y, Math.cos(by), Math.sin(by), -Math.sin(by), Math.cos(by));
    }
    case "scale": {
      if (handle === "xy") {
        // By the distance on the screen, so that it is the same at every zoom and rotation of the axes.
        const by = factor(1 + (to.x - from.x + (to.y - from.y)) / (DOUBLE * pixel));
        return linear(by, 0, 0, by);
      }
      const by = factor(now[handle as "x" | "y"] / (start[handle as "x" | "y"] || 1));
      return handle === "x" ? linear(by, 0, 0, 1) : linear(1, 0, 0, by);
    }
    case "skew": {
      const by = handle === "y" ? (now.x - start.x) / (start.y || 1) : (now.y - start.y) / (start.x || 1);
      return handle === "y" ? linear(1, 0, by, 1) : linear(1, by, 0, 1);
    }
    default: {
      let [dx, dy] = [handle === "y" ? 0 : now.x - start.x, handle === "x" ? 0 : now.y - start.y];
      if (frame.angle === 0 && grid > 0) {
        if (handle !== "y") dx = snapNumber(frame.x + dx, grid) - frame.x;
        if (handle !== "x") dy = snapNumber(frame.y + dy, grid) - frame.y;
      } else [dx, dy] = [snapNumber(dx, grid), snapNumber(dy, grid)];
      return translation(dx * cos - dy * sin, dx * sin + dy * cos);
    }
  }
}

/** A scale of 0 has no inverse. */
function factor(value: number): number {
  if (!Number.isFinite(value)) return 1;
  return Math.abs(value) < 0.01 ? (value < 0 ? -0.01 : 0.01) : value;
}

function unit(x: number, y: number): Point {
  const length = Math.hypot(x, y) || 1;
  return { x: x / length, y: y / length };
}
