/**
 * Gradients: plain data, so that scenes, undo and tools can hold them.
 */
import { expectArguments } from "../../ecs/index.ts";

/** One colour of a gradient. */
export interface GradientStop {
  /** The position from 0 to 1. */
  readonly offset: number;
  /** The colour there, as 0xrrggbb. */
  readonly color: number;
  /** The opacity. 1 if left out. */
  readonly alpha?: number;
}

/**
 * A gradient between colours. Positions are fractions of the shape's bounds: 0, 0 is the top left on the screen and 1, 1 the
 * bottom right. A linear one runs from (x0, y0) to (x1, y1), a radial one from its centre (x0, y0) to the radius `x1`,
 * a fraction of the larger side.
 */
export interface Gradient {
  /** Along a line, or from a centre outwards. */
  readonly kind: "linear" | "radial";
  /** The x of the start or the centre, as a fraction of the bounds. */
  readonly x0: number;
  /** The y of the start or the centre, as a fraction of the bounds. */
  readonly y0: number;
  /** The x of the end as a fraction of the bounds; for a radial gradient the radius. */
  readonly x1: number;
  /** The y of the end as a fraction of the bounds. */
  readonly y1: number;
  /** The colours, by their offset. */
  readonly stops: readonly GradientStop[];
}

const numbers = ["x0?", "y0?", "x1?", "y1?"];

function expectGradient(from: number, to: number, line: Partial<Gradient>): void {
  expectArguments(
    "make a gradient",
    ["the first colour", from, "number"],
    ["the last colour", to, "number"],
    ["its line", line, numbers],
  );
}

/** A linear gradient from top to bottom, or along the line given. */
export function linearGradient(from: number, to: number, line: Partial<Gradient> = {}): Gradient {
  expectGradient(from, to, line);
  const stops = [
    { offset: 0, color: from },
    { offset: 1, color: to },
  ];
  return { kind: "linear", x0: 0, y0: 0, x1: 0, y1: 1, stops, ...line };
}

/** A radial gradient from the centre outwards. */
export function radialGradient(from: number, to: number, geometry: Partial<Gradient> = {}): Gradient {
  expectGradient(from, to, geometry);
  const stops = [
    { offset: 0, color: from },
    { offset: 1, color: to },
  ];
  return { kind: "radial", x0: 0.5, y0: 0.5, x1: 0.5, y1: 0, stops, ...geometry };
}

/** What is wrong with a gradient; `undefined` if it is valid. */
export function wrongGradient(value: unknown): string | undefined {
  if (value === null) return undefined;
  if (typeof value !== "object") return "takes a gradient or null";
  const { kind, stops, x0, y0, x1, y1 } = value as Partial<Gradient>;
  if (kind !== "linear" && kind !== "radial") return 'takes a gradient of kind "linear" or "radial"';
  if (![x0, y0, x1, y1].every(Number.isFinite)) return "takes a gradient with finite x0, y0, x1, y1";
  if (!Array.isArray(stops) || stops.length === 0) return "takes a gradient with at least one stop";
  const fits = (stop: unknown) => {
    const { offset, color, alpha = 1 } = Object(stop) as GradientStop;
    if (typeof offset !== "number" || typeof alpha !== "number") return false;
    return offset >= 0 && offset <= 1 && Number.isInteger(color) && color >= 0 && alpha >= 0 && alpha <= 1;
  };
  return stops.every(fits) ? undefined : "takes stops with an offset from 0 to 1 and a colour";
}
