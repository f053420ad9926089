/**
 * Space in three dimensions: position, quaternion, scale; worlds are 3x4 matrices.
 */
import { type Component, component, type Field, f64, finite, type InputOf } from "../ecs/index.ts";
import { defineTransform, type Inherits, type SpaceDefinition } from "./define-transform.ts";
import { SingularTransformError, UnrepresentableTransformError } from "./errors.ts";
import { invert3D, mapPoint, matrixToQuaternion, writeMasked3D, writeMatrix } from "./matrix3d.ts";

type Number64 = Field<number, "f64">;

/** The fields of `Transform3D`. */
export type Schema3D = {
  x: Number64;
  y: Number64;
  z: Number64;
  qx: Number64;
  qy: Number64;
  qz: Number64;
  qw: Number64;
  scaleX: Number64;
  scaleY: Number64;
  scaleZ: Number64;
};

const number = (initial: number) => finite(f64(initial));

/** The local transform in space: position, rotation as a unit quaternion (qx, qy, qz, qw), scale. */
export const Transform3D: Component<Schema3D> = /* @__PURE__ */ component("Transform3D", {
  x: /* @__PURE__ */ number(0),
  y: /* @__PURE__ */ number(0),
  z: /* @__PURE__ */ number(0),
  qx: /* @__PURE__ */ number(0),
  qy: /* @__PURE__ */ number(0),
  qz: /* @__PURE__ */ number(0),
  qw: /* @__PURE__ */ number(1),
  scaleX: /* @__PURE__ */ number(1),
  scaleY: /* @__PURE__ */ number(1),
  scaleZ: /* @__PURE__ */ number(1),
});

/** The residue, relative to the size of the matrix, above which a place counts as not writable. */
const TOLERANCE = 1e-9;

const local3D = /* @__PURE__ */ new Float64Array(12);
const masked3D = /* @__PURE__ */ new Float64Array(12);

/** World values are 12 numbers: three columns of the linear part, then the position. */
export const space3D: SpaceDefinition<Schema3D> = /* @__PURE__ */ defineTransform({
  name: "world",
  local: Transform3D,
  world: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
  masks: true,
  compose(parent, p, local, out, o, inherit) {
    const isWhole = inherit.rotation && inherit.scale;
    if (!isWhole) writeMasked3D(parent, p, inherit, masked3D);
    const m = isWhole ? parent : masked3D;
    const at = isWhole ? p : 0;
    writeMatrix(local, local3D);
    // Numbers, not the array: `out` may be the same one, and reading it again would wait for what was written.
    const xx = m[at];
    const xy = m[at + 1];
    const xz = m[at + 2];
    const yx = m[at + 3];
    const yy = m[at + 4];
    const yz = m[at + 5];
    const zx = m[at + 6];
    const zy = m[at + 7];
    const zz = m[at + 8];
    const { x: px, y: py, z: pz } = local;
    for (let column = 0; column < 9; column += 3) {
      const x = local3D[column];
      const y = local3D[column + 1];
      const z = local3D[column + 2];
      out[o + column] = xx * x + yx * y + zx * z;
      out[o + column + 1] = xy * x + yy * y + zy * z;
      out[o + column + 2] = xz * x + yz * y + zz * z;
    }
    if (inherit.position) {
      out[o + 9] = xx * px + yx * py + zx * pz + parent[p + 9];
      out[o + 10] = xy * px + yy * py + zy * pz + parent[p + 10];
      out[o + 11] = xz * px + yz * py + zz * pz + parent[p + 11];
    } else {
      out[o + 9] = px;
      out[o + 10] = py;
      out[o + 11] = pz;
    }
  },
  invert(parent, p, wanted, w, _local, inherit) {
    const inverse = inverseOf(parent, p, inherit);
    const local = new Float64Array(12);
    for (let column = 0; column < 9; column += 3) {
      for (let row = 0; row < 3; row++) {
        for (let k = 0; k < 3; k++) local[column + row] += inverse[k * 3 + row] * wanted[w + column + k];
      }
    }
    const at = wanted.subarray(w + 9, w + 12);
    const position = inherit.position
      ? mapPoint(inverse, at[0], at[1], at[2])
      : { x: at[0], y: at[1], z: at[2] };
    return { ...decomposed(local), ...position };
  },
});

/** The inverse of what a child takes over, or an error where that squashes space. */
function inverseOf(parent: Float64Array, p: number, inherit: Inherits): Float64Array {
  const taken = new Float64Array(12);
  writeMasked3D(parent, p, inherit, taken);
  if (inherit.position) for (let k = 9; k < 12; k++) taken[k] = parent[p + k];
  const inverse = invert3D(taken, 0);
  if (inverse !== undefined) return inverse;
  throw new SingularTransformError(
    "the world scale of the parent is 0 along some axis, so that many places there are one here. Give it a scale that is not 0, or pick another parent.",
    [],
  );
}

/** Rotation and scale that give the linear part, or an error that says how far the nearest are off. */
function decomposed(m: Float64Array): InputOf<Schema3D> {
  const { rotation, scale, residue } = matrixToQuaternion(m, 0);
  const size = Math.max(Math.abs(scale.x), Math.abs(scale.y), Math.abs(scale.z));
  if (residue > TOLERANCE * size) {
    throw new UnrepresentableTransformError(
      `position, rotation and scale cannot say it, because its axes are not at right angles (off by ${residue}). Give the parents a uniform scale, or keep the local values.`,
      [],
      residue,
    );
  }
  return { ...rotation, scaleX: scale.x, scaleY: scale.y, scaleZ: scale.z };
}
