/**
 * When steps run: real time, its scale, pauses, and steps on request.
 */
import { describeValue } from "../ecs/index.ts";
import { InvalidGameError } from "./errors.ts";
import type { FixedClock } from "./fixed-clock.ts";
import { FrameLoop, type FrameSource } from "./frame-loop.ts";
import { StepBudget } from "./step-budget.ts";

/** The maximum number of steps per call: hours of a game. More would be a mistake that seems to hang. */
const MOST_STEPS = 10_000_000;

/** The calls of a game that time triggers. */
export interface TimedGame {
  readonly isStopped: boolean;
  /** Reads devices that send no events. */
  poll(): void;
  runStep(): void;
  /** Runs a frame without a step: reads input, and runs the systems marked for pauses. */
  runPausedFrame(seconds: number): void;
  draw(alpha: number): void;
}

export interface GameTimeOptions {
  readonly frames: FrameSource | null;
  readonly longestFrame: number;
  readonly onWarn: (message: string) => void;
}

export class GameTime {
  readonly clock: FixedClock;
  isPaused = false;
  private readonly game: TimedGame;
  private readonly budget: StepBudget;
  private readonly loop: FrameLoop | undefined;
  private readonly ends: (() => void)[] = [];
  private speed = 1;

  constructor(game: TimedGame, clock: FixedClock, { frames, longestFrame, onWarn }: GameTimeOptions) {
    this.game = game;
    this.clock = clock;
    this.budget = new StepBudget(clock.step, onWarn);
    if (frames === null) return;
    this.loop = new FrameLoop(frames, longestFrame, (seconds) => this.pass(seconds, frames));
    this.watchVisibility();
  }

  get isRunning(): boolean {
    return this.loop?.isRunning ?? false;
  }

  get scale(): number {
    return this.speed;
  }

  set scale(scale: number) {
    if (!(typeof scale === "number" && scale >= 0 && scale < Number.POSITIVE_INFINITY)) {
      throw new InvalidGameError(
        `Cannot set the time scale to ${describeValue(scale)}. Give a number of at least 0; use pause() to stand still.`,
        { option: "timeScale", value: scale },
      );
    }
    this.speed = scale;
  }

  start(): void {
    this.loop?.start();
  }

  /** Discards the time that has passed. */
  forget(): void {
    this.loop?.forget();
  }

  step(count: number): void {
    if (!Number.isInteger(count) || count < 0 || count > MOST_STEPS) {
      throw new InvalidGameError(
        `Cannot make ${describeValue(count)} steps. Give an integer from 0 to ${MOST_STEPS}.`,
        { value: count, limit: MOST_STEPS },
      );
    }
    for (let k = 0; k < count && !this.game.isStopped; k++) this.game.runStep();
    this.game.draw(1);
  }

  advance(seconds: number): void {
    if (!(typeof seconds === "number" && seconds >= 0 && seconds < Number.POSITIVE_INFINITY)) {
      throw new InvalidGameError(
        `Cannot advance by ${describeValue(seconds)} seconds. Give a number of at least 0.`,
        { value: seconds },
      );
    }
    this.pass(seconds);
  }

  stop(): void {
    this.loop?.stop();
    for (const end of this.ends.splice(0)) end();
  }

  /** @param frames - The source of the frame, if it is one in real time: then its steps have a budget. */
  private pass(seconds: number, frames?: FrameSource): void {
    const { game, clock } = this;
    game.poll();
    if (this.isPaused) game.runPausedFrame(seconds);
    else {
      const due = clock.advance(seconds * this.speed);
      if (frames === undefined) this.runSteps(due);
      else this.budget.run(due, this.speed, frames, (count) => this.runSteps(count));
    }
    // While paused, the last step is shown without interpolation, so that single steps can be seen.
    game.draw(this.isPaused ? 1 : clock.alpha);
  }

  /** Returns how many it ran. A step that pauses the game is the last of its frame: the remaining time belongs to the pause. */
  private runSteps(count: number): number {
    let made = 0;
    for (; made < count && !this.game.isStopped && !this.isPaused; made++) this.game.runStep();
    return made;
  }

  /** A hidden tab gets no frames; time that passed meanwhile does not count. */
  private watchVisibility(): void {
    if (typeof document === "undefined") return;
    const forget = () => this.forget();
    document.addEventListener("visibilitychange", forget);
    this.ends.push(() => document.removeEventListener("visibilitychange", forget));
  }
}
