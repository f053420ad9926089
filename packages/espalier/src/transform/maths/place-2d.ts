/**
 * World matrices in the plane, and the way back: which local values give a wanted one under a parent.
 */
import type { Entity } from "../../ecs/index.ts";
import { requireObject } from "../../ecs/internal.ts";
import { requireAllFinite, requireFinite } from "../checks/check-numbers.ts";
import { SingularTransformError, UnrepresentableTransformError } from "../errors.ts";
import { Taken2D } from "../kernels/taken-2d.ts";
import type { SpaceState } from "../spaces/space-state.ts";
import { findWorld, takenFrom } from "../world-terms/read-world.ts";
import { type Affine2D, invert2D, type Local2D, type Point } from "./affine2d.ts";

/** The world matrix of an entity, into `out`. */
export function worldOf2D(s: SpaceState, entity: Entity, out: Affine2D): Affine2D {
  const w = findWorld(s, entity);
  const from = s.flow.found;
  out.a = from[w];
  out.b = from[w + 1];
  out.c = from[w + 2];
  out.d = from[w + 3];
  out.x = from[w + 4];
  out.y = from[w + 5];
  return out;
}

/** What an entity would take over from `parent`. */
export function takenBy2D(s: SpaceState, entity: Entity, parent: Entity | null): Taken2D {
  const { record, flags } = takenFrom(s, entity, parent);
  return new Taken2D(record, flags, s.geometry.isSpecial);
}

/** The local values that give `entity` the wanted world matrix under `parent`. */
export function localFor2D(s: SpaceState, entity: Entity, wanted: Affine2D, parent: Entity | null): Local2D {
  requireObject(wanted, "set the world transform", "it");
  for (const key of ["a", "b", "c", "d", "x", "y"] as const) requireFinite(s, entity, key, wanted[key]);
  const taken = takenBy2D(s, entity, parent);
  const { residue, ...local } = taken.local(wanted) ?? refuseSingular(s, entity, parent);
  requireAllFinite(s, entity, local);
  if (residue === 0) return local;
  const isSeparable = s.geometry.isSpecial;
  const why = isSeparable
    ? "it is sheared, and this space composes without skew"
    : "it flattens the plane onto a line that no rotation and scale give";
  throw new UnrepresentableTransformError(
    `Cannot place ${s.tree.label(entity)}: ${why} (off by ${residue}). ${isSeparable ? 'Use compose: "affine"' : "Keep the local values"}, or pick another place.`,
    [entity],
    residue,
  );
}

/** The local position at which `entity` is at a place in the world. */
export function positionFor2D(s: SpaceState, entity: Entity, x: number, y: number): Point {
  requireFinite(s, entity, "x", x);
  requireFinite(s, entity, "y", y);
  const parent = s.tree.parentOf(entity);
  return takenBy2D(s, entity, parent).position(x, y) ?? refuseSingular(s, entity, parent);
}

/** The local rotation at which the x axis of `entity` points at an angle in the world. */
export function rotationFor2D(s: SpaceState, entity: Entity, angle: number, scaleX: number): number {
  const parent = s.tree.parentOf(entity);
  return takenBy2D(s, entity, parent).rotation(angle, scaleX) ?? refuseSingular(s, entity, parent);
}

/** The inverse of the world matrix of an entity. */
export function inverseWorld2D(s: SpaceState, entity: Entity, world: Affine2D): Affine2D {
  const inverse = invert2D(world);
  if (inverse !== undefined) return inverse;
  throw new SingularTransformError(
    `Cannot convert from the world to ${s.tree.label(entity)}: its world scale is 0, so its transform has no inverse. Give it and its parents a scale that is not 0.`,
    [entity],
  );
}

function refuseSingular(s: SpaceState, entity: Entity, parent: Entity | null): never {
  throw new SingularTransformError(
    `Cannot place ${s.tree.label(entity)} under ${parent === null ? "the top" : s.tree.label(parent)}: the world scale of the parent is 0, so its transform has no inverse. Give the parent a scale that is not 0, or pick another.`,
    parent === null ? [entity] : [entity, parent],
  );
}
