import type { Transforms2D } from "../transforms-2d.ts";
import type { Transforms3D } from "../transforms-3d.ts";

/** A space of this library whose world values are matrices. */
export type MatrixSpace = Transforms2D | Transforms3D;
