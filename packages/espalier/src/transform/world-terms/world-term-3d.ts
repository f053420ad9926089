/**
 * World transforms of three dimensions as a query term.
 */
import type { ComputedTerm } from "../../ecs/index.ts";
import { matrixToQuaternion, type Quaternion, type Vector3 } from "../maths/matrix3d.ts";
import { createWorldTerm, type WorldSource } from "./world-term.ts";

/** The world transform of the entity a query stands at. */
export interface WorldView3D {
  /** The x in the world. */
  readonly x: number;
  /** The y in the world. */
  readonly y: number;
  /** The z in the world. */
  readonly z: number;
  /** The columns of the linear part: where the x, y and z axes of the entity point, and how long they are. */
  readonly xx: number;
  /** The y of its x axis. */
  readonly xy: number;
  /** The z of its x axis. */
  readonly xz: number;
  /** The x of its y axis. */
  readonly yx: number;
  /** The y of its y axis. */
  readonly yy: number;
  /** The z of its y axis. */
  readonly yz: number;
  /** The x of its z axis. */
  readonly zx: number;
  /** The y of its z axis. */
  readonly zy: number;
  /** The z of its z axis. */
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
