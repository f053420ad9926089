/**
 * Which frame of a clip is shown at a time, and which frames begin between two times. Pure functions of the time: an animation has no other
 * state, so it can be saved, undone and replayed.
 */
import type { Frame, Frames } from "../render/index.ts";
import type { SpriteClip } from "./atlas.ts";

/**
 * Sums of steps fall short of their exact value: six sixtieths are 0.09999999999999999. Times are compared with this much tolerance,
 * in seconds.
 */
export const TOLERANCE = 1e-9;

/** How a clip ends: as it defines, after one pass, or never. */
export type LoopMode = "clip" | "once" | "forever";

/** A prepared clip: one round of it, in the order in which frames are shown. */
export interface PlayableClip {
  readonly name: string;
  /** The frames of one round. */
  readonly frames: readonly string[];
  /** When each begins, in seconds from the start of the round. */
  readonly starts: Float64Array;
  /** How long a round takes. */
  readonly round: number;
  /** The events of the frames, in the same order; `undefined` if there are none. */
  readonly events: readonly (string | undefined)[] | undefined;
  /** The anchors of the frames, in the same order; `undefined` if there are none. */
  readonly anchors: readonly Frame["anchor"][] | undefined;
  /** When it ends by its own definition: `Infinity` if never. */
  readonly length: number;
  /** When it ends after one pass. */
  readonly once: number;
}

/** Prepares a clip for playing. */
export function preparePlaying(name: string, clip: SpriteClip, frames: Frames): PlayableClip {
  const { direction, repeat } = clip;
  const order = clip.frames.map((_, k) => k);
  if (direction === "reverse" || direction === "pingpong_reverse") order.reverse();
  const passLength = order.length;
  // Forward and back: the frames at both ends are shown once.
  const isPingPong = direction.startsWith("pingpong") && passLength > 1;
  if (isPingPong) for (let k = passLength - 2; k > 0; k--) order.push(order[k]);
  const seconds = order.map((k) => clip.seconds[k]);
  const starts = new Float64Array(order.length);
  let round = 0;
  for (const [k, length] of seconds.entries()) {
    starts[k] = round;
    round += length;
  }
  const framesIn = (times: number) => (isPingPong ? times * (passLength - 1) + 1 : times * passLength);
  const lengthOf = (shown: number) => {
    const rest = shown % order.length;
    return Math.floor(shown / order.length) * round + (rest === 0 ? 0 : starts[rest]);
  };
  const events = order.map((k) => clip.events[k]);
  const anchors = order.map((k) => frames[clip.frames[k]].anchor);
  return {
    name,
    frames: order.map((k) => clip.frames[k]),
    starts,
    round,
    events: events.some((event) => event !== undefined) ? events : undefined,
    anchors: anchors.some((anchor) => anchor !== undefined) ? anchors : undefined,
    length: repeat === 0 ? Number.POSITIVE_INFINITY : lengthOf(framesIn(repeat)),
    once: lengthOf(framesIn(isPingPong ? 2 : 1)),
  };
}

/** When a clip ends in a mode. */
export function lengthIn(clip: PlayableClip, loop: LoopMode): number {
  if (loop === "clip") return clip.length;
  return loop === "once" ? clip.once : Number.POSITIVE_INFINITY;
}

/** Whether a time is at or after the end. */
export function isOver(length: number, time: number): boolean {
  return time + TOLERANCE >= length;
}

/**
 * The index in `clip.frames` of the frame at a time. At and after the end it is the last frame that was shown.
 * @param guess - The probable index: the last result.
 */
export function frameAt(clip: PlayableClip, length: number, time: number, guess = 0): number {
  const { starts, round } = clip;
  const isEnd = isOver(length, time);
  let at = isEnd ? length : time + TOLERANCE;
  // The remainder of two floats is the slowest operation here, and times are nearly always below one round.
  if (at >= round) at %= round;
  // The end of the last frame: one before it.
  if (isEnd) at = at > TOLERANCE ? at - TOLERANCE : round - TOLERANCE;
  const last = starts.length - 1;
  let k = guess <= last && starts[guess] <= at ? guess : 0;
  while (k < last && starts[k + 1] <= at) k++;
  return k;
}

/**
 * Calls `begin` with the event of each frame that begins at or after `from` and before `to`: at most one round of them, however much time
 * passed.
 */
export function eventsBetween(
  clip: PlayableClip,
  length: number,
  from: number,
  to: number,
  begin: (event: string) => void,
): void {
  const { starts, round, events } = clip;
  if (events === undefined) return;
  const end = Math.min(to, length);
  if (!(end > from)) return;
  const first = end - from > round ? end - round : from;
  let base = Math.floor((first + TOLERANCE) / round) * round;
  // One round of events may span two rounds of the clip, or three because of rounding.
  for (let rounds = 0; rounds < 3 && base < end; rounds++, base += round) {
    for (let k = 0; k < starts.length; k++) {
      const start = base + starts[k];
      const event = events[k];
      if (event === undefined || start + TOLERANCE < first || start + TOLERANCE >= end) continue;
      begin(event);
    }
  }
}
