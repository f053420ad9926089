/**
 * Refusing what is not a space, for the calls of other rooms that take one.
 */
import { refuseArgument } from "../../ecs/internal.ts";
import { stateIn } from "../spaces/space-key.ts";

/**
 * Refuses what is not a space of the plane.
 *
 * @param doing - Completes "Cannot …" in the message.
 * @throws InvalidArgumentError
 */
export function requireSpace2D(space: unknown, doing: string): void {
  if (stateIn(space)?.width === 8) return;
  refuseArgument(space, doing, "the space", "one of the plane. Pass what createTransforms2D() returned");
}
