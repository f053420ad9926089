/**
 * World transforms of three dimensions as a query term.
 */
import type { ComputedTerm } from "../../ecs/index.ts";
import { matrixToQuaternion, type Quaternion, type Vector3 } from "../maths/matrix3d.ts";
import { createWorldTerm, type WorldSource } from "./world-term.ts";

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
  return createWorldTerm(source, propagate, fields, {
    rotation: (m, at) => matrixToQuaternion(m, at).rotation,
    scale: (m, at) => matrixToQuaternion(m, at).scale,
  });
}
