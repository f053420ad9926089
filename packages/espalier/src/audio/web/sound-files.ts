/**
 * The files of sounds: fetched and decoded once, and possibly cut into parts.
 */
import { describeValue, expectArguments, nearestName } from "../../ecs/index.ts";
import { SoundLoadError, UnknownSoundError } from "../errors.ts";

/** The source of a sound: an address, several of which the first playable one is used, or a file with several sounds. */
export type SoundFile =
  | string
  | readonly string[]
  | {
      /** The address, or several of the same sound in different formats. */
      readonly file: string | readonly string[];
      /** Sounds in this file by name, each with its start and length in seconds. */
      readonly parts?: { readonly [sound: string]: readonly [start: number, seconds: number] };
    };

/** The sounds of a program by name. */
export interface SoundFiles {
  /** One sound, or a file of several. */
  readonly [sound: string]: SoundFile;
}

/** Sounds in one file by name, each with its start and length in seconds. */
export type SoundParts = { readonly [sound: string]: readonly [start: number, seconds: number] };

interface File {
  readonly name: string;
  readonly addresses: readonly string[];
  buffer: AudioBuffer | undefined;
  loading: Promise<void> | undefined;
}

/** A sound: a file, or a part of one. */
export interface SoundEntry {
  readonly file: File;
  readonly start: number;
  /** The seconds of a part; `undefined` for all of the file. */
  readonly seconds: number | undefined;
}

export interface Files {
  names(): readonly string[];
  find(sound: string): SoundEntry | undefined;
  addFiles(files: SoundFiles): void;
  /** Adds a decoded sound, or several in one. */
  addBuffer(sound: string, buffer: AudioBuffer, parts?: SoundParts): void;
  /** @throws InvalidArgumentError */
  expectParts(file: string, parts: SoundParts | undefined): void;
  /** The first address that the browser can play, or else the first, so that the error gives the reason. */
  playable(addresses: readonly string[]): string | undefined;
  /** Removes a sound. */
  remove(sound: string): void;
  load(sounds?: readonly string[]): Promise<void>;
  addressOf(entry: SoundEntry): string | undefined;
}

const types: { readonly [ending: string]: string } = {
  mp3: "mpeg",
  m4a: "mp4",
  mp4: "mp4",
  aac: "aac",
  ogg: "ogg",
  oga: "ogg",
  opus: 'ogg; codecs="opus"',
  webm: "webm",
  wav: "wav",
  flac: "flac",
};

/** The extensions of sound files. */
export const soundEndings: readonly string[] = /* @__PURE__ */ Object.keys(types);

export function createFiles(context: BaseAudioContext): Files {
  const entries = new Map<string, SoundEntry>();

  function playable(addresses: readonly string[]): string | undefined {
    if (typeof Audio !== "function" || addresses.length === 1) return addresses[0];
    const probe = new Audio();
    const isPlayable = (address: string) => {
      const ending = address.split(/[?#]/)[0]!.split(".").pop()!.toLowerCase();
      const type = types[ending];
      return type === undefined || probe.canPlayType(`audio/${type}`) !== "";
    };
    return addresses.find(isPlayable) ?? addresses[0];
  }

  async function fetchFile(entry: SoundEntry): Promise<void> {
    const address = playable(entry.file.addresses)!;
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
    try {
      entry.file.buffer = await context.decodeAudioData(await answer.arrayBuffer());
    } catch (cause) {
      throw new Error(`${address} is not a sound that this browser can play`, { cause });
    }
  }

  function add(name: string, entry: SoundEntry): void {
    expectArguments("add a sound", ["its name", name, "text"]);
    entries.set(name, entry);
  }

  function addParts(file: File, parts: SoundParts): void {
    expectParts(file.name, parts);
    for (const [part, [start, seconds]] of Object.entries(parts)) add(part, { file, start, seconds });
  }

  return {
    names: () => [...entries.keys()],
    find: (sound) => entries.get(sound),
    playable,
    addressOf: ({ file }) => playable(file.addresses),
    expectParts,
    addFiles(files) {
      for (const [name, given] of Object.entries(files)) {
        const { file: where, parts } =
          typeof given === "string" || Array.isArray(given) ? { file: given } : Object(given);
        const addresses = typeof where === "string" ? [where] : where;
        const isRight =
          Array.isArray(addresses) &&
          addresses.length > 0 &&
          addresses.every((each) => typeof each === "string");
        expectArguments(`add the sound ${name}`, [
          "its file",
          where,
          { expected: "an address, or an array of them", fits: () => isRight },
        ]);
        const file: File = { name, addresses, buffer: undefined, loading: undefined };
        if (parts === undefined) {
          add(name, { file, start: 0, seconds: undefined });
          continue;
        }
        addParts(file, parts as SoundParts);
      }
    },
    addBuffer(sound, buffer, parts) {
      const file: File = { name: sound, addresses: [], buffer, loading: undefined };
      if (parts === undefined) add(sound, { file, start: 0, seconds: undefined });
      else addParts(file, parts);
    },
    remove: (sound) => void entries.delete(sound),
    async load(sounds = [...entries.keys()]) {
      expectArguments("load sounds", ["their names", sounds, "list"]);
      const failed: string[] = [];
      const why: string[] = [];
      await Promise.all(
        sounds.map(async (name) => {
          const entry = entries.get(name);
          if (entry === undefined) {
            throw new UnknownSoundError(
              `Cannot load the sound ${describeValue(name)}: there is no such sound. ${nearestName(name, [...entries.keys()])}`,
              { sound: String(name), value: name },
            );
          }
          const { file } = entry;
          if (file.buffer !== undefined) return;
          file.loading ??= fetchFile(entry);
          try {
            await file.loading;
          } catch (error) {
            failed.push(name);
            why.push(`${name}: ${(error as Error).message}`);
          } finally {
            // So that a later call tries again.
            file.loading = undefined;
          }
        }),
      );
      if (failed.length === 0) return;
      throw new SoundLoadError(
        `Cannot load ${failed.length === 1 ? "a sound" : `${failed.length} sounds`}: ${why.join("; ")}. Check the addresses, and call load() again.`,
        { sounds: failed },
      );
    },
  };
}

function expectParts(file: string, parts: SoundParts | undefined): void {
  for (const [part, range] of Object.entries(parts ?? {}) as [string, unknown][]) {
    const fits = (value: unknown) =>
      Array.isArray(value) &&
      value.length === 2 &&
      value.every(Number.isFinite) &&
      value[0] >= 0 &&
      value[1] > 0;
    expectArguments(`add the sound ${part}`, [
      `its part of ${file}`,
      range,
      { expected: "an array of the second where it begins and its seconds", fits },
    ]);
  }
}
