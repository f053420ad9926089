/**
 * Which tiles of a map are solid.
 */
import {
  type Component,
  component,
  describeValue,
  type Field,
  f32,
  finite,
  object,
  string,
  u32,
} from "../../ecs/index.ts";

/** The fields of `TileCollider`. */
export type TileColliderSchema = {
  /** The numbers of the solid tiles, in any orientation; `null`, the default, for every tile. */
  solid: Field<readonly number[] | null, "object">;
  /** As in `Collider`: 0.6 if left out. */
  friction: Field<number, "f32">;
  /** As in `Collider`: 0 if left out. */
  restitution: Field<number, "f32">;
  /** The layer of the physics that they are on; the first one if left out. */
  layer: Field<string, "string">;
};

/**
 * Makes tiles of the entity's `Tilemap` solid: they become shapes of its body, or of the nearest one above it.
 * `tileColliderPart` keeps them in sync with
 * the map.
 */
export const TileCollider: Component<TileColliderSchema> = /* @__PURE__ */ component(
  "TileCollider",
  {
    solid: /* @__PURE__ */ object((): readonly number[] | null => null, wrongSolid),
    friction: /* @__PURE__ */ finite(/* @__PURE__ */ f32(0.6)),
    restitution: /* @__PURE__ */ finite(/* @__PURE__ */ f32(0)),
    layer: /* @__PURE__ */ string(),
  },
  { storage: "sparse" },
);

/** An entity with the shapes of one chunk of its parent's map: it is created and destroyed with the map, and is not part of scenes. */
export const TileColliderChunk: Component<{ index: Field<number, "u32"> }> = /* @__PURE__ */ component(
  "TileColliderChunk",
  { index: /* @__PURE__ */ u32(0) },
  { storage: "sparse" },
);

function wrongSolid(value: unknown): string | undefined {
  const isTile = (tile: unknown) => Number.isInteger(tile) && (tile as number) >= 0;
  if (value === null || (Array.isArray(value) && value.every(isTile))) return undefined;
  return `takes an array of tile numbers from 0 on, or null, got ${describeValue(value)}`;
}
