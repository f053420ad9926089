/**
 * Maps of tiles: one entity, many pictures from one texture.
 */
import {
  type AssetField,
  asset,
  type Component,
  component,
  type EntityLike,
  expectArguments,
  type Field,
  f64,
  finite,
  object,
  u16,
  type World,
} from "../../ecs/index.ts";
import { InvalidRenderOptionError } from "../errors.ts";
import { type ColorField, color } from "./color.ts";
import { type DrawNumber, number } from "./draw-number.ts";

/** No tile here. */
export const EMPTY_TILE = -1;

// Values that are added to a tile's number to flip or rotate it. Together they give all eight orientations; below 2^30, so that
// engines keep them as small integers.
/** Mirrors a tile from left to right. */
export const FLIP_TILE_X = 0x8000000;
/** Mirrors a tile from top to bottom, after `SWAP_TILE_XY` and `FLIP_TILE_X`. */
export const FLIP_TILE_Y = 0x10000000;
/** Mirrors a tile at the diagonal from its top left, before the other two. With `FLIP_TILE_X` it is a quarter turn clockwise. */
export const SWAP_TILE_XY = 0x20000000;
/** All three. */
const TURNS = FLIP_TILE_X | FLIP_TILE_Y | SWAP_TILE_XY;

/** The number of a tile in its texture, without its orientation; `EMPTY_TILE` for none. */
export function tileNumber(tile: number): number {
  expectArguments("read a tile", ["the tile", tile, "number"]);
  return tile < 0 ? EMPTY_TILE : tile & ~TURNS;
}

/** One picture of an animated tile. */
export interface TileFrame {
  /** The number of the tile that is shown. */
  readonly tile: number;
  /** Its duration. */
  readonly seconds: number;
}

/** The animated tiles of a map: the pictures of each in order, by the number of the tile. They repeat after the last. */
export interface TileAnimations {
  readonly [tile: string]: readonly TileFrame[];
}

/** The fields of `Tilemap`. */
export type TilemapSchema = {
  /** The name of the texture with the tiles. */
  texture: AssetField;
  /** The width of a tile, in pixels of the texture and in units of the world. 16 if left out. */
  tileWidth: DrawNumber;
  /** The height of a tile, in pixels of the texture and in units of the world. 16 if left out. */
  tileHeight: DrawNumber;
  /** How many tiles there are across. */
  columns: Field<number, "u16">;
  /** How many tiles there are down. */
  rows: Field<number, "u16">;
  /** Tile numbers row by row from the top left; `EMPTY_TILE` for none. */
  tiles: Field<readonly number[], "object">;
  /** Pixels at the left and upper edge of the texture before the first tile. 0 if left out. */
  margin: Field<number, "u16">;
  /** Pixels between two tiles of the texture. 0 if left out. */
  spacing: Field<number, "u16">;
  /** Tiles that change with `time`, by their numbers. None if left out. */
  animations: Field<TileAnimations, "object">;
  /** The time of animated tiles, in seconds, which `tilePart` of `espalier/animation` advances. 0 if left out. */
  time: Field<number, "f64">;
  /** The side of the chunks, in tiles, that are rebuilt when a tile changes. 16 if left out. */
  chunk: Field<number, "u16">;
  /** A colour to multiply with. White if left out. */
  tint: ColorField;
  /** How opaque it is, from 0 to 1. 1 if left out. */
  alpha: DrawNumber;
  /** The point of the map at the entity's origin, as a fraction of its width. 0 if left out. */
  anchorX: DrawNumber;
  /** The point of the map at the entity's origin, as a fraction of its height. 0 if left out. */
  anchorY: DrawNumber;
};

/**
 * A grid of `columns` by `rows` tiles. `tiles` lists them row by row, from the top left on the screen: the number of a tile
 * in the texture, counted row by row, or `EMPTY_TILE`; with `FLIP_TILE_X`, `FLIP_TILE_Y` and `SWAP_TILE_XY` added it is flipped
 * or rotated. Without a
 * texture nothing is drawn: a grid of values. A list that is too short leaves the rest empty. Tiles are
 * `tileWidth` by `tileHeight` pixels in the texture and as many units in the world. Renderers draw it in chunks of
 * `chunk` by `chunk` tiles and rebuild only chunks in which a tile changed. Replace the list to change it, as `setTile` does:
 * writes into it are not detected.
 */
export const Tilemap: Component<TilemapSchema> = /* @__PURE__ */ component(
  "Tilemap",
  {
    texture: /* @__PURE__ */ asset("texture"),
    tileWidth: /* @__PURE__ */ number(16),
    tileHeight: /* @__PURE__ */ number(16),
    columns: /* @__PURE__ */ u16(0),
    rows: /* @__PURE__ */ u16(0),
    tiles: /* @__PURE__ */ object((): readonly number[] => [], wrongTiles),
    margin: /* @__PURE__ */ u16(0),
    spacing: /* @__PURE__ */ u16(0),
    animations: /* @__PURE__ */ object((): TileAnimations => ({}), wrongAnimations),
    time: /* @__PURE__ */ finite(/* @__PURE__ */ f64(0)),
    chunk: /* @__PURE__ */ u16(16),
    tint: /* @__PURE__ */ color(),
    alpha: /* @__PURE__ */ number(1),
    anchorX: /* @__PURE__ */ number(0),
    anchorY: /* @__PURE__ */ number(0),
  },
  { storage: "sparse" },
);

/** The tile at a column and row; `EMPTY_TILE` outside of the map. */
export function tileAt(world: World, entity: EntityLike, column: number, row: number): number {
  expectArguments(
    "read a tile",
    ["the world", world, "world"],
    ["the column", column, "number"],
    ["the row", row, "number"],
  );
  const map = world.get(entity, Tilemap);
  if (map === undefined || column < 0 || row < 0 || column >= map.columns || row >= map.rows)
    return EMPTY_TILE;
  return map.tiles[row * map.columns + column] ?? EMPTY_TILE;
}

/**
 * Sets the tile at a column and row. The list is replaced, not written into, so that undo and change readers see it; to change many
 * at once, set `tiles` once.
 *
 * @throws InvalidRenderOptionError when the position is outside of the map or the entity has no `Tilemap`.
 */
export function setTile(world: World, entity: EntityLike, column: number, row: number, tile: number): void {
  expectArguments(
    "set a tile",
    ["the world", world, "world"],
    ["the column", column, "number"],
    ["the row", row, "number"],
  );
  const map = world.get(entity, Tilemap);
  if (map === undefined) {
    throw new InvalidRenderOptionError(
      "Cannot set a tile: the entity has no Tilemap. Add one with world.add(entity, Tilemap({ … })).",
      { entities: [entity], component: "Tilemap" },
    );
  }
  const inside = (value: number, end: number) => Number.isInteger(value) && value >= 0 && value < end;
  if (!inside(column, map.columns) || !inside(row, map.rows)) {
    throw new InvalidRenderOptionError(
      `Cannot set the tile at column ${column}, row ${row}: the map has ${map.columns} columns and ${map.rows} rows.`,
      { entities: [entity] },
    );
  }
  const tiles = map.tiles.slice();
  const at = row * map.columns + column;
  while (tiles.length < at) tiles.push(EMPTY_TILE);
  tiles[at] = tile;
  world.set(entity, Tilemap, { tiles });
}

function wrongTiles(value: unknown): string | undefined {
  if (!Array.isArray(value)) return "takes an array of tile numbers";
  // A plain loop: maps have hundreds of thousands of tiles, and each edit runs this.
  for (let k = 0; k < value.length; k++) if (!Number.isInteger(value[k])) return "takes whole tile numbers";
  return undefined;
}

function wrongAnimations(value: unknown): string | undefined {
  const expected = "takes arrays of { tile, seconds } by the number of a tile";
  if (typeof value !== "object" || value === null || Array.isArray(value)) return expected;
  const isFrame = (frame: unknown) => {
    const { tile, seconds } = Object(frame) as Partial<TileFrame>;
    return Number.isInteger(tile) && tile! >= 0 && Number.isFinite(seconds) && seconds! > 0;
  };
  const isRight = Object.entries(value).every(
    ([tile, frames]) =>
      /^\d+$/.test(tile) && Array.isArray(frames) && frames.length > 0 && frames.every(isFrame),
  );
  return isRight ? undefined : `${expected}, with whole tiles and seconds above 0`;
}
