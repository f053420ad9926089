/**
 * Transforms in space: what users call.
 */
import type { Entity, Init, InputOf } from "../ecs/index.ts";
import { INDEX_MASK } from "../ecs/internal.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import type { SpaceOptions } from "./define-transform.ts";
import { InvalidTransformError, SingularTransformError } from "./errors.ts";
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
import { PlainNodes } from "./plain-nodes.ts";
import { runPlain3D } from "./run-3d.ts";
import { Space } from "./space.ts";
import { type Schema3D, space3D } from "./space-3d.ts";

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

/** Transforms in space along one tree. Made by `createTransforms3D`. */
export class Transforms3D extends Space<Schema3D> {
  /** Who can be computed by the short loop; nobody where the space itself has a mask. */
  private readonly plain: PlainNodes | undefined;

  constructor(tree: Hierarchy, options: SpaceOptions) {
    super(tree, space3D, options);
    const { inherit = "all" } = options;
    this.plain = inherit === "all" ? new PlainNodes(tree.world, space3D.local) : undefined;
  }

  protected override computeRun(from: number, to: number): void {
    if (this.plain === undefined) {
      super.computeRun(from, to);
      return;
    }
    const { nodeAt, parentSlot } = this.order;
    const { isPlain } = this.plain;
    const columns = this.tree.world.columns(this.component);
    const run = { columns, isPlain, nodeAt, parentSlot, values: this.worlds };
    for (let slot = from; slot < to; slot++) {
      slot = runPlain3D(run, slot, to);
      if (slot < to) this.computeSlot(slot);
    }
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
    this.setWorldAxes(entity, rotation, this.lossyScale(entity));
  }

  /**
   * Scales the entity, so that `lossyScale` is this; its place and its rotation in the world stay.
   * @param y, z As `x` if left out.
   * @throws UnrepresentableTransformError when that would need shear, under parents of uneven scale.
   */
  setWorldScale(entity: Entity, x: number, y = x, z = x): void {
    this.requireFinite(entity, { scaleX: x, scaleY: y, scaleZ: z });
    this.setWorldAxes(entity, this.worldRotation(entity), { x, y, z });
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

  private setWorldAxes(entity: Entity, rotation: Quaternion, scale: Vector3): void {
    const wanted = new Float64Array(12);
    const scales = { scaleX: scale.x, scaleY: scale.y, scaleZ: scale.z };
    writeMatrix({ ...this.worldPosition(entity), ...rotation, ...scales }, wanted);
    this.setWorld(entity, wanted);
  }

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
