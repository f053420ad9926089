/**
 * The systems of a game: all of them run in steps, and marked ones also in the frames of a pause.
 */
import { describeValue, type Schedule, type SystemOptions } from "../ecs/index.ts";
import { InvalidGameError } from "./errors.ts";

/** Options of `game.system`: those of `schedule.add`, and whether it also runs while the game is paused. */
export interface GameSystemOptions extends SystemOptions {
  /**
   * Also runs in every frame of a pause, with the seconds of that frame as `dt`: reads the input that steps do not see, and
   * can end the pause.
   */
  readonly whilePaused?: boolean;
}

export class PausableSystems {
  private readonly schedule: Schedule;
  /** The names of systems that run during a pause too. */
  private readonly marked = new Set<string>();

  constructor(schedule: Schedule) {
    this.schedule = schedule;
  }

  add(given: GameSystemOptions): void {
    const { whilePaused = false, ...options } = Object(given) as GameSystemOptions;
    if (typeof whilePaused !== "boolean") {
      throw new InvalidGameError(
        `Cannot add system ${describeValue(options.name)}: whilePaused is ${describeValue(whilePaused)}. Give true or false.`,
      );
    }
    this.schedule.add(options);
    if (whilePaused) this.marked.add(options.name);
    else this.marked.delete(options.name);
  }

  /** Runs the marked systems; returns whether there are any. */
  runWhilePaused(dt: number): boolean {
    if (this.marked.size === 0) return false;
    this.schedule.runOnly([...this.marked], dt);
    return true;
  }
}
