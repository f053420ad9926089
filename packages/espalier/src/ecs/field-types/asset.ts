/**
 * Fields that name files: pictures, sounds, and whatever else a program loads before it is used.
 */
import type { Field } from "./field-type.ts";
import { string } from "./string.ts";

/** A field that names a file. `asset` is the kind of file. */
export type AssetField = Field<string, "string"> & {
  /** What the name leads to: `texture`, `sound`, or a kind of your own. */
  readonly asset: string;
};

/**
 * A string that names a file of a kind: `asset("texture")`. Programs treat it as any string; `assetsOf` finds what a scene needs by it,
 * games load that before the scene, and `espalier check` reports files that are missing. An empty string names nothing.
 *
 * @example
 * ```ts
 * const Portrait = component("Portrait", { picture: asset("texture"), voice: asset("sound", "hm") });
 * const world = createWorld();
 * const hero = world.spawn(Portrait({ picture: "hero" }));
 * world.get(hero, Portrait); // → { picture: "hero", voice: "hm" }
 * Portrait.schema.picture.asset; // → "texture"
 * ```
 */
export function asset(kind: string, initial = ""): AssetField {
  return { ...string(initial), asset: kind };
}
