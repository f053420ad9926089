/**
 * World transforms of the plane as a query term.
 */
import type { ComputedTerm } from "../../ecs/index.ts";
import { createWorldTerm, type WorldSource } from "./world-term.ts";

/** The world transform of the entity a query stands at. */
export interface WorldView2D {
  readonly x: number;
  readonly y: number;
  /** The angle of the x axis, in radians. */
  readonly rotation: number;
  readonly scaleX: number;
  readonly scaleY: number;
  /** The linear part of the matrix: x' = a x + c y, y' = b x + d y. */
  readonly a: number;
  readonly b: number;
  readonly c: number;
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
