/**
 * The kinds of files that a game loads without a part: pictures for its renderer, fonts, JSON.
 */
import type { AssetFile, AssetKind, LoadedAsset } from "../../ecs/index.ts";
import type { Frames } from "../../render/index.ts";
import type { GameTextures } from "../plug-ins.ts";

/** JSON as a value: `game.assets.get(name)`. */
export const jsonKind: AssetKind = {
  kind: "json",
  endings: ["json"],
  read: async ({ blob, value }) => ({ value: blob === undefined ? value : JSON.parse(await blob.text()) }),
};

/** Pictures, passed to the renderer with the frames of their sprite sheet. */
export function textureKind(textures: GameTextures): AssetKind {
  return {
    kind: "texture",
    endings: ["png", "jpg", "jpeg", "webp", "avif", "gif", "svg"],
    has: (name) => textures.has(name),
    async read(file) {
      const image = await decodeImage(file);
      let isUsed = false;
      return {
        value: image,
        use() {
          textures.add(file.name, image, (file.details ?? {}) as Frames);
          isUsed = true;
        },
        free() {
          if (isUsed) textures.remove(file.name);
          if ("close" in image) image.close();
        },
      };
    },
  };
}

/** Fonts of the page; `undefined` without a page. Names that are not listed are fonts of the system. */
export function fontKind(): AssetKind | undefined {
  if (typeof FontFace !== "function" || typeof document === "undefined") return undefined;
  return {
    kind: "font",
    endings: ["woff2", "woff", "ttf", "otf"],
    has: () => true,
    async read(file): Promise<LoadedAsset> {
      const face = new FontFace(file.name, await bytesOf(file).arrayBuffer());
      try {
        await face.load();
      } catch (cause) {
        throw new Error("it is not a font that this browser can use", { cause });
      }
      return {
        value: face,
        use: () => void document.fonts.add(face),
        free: () => void document.fonts.delete(face),
      };
    },
  };
}

/** The content of a kind that is always a file. */
function bytesOf({ blob }: AssetFile): Blob {
  if (blob === undefined) throw new Error("it was given as a value: give its address");
  return blob as Blob;
}

async function decodeImage(file: AssetFile): Promise<ImageBitmap | HTMLImageElement> {
  const given = bytesOf(file);
  try {
    // Browsers create bitmaps from everything but vector images.
    if (!given.type.startsWith("image/svg")) return await createImageBitmap(given);
    const image = new Image();
    const address = URL.createObjectURL(given);
    try {
      image.src = address;
      await image.decode();
    } finally {
      URL.revokeObjectURL(address);
    }
    return image;
  } catch (cause) {
    const found = given.type === "" ? "" : ` (${given.type}, ${given.size} bytes)`;
    throw new Error(`it is not a picture that this browser can show${found}`, { cause });
  }
}
