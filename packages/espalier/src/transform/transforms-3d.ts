/**
 * Transforms in three dimensions: what users call. The same calls as in the plane, with z.
 */
import type { Component, ComputedTerm, EntityLike, Init } from "../ecs/index.ts";
import { handleIn } from "../ecs/internal.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { requireTree } from "../inherit/internal.ts";
import { areNumbers, requireRow } from "./checks/arguments.ts";
import { requireAllFinite, requireFinite, requireWorld } from "./checks/check-numbers.ts";
import { geometry3D } from "./maths/geometry-3d.ts";
import {
  facing,
  type Local3D,
  mapDirection,
  mapPoint,
  matrixOf,
  matrixToQuaternion,
  multiplyQuaternions,
  type Quaternion,
  type Vector3,
  vectorError,
  writeScale,
} from "./maths/matrix3d.ts";
import { giveRotation, inverseWorld3D, localIn3D, positionFor3D, turnTowards3D } from "./maths/place-3d.ts";
import { createSpaceState } from "./spaces/create-space-state.ts";
import { localRow, SPACE } from "./spaces/space-key.ts";
import type { SpaceState } from "./spaces/space-state.ts";
import { TransformSpace } from "./spaces/transform-space.ts";
import { refuse, writeGiven, writeLocal } from "./spaces/write-local.ts";
import {
  checkTransforms3DOptions,
  type Schema3D,
  Transform3D,
  type Transforms3DOptions,
} from "./transform-3d.ts";
import { copyWorld, findWorld, readNumber } from "./world-terms/read-world.ts";
import { createWorldTerm3D, type WorldView3D } from "./world-terms/world-term-3d.ts";

/**
 * Gives the entities of a hierarchy transforms in three dimensions. Create it before the first entity that has a `Transform3D`.
 * From then on `tree.attach(child, parent, { keep: "world" })` keeps the child where it is.
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
export function createTransforms3D(tree: Hierarchy, options: Transforms3DOptions = {}): Transforms3D {
  checkTransforms3DOptions(requireTree(tree).world.checks, options);
  const { component = Transform3D, kernel, inherit, name } = options;
  const geometry = geometry3D;
  const parts = { tree, component, kind: "f64", geometry, kernel, inherit, name, localToKeep } as const;
  return new Transforms3D(createSpaceState(parts), component);
}

function localToKeep(s: SpaceState, entity: EntityLike, parent: EntityLike | null): Local3D {
  copyWorld(s, entity, kept);
  return localIn3D(s, entity, kept, parent);
}

const kept = /* @__PURE__ */ new Float64Array(12);
const lengths = /* @__PURE__ */ new Float64Array(3);

/** The quick answer: what is not is refused with its reason. */
function isFiniteVector(vector: Vector3): boolean {
  // Multiplying by 0 finds NaN and the infinities.
  return (
    typeof vector === "object" &&
    vector !== null &&
    areNumbers(vector.x, vector.y) &&
    areNumbers(vector.z, 0) &&
    vector.x * 0 + vector.y * 0 + vector.z * 0 === 0
  );
}

/** Local and world transforms in three dimensions. */
export class Transforms3D extends TransformSpace<Schema3D> {
  /**
   * The world transform as a query term: a read-only view for the callback, right at the start of each pass. It does not
   * narrow the query.
   *
   * @example
   * ```ts
   * const space = createTransforms3D(tree);
   * const Lamp = component("Lamp", { light: f32(1) });
   * const crane = world.spawn(space.at(10, 0, 0));
   * tree.attachNew(crane, space.at(0, 0, 5), Lamp);
   * world.query(Lamp, space.world).each((e, lamp, at) => {
   *   console.log(lamp.light, at.x, at.z);
   * });
   * // → 1 10 5
   * ```
   */
  readonly world: ComputedTerm<WorldView3D>;
  private readonly shared = new Float64Array(12);

  /** @internal Use `createTransforms3D`. */
  constructor(state: SpaceState, component: Component<Schema3D>) {
    super(state, component);
    this.world = createWorldTerm3D(state, () => this.propagate());
  }

  /** Changes the value above all roots, twelve numbers: the origin for large worlds. */
  setRoot(values: ArrayLike<number>): void {
    requireWorld(this[SPACE], undefined, this[SPACE].width, values);
    this[SPACE].rows.set(values, 0);
    this[SPACE].flow.isStale = true;
  }

  // Local ----------------------------------------------------------------------------------------------------------------

  /** The component with a position, for `spawn` and `add`. */
  at(x: number, y: number, z: number): Init<Schema3D> {
    requireAllFinite(this[SPACE], undefined, { x, y, z });
    return this.component({ x, y, z });
  }

  /** The local transform; the identity where the entity has none. */
  localOf(entity: EntityLike): Local3D {
    const { local } = this[SPACE];
    const l = localRow(this[SPACE], entity);
    return {
      x: local[l],
      y: local[l + 1],
      z: local[l + 2],
      qx: local[l + 3],
      qy: local[l + 4],
      qz: local[l + 5],
      qw: local[l + 6],
      scaleX: local[l + 7],
      scaleY: local[l + 8],
      scaleZ: local[l + 9],
    };
  }

  /**
   * Writes all local fields in one call: the fastest way to place one entity. What is left out becomes what it is in a new
   * transform; `scaleY` and `scaleZ` become `scaleX`.
   */
  setTransform(
    entity: EntityLike,
    x: number,
    y: number,
    z: number,
    qx = 0,
    qy = 0,
    qz = 0,
    qw = 1,
    scaleX = 1,
    scaleY: number = scaleX,
    scaleZ: number = scaleX,
  ): void {
    if (
      !areNumbers(x, y) ||
      !areNumbers(z, qx) ||
      !areNumbers(qy, qz) ||
      !areNumbers(qw, scaleX) ||
      !areNumbers(scaleY, scaleZ)
    )
      refuse(this[SPACE], entity, { x, y, z, qx, qy, qz, qw, scaleX, scaleY, scaleZ });
    const { given } = this[SPACE];
    given[0] = x;
    given[1] = y;
    given[2] = z;
    given[3] = qx;
    given[4] = qy;
    given[5] = qz;
    given[6] = qw;
    given[7] = scaleX;
    given[8] = scaleY;
    given[9] = scaleZ;
    writeGiven(this[SPACE], entity, 0, 10);
  }

  /** Sets the local position; other fields stay. Gives an entity without a transform one. */
  setPosition(entity: EntityLike, x: number, y: number, z: number): void {
    if (!areNumbers(x, y) || !areNumbers(z, 0)) refuse(this[SPACE], entity, { x, y, z });
    const { given } = this[SPACE];
    given[0] = x;
    given[1] = y;
    given[2] = z;
    writeGiven(this[SPACE], entity, 0, 3);
  }

  /** The rotation by `angle` about an axis, which may have any length but 0; positive about z turns +x towards +y. */
  setRotation(entity: EntityLike, axisX: number, axisY: number, axisZ: number, angle: number): void {
    giveRotation(this[SPACE], entity, axisX, axisY, axisZ, angle);
    writeGiven(this[SPACE], entity, 3, 7);
  }

  /** @param y, z As `x` if left out. */
  /** Sets the local scale, the same on all axes if only `x` is given. */
  setScale(entity: EntityLike, x: number, y = x, z = x): void {
    if (!areNumbers(x, y) || !areNumbers(z, 0))
      refuse(this[SPACE], entity, { scaleX: x, scaleY: y, scaleZ: z });
    const { given } = this[SPACE];
    given[7] = x;
    given[8] = y;
    given[9] = z;
    writeGiven(this[SPACE], entity, 7, 10);
  }

  /** Moves by an offset in the parent's axes. */
  translate(entity: EntityLike, x: number, y: number, z: number): void {
    if (!areNumbers(x, y) || !areNumbers(z, 0)) refuse(this[SPACE], entity, { x, y, z });
    const { local, given } = this[SPACE];
    const l = localRow(this[SPACE], entity);
    given[0] = local[l] + x;
    given[1] = local[l + 1] + y;
    given[2] = local[l + 2] + z;
    writeGiven(this[SPACE], entity, 0, 3);
  }

  /** Turns by `angle` about an axis of the parent. */
  rotate(entity: EntityLike, axisX: number, axisY: number, axisZ: number, angle: number): void {
    const { given } = this[SPACE];
    giveRotation(this[SPACE], entity, axisX, axisY, axisZ, angle);
    const turn = { qx: given[3], qy: given[4], qz: given[5], qw: given[6] };
    const { qx, qy, qz, qw } = multiplyQuaternions(turn, this.localOf(entity));
    given[3] = qx;
    given[4] = qy;
    given[5] = qz;
    given[6] = qw;
    writeGiven(this[SPACE], entity, 3, 7);
  }

  // World ----------------------------------------------------------------------------------------------------------------

  /**
   * The world value, right at once after any change: three columns of the linear part, then the position. Pass `out` to have no
   * array made.
   */
  worldOf(entity: EntityLike, out: Float64Array = new Float64Array(12)): Float64Array {
    requireRow(out, 12, "read the world transform");
    copyWorld(this[SPACE], entity, out);
    return out;
  }

  /** The x of the entity in the world. */
  worldX(entity: EntityLike): number {
    return readNumber(this[SPACE], entity, 9);
  }

  /** The y of the entity in the world. */
  worldY(entity: EntityLike): number {
    return readNumber(this[SPACE], entity, 10);
  }

  /** The z of the entity in the world. */
  worldZ(entity: EntityLike): number {
    return readNumber(this[SPACE], entity, 11);
  }

  /** Where the entity is in the world. Written into `out` if given. */
  worldPosition(entity: EntityLike, out: Vector3 = { x: 0, y: 0, z: 0 }): Vector3 {
    const w = findWorld(this[SPACE], entity);
    const from = this[SPACE].flow.found;
    try {
      out.x = from[w + 9];
      out.y = from[w + 10];
      out.z = from[w + 11];
    } catch (error) {
      throw vectorError(out, error);
    }
    return out;
  }

  /** How the entity is turned in the world, as a unit quaternion. */
  worldRotation(entity: EntityLike): Quaternion {
    return matrixToQuaternion(this.worldOf(entity, this.shared), 0).rotation;
  }

  /** The lengths of the world's axes, `x` negative for a mirrored entity; `residue`: how far they are from right angles. */
  lossyScale(entity: EntityLike): Vector3 & { residue: number } {
    const { scale, residue } = matrixToQuaternion(this.worldOf(entity, this.shared), 0);
    return { x: scale.x, y: scale.y, z: scale.z, residue };
  }

  /** A point of the entity's own space in the world. */
  localToWorld(entity: EntityLike, x: number, y: number, z: number, out?: Vector3): Vector3 {
    const at = findWorld(this[SPACE], entity);
    return mapPoint(this[SPACE].flow.found, at, x, y, z, out);
  }

  /**
   * A point of the world in the entity's own space.
   * @throws SingularTransformError when the entity's world scale is 0 along some axis.
   */
  worldToLocal(entity: EntityLike, x: number, y: number, z: number, out?: Vector3): Vector3 {
    return mapPoint(this.inverseWorld(entity), 0, x, y, z, out);
  }

  /** A direction: turned and scaled, not moved. */
  localToWorldDirection(entity: EntityLike, x: number, y: number, z: number, out?: Vector3): Vector3 {
    const at = findWorld(this[SPACE], entity);
    return mapDirection(this[SPACE].flow.found, at, x, y, z, out);
  }

  /** A direction of the world as seen from the entity: turned and scaled, not moved. */
  worldToLocalDirection(entity: EntityLike, x: number, y: number, z: number, out?: Vector3): Vector3 {
    return mapDirection(this.inverseWorld(entity), 0, x, y, z, out);
  }

  /**
   * Makes the world value what is given, exactly. An entity without a transform gets one.
   * @throws SingularTransformError when a parent has no inverse, UnrepresentableTransformError when position, rotation and scale
   * cannot express it. Nothing has changed then.
   */
  setWorld(entity: EntityLike, wanted: ArrayLike<number>): void {
    writeLocal(this[SPACE], entity, localIn3D(this[SPACE], entity, wanted, this.tree.parentOf(entity)));
  }

  /** Moves the entity to a position in the world; its rotation and scale stay. */
  setWorldPosition(entity: EntityLike, x: number, y: number, z: number): void {
    const at = positionFor3D(this[SPACE], entity, x, y, z);
    this.setPosition(entity, at.x, at.y, at.z);
  }

  /**
   * Turns the entity to a rotation in the world; its position and its scale there stay.
   * @throws UnrepresentableTransformError when that would need shear, under parents of uneven scale.
   */
  setWorldRotation(entity: EntityLike, rotation: Quaternion): void {
    requireAllFinite(this[SPACE], entity, rotation);
    this.setWorldAxes(entity, rotation, this.lossyScale(entity));
  }

  /**
   * Scales the entity, so that `lossyScale` is this; its position and its rotation in the world stay.
   * @param y, z As `x` if left out.
   * @throws UnrepresentableTransformError when that would need shear, under parents of uneven scale.
   */
  setWorldScale(entity: EntityLike, x: number, y = x, z = x): void {
    requireAllFinite(this[SPACE], entity, { scaleX: x, scaleY: y, scaleZ: z });
    this.setWorldAxes(entity, this.worldRotation(entity), { x, y, z });
  }

  /**
   * Turns the entity so that its x axis points at a position in the world and its z axis as far up as that allows. Nothing
   * happens when it is there already.
   * @param up +z if left out; in a world whose y is up give `{ x: 0, y: 1, z: 0 }`.
   */
  lookAt(entity: EntityLike, x: number, y: number, z: number, up: Vector3 = { x: 0, y: 0, z: 1 }): void {
    requireFinite(this[SPACE], entity, "x", x);
    requireFinite(this[SPACE], entity, "y", y);
    requireFinite(this[SPACE], entity, "z", z);
    if (!isFiniteVector(up)) requireAllFinite(this[SPACE], entity, up);
    const { shared } = this;
    this.worldOf(entity, shared);
    const away = { x: x - shared[9], y: y - shared[10], z: z - shared[11] };
    if (away.x === 0 && away.y === 0 && away.z === 0) return;
    const s = this[SPACE];
    if (turnTowards3D(s, handleIn(s.flow.ecs, entity), away.x, away.y, away.z, up)) return;
    writeScale(shared, 0, lengths, 0);
    const scale = { x: lengths[0], y: lengths[1], z: lengths[2] };
    // The x axis of a mirrored entity points backwards.
    const sign = scale.x < 0 ? -1 : 1;
    this.setWorldAxes(entity, facing(sign * away.x, sign * away.y, sign * away.z, up), scale);
  }

  // ----------------------------------------------------------------------------------------------------------------------

  private setWorldAxes(entity: EntityLike, rotation: Quaternion, scale: Vector3): void {
    const { shared } = this;
    const { qx, qy, qz, qw } = rotation;
    const { x: scaleX, y: scaleY, z: scaleZ } = scale;
    this.worldOf(entity, shared);
    const local = { x: shared[9], y: shared[10], z: shared[11], qx, qy, qz, qw, scaleX, scaleY, scaleZ };
    this.setWorld(entity, matrixOf(local, shared));
  }

  private inverseWorld(entity: EntityLike): Float64Array {
    return inverseWorld3D(this[SPACE], entity, this.worldOf(entity, this.shared));
  }
}
