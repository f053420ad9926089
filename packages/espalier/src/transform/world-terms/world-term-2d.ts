/**
 * World transforms of the plane as a query term.
 */
import type { ComputedTerm } from "../../ecs/index.ts";
import { createWorldTerm, refuseWrites, type WorldSource } from "./world-term.ts";

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

export function createWorldTerm2D(source: WorldSource, propagate: () => void): ComputedTerm<WorldView2D> {
  return createWorldTerm(source, propagate, createViewClass, 8, { a: A, b: B, c: C, d: D, x: X, y: Y });
}

/** Fields of a world record. */
const A = 0;
const B = 1;
const C = 2;
const D = 3;
const X = 4;
const Y = 5;

function createViewClass(source: WorldSource, name: string): new () => WorldView2D & { index$: number } {
  const { order } = source;
  class View {
    index$ = 0;
    get a(): number {
      return source.world[(order.slotOf[this.index$] << 3) + A];
    }
    get b(): number {
      return source.world[(order.slotOf[this.index$] << 3) + B];
    }
    get c(): number {
      return source.world[(order.slotOf[this.index$] << 3) + C];
    }
    get d(): number {
      return source.world[(order.slotOf[this.index$] << 3) + D];
    }
    get x(): number {
      return source.world[(order.slotOf[this.index$] << 3) + X];
    }
    get y(): number {
      return source.world[(order.slotOf[this.index$] << 3) + Y];
    }
    get rotation(): number {
      return Math.atan2(this.b, this.a);
    }
    get scaleX(): number {
      return Math.hypot(this.a, this.b);
    }
    get scaleY(): number {
      const { a, b, c, d } = this;
      return (a * d - b * c) / Math.hypot(a, b);
    }
  }
  refuseWrites(View.prototype, name);
  return View;
}
