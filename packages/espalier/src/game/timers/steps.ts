/**
 * Seconds as steps of a game.
 */
import { describeValue } from "../../ecs/index.ts";
import { InvalidTimerError } from "../errors.ts";

/**
 * The number of steps, at least one.
 *
 * @param step - The seconds of a step.
 * @throws InvalidTimerError
 */
export function stepsOf(seconds: number, step: number): number {
  if (typeof seconds === "number" && seconds >= 0 && seconds < Number.POSITIVE_INFINITY)
    return Math.max(1, Math.round(seconds / step));
  throw new InvalidTimerError(
    `Cannot wait for ${describeValue(seconds)} seconds. Give a number of at least 0.`,
    { value: seconds },
  );
}
