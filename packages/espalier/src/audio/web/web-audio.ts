/**
 * An output through Web Audio: each voice is a source, a gain and, if it has a position, a panner; buses are gains.
 */
import { checkOptions } from "../../ecs/index.ts";
import { AudioUnavailableError } from "../errors.ts";
import type { AudioOutput, VoiceStart } from "../output.ts";
import { createFiles, type SoundEntry, type SoundFiles } from "./sound-files.ts";
import { soundKinds } from "./sound-kinds.ts";
import { watchUnlock } from "./unlock.ts";
import { startBuffer, startStream, type WebVoice } from "./web-voices.ts";

/** Options of `openWebAudio`. */
export interface WebAudioOptions {
  /** The context to play through: a new one if left out. `dispose` does not close a given one. */
  readonly context?: BaseAudioContext;
  /** The sounds by name. Nothing but streams is fetched before `load`. */
  readonly sounds?: SoundFiles;
  /** Whether it is silent while the page is hidden. On if left out. */
  readonly suspendHidden?: boolean;
}

/** Sound in a browser. Made by `openWebAudio`. */
export interface WebAudio extends AudioOutput {
  /** The context it plays through. */
  readonly context: BaseAudioContext;
  /** How many voices hold nodes of the context. */
  readonly voiceCount: number;
  /** Adds sounds by name, or replaces them. */
  addFiles(files: SoundFiles): void;
  /** Adds a sound that was decoded or computed. */
  addBuffer(sound: string, buffer: AudioBuffer): void;
  /**
   * Fetches and decodes sounds, all of them if none are named; loaded ones are not fetched again.
   * @throws SoundLoadError that lists all failures; the others are loaded, and a second call tries again. UnknownSoundError.
   */
  load(sounds?: readonly string[]): Promise<void>;
  /** Tries to unlock the context. Call it in the handler of a gesture; the first pointer, touch or key event does so automatically. */
  unlock(): void;
}

/** Seconds over which a change of volume or panning is spread: an instant change is audible as a click. */
const SMOOTHING = 0.015;

/**
 * Opens sound in a browser. Until the player's first gesture the output is locked, as browsers require.
 *
 * @throws AudioUnavailableError if Web Audio is not available.
 */
export function openWebAudio(options: WebAudioOptions = {}): WebAudio {
  checkOptions(true, "open Web Audio", options, {
    context: "anything",
    sounds: "anything",
    suspendHidden: "boolean",
  });
  const { suspendHidden = true } = options;
  const own = options.context === undefined;
  const context = options.context ?? createContext();
  // An offline context renders when its program says so.
  const live = "startRendering" in context ? undefined : (context as AudioContext);
  const files = createFiles(context);
  files.addFiles(options.sounds ?? {});
  const master = context.createGain();
  master.connect(context.destination);
  const buses = new Map<string, GainNode>([["master", master]]);
  const voices = new Set<WebVoice>();
  const broken = new WeakSet<SoundEntry>();
  const lock = watchUnlock(live, suspendHidden);

  function busOf(name: string): GainNode {
    let bus = buses.get(name === "" ? "master" : name);
    if (bus === undefined) {
      bus = context.createGain();
      bus.connect(master);
      buses.set(name, bus);
    }
    return bus;
  }

  /** A stream that cannot be played is not requested again in every step, until its sound is added again. */
  function streamOf(
    entry: SoundEntry,
    into: AudioNode,
    start: VoiceStart,
    over: (voice: WebVoice) => void,
  ): WebVoice | undefined {
    if (live === undefined || broken.has(entry)) return undefined;
    const address = files.addressOf(entry);
    if (address === undefined) return undefined;
    return startStream(live, into, address, start, SMOOTHING, over, () => void broken.add(entry));
  }

  return {
    context,
    assetKinds: soundKinds(context, files),
    get isLocked() {
      return lock.isLocked();
    },
    get voiceCount() {
      return voices.size;
    },
    names: files.names,
    secondsOf(sound) {
      const entry = files.find(sound);
      return entry?.seconds ?? entry?.file.buffer?.duration;
    },
    start(start) {
      const entry = files.find(start.sound);
      if (entry === undefined) return undefined;
      const into = busOf(start.bus);
      const over = (voice: WebVoice) => void voices.delete(voice);
      let voice: WebVoice | undefined;
      if (entry.file.buffer !== undefined) voice = startBuffer(context, into, entry, start, SMOOTHING, over);
      else if (start.stream) voice = streamOf(entry, into, start, over);
      if (voice !== undefined && !voice.isOver) voices.add(voice);
      return voice;
    },
    setBus(bus, gain) {
      const node = busOf(bus);
      // Before anything plays there is nothing to smooth.
      if (voices.size === 0) node.gain.setValueAtTime(gain, context.currentTime);
      else node.gain.setTargetAtTime(gain, context.currentTime, SMOOTHING);
    },
    onUnlocked: lock.onUnlocked,
    tick: lock.poll,
    addFiles: files.addFiles,
    addBuffer: files.addBuffer,
    load: files.load,
    unlock: lock.unlock,
    dispose() {
      lock.end();
      for (const voice of [...voices]) voice.stop(0);
      for (const bus of buses.values()) bus.disconnect();
      if (own) void live?.close();
    },
  };
}

function createContext(): AudioContext {
  if (typeof AudioContext === "function") return new AudioContext();
  throw new AudioUnavailableError(
    "Cannot open Web Audio: there is no AudioContext here. In Node use createSoundRecorder().",
  );
}
