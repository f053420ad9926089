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
  INDEX_MASK,
  type Init,
  type InputOf,
} from "../ecs/index.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { defineTransform, type Inherits, Space, type SpaceDefinition, type SpaceOptions } from "./custom.ts";
import { InvalidTransformError, SingularTransformError, UnrepresentableTransformError } from "./errors.ts";
import {
  facing,
  invert3D,
  mapDirection,
  mapPoint,
  matrixToQuaternion,
  multiplyQuaternions,
  type Quaternion,
  type Vector3,
  writeMasked3D,
  writeMatrix,
} from "./matrix3d.ts";

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
    for (let column = 0; column < 9; column += 3) {
      const x = local3D[column];
      const y = local3D[column + 1];
      const z = local3D[column + 2];
      for (let row = 0; row < 3; row++)
        out[o + column + row] = m[at + row] * x + m[at + 3 + row] * y + m[at + 6 + row] * z;
    }
    const { x, y, z } = local;
    if (inherit.position) {
      for (let row = 0; row < 3; row++)
        out[o + 9 + row] = m[at + row] * x + m[at + 3 + row] * y + m[at + 6 + row] * z + parent[p + 9 + row];
    } else {
      out[o + 9] = x;
      out[o + 10] = y;
      out[o + 11] = z;
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

/**
 * Gives the entities of a hierarchy places in space. From then on `tree.attach(child, parent, { keep: "world" })` keeps
 * the child where it is.
 *
 * @example
 * ```ts
 * const space = createTransforms3D(tree);
 * const crane = world.spawn(space.at(10, 0, 0));
 * const hook = tree.attachNew(crane, space.at(4, 0, 0));
 * space.setRotation(crane, 0, 0, 1, Math.PI / 2);
 * space.worldPosition(hook); // ≈ { x: 10.0, y: 4.0, z: 0.0 }
 * ```
 */
export function createTransforms3D(tree: Hierarchy, options: SpaceOptions = {}): Transforms3D {
  return new Transforms3D(tree, options);
}

export class Transforms3D extends Space<Schema3D> {
  constructor(tree: Hierarchy, options: SpaceOptions) {
    super(tree, space3D, options);
  }

  // Local ------------------------------------------------------------------------------------------------------------------

  /** The component with a position, for `spawn` and `add`. */
  at(x: number, y: number, z: number): Init<Schema3D> {
    this.requireFinite(undefined, { x, y, z });
    return this.component({ x, y, z });
  }

  /** The local transform; the identity where the entity has none. */
  localOf(entity: Entity): Local3D {
    const { x = 0, y = 0, z = 0, ...rest } = this.tree.world.get(entity, this.component) ?? {};
    const { qx = 0, qy = 0, qz = 0, qw = 1, scaleX = 1, scaleY = 1, scaleZ = 1 } = rest as InputOf<Schema3D>;
    return {
      position: { x, y, z },
      rotation: { qx, qy, qz, qw },
      scale: { x: scaleX, y: scaleY, z: scaleZ },
    };
  }

  setPosition(entity: Entity, x: number, y: number, z: number): void {
    this.write(entity, { x, y, z });
  }

  /** The rotation by `angle` about an axis, which may have any length but 0; positive about z turns +x towards +y. */
  setRotation(entity: Entity, axisX: number, axisY: number, axisZ: number, angle: number): void {
    this.write(entity, this.rotationAbout(entity, axisX, axisY, axisZ, angle));
  }

  /** @param y, z As `x` if left out. */
  setScale(entity: Entity, x: number, y = x, z = x): void {
    this.write(entity, { scaleX: x, scaleY: y, scaleZ: z });
  }

  /** Moves by an offset in the parent's axes. */
  translate(entity: Entity, x: number, y: number, z: number): void {
    const { position } = this.localOf(entity);
    this.setPosition(entity, position.x + x, position.y + y, position.z + z);
  }

  /** Turns by `angle` about an axis of the parent. */
  rotate(entity: Entity, axisX: number, axisY: number, axisZ: number, angle: number): void {
    const turn = this.rotationAbout(entity, axisX, axisY, axisZ, angle);
    this.write(entity, multiplyQuaternions(turn, this.localOf(entity).rotation));
  }

  // World ------------------------------------------------------------------------------------------------------------------

  worldX(entity: Entity): number {
    return this.worldOf(entity, this.shared)[9];
  }

  worldY(entity: Entity): number {
    return this.worldOf(entity, this.shared)[10];
  }

  worldZ(entity: Entity): number {
    return this.worldOf(entity, this.shared)[11];
  }

  worldPosition(entity: Entity, out: Vector3 = { x: 0, y: 0, z: 0 }): Vector3 {
    const m = this.worldOf(entity, this.shared);
    out.x = m[9];
    out.y = m[10];
    out.z = m[11];
    return out;
  }

  worldRotation(entity: Entity): Quaternion {
    return matrixToQuaternion(this.worldOf(entity, this.shared), 0).rotation;
  }

  /** The lengths of the world's axes, `x` negative for a mirrored entity; `residue`: how far they are from right angles. */
  lossyScale(entity: Entity): Vector3 & { residue: number } {
    const { scale, residue } = matrixToQuaternion(this.worldOf(entity, this.shared), 0);
    return { ...scale, residue };
  }

  /** The world as a 4x4 matrix in column order, as WebGL takes it. */
  worldMatrix4<Out extends Float32Array | Float64Array = Float32Array>(entity: Entity, out?: Out): Out {
    const m = this.worldOf(entity, this.shared);
    const matrix = out ?? (new Float32Array(16) as Out);
    for (let column = 0; column < 4; column++) {
      for (let row = 0; row < 3; row++) matrix[column * 4 + row] = m[column * 3 + row];
      matrix[column * 4 + 3] = column === 3 ? 1 : 0;
    }
    return matrix;
  }

  /** A point of the entity's own space in the world. */
  localToWorld(entity: Entity, x: number, y: number, z: number): Vector3 {
    return mapPoint(this.worldOf(entity, this.shared), x, y, z);
  }

  /**
   * A point of the world in the entity's own space.
   * @throws SingularTransformError when the entity's world scale is 0 along some axis.
   */
  worldToLocal(entity: Entity, x: number, y: number, z: number): Vector3 {
    return mapPoint(this.inverseWorld(entity), x, y, z);
  }

  /** A direction: turned and scaled, not moved. */
  localToWorldDirection(entity: Entity, x: number, y: number, z: number): Vector3 {
    return mapDirection(this.worldOf(entity, this.shared), x, y, z);
  }

  worldToLocalDirection(entity: Entity, x: number, y: number, z: number): Vector3 {
    return mapDirection(this.inverseWorld(entity), x, y, z);
  }

  /** Moves the entity to a place in the world; its rotation and scale stay. */
  setWorldPosition(entity: Entity, x: number, y: number, z: number): void {
    this.requireFinite(entity, { x, y, z });
    const above = this.above(entity, this.tree.parentOf(entity));
    const inherit = this.inheritsOf(entity & INDEX_MASK);
    if (!inherit.position) {
      this.setPosition(entity, x, y, z);
      return;
    }
    const taken = new Float64Array(12);
    writeMasked3D(above, 0, inherit, taken);
    for (let k = 9; k < 12; k++) taken[k] = above[k];
    const inverse = invert3D(taken, 0);
    if (inverse === undefined) throw this.singular(entity, "place", "under its parent");
    const at = mapPoint(inverse, x, y, z);
    this.setPosition(entity, at.x, at.y, at.z);
  }

  /**
   * Turns the entity to a rotation in the world; its place and its scale there stay.
   * @throws UnrepresentableTransformError when that would need shear, under parents of uneven scale.
   */
  setWorldRotation(entity: Entity, rotation: Quaternion): void {
    this.requireFinite(entity, rotation);
    const now = this.worldOf(entity, this.shared);
    const { scale } = matrixToQuaternion(now, 0);
    const wanted = new Float64Array(12);
    writeMatrix(
      {
        x: now[9],
        y: now[10],
        z: now[11],
        ...rotation,
        scaleX: scale.x,
        scaleY: scale.y,
        scaleZ: scale.z,
      },
      wanted,
    );
    this.setWorld(entity, wanted);
  }

  /**
   * Turns the entity so that its x axis points at a place in the world and its z axis as far up as that allows. Nothing
   * happens when it is there already.
   * @param up +z if left out; in a world whose y is up give `{ x: 0, y: 1, z: 0 }`.
   */
  lookAt(entity: Entity, x: number, y: number, z: number, up: Vector3 = { x: 0, y: 0, z: 1 }): void {
    this.requireFinite(entity, { x, y, z });
    this.requireFinite(entity, up);
    const now = this.worldPosition(entity);
    if (now.x === x && now.y === y && now.z === z) return;
    // The x axis of a mirrored entity points backwards.
    const sign = this.lossyScale(entity).x < 0 ? -1 : 1;
    const rotation = facing(sign * (x - now.x), sign * (y - now.y), sign * (z - now.z), up);
    this.setWorldRotation(entity, rotation);
  }

  // The names other engines use --------------------------------------------------------------------------------------------

  getLocalPosition(entity: Entity): Vector3 {
    return this.localOf(entity).position;
  }

  setLocalPosition(entity: Entity, x: number, y: number, z: number): void {
    this.setPosition(entity, x, y, z);
  }

  getWorldPosition(entity: Entity): Vector3 {
    return this.worldPosition(entity);
  }

  getWorldTransform(entity: Entity): Float64Array {
    return this.worldOf(entity);
  }

  // ------------------------------------------------------------------------------------------------------------------------

  private readonly shared = new Float64Array(12);

  private inverseWorld(entity: Entity): Float64Array {
    const inverse = invert3D(this.worldOf(entity, this.shared), 0);
    if (inverse === undefined) throw this.singular(entity, "go from the world into", "");
    return inverse;
  }

  private singular(entity: Entity, doing: string, where: string): SingularTransformError {
    const label = [this.tree.label(entity), where].filter((text) => text !== "").join(" ");
    return new SingularTransformError(
      `Cannot ${doing} ${label}: the world scale there is 0 along some axis, so that many places are one. Give the entities above a scale that is not 0.`,
      [entity],
    );
  }

  private rotationAbout(entity: Entity, x: number, y: number, z: number, angle: number): Quaternion {
    const length = Math.hypot(x, y, z);
    if (length === 0) {
      throw new InvalidTransformError(
        "axis",
        `Cannot turn ${this.tree.label(entity)} about an axis without a direction (0, 0, 0). Give one of any other length.`,
        [entity],
      );
    }
    const sin = Math.sin(angle / 2) / length;
    const rotation = { qx: x * sin, qy: y * sin, qz: z * sin, qw: Math.cos(angle / 2) };
    this.requireFinite(entity, rotation);
    return rotation;
  }
}

/** The fields of a local transform in space. */
export interface Local3D {
  position: Vector3;
  rotation: Quaternion;
  scale: Vector3;
}
