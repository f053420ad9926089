/**
 * The way back from the world in three dimensions: which local values give a wanted world value under a parent.
 */
import type { Entity, EntityLike } from "../../ecs/index.ts";
import type { SlotNumbers } from "../../inherit/internal.ts";
import { areNumbers } from "../checks/arguments.ts";
import { requireAllFinite, requireFinite, requireWorld } from "../checks/check-numbers.ts";
import { keepError } from "../checks/keep-error.ts";
import { InvalidTransformError, SingularTransformError } from "../errors.ts";
import { EVERYTHING, POSITION, TOP_LEVEL } from "../spaces/inherit-mask.ts";
import type { SpaceState } from "../spaces/space-state.ts";
import { refuse, writeGiven } from "../spaces/write-local.ts";
import { findTaken, takenFlags } from "../world-terms/read-world.ts";
import { inverseTaken3D, localFor3D } from "./compose-3d.ts";
import {
  invert3D,
  type Local3D,
  lengthOf,
  mapPoint,
  type Vector3,
  writeFacing,
  writeQuaternion,
} from "./matrix3d.ts";

/** The local values that give `entity` the wanted world value under `parent`. */
export function localIn3D(
  s: SpaceState,
  entity: EntityLike,
  wanted: ArrayLike<number>,
  parent: EntityLike | null,
): Local3D {
  s.flow.nodeOf(entity, "set the world transform");
  requireWorld(s, entity, s.width, wanted);
  const own = takenFlags(s, entity);
  const at = findTaken(s, own, parent);
  try {
    const local = localFor3D(s.flow.found, at, wanted, own & TOP_LEVEL ? EVERYTHING : own);
    if (!s.store.access.areFinite(local)) requireAllFinite(s, entity, local);
    return local;
  } catch (error) {
    throw keepError(error, s.tree, entity, parent);
  }
}

/** The local position at which `entity` is at a point of the world. */
export function positionFor3D(s: SpaceState, entity: EntityLike, x: number, y: number, z: number): Vector3 {
  requireFinite(s, entity, "x", x);
  requireFinite(s, entity, "y", y);
  requireFinite(s, entity, "z", z);
  const own = takenFlags(s, entity);
  const at = findTaken(s, own, s.tree.parentOf(entity));
  const flags = own & TOP_LEVEL ? EVERYTHING : own;
  if ((flags & POSITION) === 0) return { x, y, z };
  const inverse = inverseTaken3D(s.flow.found, at, flags);
  if (inverse === undefined) throw singular(`place ${s.tree.label(entity)} under its parent`, entity);
  return mapPoint(inverse, 0, x, y, z);
}

const facing = /* @__PURE__ */ new Float64Array(9);
const turned = /* @__PURE__ */ new Float64Array(9);

/** How far from right angles and equal lengths the axes of a parent may be, relative to their squares. */
const EVEN = 1e-9;

/**
 * Turns an entity so that its x axis points in a direction of the world and its z axis as near to `up` as that allows, by its rotation
 * alone: its position and its scale stay as they are, to the bit. `false`, and nothing has changed, where that does not suffice: without a
 * transform, with a mask, under parents whose scale is uneven or mirrored.
 */
export function turnTowards3D(
  s: SpaceState,
  entity: Entity,
  x: number,
  y: number,
  z: number,
  up: Vector3,
): boolean {
  const slot = s.heldSlot(entity);
  if (slot < 0) return false;
  const own = takenFlags(s, entity);
  if ((own & TOP_LEVEL) === 0 && own !== EVERYTHING) return false;
  const at = findTaken(s, own, s.tree.parentOf(entity));
  const m = s.flow.found;
  const size = m[at] * m[at] + m[at + 1] * m[at + 1] + m[at + 2] * m[at + 2];
  if (!isEven(m, at, size)) return false;
  // A negative scale turns an axis round.
  const l = slot * s.localWidth;
  const ahead = s.local[l + 7] < 0 ? -1 : 1;
  const above = s.local[l + 9] < 0 ? -1 : 1;
  writeFacing(ahead * x, ahead * y, ahead * z, above * up.x, above * up.y, above * up.z, facing);
  // The parent's rotation is its matrix by the root of `size`; transposed, it leads back from the world.
  const back = 1 / Math.sqrt(size);
  for (let column = 0; column < 9; column += 3) {
    const ax = facing[column] * back;
    const ay = facing[column + 1] * back;
    const az = facing[column + 2] * back;
    turned[column] = m[at] * ax + m[at + 1] * ay + m[at + 2] * az;
    turned[column + 1] = m[at + 3] * ax + m[at + 4] * ay + m[at + 5] * az;
    turned[column + 2] = m[at + 6] * ax + m[at + 7] * ay + m[at + 8] * az;
  }
  writeQuaternion(turned, s.given, 3);
  writeGiven(s, entity, 3, 7);
  return true;
}

/** Whether the three axes at `m[at]` are a rotation times a scale above 0; `size` is the square of the first one's length. */
function isEven(m: SlotNumbers, at: number, size: number): boolean {
  const ax = m[at];
  const ay = m[at + 1];
  const az = m[at + 2];
  const bx = m[at + 3];
  const by = m[at + 4];
  const bz = m[at + 5];
  const cx = m[at + 6];
  const cy = m[at + 7];
  const cz = m[at + 8];
  const most = size * EVEN;
  return (
    size > 1e-200 &&
    size < 1e200 &&
    Math.abs(bx * bx + by * by + bz * bz - size) <= most &&
    Math.abs(cx * cx + cy * cy + cz * cz - size) <= most &&
    Math.abs(ax * bx + ay * by + az * bz) <= most &&
    Math.abs(ax * cx + ay * cy + az * cz) <= most &&
    Math.abs(bx * cx + by * cy + bz * cz) <= most &&
    (ay * bz - az * by) * cx + (az * bx - ax * bz) * cy + (ax * by - ay * bx) * cz > 0
  );
}

/** The inverse of the world matrix of an entity. */
export function inverseWorld3D(s: SpaceState, entity: EntityLike, world: Float64Array): Float64Array {
  const inverse = invert3D(world);
  if (inverse === undefined) throw singular(`convert from the world to ${s.tree.label(entity)}`, entity);
  return inverse;
}

/** Writes the rotation by `angle` about an axis of any length but 0 into `s.given`. */
export function giveRotation(
  s: SpaceState,
  entity: EntityLike,
  x: number,
  y: number,
  z: number,
  angle: number,
): void {
  if (!areNumbers(x, y) || !areNumbers(z, angle)) refuseTurn(s, entity, x, y, z, angle);
  const length = lengthOf(x, y, z);
  if (length === 0) refuseAxis(s, entity);
  const sin = Math.sin(angle / 2) / length;
  s.given[3] = x * sin;
  s.given[4] = y * sin;
  s.given[5] = z * sin;
  s.given[6] = Math.cos(angle / 2);
}

// Apart, so that the short function above stays small enough to be compiled into its callers.
function refuseTurn(
  s: SpaceState,
  entity: EntityLike,
  axisX: number,
  axisY: number,
  axisZ: number,
  angle: number,
): void {
  refuse(s, entity, { axisX, axisY, axisZ, angle });
}

function refuseAxis(s: SpaceState, entity: EntityLike): never {
  throw new InvalidTransformError(
    `Cannot turn ${s.tree.label(entity)} about an axis without a direction (0, 0, 0). Give one of any other length.`,
    { entities: [entity], field: "axis" },
  );
}

function singular(doing: string, entity: EntityLike): SingularTransformError {
  return new SingularTransformError(
    `Cannot ${doing}: the world scale there is 0 along some axis, so the transform has no inverse. Give the entities above a scale that is not 0.`,
    { entities: [entity] },
  );
}
