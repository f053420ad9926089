/**
 * Sound in browsers, by Web Audio.
 *
 * @packageDocumentation
 */

export type { SoundFile, SoundFiles } from "./sound-files.ts";
export { openWebAudio, type WebAudio, type WebAudioOptions } from "./web-audio.ts";
