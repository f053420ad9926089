/**
 * World transforms as a query term: read-only views, right when a pass begins.
 */
import type { ComputedTerm } from "../ecs/index.ts";
import { InvalidTransformError } from "./errors.ts";

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

/** What the term needs of its space. */
interface WorldSource {
  readonly name: string;
  propagate(): number;
  /** World records by slot, eight floats each: a, b, c, d, x, y. Replaced when the world grows. */
  readonly records: { readonly world: Float32Array };
  readonly order: { readonly slotOf: Int32Array };
}

/** Fields of a world record. */
const A = 0;
const B = 1;
const C = 2;
const D = 3;
const X = 4;
const Y = 5;

export function createWorldTerm(source: WorldSource): ComputedTerm<WorldView2D> {
  return {
    term: "computed",
    name: source.name,
    refresh: () => {
      source.propagate();
    },
    createView: () => createView(source),
    // Views look the arrays up each time: a callback may create entities, and the arrays move when the world grows.
    version: () => 0,
  };
}

function createView({ name, records, order }: WorldSource): WorldView2D & { index$: number } {
  class View {
    index$ = 0;
    get a(): number {
      return records.world[(order.slotOf[this.index$] << 3) + A];
    }
    get b(): number {
      return records.world[(order.slotOf[this.index$] << 3) + B];
    }
    get c(): number {
      return records.world[(order.slotOf[this.index$] << 3) + C];
    }
    get d(): number {
      return records.world[(order.slotOf[this.index$] << 3) + D];
    }
    get x(): number {
      return records.world[(order.slotOf[this.index$] << 3) + X];
    }
    get y(): number {
      return records.world[(order.slotOf[this.index$] << 3) + Y];
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
  for (const field of ["a", "b", "c", "d", "x", "y", "rotation", "scaleX", "scaleY"] as const) {
    const { get } = Object.getOwnPropertyDescriptor(View.prototype, field) as PropertyDescriptor;
    Object.defineProperty(View.prototype, field, {
      get: get as () => number,
      set: () => {
        throw new InvalidTransformError(
          field,
          `Cannot set ${name}.${field}: world transforms are computed. Write the local transform, or use setWorldPosition().`,
          [],
        );
      },
    });
  }
  return new View();
}
