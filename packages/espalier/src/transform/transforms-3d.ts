/**
 * Transforms in space: position, quaternion, scale; worlds are 3x4 matrices.
 */
import {
  type Component,
  component,
  type Entity,
  type Field,
  f64,
  finite,
  type Init,
  type InputOf,
} from "../ecs/index.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { defineTransform, Space, type SpaceDefinition } from "./custom.ts";
import { SingularTransformError, UnrepresentableTransformError } from "./errors.ts";
import { type InheritMask, InheritTransform, maskBits, POSITION, ROTATION, SCALE } from "./inherit-mask.ts";
import { invert3D, matrixToQuaternion, type Quaternion, type Vector3, writeMatrix } from "./matrix3d.ts";

type Number64 = Field<number, "f64">;

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

/** World values are 12 numbers: three columns of the linear part, then the position. */
export const space3D: SpaceDefinition<Schema3D> = /* @__PURE__ */ defineTransform({
  name: "world",
  local: Transform3D,
  width: 12,
  identity: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
  compose(parent, p, local, out, o) {
    const m = scratchMatrix;
    writeMatrix(local, m);
    for (let column = 0; column < 4; column++) {
      const x = m[column * 3];
      const y = m[column * 3 + 1];
      const z = m[column * 3 + 2];
      const move = column === 3 ? 1 : 0;
      for (let row = 0; row < 3; row++) {
        resultMatrix[column * 3 + row] =
          parent[p + row] * x +
          parent[p + 3 + row] * y +
          parent[p + 6 + row] * z +
          move * parent[p + 9 + row];
      }
    }
    for (let k = 0; k < 12; k++) out[o + k] = resultMatrix[k];
  },
  invert(parent, p, wanted, w) {
    const inverse = invert3D(parent, p);
    if (inverse === undefined) {
      throw new SingularTransformError(
        "Cannot place an entity under this parent: the world scale of the parent is 0 along some axis. Give it a scale that is not 0, or pick another parent.",
        [],
      );
    }
    const local = new Float64Array(12);
    for (let column = 0; column < 4; column++) {
      for (let row = 0; row < 3; row++) {
        let sum = column === 3 ? inverse[9 + row] : 0;
        for (let k = 0; k < 3; k++) sum += inverse[k * 3 + row] * wanted[w + column * 3 + k];
        local[column * 3 + row] = sum;
      }
    }
    return decomposeOrThrow(local);
  },
  mask(parent, p, inherit, out) {
    for (let k = 0; k < 12; k++) out[k] = parent[p + k];
    if (!inherit.position) out.fill(0, 9, 12);
    if (inherit.rotation && inherit.scale) return;
    const { rotation, scale } = matrixToQuaternion(parent, p);
    const rotationOnly = { x: 0, y: 0, z: 0, ...rotation, scaleX: 1, scaleY: 1, scaleZ: 1 };
    const scaleOnly = {
      x: 0,
      y: 0,
      z: 0,
      qx: 0,
      qy: 0,
      qz: 0,
      qw: 1,
      scaleX: scale.x,
      scaleY: scale.y,
      scaleZ: scale.z,
    };
    const none = { ...scaleOnly, scaleX: 1, scaleY: 1, scaleZ: 1 };
    writeMatrix(inherit.rotation ? rotationOnly : inherit.scale ? scaleOnly : none, scratchMatrix);
    for (let k = 0; k < 9; k++) out[k] = scratchMatrix[k];
  },
});

const scratchMatrix = /* @__PURE__ */ new Float64Array(12);
const resultMatrix = /* @__PURE__ */ new Float64Array(12);

function decomposeOrThrow(m: Float64Array): InputOf<Schema3D> {
  const { rotation, scale, residue } = matrixToQuaternion(m, 0);
  const size = Math.max(Math.abs(scale.x), Math.abs(scale.y), Math.abs(scale.z));
  if (residue > TOLERANCE * Math.max(size, 1e-300)) {
    throw new UnrepresentableTransformError(
      `Cannot write the wanted place as position, rotation and scale: its axes are not at right angles (off by ${residue}). Give the parents a uniform scale, or keep the local values.`,
      [],
      residue,
    );
  }
  return {
    x: m[9],
    y: m[10],
    z: m[11],
    ...rotation,
    scaleX: scale.x,
    scaleY: scale.y,
    scaleZ: scale.z,
  };
}

/** Gives the entities of a hierarchy places in space. */
export function createTransforms3D(tree: Hierarchy): Transforms3D {
  return new Transforms3D(tree, space3D);
}

export class Transforms3D extends Space<Schema3D> {
  /** The component with a position, for `spawn` and `add`. */
  at(x: number, y: number, z: number): Init<Schema3D> {
    return this.component({ x, y, z });
  }

  localOf(entity: Entity): { position: Vector3; rotation: Quaternion; scale: Vector3 } {
    const local = this.tree.world.get(entity, this.component);
    return {
      position: { x: local?.x ?? 0, y: local?.y ?? 0, z: local?.z ?? 0 },
      rotation: { qx: local?.qx ?? 0, qy: local?.qy ?? 0, qz: local?.qz ?? 0, qw: local?.qw ?? 1 },
      scale: { x: local?.scaleX ?? 1, y: local?.scaleY ?? 1, z: local?.scaleZ ?? 1 },
    };
  }

  setLocal(entity: Entity, values: InputOf<Schema3D>): void {
    this.write(entity, values);
  }

  setPosition(entity: Entity, x: number, y: number, z: number): void {
    this.write(entity, { x, y, z });
  }

  /** Turns by `angle` about a unit axis: replaces the rotation. */
  setRotation(entity: Entity, axisX: number, axisY: number, axisZ: number, angle: number): void {
    const length = Math.hypot(axisX, axisY, axisZ);
    const sin = Math.sin(angle / 2) / (length === 0 ? 1 : length);
    this.write(entity, {
      qx: axisX * sin,
      qy: axisY * sin,
      qz: axisZ * sin,
      qw: length === 0 ? 1 : Math.cos(angle / 2),
    });
  }

  setScale(entity: Entity, x: number, y = x, z = x): void {
    this.write(entity, { scaleX: x, scaleY: y, scaleZ: z });
  }

  setInherit(entity: Entity, mask: InheritMask): void {
    const bits = maskBits(mask);
    const values = {
      position: (bits & POSITION) !== 0,
      rotation: (bits & ROTATION) !== 0,
      scale: (bits & SCALE) !== 0,
    };
    const topLevel = this.tree.world.get(entity, InheritTransform)?.topLevel ?? false;
    this.tree.world.add(entity, InheritTransform({ ...values, topLevel }));
  }

  setTopLevel(entity: Entity, topLevel: boolean): void {
    const { world } = this.tree;
    if (world.has(entity, InheritTransform)) world.set(entity, InheritTransform, { topLevel });
    else if (topLevel) world.add(entity, InheritTransform({ topLevel }));
  }

  worldPosition(entity: Entity): Vector3 {
    const m = this.worldOf(entity);
    return { x: m[9], y: m[10], z: m[11] };
  }

  worldRotation(entity: Entity): Quaternion {
    return matrixToQuaternion(this.worldOf(entity), 0).rotation;
  }

  /** The lengths of the world's axes, and how far they are from right angles. */
  lossyScale(entity: Entity): Vector3 & { residue: number } {
    const { scale, residue } = matrixToQuaternion(this.worldOf(entity), 0);
    return { ...scale, residue };
  }

  /** The world as a 4x4 matrix in column order, as WebGL takes it. */
  worldMatrix4(
    entity: Entity,
    out: Float32Array | Float64Array = new Float32Array(16),
  ): Float32Array | Float64Array {
    const m = this.worldOf(entity);
    for (let column = 0; column < 4; column++) {
      for (let row = 0; row < 3; row++) out[column * 4 + row] = m[column * 3 + row];
      out[column * 4 + 3] = column === 3 ? 1 : 0;
    }
    return out;
  }

  setWorldPosition(entity: Entity, x: number, y: number, z: number): void {
    const parent = this.tree.parentOf(entity);
    const above = parent === null ? Float64Array.from(this.definition.identity) : this.worldOf(parent);
    const inverse = invert3D(above, 0);
    if (inverse === undefined) {
      throw new SingularTransformError(
        `Cannot place ${this.tree.label(entity)}: the world scale of its parent is 0 along some axis. Give it a scale that is not 0.`,
        [entity],
      );
    }
    const at = (row: number) =>
      inverse[row] * x + inverse[3 + row] * y + inverse[6 + row] * z + inverse[9 + row];
    this.setPosition(entity, at(0), at(1), at(2));
  }

  localToWorld(entity: Entity, x: number, y: number, z: number): Vector3 {
    const m = this.worldOf(entity);
    const at = (row: number) => m[row] * x + m[3 + row] * y + m[6 + row] * z + m[9 + row];
    return { x: at(0), y: at(1), z: at(2) };
  }

  worldToLocal(entity: Entity, x: number, y: number, z: number): Vector3 {
    const m = invert3D(this.worldOf(entity), 0);
    if (m === undefined) {
      throw new SingularTransformError(
        `Cannot go from the world into ${this.tree.label(entity)}: its world scale is 0 along some axis.`,
        [entity],
      );
    }
    const at = (row: number) => m[row] * x + m[3 + row] * y + m[6 + row] * z + m[9 + row];
    return { x: at(0), y: at(1), z: at(2) };
  }
}
