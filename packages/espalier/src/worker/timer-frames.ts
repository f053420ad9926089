/**
 * Frames by a timer: for games in workers, where `requestAnimationFrame` is missing or stops with the page.
 */
import { describeValue } from "../ecs/index.ts";
import { InvalidWorkerError } from "./errors.ts";

/** Frames by a timer, for the option `frames` of `createGame`. */
export interface TimerFrames {
  /** Calls `frame` once, soon, with the time in milliseconds. */
  request(frame: (milliseconds: number) => void): number;
  /** Cancels a request. */
  cancel(request: number): void;
}

/** The longest wait of a timer in milliseconds: with a longer one it fires at once. */
const LONGEST_WAIT = 2 ** 31 - 1;

/**
 * Frames at a given rate: `createGame({ frames: timerFrames() })`. Late frames do not add up.
 *
 * @param rate - Frames per second; 60 if left out.
 * @throws InvalidWorkerError for a rate that is not a number above 0.
 *
 * @example
 * ```ts
 * const frames = timerFrames(120);
 * const time = await new Promise((resolve) => frames.request(resolve));
 * typeof time; // → "number"
 * ```
 */
export function timerFrames(rate = 60): TimerFrames {
  if (!(typeof rate === "number" && rate > 0 && rate < Number.POSITIVE_INFINITY)) {
    throw new InvalidWorkerError(
      `Cannot create frames: the rate is a number above 0, got ${describeValue(rate)}.`,
      { option: "rate", value: rate },
    );
  }
  const length = 1000 / rate;
  const timers = new Map<number, ReturnType<typeof setTimeout>>();
  let requests = 0;
  let due = 0;
  return {
    request(frame) {
      const now = performance.now();
      due = Math.max(due + length, now);
      const request = ++requests;
      const run = () => {
        timers.delete(request);
        frame(performance.now());
      };
      timers.set(request, setTimeout(run, Math.min(due - now, LONGEST_WAIT)));
      return request;
    },
    cancel(request) {
      clearTimeout(timers.get(request));
      timers.delete(request);
    },
  };
}
