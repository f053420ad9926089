import type { Affine2D } from "espalier/transform";

/** Where an entity is in the world, in the plane or in space; nothing for one without a transform. */
export type WorldPlace =
  | { readonly kind: "2d"; readonly world: Affine2D }
  | { readonly kind: "3d"; readonly world: readonly number[] };
