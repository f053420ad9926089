/**
 * The value of a track at a time: a pure function.
 */
import { mixColors } from "../render/index.ts";
import { easings } from "../transform/index.ts";
import type { ValueTrack } from "./keyframe-clip.ts";
import { TOLERANCE } from "./play-clip.ts";

/** How values of a field are mixed: as numbers, integers, colours, or not at all. */
export type Mixing = "number" | "integer" | "color" | "step";

/** The value at a time: the first value before all times, the last one after them. */
export function sampleTrack(track: ValueTrack, mixing: Mixing, time: number): number | string | boolean {
  const { times, values, easing = "linear" } = track;
  const last = times.length - 1;
  // Sums of steps fall short of exact times of keys.
  const reached = time + TOLERANCE;
  if (reached >= times[last]) return values[last];
  if (reached <= times[0]) return values[0];
  let [low, high] = [0, last];
  // The last key that is reached.
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= reached) low = middle;
    else high = middle;
  }
  if (easing === "step" || mixing === "step") return values[low];
  const share = easings[easing](Math.max(0, time - times[low]) / (times[high] - times[low]));
  return mix(values[low] as number, values[high] as number, share, mixing);
}

/** Mixes two values: `share` 0 gives the first, 1 the second. */
export function mix(from: number, to: number, share: number, mixing: Mixing): number {
  if (mixing === "color") return mixColors(from, to, Math.max(0, Math.min(1, share)));
  const value = from + (to - from) * share;
  return mixing === "integer" ? Math.round(value) : value;
}
