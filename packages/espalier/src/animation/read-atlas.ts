/**
 * Reading sprite sheets as Aseprite, TexturePacker, free-tex-packer and Pixi write them: frames as an object or as an array, tags with
 * directions, repeats and durations, and `animations` by name.
 */
import { checkOptions, describeValue, nearestName } from "../ecs/index.ts";
import type { Frames } from "../render/index.ts";
import { type Atlas, type ClipDirection, clipDirections, type SpriteClip } from "./atlas.ts";
import { InvalidAtlasError, InvalidClipError } from "./errors.ts";
import { asRecord, type Loose, readFrame, refuseAtlas } from "./read-frame.ts";

/** A clip for `readAtlas`: the names of its frames, or an object with options. */
export type ClipInput =
  | readonly string[]
  | {
      /** The names of its frames, in order. */
      readonly frames: readonly string[];
      /** Frames per second, for frames without a duration in the sheet. */
      readonly fps?: number;
      /** In which order they are shown: `forward` if left out. */
      readonly direction?: ClipDirection;
      /** The number of passes: 0, for ever, if left out. */
      readonly repeat?: number;
    };

/** Options of `readAtlas`. */
export interface ReadAtlasOptions {
  /** Frames per second for frames without a duration in the sheet. 10 if left out. */
  readonly fps?: number;
  /** Additional clips by name, for packers without clips; they replace those of the sheet. */
  readonly clips?: { readonly [clip: string]: ClipInput };
  /** Names of entity events, by clip and by the index of the frame in it: `{ run: { 3: "step" } }`. */
  readonly events?: { readonly [clip: string]: { readonly [frame: number]: string } };
}

/**
 * Reads a sprite sheet: JSON as text, or parsed.
 *
 * @throws InvalidAtlasError for a value that is not a sprite sheet, and for unsupported parts of one.
 * @throws InvalidClipError for clips and events in the options that do not fit the sheet.
 *
 * @example
 * ```ts
 * const frame = (x: number) => ({ frame: { x, y: 0, w: 16, h: 16 }, duration: 100 });
 * const atlas = readAtlas({
 *   frames: { "hero 0": frame(0), "hero 1": frame(16) },
 *   meta: { image: "hero.png", frameTags: [{ name: "run", from: 0, to: 1, direction: "forward" }] },
 * });
 * atlas.frames["hero 1"]; // → { x: 16, y: 0, width: 16, height: 16 }
 * atlas.clips.run!.frames; // → ["hero 0", "hero 1"]
 * ```
 */
export function readAtlas(json: unknown, options: ReadAtlasOptions = {}): Atlas {
  checkOptions(true, "read an atlas", options, { fps: "number", clips: "anything", events: "anything" });
  const sheet = asRecord(typeof json === "string" ? parse(json) : json, "it");
  if (Array.isArray(sheet.textures))
    refuseAtlas(
      "it has several textures",
      "Give each entry of textures to readAtlas by itself.",
      sheet.textures,
    );
  const meta = sheet.meta === undefined ? {} : asRecord(sheet.meta, "meta");
  requireScale(meta);
  const entries = entriesOf(sheet.frames);
  const fallback = 1 / requirePositive(options.fps ?? 10, "fps");
  const size = meta.size === undefined ? undefined : asRecord(meta.size, "meta.size");
  const frames: Frames = Object.fromEntries(
    entries.map(([name, entry]) => [name, readFrame(name, entry, size)]),
  );
  const durations = new Map(entries.map(([name, entry]) => [name, durationOf(name, entry)]));
  const secondsOf = (names: readonly string[], otherwise: number) =>
    names.map((name) => durations.get(name) ?? otherwise);

  const clips = new Map<string, SpriteClip>();
  const add = (name: string, clip: Omit<SpriteClip, "events" | "seconds">, otherwise = fallback) => {
    const events = options.events && Object.hasOwn(options.events, name) ? options.events[name] : {};
    clips.set(name, { ...clip, seconds: secondsOf(clip.frames, otherwise), events: events ?? {} });
  };
  const names = entries.map(([name]) => name);
  for (const clip of tagsOf(meta, names)) {
    if (clips.has(clip.name))
      refuseAtlas(`it has two tags named ${describeValue(clip.name)}`, "Rename one of them.", clip.name);
    add(clip.name, clip);
  }
  for (const [name, list] of Object.entries(asRecord(sheet.animations ?? {}, "animations")))
    add(name, { frames: namesIn(list, `animation ${name}`, frames), direction: "forward", repeat: 0 });
  for (const [name, input] of Object.entries(options.clips ?? {})) {
    const { fps, ...clip } = readInput(name, input, frames);
    add(name, clip, fps === undefined ? fallback : 1 / requirePositive(fps, `fps of the clip ${name}`));
  }
  requireEvents(options.events ?? {}, clips);
  const image = typeof meta.image === "string" ? meta.image : "";
  return { image, frames, clips: Object.fromEntries([...clips].map(([name, clip]) => [name, bare(clip)])) };
}

/** A clip without the other members of a tag. */
function bare({ frames, seconds, direction, repeat, events }: SpriteClip): SpriteClip {
  return { frames, seconds, direction, repeat, events };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidAtlasError(
      `Cannot read an atlas: it is not JSON (${String(cause)}). Export the sheet as JSON.`,
      { cause },
    );
  }
}

/** The frames with their names, in the order of the sheet. */
function entriesOf(frames: unknown): (readonly [name: string, entry: Loose])[] {
  if (!Array.isArray(frames)) {
    const found = Object.entries(asRecord(frames, "frames"));
    if (found.length === 0) refuseAtlas("it has no frames", "Export the sheet with frames.", frames);
    return found.map(([name, entry]) => [name, asRecord(entry, `frame ${name}`)]);
  }
  if (frames.length === 0) refuseAtlas("it has no frames", "Export the sheet with frames.", frames);
  const seen = new Set<string>();
  return frames.map((each: unknown, k) => {
    const entry = asRecord(each, `frame ${k}`);
    const name = entry.filename;
    if (typeof name !== "string" || name === "")
      refuseAtlas(`frame ${k} has no filename`, "Export the sheet with names of frames.", name);
    if (seen.has(name as string))
      refuseAtlas(`it has two frames named ${describeValue(name)}`, "Rename one of them.", name);
    seen.add(name as string);
    return [name as string, entry];
  });
}

/** The seconds of a frame, if the sheet has its duration in milliseconds. */
function durationOf(name: string, { duration }: Loose): number | undefined {
  if (duration === undefined) return undefined;
  if (typeof duration === "number" && duration > 0 && Number.isFinite(duration)) return duration / 1000;
  return refuseAtlas(
    `the duration of frame ${name} is ${describeValue(duration)}`,
    "Give milliseconds above 0.",
    duration,
  );
}

function tagsOf(meta: Loose, names: readonly string[]) {
  const tags = meta.frameTags ?? [];
  if (!Array.isArray(tags))
    return refuseAtlas("meta.frameTags is not an array", "Export the sheet again.", tags);
  return tags.map((each: unknown, k) => {
    const tag = asRecord(each, `tag ${k}`);
    const { name, from, to, direction = "forward", repeat = 0 } = tag;
    if (typeof name !== "string" || name === "")
      return refuseAtlas(`tag ${k} has no name`, "Give it a name in Aseprite.", name);
    const isRange =
      Number.isInteger(from) &&
      Number.isInteger(to) &&
      (from as number) >= 0 &&
      (to as number) >= (from as number);
    if (!isRange || (to as number) >= names.length) {
      const range = `${describeValue(from)} to ${describeValue(to)}`;
      refuseAtlas(
        `the tag ${name} goes from ${range}, and there are ${names.length} frames`,
        "Export the sheet again.",
        tag,
      );
    }
    if (!clipDirections.includes(direction as ClipDirection)) {
      const help = nearestName(direction, clipDirections);
      refuseAtlas(`the tag ${name} has the direction ${describeValue(direction)}`, help, direction);
    }
    // Aseprite writes it as a string.
    const times = typeof repeat === "string" ? Number(repeat) : repeat;
    if (!(Number.isInteger(times) && (times as number) >= 0))
      refuseAtlas(
        `the tag ${name} repeats ${describeValue(repeat)} times`,
        "Give an integer, 0 for ever.",
        repeat,
      );
    return {
      name,
      frames: names.slice(from as number, (to as number) + 1),
      direction: direction as ClipDirection,
      repeat: times as number,
    };
  });
}

function namesIn(list: unknown, what: string, frames: Frames): readonly string[] {
  if (!Array.isArray(list) || list.length === 0)
    return refuseAtlas(`${what} is not an array of names of frames`, "Give it at least one.", list);
  for (const name of list) {
    if (typeof name !== "string" || !Object.hasOwn(frames, name))
      refuseAtlas(
        `${what} shows the frame ${describeValue(name)}, which does not exist`,
        nearestName(name, Object.keys(frames)),
        name,
      );
  }
  return [...(list as string[])];
}

function readInput(name: string, input: ClipInput, known: Frames) {
  const {
    frames,
    fps,
    direction = "forward",
    repeat = 0,
  } = "frames" in Object(input) ? (input as Loose) : { frames: input };
  const refuseClip = (why: string, value: unknown): never => {
    throw new InvalidClipError(`Cannot read an atlas: the clip ${describeValue(name)} ${why}`, {
      subject: name,
      value,
    });
  };
  if (!Array.isArray(frames) || frames.length === 0) refuseClip("needs an array of names of frames.", frames);
  for (const frame of frames as readonly unknown[]) {
    if (typeof frame !== "string" || !Object.hasOwn(known, frame))
      refuseClip(
        `shows the frame ${describeValue(frame)}, which does not exist. ${nearestName(frame, Object.keys(known))}`,
        frame,
      );
  }
  if (!clipDirections.includes(direction as ClipDirection))
    refuseClip(
      `has the direction ${describeValue(direction)}. ${nearestName(direction, clipDirections)}`,
      direction,
    );
  if (!(Number.isInteger(repeat) && (repeat as number) >= 0))
    refuseClip(`repeats ${describeValue(repeat)} times. Give an integer, 0 for ever.`, repeat);
  return {
    frames: [...(frames as readonly string[])],
    direction: direction as ClipDirection,
    repeat: repeat as number,
    fps: fps as number | undefined,
  };
}

function requireEvents(events: object, clips: ReadonlyMap<string, SpriteClip>): void {
  for (const [name, byFrame] of Object.entries(events) as [string, unknown][]) {
    const clip = clips.get(name);
    if (clip === undefined) {
      throw new InvalidClipError(
        `Cannot read an atlas: events are given for the clip ${describeValue(name)}, which does not exist. ${nearestName(name, [...clips.keys()])}`,
        { subject: name },
      );
    }
    for (const [frame, event] of Object.entries(Object(byFrame) as object)) {
      const at = Number(frame);
      if (
        Number.isInteger(at) &&
        at >= 0 &&
        at < clip.frames.length &&
        typeof event === "string" &&
        event !== ""
      )
        continue;
      throw new InvalidClipError(
        `Cannot read an atlas: the clip ${describeValue(name)} has ${clip.frames.length} frames and takes names of events by the number of a frame, got ${describeValue(event)} at ${describeValue(frame)}.`,
        { subject: name, value: event },
      );
    }
  }
}

function requireScale({ scale }: Loose): void {
  if (scale === undefined || Number(scale) === 1) return;
  refuseAtlas(
    `its scale is ${describeValue(scale)}`,
    "Export the sheet at scale 1, and scale the sprites.",
    scale,
  );
}

function requirePositive(value: number, what: string): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidClipError(
    `Cannot read an atlas: ${what} is ${describeValue(value)}. Give a number above 0.`,
    {
      option: "fps",
      value,
    },
  );
}
