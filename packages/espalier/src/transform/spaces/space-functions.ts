/**
 * What the first page of the guide does not use of a space: functions that take it first.
 */
import type { EntityLike, Schema } from "../../ecs/index.ts";
import { handlesIn, refuseArgument } from "../../ecs/internal.ts";
import { areNumbers, requireRow } from "../checks/arguments.ts";
import type { Transforms2D } from "../transforms-2d.ts";
import type { Transforms3D } from "../transforms-3d.ts";
import { TransformBatch } from "./batch.ts";
import * as masks from "./inherit-mask.ts";
import type { MatrixSpace } from "./matrix-space.ts";
import type { Space } from "./space.ts";
import { SPACE, spaceStateOf } from "./space-key.ts";
import { refuse, writeGiven } from "./write-local.ts";

/** Any space: of the plane, of three dimensions, or one that `createSpace` made. */
export type AnySpace<S extends Schema = Schema> = MatrixSpace | Space<S>;

/**
 * What the entity inherits of its parent's transform. Belongs to the link: it stays when the entity gets another parent.
 *
 * @example
 * ```ts
 * const space = createTransforms2D(tree);
 * const tank = world.spawn(space.at(100, 50, 1));
 * const label = tree.attachNew(tank, space.at(0, 30));
 * setInherit(space, label, "position"); // follows the tank, but neither turns nor grows with it
 * space.worldPosition(label); // → { x: 100, y: 80 }
 * ```
 */
export function setInherit<S extends Schema>(
  space: AnySpace<S>,
  entity: EntityLike,
  mask: masks.InheritMask,
): void {
  requireAnySpace(space);
  const { world } = space.tree;
  masks.setMask(world, entity, masks.maskBits(mask, world.checks));
}

/**
 * A top-level entity ignores its parent's transform and keeps its lifetime.
 *
 * @example
 * ```ts
 * const space = createTransforms2D(tree);
 * const tank = world.spawn(space.at(100, 50));
 * const smoke = tree.attachNew(tank, space.at(0, 30));
 * setTopLevel(space, smoke, true);
 * space.worldPosition(smoke); // → { x: 0, y: 30 }
 * ```
 */
export function setTopLevel<S extends Schema>(
  space: AnySpace<S>,
  entity: EntityLike,
  topLevel: boolean,
): void {
  const { spaceFlags } = requireAnySpace(space);
  masks.setTopLevel(space.tree.world, entity, topLevel, spaceFlags);
}

function requireAnySpace<S extends Schema>(space: AnySpace<S>): { readonly spaceFlags: number } {
  const state = (Object(space) as { readonly [SPACE]?: { readonly spaceFlags: number } })[SPACE];
  return (
    state ?? refuseArgument(space, "use a space", "it", "a space. Pass what createTransforms2D() returned")
  );
}

/** Sets the local skew: the tangent of the angle by which +y leans towards +x. */
export function setSkew(space: Transforms2D, entity: EntityLike, skew: number): void {
  const s = spaceStateOf(space, "set the skew");
  if (!areNumbers(skew, 0)) refuse(s, entity, { skew });
  s.given[5] = skew;
  writeGiven(s, entity, 5, 6);
}

/** The world transform of an entity as a 4x4 matrix in column order, as WebGL takes it. Written into `out` if given. */
export function worldMatrix4<Out extends Float32Array | Float64Array = Float32Array>(
  space: Transforms3D,
  entity: EntityLike,
  out?: Out,
): Out {
  if (spaceStateOf(space, "read the world matrix").width !== 12)
    refuseArgument(
      space,
      "read the world matrix",
      "the space",
      "one of three dimensions. Pass what createTransforms3D() returned",
    );
  const m = space.worldOf(entity);
  const matrix = out ?? (new Float32Array(16) as Out);
  requireRow(matrix, 16, "read the world matrix");
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 3; row++) matrix[column * 4 + row] = m[column * 3 + row];
    matrix[column * 4 + 3] = column === 3 ? 1 : 0;
  }
  return matrix;
}

/**
 * A list of entities with transforms, to write all of them in one call. Make it once and use it every frame.
 *
 * @example
 * ```ts
 * const space = createTransforms2D(tree);
 * const crates = [world.spawn(space.at(0, 0)), world.spawn(space.at(5, 0))];
 * const batch = transformBatch(space, crates);
 * batch.write(Float32Array.of(1, 2, 6, 2));
 * space.localOf(crates[1]!).x; // → 6
 * ```
 */
export function transformBatch(space: MatrixSpace, entities: readonly EntityLike[]): TransformBatch {
  const s = spaceStateOf(space, "write transforms together");
  return new TransformBatch(s, handlesIn(s.flow.ecs, entities));
}
