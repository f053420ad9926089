/**
 * The files that Web Audio plays, for games that load them: decoded ahead, or long music that plays while it loads.
 */
import type { AssetKind } from "../../ecs/index.ts";
import { type Files, type SoundParts, soundEndings } from "./sound-files.ts";

/** `sound` is fetched and decoded; `stream`, for music, is used only on request: `{ stream: "theme.mp3" }`. */
export function soundKinds(context: BaseAudioContext, files: Files): readonly AssetKind[] {
  const choose = (addresses: readonly string[]) => files.playable(addresses);
  return [
    {
      kind: "sound",
      endings: soundEndings,
      choose,
      has: (name) => files.find(name)?.file.buffer !== undefined,
      where: (name) => files.find(name)?.file.addresses,
      async read({ name, address, blob, options }) {
        let buffer: AudioBuffer;
        try {
          buffer = await context.decodeAudioData(await (blob as Blob).arrayBuffer());
        } catch (cause) {
          throw new Error("it is not a sound that this browser can play", { cause });
        }
        const parts = options.parts as SoundParts | undefined;
        files.expectParts(name, parts);
        const known = files.find(name)?.file;
        // The file is already known: other sounds may be parts of it, and this one may be only a part.
        if (known?.addresses.some((each) => isSameAddress(each, address))) {
          return {
            value: buffer,
            use() {
              known.buffer = buffer;
            },
            free() {
              known.buffer = undefined;
            },
          };
        }
        return {
          value: buffer,
          use: () => files.addBuffer(name, buffer, parts),
          free() {
            for (const sound of Object.keys(parts ?? { [name]: [] })) files.remove(sound);
          },
        };
      },
    },
    {
      kind: "stream",
      serves: ["sound"],
      endings: [],
      fetch: "head",
      choose,
      read: ({ name, address }) => ({
        value: address,
        use: () => files.addFiles({ [name]: address }),
        free: () => files.remove(name),
      }),
    },
  ];
}

function isSameAddress(given: string, address: string): boolean {
  const page = globalThis.document?.baseURI;
  return given === address || (URL.canParse(given, page) && new URL(given, page).href === address);
}
