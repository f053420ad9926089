/**
 * World transforms as they lie in memory, for loops over many entities.
 */
import { refuseArgument } from "../../ecs/internal.ts";
import type { MatrixSpace } from "../spaces/matrix-space.ts";
import { MATRICES, spaceStateOf, stateIn } from "../spaces/space-key.ts";
import type { Transforms2D } from "../transforms-2d.ts";

/** Where world transforms lie: that of the entity with index `i` begins at `values[slotOf[i] * stride]`. */
export interface WorldRows {
  /** In the plane a, b, c, d, x, y and two spare; in three dimensions three columns and the position. */
  readonly values: Float32Array | Float64Array;
  /** By entity index (`indexOf(entity)`). */
  readonly slotOf: Int32Array;
  /** Numbers per entity in `values`. */
  readonly stride: number;
}

/**
 * Brings a space up to date and gives the arrays that hold its world transforms. They are the space's own: read them,
 * do not write, and ask again after anything has changed.
 *
 * @example
 * ```ts
 * const space = createTransforms3D(tree);
 * const crate = world.spawn(space.at(1, 2, 3));
 * const { values, slotOf, stride } = worldRowsOf(space);
 * const at = slotOf[indexOf(crate)] * stride;
 * values.subarray(at + 9, at + 12); // → [1, 2, 3]
 * ```
 */
export function worldRowsOf(space: MatrixSpace): WorldRows {
  const s = spaceStateOf(space, "read world transforms");
  space.propagate();
  return { values: s.rows, slotOf: s.order.slotOf, stride: s.width };
}

/**
 * Refuses what is not a space of the plane or of three dimensions.
 *
 * @param doing - Completes "Cannot …" in the message.
 * @throws InvalidArgumentError
 */
export function requireMatrixSpace(space: unknown, doing: string): void {
  if (stateIn(space) === undefined) refuseArgument(space, doing, "the space", MATRICES);
}

/** Whether a space is one of the plane. */
export function isPlane(space: MatrixSpace): space is Transforms2D {
  return stateIn(space)?.width === 8;
}
