/**
 * Snapping: to the grid, to angles, to the edges and centres of other entities.
 */
import type { Rect } from "./rect.ts";

export interface SnapSettings {
  /** Distance of grid lines; 0 turns it off. */
  readonly grid: number;
  /** Degrees; 0 turns it off. */
  readonly angle: number;
  readonly edges: boolean;
}

/** A line that something was snapped to, to be drawn. */
export interface SnapLine {
  readonly axis: "x" | "y";
  readonly at: number;
}

export function snapNumber(value: number, step: number): number {
  return step > 0 ? Math.round(value / step) * step : value;
}

/** @param radians - The angle to snap; `step` is in degrees. */
export function snapAngle(radians: number, step: number): number {
  return step > 0 ? (snapNumber((radians * 180) / Math.PI, step) * Math.PI) / 180 : radians;
}

/**
 * Where `moving` ends up when it is moved by (dx, dy): an edge or centre of it snaps to one of the others within
 * `distance`. Each axis on its own, the nearest first.
 */
export function snapToEdges(
  moving: Rect,
  dx: number,
  dy: number,
  others: readonly Rect[],
  distance: number,
): { readonly dx: number; readonly dy: number; readonly lines: readonly SnapLine[] } {
  const x = nearest([moving.left, (moving.left + moving.right) / 2, moving.right], dx, others, "x", distance);
  const y = nearest([moving.top, (moving.top + moving.bottom) / 2, moving.bottom], dy, others, "y", distance);
  return { dx: x.by, dy: y.by, lines: [...x.lines, ...y.lines] };
}

function nearest(
  own: readonly number[],
  by: number,
  others: readonly Rect[],
  axis: "x" | "y",
  distance: number,
): { readonly by: number; readonly lines: readonly SnapLine[] } {
  let best = distance;
  let snapped = by;
  let lines: SnapLine[] = [];
  for (const other of others) {
    const low = axis === "x" ? other.left : other.top;
    const high = axis === "x" ? other.right : other.bottom;
    for (const target of [low, (low + high) / 2, high]) {
      for (const edge of own) {
        const off = Math.abs(target - (edge + by));
        if (off >= best) continue;
        best = off;
        snapped = target - edge;
        lines = [{ axis, at: target }];
      }
    }
  }
  return { by: snapped, lines };
}
