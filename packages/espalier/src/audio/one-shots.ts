/**
 * Sounds that are played once and belong to no entity.
 */
import { checkOptions, describeValue, type Entity, type EntityLike, handleOf } from "../ecs/index.ts";
import type { Inherited } from "../inherit/index.ts";
import type { Affine2D, Transforms2D } from "../transform/index.ts";
import type { Buses } from "./buses.ts";
import type { VolumeSchema } from "./components.ts";
import { InvalidSoundError } from "./errors.ts";
import { distanceGain, panOf } from "./hearing.ts";
import type { AudioOutput, Voice, VoiceStart } from "./output.ts";

/** Options of `play`. */
export interface PlayOptions {
  /** The position: an entity, whose `Volume` and bus it uses, or a point of the world. Without a position if left out. */
  readonly at?: EntityLike | { readonly x: number; readonly y: number };
  /** Its volume. 1 if left out. */
  readonly volume?: number;
  /** Its speed, and with it its pitch. 1 if left out. */
  readonly rate?: number;
  /** Its bus. */
  readonly bus?: string;
  /** Up to this distance it has its full volume. 0 if left out. */
  readonly near?: number;
  /** From this distance on it is silent. 0, the default: distance does not matter. */
  readonly far?: number;
  /** Seconds of fading in. 0 if left out. */
  readonly fade?: number;
}

interface Shot {
  readonly voice: Voice;
  readonly gain: number;
}

export interface OneShots {
  play(sound: string, options?: PlayOptions): void;
  /** The number of sounds that are playing. */
  count(): number;
  step(seconds: number): void;
  dispose(): void;
}

const optionKinds = {
  at: "anything",
  volume: "number",
  rate: "number",
  bus: "string",
  near: "number",
  far: "number",
  fade: "number",
} as const;

const nowhere = { x: 0, y: 0 };

export function createOneShots(given: {
  readonly space: Transforms2D;
  readonly output: AudioOutput;
  readonly limit: number;
  readonly buses: Buses;
  readonly requireSound: (name: unknown, label: () => string) => void;
  readonly ears: Affine2D;
  readonly volumes: Inherited<VolumeSchema, number>;
  readonly busNames: Inherited<VolumeSchema, string>;
}): OneShots {
  const { space, output, limit, buses, ears, volumes, busNames } = given;
  let shots: Shot[] = [];
  /** Sounds requested while the output was locked, with the time since. */
  let waiting: { readonly start: VoiceStart; passed: number }[] = [];

  function start(voice: VoiceStart): void {
    shots = shots.filter((shot) => !shot.voice.isOver);
    if (shots.length >= limit) {
      const quietest = shots.reduce((least, shot) => (shot.gain < least.gain ? shot : least));
      if (quietest.gain >= voice.gain) return;
      quietest.voice.stop(0);
      shots = shots.filter((shot) => shot !== quietest);
    }
    const made = output.start(voice);
    if (made !== undefined) shots.push({ voice: made, gain: voice.gain });
  }

  /** @throws InvalidSoundError for a value that is neither an entity nor a point. */
  function pointOf(sound: string, at: PlayOptions["at"], hasDistance: boolean) {
    if (at === undefined) return { entity: undefined, ...nowhere };
    // Entity objects have x and y, which are not in world coordinates.
    const entity = handleOf(space.tree.world, at as EntityLike) as Entity | undefined;
    const { x, y } = Object(at) as { x: number; y: number };
    if (typeof entity === "number")
      return { entity, ...(hasDistance ? space.worldPosition(entity) : nowhere) };
    if (Number.isFinite(x) && Number.isFinite(y)) return { entity: undefined, x, y };
    throw new InvalidSoundError(
      `Cannot play ${describeValue(sound)} at ${describeValue(at)}: give an entity, or a point with x and y.`,
      { subject: String(sound), option: "at", value: at },
    );
  }

  return {
    play(sound, options = {}) {
      checkOptions(space.tree.world.checks, "play a sound", options, optionKinds);
      const { at, rate = 1, near = 0, far = 0, fade = 0 } = options;
      if (sound === "") given.requireSound(undefined, () => "once");
      given.requireSound(sound, () => "once");
      for (const [field, value] of Object.entries({ volume: options.volume ?? 1, rate, near, far, fade })) {
        if (Number.isFinite(value) && value >= 0 && !(field === "rate" && value === 0)) continue;
        throw new InvalidSoundError(
          `Cannot play ${describeValue(sound)} with the ${field} ${describeValue(value)}: give a finite number ${field === "rate" ? "above" : "of at least"} 0.`,
          { subject: String(sound), option: field, value },
        );
      }
      const { entity, x, y } = pointOf(sound, at, far > 0);
      const bus = options.bus ?? (entity === undefined ? "" : busNames.of(entity));
      buses.require(bus, () => `with ${describeValue(sound)}`);
      let gain = (options.volume ?? 1) * (entity === undefined ? 1 : volumes.of(entity));
      let pan: number | undefined;
      if (at !== undefined && far > 0) {
        gain *= distanceGain(Math.hypot(x - ears.x, y - ears.y), near, far);
        pan = panOf(ears, x - ears.x, y - ears.y, far);
      }
      if (gain <= 0) return;
      const voice: VoiceStart = { sound, offset: 0, gain, pan, rate, loop: false, bus, fade, stream: false };
      if (!output.isLocked) start(voice);
      else {
        waiting.push({ start: voice, passed: 0 });
        // More could not play at once anyway.
        if (waiting.length > limit) waiting.shift();
      }
    },
    count: () => {
      shots = shots.filter((shot) => !shot.voice.isOver);
      return shots.length;
    },
    step(seconds) {
      if (waiting.length === 0) return;
      if (output.isLocked) {
        for (const it of waiting) it.passed += seconds * it.start.rate;
        return;
      }
      const list = waiting;
      waiting = [];
      for (const { start: voice, passed } of list) {
        if (passed < (output.secondsOf(voice.sound) ?? Number.POSITIVE_INFINITY))
          start({ ...voice, offset: passed });
      }
    },
    dispose() {
      for (const { voice } of shots) voice.stop(0);
      shots = [];
      waiting = [];
    },
  };
}
