/**
 * The way back from the world in three dimensions: which local values give a wanted world value under a parent.
 */
import type { EntityLike } from "../../ecs/index.ts";
import { areNumbers } from "../checks/arguments.ts";
import { requireAllFinite, requireFinite, requireWorld } from "../checks/check-numbers.ts";
import { placeError } from "../checks/place-error.ts";
import { InvalidTransformError, SingularTransformError } from "../errors.ts";
import { EVERYTHING, POSITION, TOP_LEVEL } from "../spaces/inherit-mask.ts";
import type { SpaceState } from "../spaces/space-state.ts";
import { refuse } from "../spaces/write-local.ts";
import { findTaken, takenFlags } from "../world-terms/read-world.ts";
import { inverseTaken3D, localFor3D } from "./compose-3d.ts";
import { invert3D, type Local3D, lengthOf, mapPoint, type Vector3 } from "./matrix3d.ts";

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
    throw placeError(error, s.tree, entity, parent);
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
