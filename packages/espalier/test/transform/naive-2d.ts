/**
 * The slow, obvious version of 2D transforms: for each entity the whole way down from its root, in 64 bits, from what the
 * entities say of themselves.
 */
import type { Entity } from "espalier";
import { Ghost } from "espalier/hierarchy";
import {
  type Affine2D,
  compose2D,
  InheritTransform,
  multiply2D,
  type Transforms2D,
} from "espalier/transform";
import { expect } from "vitest";

export interface Mask {
  readonly position: boolean;
  readonly rotation: boolean;
  readonly scale: boolean;
}

export const ALL: Mask = { position: true, rotation: true, scale: true };
export const POSITION: Mask = { position: true, rotation: false, scale: false };

interface Rules {
  /** What entities take over that have no mask of their own. */
  readonly mask?: Mask;
  readonly separable?: boolean;
}

/** The parts of a transform in the rule without shear. */
interface Separable {
  readonly rotation: number;
  readonly scaleX: number;
  readonly scaleY: number;
  readonly x: number;
  readonly y: number;
}

const identity: Affine2D = { a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 };

export function slowWorld(space: Transforms2D, entity: Entity, rules: Rules = {}): Affine2D {
  return rules.separable
    ? matrixOf(slowSeparable(space, entity, rules.mask ?? ALL))
    : slowAffine(space, entity, rules.mask ?? ALL);
}

function slowAffine(space: Transforms2D, entity: Entity, fallback: Mask): Affine2D {
  let world = identity;
  for (const e of wayTo(space, entity)) {
    const mask = maskOf(space, e, fallback);
    const local = compose2D(space.localOf(e));
    const parent = mask === undefined ? identity : { ...linearOf(world, mask), x: world.x, y: world.y };
    const composed = multiply2D(parent, local);
    const isFree = mask === undefined || !mask.position;
    world = isFree ? { ...composed, x: local.x, y: local.y } : composed;
  }
  return world;
}

function slowSeparable(space: Transforms2D, entity: Entity, fallback: Mask): Separable {
  let world: Separable = { rotation: 0, scaleX: 1, scaleY: 1, x: 0, y: 0 };
  for (const e of wayTo(space, entity)) {
    const mask = maskOf(space, e, fallback) ?? { position: false, rotation: false, scale: false };
    const local = space.localOf(e);
    const turn = mask.rotation ? world.rotation : 0;
    const scaleX = mask.scale ? world.scaleX : 1;
    const scaleY = mask.scale ? world.scaleY : 1;
    const x = local.x * scaleX;
    const y = local.y * scaleY;
    world = {
      rotation: turn + local.rotation,
      scaleX: scaleX * local.scaleX,
      scaleY: scaleY * local.scaleY,
      x: mask.position ? world.x + Math.cos(turn) * x - Math.sin(turn) * y : local.x,
      y: mask.position ? world.y + Math.sin(turn) * x + Math.cos(turn) * y : local.y,
    };
  }
  return world;
}

function matrixOf({ rotation, scaleX, scaleY, x, y }: Separable): Affine2D {
  return compose2D({ x, y, rotation, scaleX, scaleY, skew: 0 });
}

/** The entities from the root down that have a transform and are no ghosts. */
function wayTo(space: Transforms2D, entity: Entity): Entity[] {
  const { tree } = space;
  const { world } = tree;
  return [...tree.ancestors(entity, { includeSelf: true })]
    .reverse()
    .filter((e) => world.has(e, space.component) && !world.has(e, Ghost));
}

/** Nothing for top-level entities. */
function maskOf(space: Transforms2D, entity: Entity, fallback: Mask): Mask | undefined {
  const own = space.tree.world.get(entity, InheritTransform);
  if (own === undefined) return fallback;
  return own.topLevel ? undefined : own;
}

/** The linear part of a parent, as far as the mask lets it through. */
function linearOf(parent: Affine2D, { rotation, scale }: Mask): Affine2D {
  if (rotation && scale) return { ...parent, x: 0, y: 0 };
  const { a, b, c, d } = parent;
  const isMirrored = a * d - b * c < 0;
  const angle = angleOf(parent, isMirrored);
  const turned = {
    ...identity,
    a: Math.cos(angle),
    b: Math.sin(angle),
    c: -Math.sin(angle),
    d: Math.cos(angle),
  };
  if (rotation) return turned;
  if (!scale) return identity;
  return multiply2D({ ...turned, b: turned.c, c: turned.b }, { ...parent, x: 0, y: 0 });
}

/** A matrix of zeros does not show a turn, whose signs would say anything; so it counts as not turned. */
function angleOf({ a, b, c, d }: Affine2D, isMirrored: boolean): number {
  if (a === 0 && b === 0) return c === 0 && d === 0 ? 0 : Math.atan2(-c, d);
  return isMirrored ? Math.atan2(-b, -a) : Math.atan2(b, a);
}

const keys = ["a", "b", "c", "d", "x", "y"] as const;

/** Compares matrices; `tolerance` is relative to their size. */
export function expectClose(actual: Affine2D, expected: Affine2D, tolerance = 2e-4): void {
  const size = Math.max(1, ...keys.map((key) => Math.abs(expected[key])));
  for (const key of keys) {
    if (!(Math.abs(actual[key] - expected[key]) / size < tolerance))
      expect(actual, `${key} of ${JSON.stringify(expected)}`).toEqual(expected);
  }
}
