/**
 * World matrices in the plane, and the way back: which local values give a wanted one under a parent.
 */
import type { EntityLike } from "../../ecs/index.ts";
import { requireObject } from "../../ecs/internal.ts";
import { requireAllFinite, requireFinite } from "../checks/check-numbers.ts";
import { SingularTransformError, UnrepresentableTransformError } from "../errors.ts";
import { EVERYTHING, POSITION, TOP_LEVEL } from "../spaces/inherit-mask.ts";
import type { SpaceState } from "../spaces/space-state.ts";
import { findTaken, findWorld, takenFlags } from "../world-terms/read-world.ts";
import {
  type Affine2D,
  affineFields,
  decompose2D,
  identity2D,
  invert2D,
  type Local2D,
  mapDirection2D,
  mapPoint2D,
  multiply2D,
  type Point,
  writeInverse2D,
} from "./affine2d.ts";
import { SCALE_X, SCALE_Y, TAKEN, TURN, writeTaken } from "./compose-2d.ts";

/** The world matrix of an entity, into `out`. */
export function worldOf2D(s: SpaceState, entity: EntityLike, out: Affine2D): Affine2D {
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

/** What the entity takes over whose position is being found, see `writeTaken`, and the inverse of its matrix. */
const taken = /* @__PURE__ */ new Float64Array(TAKEN);
const back: Affine2D = /* @__PURE__ */ identity2D();
const point: Point = { x: 0, y: 0 };

/** Writes what an entity would take over from `parent` into `taken`, and gives the flags of the link. */
function take(s: SpaceState, entity: EntityLike, parent: EntityLike | null): number {
  const own = takenFlags(s, entity);
  const at = findTaken(s, own, parent);
  const flags = own & TOP_LEVEL ? EVERYTHING : own;
  const { found } = s.flow;
  // The usual case needs neither the rotation nor the scale by itself.
  if (flags === EVERYTHING && !s.geometry.isSpecial) for (let k = 0; k < 6; k++) taken[k] = found[at + k];
  else writeTaken(found, at, flags, s.geometry.isSpecial, taken);
  return flags;
}

/**
 * Writes the inverse of what was taken into `back`.
 * @throws SingularTransformError where there is none.
 */
function invertTaken(s: SpaceState, entity: EntityLike, parent: EntityLike | null): void {
  back.a = taken[0];
  back.b = taken[1];
  back.c = taken[2];
  back.d = taken[3];
  back.x = taken[4];
  back.y = taken[5];
  if (writeInverse2D(back, back) !== undefined) return;
  const { tree } = s;
  throw new SingularTransformError(
    `Cannot place ${tree.label(entity)} under ${parent === null ? "the top" : tree.label(parent)}: the world scale of the parent is 0, so its transform has no inverse. Give the parent a scale that is not 0, or pick another.`,
    { entities: parent === null ? [entity] : [entity, parent] },
  );
}

/** The local position of a point in the world, for use at once. */
export function positionFor2D(s: SpaceState, entity: EntityLike, x: number, y: number): Point {
  const parent = s.tree.parentOf(entity);
  const flags = take(s, entity, parent);
  if (flags & POSITION) {
    invertTaken(s, entity, parent);
    return mapPoint2D(back, x, y, point);
  }
  // Without inheriting the position, the own one is the world's, untouched by anything above.
  point.x = x;
  point.y = y;
  return point;
}

/** The rotation that an entity takes over, in a space without shear. */
export function takenRotation2D(s: SpaceState, entity: EntityLike): number {
  take(s, entity, s.tree.parentOf(entity));
  return taken[TURN];
}

/** The local rotation with which the x axis of an entity with this local scale points at an angle in the world. */
export function rotationFor2D(s: SpaceState, entity: EntityLike, angle: number, scaleX: number): number {
  const parent = s.tree.parentOf(entity);
  take(s, entity, parent);
  invertTaken(s, entity, parent);
  if (s.geometry.isSpecial) return angle - taken[TURN] - (scaleX * taken[SCALE_X] < 0 ? Math.PI : 0);
  const { x, y } = mapDirection2D(back, Math.cos(angle), Math.sin(angle), point);
  return scaleX < 0 ? Math.atan2(-y, -x) : Math.atan2(y, x);
}

/** The local values that give `entity` the wanted world matrix under `parent`. */
export function localFor2D(
  s: SpaceState,
  entity: EntityLike,
  wanted: Affine2D,
  parent: EntityLike | null = s.tree.parentOf(entity),
): Local2D {
  requireObject(wanted, "set the world transform", "it");
  for (let k = 0; k < affineFields.length; k++) {
    const field = affineFields[k];
    requireFinite(s, entity, field, wanted[field]);
  }
  const flags = take(s, entity, parent);
  invertTaken(s, entity, parent);
  const local = s.geometry.isSpecial ? separable(wanted) : decompose2D(multiply2D(back, wanted));
  // Without inheriting the position, the own one is the world's, untouched by anything above.
  const at = flags & POSITION ? mapPoint2D(back, wanted.x, wanted.y, point) : wanted;
  const { rotation, scaleX, scaleY, skew, residue } = local;
  const { x, y } = at;
  const result = { x, y, rotation, scaleX, scaleY, skew };
  if (!s.store.access.areFinite(result)) requireAllFinite(s, entity, result);
  if (residue === 0) return result;
  const [why, instead] = s.geometry.isSpecial
    ? ["it is sheared, and this space composes without skew", 'Use compose: "affine"']
    : ["it flattens the plane onto a line that no rotation and scale give", "Keep the local values"];
  throw new UnrepresentableTransformError(
    `Cannot place ${s.tree.label(entity)}: ${why} (off by ${residue}). ${instead}, or choose another transform.`,
    { entities: [entity], residue },
  );
}

/** The local values that give the wanted matrix under what was taken, in a space without shear. `residue` is what they cannot say. */
function separable(wanted: Affine2D): Local2D & { residue: number } {
  const { rotation, scaleX, scaleY, skew, residue } = decompose2D(wanted);
  const shear = Math.abs(skew * scaleY);
  return {
    x: wanted.x,
    y: wanted.y,
    rotation: rotation - taken[TURN],
    scaleX: scaleX / taken[SCALE_X],
    scaleY: scaleY / taken[SCALE_Y],
    skew: 0,
    // What 32 bits cannot distinguish from nothing counts as nothing.
    residue: shear > 1e-6 * (Math.abs(scaleX) + Math.abs(scaleY)) ? Math.max(shear, residue) : residue,
  };
}

/** The inverse of the world matrix of an entity. */
export function inverseWorld2D(s: SpaceState, entity: EntityLike, world: Affine2D): Affine2D {
  const inverse = invert2D(world);
  if (inverse !== undefined) return inverse;
  throw new SingularTransformError(
    `Cannot convert from the world to ${s.tree.label(entity)}: its world scale is 0, so its transform has no inverse. Give it and its parents a scale that is not 0.`,
    { entities: [entity] },
  );
}
