/**
 * Turns frames of any length into steps of one length.
 */

import { describeValue } from "../components/fields.ts";
import { ScheduleError } from "../errors.ts";

/** Options of a fixed step. */
export interface FixedStepOptions {
  /** Seconds per step. */
  readonly step: number;
  /**
   * Most steps in one run, 8 if left out. When a frame was so long that more are due, the surplus is dropped and time
   * stands still for it, so that a slow program does not fall further behind.
   */
  readonly maxSteps?: number;
}

/** The state of a fixed step, for tools and for drawing between two steps. */
export interface FixedStepState {
  /** Seconds per step. */
  readonly step: number;
  /** How many steps the last run made. */
  readonly steps: number;
  /** How many steps were made in all. */
  readonly tick: number;
  /** How far time has gone from the last step towards the next, from 0 up to 1. */
  readonly alpha: number;
  /** How many steps were dropped in all, because more than `maxSteps` were due. */
  readonly dropped: number;
}

const DEFAULT_MAX_STEPS = 8;
/** A share of a step that counts as rounding: 0.3 seconds hold three steps of 0.1, although 0.1 * 3 > 0.3. */
const ROUNDING = 1e-9;

export class FixedStep implements FixedStepState {
  readonly step: number;
  readonly maxSteps: number;
  steps = 0;
  tick = 0;
  dropped = 0;
  private left = 0;

  /** @param owner - What runs in these steps, for messages: "phase physics". */
  constructor(owner: string, step: number, maxSteps = DEFAULT_MAX_STEPS) {
    if (!(typeof step === "number" && step > 0 && Number.isFinite(step))) {
      throw new ScheduleError(
        `Cannot give ${owner} a fixed step of ${describeValue(step)}. Give seconds above 0, such as 1 / 60.`,
        { subject: owner, option: "step", value: step },
      );
    }
    if (!(Number.isInteger(maxSteps) && maxSteps >= 1)) {
      throw new ScheduleError(
        `Cannot let ${owner} catch up at most ${describeValue(maxSteps)} steps. Give an integer of at least 1.`,
        { subject: owner, option: "maxSteps", value: maxSteps },
      );
    }
    this.step = step;
    this.maxSteps = maxSteps;
  }

  get alpha(): number {
    return this.left / this.step;
  }

  /** Lets time pass; how many steps are due. */
  advance(dt: number): number {
    this.left += dt;
    const due = Math.floor(this.left / this.step + ROUNDING);
    this.left = Math.max(0, this.left - due * this.step);
    this.steps = Math.min(due, this.maxSteps);
    this.dropped += due - this.steps;
    return this.steps;
  }
}
