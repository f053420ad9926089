/**
 * Clips of keyframes: values of fields at times. The shape is that of glTF (times, values, interpolation); targets are named as in
 * scenes, by path, component and field.
 */
import { describeValue, nearestName } from "../ecs/index.ts";
import { type EasingName, easings } from "../transform/index.ts";

/** One field of one entity over time. */
export interface ValueTrack {
  /** The path of the entity from the one with the `KeyframeAnimation`: `"leaf"`, `"arm/hand"`; empty for itself. */
  readonly path: string;
  /** The name of its component. */
  readonly component: string;
  /** The name of the field. */
  readonly field: string;
  /** When each value is reached, in seconds, in order. */
  readonly times: readonly number[];
  /** The values at these times. Numbers are interpolated; strings and booleans are steps. */
  readonly values: readonly (number | string | boolean)[];
  /** The interpolation between values: `linear` if left out, `step` for none. */
  readonly easing?: EasingName | "step";
}

/** Events that are sent while a clip plays. */
export interface EmitTrack {
  /** The path of the receiving entity. */
  readonly path: string;
  /** The name of the entity event. */
  readonly emit: string;
  /** The times in seconds, in order, each before the end of the clip: at the end `AnimationEnded` is sent. */
  readonly times: readonly number[];
}

/** A track of a clip: the values of one field, or events. */
export type KeyframeTrack = ValueTrack | EmitTrack;

/** A clip of keyframes. */
export interface KeyframeClip {
  /** Its length. */
  readonly seconds: number;
  /** Whether it repeats. */
  readonly loop?: boolean;
  /** Its tracks. */
  readonly tracks: readonly KeyframeTrack[];
}

/** Clips by name. */
export interface KeyframeClips {
  /** One clip. */
  readonly [clip: string]: KeyframeClip;
}

type Loose = { readonly [key: string]: unknown };

/** The clip of a name: those of the entity take precedence over shared ones. */
export function clipNamed(name: string, own: KeyframeClips, shared: KeyframeClips): KeyframeClip | undefined {
  if (Object.hasOwn(own, name)) return own[name];
  return Object.hasOwn(shared, name) ? shared[name] : undefined;
}

/** What is wrong with clips, as text; `undefined` when they are valid. */
export function wrongClips(clips: unknown): string | undefined {
  if (typeof clips !== "object" || clips === null || Array.isArray(clips))
    return `clips are ${describeValue(clips)}, not an object of clips by name`;
  for (const [name, clip] of Object.entries(clips)) {
    const why = wrongClip(Object(clip) as Loose);
    if (why !== undefined) return `the clip ${describeValue(name)} ${why}`;
  }
  return undefined;
}

function wrongClip({ seconds, tracks }: Loose): string | undefined {
  if (!(Number.isFinite(seconds) && (seconds as number) > 0))
    return `has ${describeValue(seconds)} seconds; give a number above 0`;
  if (!Array.isArray(tracks)) return "needs an array of tracks";
  for (const [k, track] of tracks.entries()) {
    const why = wrongTrack(Object(track) as Loose, seconds as number);
    if (why !== undefined) return `has a track ${k} that ${why}`;
  }
  return undefined;
}

function wrongTrack(track: Loose, seconds: number): string | undefined {
  const { path, emit, component, field, times, values, easing = "linear" } = track;
  if (typeof path !== "string")
    return `has the path ${describeValue(path)}; give a string, "" for the entity itself`;
  if (!Array.isArray(times) || times.length === 0) return "needs an array of times";
  for (const [k, time] of times.entries()) {
    if (!(Number.isFinite(time) && time >= 0))
      return `has the time ${describeValue(time)}; give seconds, 0 or more`;
    if (k > 0 && time <= times[k - 1])
      return `has times that are not in order: ${times[k - 1]}, then ${time}`;
  }
  if (emit !== undefined) {
    if (typeof emit !== "string" || emit === "") return "needs the name of an event to emit";
    const last = times[times.length - 1];
    return last < seconds
      ? undefined
      : `emits at ${last}, and the clip ends at ${seconds}; give a time before that, or use AnimationEnded`;
  }
  if (typeof component !== "string" || typeof field !== "string")
    return "needs the names of a component and a field, or an event to emit";
  if (!Array.isArray(values) || values.length !== times.length)
    return `needs as many values as times, which are ${times.length}`;
  const kind = typeof values[0];
  const isRight =
    kind === "number" ? values.every(Number.isFinite) : values.every((value) => typeof value === kind);
  if (!isRight || (kind !== "number" && kind !== "string" && kind !== "boolean"))
    return "needs values that are all finite numbers, all strings or all booleans";
  if (easing !== "step" && !(typeof easing === "string" && Object.hasOwn(easings, easing)))
    return `has the easing ${describeValue(easing)}. ${nearestName(easing, ["step", ...Object.keys(easings)])}`;
  return undefined;
}
