/**
 * Synchronises an output with a world. It only writes the time of playing sounds to the world, which depends only on
 * steps, so that a world is the same with and without loudspeakers.
 */
import {
  type AssetKind,
  checkOptions,
  describeValue,
  type Entity,
  expectArguments,
  indexOf,
  nearestName,
} from "../ecs/index.ts";
import { Active, activityOf, inheritedOf, paceOf, TimeScale } from "../inherit/index.ts";
import { type Affine2D, requireSpace2D, type Transforms2D } from "../transform/index.ts";
import { createBuses } from "./buses.ts";
import { Listener, Sound, soundBus, volume } from "./components.ts";
import { InvalidSoundError, UnknownSoundError } from "./errors.ts";
import { distanceGain, panOf } from "./hearing.ts";
import { createOneShots, type PlayOptions } from "./one-shots.ts";
import type { AudioOutput, Voice } from "./output.ts";
import { createSoundRecorder } from "./recorder.ts";
import { refuseSoundValues } from "./refuse-sound-values.ts";

/** Options of `createSounds`. */
export interface SoundsOptions {
  /** How many sounds, the loudest, are played at once. 32 if left out. */
  readonly voices?: number;
  /** The buses by name, with their volumes. `music`, `effects`, `voice` and `interface` at 1 if left out. */
  readonly buses?: { readonly [bus: string]: number };
}

/** The sounds of a world. Made by `createSounds`. */
export interface Sounds {
  /** Kinds of files that its output plays: a game loads them for it. */
  readonly assetKinds: readonly AssetKind[] | undefined;
  /** The output that plays or records them. */
  readonly output: AudioOutput;
  /** Whether the output is silent until the player does something. */
  readonly isLocked: boolean;
  /** The number of sounds that are playing. */
  readonly voiceCount: number;
  /**
   * Plays a sound once, without an entity; it is not saved. While the output is locked it waits: when unlocked it starts as if
   * it had been playing, or
   * not at all if it would be over.
   * @throws UnknownSoundError, UnknownBusError, InvalidSoundError; DeadEntityError for `at`.
   */
  play(sound: string, options?: PlayOptions): void;
  /**
   * Sets the volume of a bus, `"master"` for everything: a setting of the player, which is not part of scenes.
   * @throws UnknownBusError, InvalidSoundError
   */
  setBus(bus: string, gain: number): void;
  /**
   * The volume of a bus.
   * @throws UnknownBusError
   */
  busGain(bus: string): number;
  /** Calls `listener` once the output is unlocked: for a "tap to start". Returns the function that removes the listener. */
  onUnlocked(listener: () => void): () => void;
  /**
   * Starts, changes and stops sounds, and advances their time.
   * @throws InvalidSoundError for an invalid time.
   */
  step(seconds: number): void;
  /** Stops everything, and frees the output. */
  dispose(): void;
}

/** The sound of an entity that plays, or would if there were enough voices. */
interface Playing {
  entity: Entity;
  voice: Voice | undefined;
  /** The values that the voice was started with; other values restart it. */
  sound: string;
  bus: string;
  loop: boolean;
  stream: boolean;
  fade: number;
  /** The last written time; a different value comes from the program. */
  time: number;
  gain: number;
  pan: number | undefined;
  rate: number;
  /** The values last sent to the output. */
  sentGain: number;
  sentPan: number | undefined;
  sentRate: number;
  /** Whether it played to its end. */
  isEnded: boolean;
  /** The step in which it was last seen. */
  seenIn: number;
}

const optionKinds = { voices: "number", buses: "anything" } as const;

/**
 * Plays the sounds of a space's world through an output: `openWebAudio()` of `espalier/audio/web`, or a recorder, the default.
 *
 * @example
 * ```ts
 * const space = createTransforms2D(tree);
 * const recorder = createSoundRecorder();
 * const sounds = createSounds(space, recorder);
 * const effects = world.spawn(Volume({ value: 0.5 }));
 * tree.attachNew(effects, space.at(30, 0), Sound({ sound: "engine", loop: true, far: 100 }));
 * sounds.step(1 / 60);
 * recorder.sounding().map(({ sound, gain, pan }) => ({ sound, gain, pan })); // → [{ sound: "engine", gain: 0.35, pan: 0.3 }]
 * ```
 */
export function createSounds(
  space: Transforms2D,
  output: AudioOutput = createSoundRecorder(),
  options: SoundsOptions = {},
): Sounds {
  requireSpace2D(space, "play sounds");
  const { tree } = space;
  const { world } = tree;
  checkOptions(world.checks, "play sounds", options, optionKinds);
  const { voices: limit = 32 } = options;
  if (!(Number.isInteger(limit) && limit > 0)) {
    throw new InvalidSoundError(
      `Cannot play ${describeValue(limit)} sounds at once: give an integer above 0.`,
      {
        option: "voices",
        value: limit,
      },
    );
  }
  const buses = createBuses(output, options.buses);
  const volumes = inheritedOf(tree, volume);
  const busNames = inheritedOf(tree, soundBus);
  const sounding = world.query(Sound);
  const listeners = world.query(Listener);
  const pace = paceOf(tree);
  const switches = [world.query(Active), world.query(TimeScale)];
  /** By entity index. */
  const playing: (Playing | undefined)[] = [];
  let live: Playing[] = [];
  const ears: Affine2D = { a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 };
  let steps = 0;

  function requireSound(name: unknown, label: () => string): void {
    const names = output.names();
    if (name === "" || names === undefined || names.includes(name as string)) return;
    throw new UnknownSoundError(
      `Cannot play ${describeValue(name)} ${label()}: there is no such sound. ${nearestName(name, names)}`,
      { sound: String(name), value: name },
    );
  }

  const guards = refuseSoundValues(tree, requireSound, buses.require);
  const oneShots = createOneShots({ space, output, limit, buses, requireSound, ears, volumes, busNames });

  function findEars(): void {
    const activities = activityOf(tree);
    for (const entity of listeners) {
      if (!activities.of(entity)) continue;
      space.worldOf(entity, ears);
      return;
    }
    Object.assign(ears, { a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 });
  }

  function stop(it: Playing, fade: number): void {
    it.voice?.stop(fade);
    it.voice = undefined;
  }

  /** Sounds that should play now, with their volumes. */
  function listen(seconds: number): Playing[] {
    const isPaced = switches.some((query) => !query.isEmpty());
    const now: Playing[] = [];
    sounding.each((entity, it) => {
      const name = it.sound;
      if (!it.playing || name === "" || (isPaced && !(pace.of(entity) > 0))) return;
      const index = indexOf(entity);
      const bus = it.bus || busNames.of(entity);
      const { time, loop, stream, rate, far, fade } = it;
      let known = playing[index];
      if (known === undefined || known.entity !== entity) {
        while (playing.length <= index) playing.push(undefined);
        if (known !== undefined) stop(known, known.fade);
        known = createPlaying(entity);
        playing[index] = known;
      }
      const isSame =
        known.sound === name &&
        known.bus === bus &&
        known.loop === loop &&
        known.stream === stream &&
        known.time === time;
      if (!isSame) {
        stop(known, fade);
        known.isEnded = false;
        known.sound = name;
        known.bus = bus;
        known.loop = loop;
        known.stream = stream;
      }
      known.fade = fade;
      known.rate = rate;
      known.seenIn = steps;
      known.gain = it.volume * volumes.of(entity);
      known.pan = undefined;
      if (far > 0) {
        const dx = space.worldX(entity) - ears.x;
        const dy = space.worldY(entity) - ears.y;
        known.gain *= distanceGain(Math.hypot(dx, dy), it.near, far);
        known.pan = panOf(ears, dx, dy, far);
      }
      // The time of the sound at the beginning of this step; a new voice starts there.
      known.time = time;
      it.time = time + seconds * rate;
      now.push(known);
    });
    return now;
  }

  /** Chooses the loudest, if there are too many. A playing sound stays unless another is clearly louder. */
  function choose(now: Playing[], most: number): Playing[] {
    const audible = now.filter((it) => it.gain > 0 && !isPast(it));
    if (audible.length <= most) return audible;
    const weight = (it: Playing) => (it.voice === undefined ? it.gain : it.gain * 1.1);
    return audible.sort((a, b) => weight(b) - weight(a) || a.entity - b.entity).slice(0, most);
  }

  function isPast(it: Playing): boolean {
    if (it.loop) return false;
    it.isEnded ||= it.voice?.isOver === true;
    return it.isEnded || it.time >= (output.secondsOf(it.sound) ?? Number.POSITIVE_INFINITY);
  }

  function apply(it: Playing): void {
    const { voice, gain, pan, rate } = it;
    if (voice !== undefined && !voice.isOver) {
      if (gain === it.sentGain && pan === it.sentPan && rate === it.sentRate) return;
      voice.set(gain, pan, rate);
    } else {
      const { sound, loop, bus, stream, time, fade } = it;
      const length = output.secondsOf(sound);
      const offset = loop && length !== undefined && length > 0 ? time % length : time;
      it.voice = output.start({ sound, offset, gain, pan, rate, loop, bus, stream, fade });
    }
    it.sentGain = gain;
    it.sentPan = pan;
    it.sentRate = rate;
  }

  return {
    output,
    assetKinds: output.assetKinds,
    get isLocked() {
      return output.isLocked;
    },
    get voiceCount() {
      return live.filter(({ voice }) => voice?.isOver === false).length + oneShots.count();
    },
    play(sound, given) {
      findEars();
      oneShots.play(sound, given);
    },
    setBus: buses.set,
    busGain: buses.gain,
    onUnlocked(listener) {
      expectArguments("listen for the unlocking of sound", ["the listener", listener, "function"]);
      return output.onUnlocked(listener);
    },
    step(seconds) {
      if (!(typeof seconds === "number" && seconds >= 0 && seconds < Number.POSITIVE_INFINITY)) {
        throw new InvalidSoundError(
          `Cannot play sounds for ${describeValue(seconds)} seconds: give 0 or more.`,
          {
            value: seconds,
          },
        );
      }
      steps++;
      output.tick?.(seconds);
      oneShots.step(seconds);
      if (live.length === 0 && sounding.isEmpty()) return;
      findEars();
      guards.pause();
      let now: Playing[];
      try {
        now = listen(seconds);
      } finally {
        guards.resume();
      }
      const heard = output.isLocked ? [] : choose(now, Math.max(limit - oneShots.count(), 0));
      const chosen = new Set(heard);
      for (const it of live) {
        if (chosen.has(it)) continue;
        stop(it, it.fade);
        // Records of removed sounds are dropped.
        if (it.seenIn !== steps && playing[indexOf(it.entity)] === it)
          playing[indexOf(it.entity)] = undefined;
      }
      for (const it of heard) apply(it);
      for (const it of now) it.time += seconds * it.rate;
      live = heard;
    },
    dispose() {
      guards.end();
      for (const it of live) stop(it, 0);
      live = [];
      playing.length = 0;
      oneShots.dispose();
      output.dispose();
    },
  };
}

function createPlaying(entity: Entity): Playing {
  return {
    entity,
    voice: undefined,
    sound: "",
    bus: "",
    loop: false,
    stream: false,
    fade: 0,
    time: 0,
    gain: 0,
    pan: undefined,
    rate: 1,
    sentGain: 0,
    sentPan: undefined,
    sentRate: 1,
    isEnded: false,
    seenIn: 0,
  };
}
