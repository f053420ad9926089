/**
 * How the functions of this room get at what a space holds.
 */
import type { EntityLike } from "../../ecs/index.ts";
import { refuseArgument } from "../../ecs/internal.ts";
import type { SpaceState } from "./space-state.ts";

/** The key under which a space keeps its state, for the rooms of this package. The same in every copy of the library. */
export const SPACE: unique symbol = Symbol.for("espalier.space");

/** @throws InvalidArgumentError for what is not a space of the plane or of three dimensions. */
export function spaceStateOf(space: unknown, doing: string): SpaceState {
  return stateIn(space) ?? refuseArgument(space, doing, "the space", MATRICES);
}

/** What a space of matrices holds; nothing for anything else. */
export function stateIn(space: unknown): SpaceState | undefined {
  const state = (Object(space) as { readonly [SPACE]?: SpaceState })[SPACE];
  return state?.localWidth === undefined ? undefined : state;
}

export const MATRICES = "one of matrices. Pass what createTransforms2D() or createTransforms3D() returned";

/** Where the record of an entity begins among the local ones. */
export function localRow(s: SpaceState, entity: EntityLike): number {
  return s.flow.slotOf(entity, "read the transform") * s.localWidth;
}
