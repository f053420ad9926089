/**
 * Turns frames of any length into steps of one length.
 */
import { describeValue } from "../ecs/index.ts";
import { InvalidGameError } from "./errors.ts";

/** The fraction of a step that counts as rounding: 0.3 seconds hold three steps of 0.1, although 0.1 * 3 > 0.3. */
const ROUNDING = 1e-9;

export interface FixedClockOptions {
  /** Seconds per step. */
  readonly step: number;
  /** The maximum number of steps per frame. The surplus is dropped, so that a slow machine does not fall further behind. */
  readonly maxSteps: number;
}

export class FixedClock {
  readonly step: number;
  readonly maxSteps: number;
  /** The total number of steps. */
  tick = 0;
  private left = 0;

  constructor({ step, maxSteps }: FixedClockOptions) {
    if (!(typeof step === "number" && step > 0 && step < Number.POSITIVE_INFINITY)) {
      throw new InvalidGameError(
        `Cannot make a game with a step of ${describeValue(step)} seconds. Give a number above 0, such as 1 / 60.`,
        { option: "step", value: step },
      );
    }
    if (!(Number.isInteger(maxSteps) && maxSteps >= 1)) {
      throw new InvalidGameError(
        `Cannot make a game that catches up at most ${describeValue(maxSteps)} steps. Give an integer of at least 1.`,
        { option: "maxSteps", value: maxSteps },
      );
    }
    this.step = step;
    this.maxSteps = maxSteps;
  }

  /** Seconds of game time: exact for any number of steps, because it is not summed up. */
  get time(): number {
    return this.tick * this.step;
  }

  /** The fraction of time passed from the last step to the next, from 0 up to 1. */
  get alpha(): number {
    return this.left / this.step;
  }

  /** Advances time; returns how many steps are due. */
  advance(seconds: number): number {
    this.left += seconds;
    const due = Math.floor(this.left / this.step + ROUNDING);
    this.left = Math.max(0, this.left - due * this.step);
    return Math.min(due, this.maxSteps);
  }
}
