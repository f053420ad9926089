/**
 * Sounds at entities, inherited volumes, buses, and the recorder. `espalier/audio/web` plays them.
 *
 * @packageDocumentation
 */

export {
  audioComponents,
  Listener,
  Sound,
  type SoundSchema,
  soundBus,
  Volume,
  type VolumeSchema,
  volume,
} from "./components.ts";
export {
  AudioError,
  AudioUnavailableError,
  InvalidSoundError,
  SoundLoadError,
  UnknownBusError,
  UnknownSoundError,
} from "./errors.ts";
export type { PlayOptions } from "./one-shots.ts";
export type { AudioOutput, Voice, VoiceStart } from "./output.ts";
export {
  createSoundRecorder,
  type RecordedVoice,
  type SoundCall,
  type SoundRecorder,
  type SoundRecorderOptions,
} from "./recorder.ts";
export { type SoundHost, type SoundPart, soundPart } from "./sound-part.ts";
export { createSounds, type Sounds, type SoundsOptions } from "./sounds.ts";
