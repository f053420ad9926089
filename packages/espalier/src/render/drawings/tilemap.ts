/**
 * Maps of tiles: one entity, many pictures from one texture.
 */
import {
  type AssetField,
  asset,
  type Component,
  component,
  type Entity,
  expectArguments,
  type Field,
  object,
  u16,
  type World,
} from "../../ecs/index.ts";
import { InvalidRenderOptionError } from "../errors.ts";
import { type ColorField, color } from "./color.ts";
import { type DrawNumber, number } from "./draw-number.ts";

/** No tile here. */
export const EMPTY_TILE = -1;

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
  /** How many tiles by how many are rebuilt together when one changes. 16 if left out. */
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
 * in the texture, counted row by row, or `EMPTY_TILE`. A list that is too short leaves the rest empty. Tiles are
 * `tileWidth` by `tileHeight` pixels in the texture and as many units in the world. Renderers draw it in chunks of
 * `chunk` by `chunk` tiles and rebuild only chunks in which a tile changed. Replace the list to change it, as `setTile` does:
 * what is written into it is not seen.
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
    chunk: /* @__PURE__ */ u16(16),
    tint: /* @__PURE__ */ color(),
    alpha: /* @__PURE__ */ number(1),
    anchorX: /* @__PURE__ */ number(0),
    anchorY: /* @__PURE__ */ number(0),
  },
  { storage: "sparse" },
);

/** The tile at a place; `EMPTY_TILE` outside of the map. */
export function tileAt(world: World, entity: Entity, column: number, row: number): number {
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
 * Puts a tile at a place. The list is replaced, not written into, so that undo and change readers see it; to change many
 * at once, set `tiles` once.
 *
 * @throws InvalidRenderOptionError when the place is outside of the map or the entity has no `Tilemap`.
 */
export function setTile(world: World, entity: Entity, column: number, row: number, tile: number): void {
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
  return value.every((tile) => Number.isInteger(tile)) ? undefined : "takes whole tile numbers";
}
