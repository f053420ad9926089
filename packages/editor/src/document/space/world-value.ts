import type { Affine2D } from "espalier/transform";

/** The world transform of an entity, in 2D or 3D; `undefined` if it has none. */
export type WorldValue =
  | { readonly kind: "2d"; readonly world: Affine2D }
  | { readonly kind: "3d"; readonly world: readonly number[] };
