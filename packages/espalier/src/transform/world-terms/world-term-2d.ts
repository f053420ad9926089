/**
 * World transforms of the plane as a query term.
 */
import type { ComputedTerm } from "../../ecs/index.ts";
import { createWorldTerm, type WorldSource } from "./world-term.ts";

/** The world transform of the entity a query stands at. */
export interface WorldView2D {
  /** The x in the world. */
  readonly x: number;
  /** The y in the world. */
  readonly y: number;
  /** The angle of the x axis, in radians. */
  readonly rotation: number;
  /** The length of its x axis in the world. */
  readonly scaleX: number;
  /** The length of its y axis at a right angle to the x axis; negative for a mirrored entity. */
  readonly scaleY: number;
  /** The linear part of the matrix: x' = a x + c y, y' = b x + d y. */
  readonly a: number;
  /** See `a`. */
  readonly b: number;
  /** See `a`. */
  readonly c: number;
  /** See `a`. */
  readonly d: number;
}

const fields = { a: 0, b: 1, c: 2, d: 3, x: 4, y: 5 };

export function createWorldTerm2D(source: WorldSource, propagate: () => void): ComputedTerm<WorldView2D> {
  return createWorldTerm(source, propagate, fields, {
    rotation: (m, at) => Math.atan2(m[at + 1], m[at]),
    scaleX: (m, at) => Math.hypot(m[at], m[at + 1]),
    scaleY: (m, at) => (m[at] * m[at + 3] - m[at + 1] * m[at + 2]) / Math.hypot(m[at], m[at + 1]),
  });
}
