/**
 * Sprite sheets as files that a game loads: the JSON is read here, and the picture that it names is passed to the renderer.
 */
import type { AssetKind } from "../ecs/index.ts";
import { type ReadAtlasOptions, readAtlas } from "./read-atlas.ts";
import type { SpriteAnimations } from "./sprite-animations.ts";

/**
 * The kind `atlas`, which serves as a texture of the same name. Its options are `fps`, `clips` and `events` of
 * `readAtlas`, and `image` if the picture is not the one that the sheet names.
 */
export function atlasKind(animations: SpriteAnimations): AssetKind {
  return {
    kind: "atlas",
    serves: ["texture"],
    endings: ["json"],
    async read({ name, blob, value, options }) {
      const { image, ...rest } = options as ReadAtlasOptions & { readonly image?: string | URL };
      const atlas = readAtlas(blob === undefined ? value : await blob.text(), rest);
      const address = String(image ?? atlas.image);
      return {
        value: atlas,
        needs: address === "" ? [] : [{ kind: "texture", address, details: atlas.frames }],
        use: () => animations.add(name, atlas),
        free: () => animations.remove(name),
      };
    },
  };
}
