/**
 * World transforms of three dimensions as a query term.
 */
import type { ComputedTerm } from "../../ecs/index.ts";
import { matrixToQuaternion, type Quaternion, type Vector3 } from "../maths/matrix3d.ts";
import { createWorldTerm, refuseWrites, type WorldSource } from "./world-term.ts";

/** The world transform of the entity a query stands at. */
export interface WorldView3D {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** The columns of the linear part: where the x, y and z axes of the entity point, and how long they are. */
  readonly xx: number;
  readonly xy: number;
  readonly xz: number;
  readonly yx: number;
  readonly yy: number;
  readonly yz: number;
  readonly zx: number;
  readonly zy: number;
  readonly zz: number;
  /** Computed from the matrix each time, as a new object. */
  readonly rotation: Quaternion;
  /** Computed from the matrix each time, as a new object; `x` is negative for a mirrored entity. */
  readonly scale: Vector3;
}

/** Where the numbers of a world record are. */
const fields = { xx: 0, xy: 1, xz: 2, yx: 3, yy: 4, yz: 5, zx: 6, zy: 7, zz: 8, x: 9, y: 10, z: 11 };

export function createWorldTerm3D(source: WorldSource, propagate: () => void): ComputedTerm<WorldView3D> {
  return createWorldTerm(source, propagate, createViewClass, 12, fields);
}

function createViewClass(source: WorldSource, name: string): new () => WorldView3D & { index$: number } {
  const { order } = source;
  class View {
    index$ = 0;
    get xx(): number {
      return source.world[order.slotOf[this.index$] * 12];
    }
    get xy(): number {
      return source.world[order.slotOf[this.index$] * 12 + 1];
    }
    get xz(): number {
      return source.world[order.slotOf[this.index$] * 12 + 2];
    }
    get yx(): number {
      return source.world[order.slotOf[this.index$] * 12 + 3];
    }
    get yy(): number {
      return source.world[order.slotOf[this.index$] * 12 + 4];
    }
    get yz(): number {
      return source.world[order.slotOf[this.index$] * 12 + 5];
    }
    get zx(): number {
      return source.world[order.slotOf[this.index$] * 12 + 6];
    }
    get zy(): number {
      return source.world[order.slotOf[this.index$] * 12 + 7];
    }
    get zz(): number {
      return source.world[order.slotOf[this.index$] * 12 + 8];
    }
    get x(): number {
      return source.world[order.slotOf[this.index$] * 12 + 9];
    }
    get y(): number {
      return source.world[order.slotOf[this.index$] * 12 + 10];
    }
    get z(): number {
      return source.world[order.slotOf[this.index$] * 12 + 11];
    }
    get rotation(): Quaternion {
      return matrixToQuaternion(source.world, order.slotOf[this.index$] * 12).rotation;
    }
    get scale(): Vector3 {
      return matrixToQuaternion(source.world, order.slotOf[this.index$] * 12).scale;
    }
  }
  refuseWrites(View.prototype, name);
  return View;
}
