/**
 * Keeps a game that cannot keep up in slow motion, instead of letting its frames collapse.
 *
 * Steps that take longer than the time they simulate make the next frame longer, in which more of them are due, and so on up to
 * the maximum of one frame. In that case a frame runs as many as fit into the budget, and at least one; the rest of its time is
 * dropped. Only frames in real time have a budget: `advance` must not depend on a clock.
 */
import type { FrameSource } from "./frame-loop.ts";

/** Seconds per frame for steps, once they take longer than the time they simulate. */
const BUDGET = 1 / 30;

/** This many slow frames in a row are not just a hiccup. */
const LASTING = 30;

export class StepBudget {
  /** Seconds per step of the game. */
  private readonly step: number;
  private readonly onWarn: (message: string) => void;
  /** Seconds that one step took, in each of the last frames with steps. */
  private readonly costs: number[] = [];
  private slowFrames = 0;
  private hasWarned = false;

  /** @param onWarn - Called once when slow motion lasts. */
  constructor(step: number, onWarn: (message: string) => void) {
    this.step = step;
    this.onWarn = onWarn;
  }

  /**
   * Runs the steps that are due in a frame, or as many as fit.
   *
   * @param speed - The speed of time.
   * @param make - Runs up to `count` steps, and returns how many it ran.
   */
  run(due: number, speed: number, frames: FrameSource, make: (count: number) => number): void {
    const now = () => frames.now?.() ?? performance.now();
    const allowed = this.allow(due, speed);
    const start = now();
    const made = make(allowed);
    const seconds = (now() - start) / 1000;
    // A clock that jumped back gives no measurement.
    if (made === 0 || !(seconds >= 0)) return;
    this.costs.push(seconds / made);
    if (this.costs.length > 3) this.costs.shift();
  }

  private allow(due: number, speed: number): number {
    const cost = this.cost();
    if (cost * speed <= this.step) {
      this.slowFrames = 0;
      return due;
    }
    if (++this.slowFrames === LASTING) this.warn(cost);
    return Math.min(due, Math.max(1, Math.floor(BUDGET / cost)));
  }

  /** The median of three frames: a single slow one is a hiccup, which later frames make up for. */
  private cost(): number {
    if (this.costs.length < 3) return 0;
    return [...this.costs].sort((a, b) => a - b)[1] as number;
  }

  private warn(cost: number): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    const [takes, standsFor] = [cost, this.step].map((seconds) => `${(seconds * 1000).toFixed(1)} ms`);
    this.onWarn(
      `The game runs in slow motion: a step takes ${takes} and stands for ${standsFor}. Find what takes long with game.schedule.timing, or make steps longer with createGame({ step }).`,
    );
  }
}
