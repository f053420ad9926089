/**
 * World matrices in the plane, and the way back: which local values give a wanted one under a parent.
 */
import type { Entity } from "../../ecs/index.ts";
import { requireObject } from "../../ecs/internal.ts";
import { requireAllFinite, requireFinite } from "../checks/check-numbers.ts";
import { SingularTransformError, UnrepresentableTransformError } from "../errors.ts";
import { POSITION } from "../spaces/inherit-mask.ts";
import type { SpaceState } from "../spaces/space-state.ts";
import { findWorld, takenFrom } from "../world-terms/read-world.ts";
import {
  type Affine2D,
  affineFields,
  decompose2D,
  invert2D,
  type Local2D,
  mapDirection2D,
  mapPoint2D,
  multiply2D,
  type Point,
} from "./affine2d.ts";
import { SCALE_X, SCALE_Y, TAKEN, TURN, writeTaken } from "./compose-2d.ts";

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

/** What an entity takes over from a parent, and the way back from there. */
export class Link2D {
  private readonly s: SpaceState;
  private readonly entity: Entity;
  private readonly parent: Entity | null;
  private readonly flags: number;
  /** See `writeTaken`. */
  readonly values = new Float64Array(TAKEN);

  constructor(s: SpaceState, entity: Entity, parent: Entity | null = s.tree.parentOf(entity)) {
    const { record, flags } = takenFrom(s, entity, parent);
    this.s = s;
    this.entity = entity;
    this.parent = parent;
    this.flags = flags;
    writeTaken(record, 0, flags, s.geometry.isSpecial, this.values);
  }

  /** @throws SingularTransformError where the parent has none. */
  get inverse(): Affine2D {
    const [a, b, c, d, x, y] = this.values;
    const inverse = invert2D({ a, b, c, d, x, y });
    if (inverse !== undefined) return inverse;
    const { tree } = this.s;
    const { entity, parent } = this;
    throw new SingularTransformError(
      `Cannot place ${tree.label(entity)} under ${parent === null ? "the top" : tree.label(parent)}: the world scale of the parent is 0, so its transform has no inverse. Give the parent a scale that is not 0, or pick another.`,
      { entities: parent === null ? [entity] : [entity, parent] },
    );
  }

  /** The local position of a place in the world. */
  position(x: number, y: number): Point {
    // Without inheriting the position, the own one is the world's, untouched by anything above.
    return this.flags & POSITION ? mapPoint2D(this.inverse, x, y) : { x, y };
  }

  /** The local rotation with which the x axis of an entity points at an angle in the world. */
  rotation(angle: number, scaleX: number): number {
    const { inverse, values } = this;
    if (this.s.geometry.isSpecial) return angle - values[TURN] - (scaleX * values[SCALE_X] < 0 ? Math.PI : 0);
    const { x, y } = mapDirection2D(inverse, Math.cos(angle), Math.sin(angle));
    return scaleX < 0 ? Math.atan2(-y, -x) : Math.atan2(y, x);
  }

  /** The local values that give the wanted matrix. `residue` is what they cannot say. */
  local(wanted: Affine2D): Local2D & { residue: number } {
    const { inverse, values } = this;
    const position = this.position(wanted.x, wanted.y);
    if (!this.s.geometry.isSpecial) return { ...decompose2D(multiply2D(inverse, wanted)), ...position };
    const { rotation, scaleX, scaleY, skew, residue } = decompose2D(wanted);
    const shear = Math.abs(skew * scaleY);
    return {
      ...position,
      rotation: rotation - values[TURN],
      scaleX: scaleX / values[SCALE_X],
      scaleY: scaleY / values[SCALE_Y],
      skew: 0,
      // What 32 bits cannot tell from nothing counts as nothing.
      residue: shear > 1e-6 * (Math.abs(scaleX) + Math.abs(scaleY)) ? Math.max(shear, residue) : residue,
    };
  }
}

/** The local values that give `entity` the wanted world matrix under `parent`. */
export function localFor2D(s: SpaceState, entity: Entity, wanted: Affine2D, parent?: Entity | null): Local2D {
  requireObject(wanted, "set the world transform", "it");
  for (const key of affineFields) requireFinite(s, entity, key, wanted[key]);
  const { residue, ...local } = new Link2D(s, entity, parent).local(wanted);
  requireAllFinite(s, entity, local);
  if (residue === 0) return local;
  const [why, instead] = s.geometry.isSpecial
    ? ["it is sheared, and this space composes without skew", 'Use compose: "affine"']
    : ["it flattens the plane onto a line that no rotation and scale give", "Keep the local values"];
  throw new UnrepresentableTransformError(
    `Cannot place ${s.tree.label(entity)}: ${why} (off by ${residue}). ${instead}, or pick another place.`,
    { entities: [entity], residue },
  );
}

/** The inverse of the world matrix of an entity. */
export function inverseWorld2D(s: SpaceState, entity: Entity, world: Affine2D): Affine2D {
  const inverse = invert2D(world);
  if (inverse !== undefined) return inverse;
  throw new SingularTransformError(
    `Cannot convert from the world to ${s.tree.label(entity)}: its world scale is 0, so its transform has no inverse. Give it and its parents a scale that is not 0.`,
    { entities: [entity] },
  );
}
