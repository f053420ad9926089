/**
 * Finds the image for the names in a component, or the reason why there is none.
 */
import { describeValue, type Entity } from "../ecs/index.ts";
import type { RenderHost } from "../render/index.ts";
import type { Picture } from "./draw-picture.ts";
import type { CanvasTexture, CanvasTextures } from "./textures.ts";
import type { TintedImages } from "./tinted-images.ts";

/** `"missing"` is drawn as a placeholder, `"loading"` not at all. */
export type FoundPicture = Picture | "missing" | "loading";

/** Finds a texture and a frame of it, in a colour. Reports a missing one, once. */
export function findPicture(
  textures: CanvasTextures,
  tinted: TintedImages,
  { report }: RenderHost,
  entity: Entity,
  names: { readonly texture: string; readonly frame?: string },
  tint: number,
): FoundPicture {
  const { texture: name, frame = "" } = names;
  const texture = textures.find(name);
  if (texture === undefined) {
    if (textures.isLoading(name)) return "loading";
    report(
      "missing-texture",
      entity,
      name,
      `the texture ${describeValue(name)} is missing. Add it with textures.add() or textures.load().`,
    );
    return "missing";
  }
  const part = frameOf(texture, frame);
  if (part !== undefined) return { image: tinted.of(texture, tint), frame: part };
  const known = Object.keys(texture.frames).slice(0, 5).join(", ") || "none";
  report(
    "unknown-frame",
    entity,
    `${name}/${frame}`,
    `the texture ${describeValue(name)} has no frame ${describeValue(frame)} (frames: ${known}).`,
  );
  return "missing";
}

/** The part of the texture with that name; all of it for the empty name. */
export function frameOf(texture: CanvasTexture, frame: string): Picture["frame"] | undefined {
  if (frame === "") return { x: 0, y: 0, width: texture.width, height: texture.height };
  return Object.hasOwn(texture.frames, frame) ? texture.frames[frame] : undefined;
}
