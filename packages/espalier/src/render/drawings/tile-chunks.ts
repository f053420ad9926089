/**
 * The chunks of tilemaps, and which of them changed.
 */
import { expectArguments, type ValueOf } from "../../ecs/index.ts";
import { asBounds, type Bounds } from "../bounds/bounds.ts";
import type { Rectangle } from "../cameras/camera-view.ts";
import {
  EMPTY_TILE,
  FLIP_TILE_X,
  FLIP_TILE_Y,
  SWAP_TILE_XY,
  type TileFrame,
  type TilemapSchema,
  tileNumber,
} from "./tilemap.ts";

type Map = ValueOf<TilemapSchema>;

/** A part of a map: tiles starting at `column`, `row`. */
export interface TileChunk {
  /** Its number, row by row. */
  readonly index: number;
  /** The column of its first tile in the map. */
  readonly column: number;
  /** The row of its first tile in the map. */
  readonly row: number;
  /** How many columns it has. */
  readonly columns: number;
  /** How many rows it has. */
  readonly rows: number;
}

/** The maximum number of columns and rows of a `Tilemap`. */
const MOST = 65_535;

function expectMap(map: Map, doing: string): void {
  expectArguments(doing, ["the map", map, ["columns", "rows", "chunk?"]]);
  const { columns, rows } = map;
  expectArguments(doing, ["columns of the map", columns, side], ["rows of the map", rows, side]);
}

const side = {
  expected: `a number up to ${MOST}`,
  fits: (value: unknown) => (value as number) <= MOST,
};

/** Also checks that the chunk is inside the map, because its tiles are visited. */
function expectChunk(map: Map, chunk: TileChunk, doing: string): void {
  expectMap(map, doing);
  expectArguments(
    doing,
    ["tiles of the map", map.tiles, "list"],
    ["the chunk", chunk, ["column", "row", "columns", "rows"]],
  );
  const fits = () =>
    chunk.column >= 0 &&
    chunk.row >= 0 &&
    chunk.column + chunk.columns <= map.columns &&
    chunk.row + chunk.rows <= map.rows;
  expectArguments(doing, [
    "the chunk",
    chunk,
    { expected: "one of the map. Pass one of chunksOf(map)", fits },
  ]);
}

/** The chunks of a map, row by row: all, or those that overlap `seen`, in the map's own coordinates, and may hold tiles. */
export function chunksOf(map: Map, seen?: Bounds): TileChunk[] {
  const doing = "cut a map into chunks";
  expectMap(map, doing);
  const { columns, rows, chunk, tiles, tileWidth, tileHeight, anchorX, anchorY } = map;
  const side = Math.max(Math.floor(chunk) || 1, 1);
  const across = Math.ceil(columns / side);
  let [left, top, right, bottom] = [0, 0, columns, rows];
  if (seen !== undefined) {
    // A list that is too short leaves the rest empty.
    expectArguments(doing, ["tiles of the map", tiles, "list"], asBounds(seen, "what is seen"));
    const first = (at: number) => Math.max(Math.floor(at / side) * side, 0);
    left = first(seen.minX / tileWidth + anchorX * columns);
    top = first(seen.minY / tileHeight + anchorY * rows);
    right = Math.min(right, tiles.length, seen.maxX / tileWidth + anchorX * columns);
    bottom = Math.min(bottom, tiles.length / columns, seen.maxY / tileHeight + anchorY * rows);
  }
  const chunks: TileChunk[] = [];
  for (let row = top; row < bottom; row += side) {
    for (let column = left; column < right; column += side) {
      const size = { columns: Math.min(side, columns - column), rows: Math.min(side, rows - row) };
      chunks.push({ index: (row * across + column) / side, column, row, ...size });
    }
  }
  return chunks;
}

/** Whether the chunks of two maps are cut the same way from the same texture, so that they can be compared. */
export function hasSameChunks(a: Map, b: Map): boolean {
  expectMap(a, "compare the chunks of maps");
  expectMap(b, "compare the chunks of maps");
  const keys = [
    "texture",
    "columns",
    "rows",
    "chunk",
    "tileWidth",
    "tileHeight",
    "margin",
    "spacing",
  ] as const;
  return keys.every((key) => a[key] === b[key]) && a.animations === b.animations;
}

/** The tiles that show different pictures at the times of the two maps; `undefined` if there are none. */
function otherFrames(before: Map, after: Map): ReadonlySet<number> | undefined {
  if (before.time === after.time) return undefined;
  let found: Set<number> | undefined;
  for (const [tile, frames] of Object.entries(after.animations))
    if (frameAt(frames, before.time) !== frameAt(frames, after.time)) {
      found ??= new Set();
      found.add(Number(tile));
    }
  return found;
}

/** The picture of an animated tile at a time. */
function frameAt(frames: readonly TileFrame[], time: number): number {
  let length = 0;
  for (const { seconds } of frames) length += seconds;
  let left = ((time % length) + length) % length;
  for (const { tile, seconds } of frames) {
    if (left < seconds) return tile;
    left -= seconds;
  }
  return frames[frames.length - 1].tile;
}

/** Whether a chunk has other tiles in `after` than in `before`. The maps have the same chunks. */
export function isChunkChanged(before: Map, after: Map, chunk: TileChunk): boolean {
  expectChunk(before, chunk, "compare a chunk");
  expectChunk(after, chunk, "compare a chunk");
  const other = otherFrames(before, after);
  if (before.tiles === after.tiles && other === undefined) return false;
  for (let row = chunk.row; row < chunk.row + chunk.rows; row++) {
    const start = row * after.columns;
    for (let at = start + chunk.column; at < start + chunk.column + chunk.columns; at++)
      if (
        (before.tiles[at] ?? EMPTY_TILE) !== (after.tiles[at] ?? EMPTY_TILE) ||
        other?.has(tileNumber(after.tiles[at] ?? EMPTY_TILE)) === true
      )
        return true;
  }
  return false;
}

/** Calls `visit` for each tile of a chunk that is not empty, with its column and row in the chunk. */
export function forEachTile(
  map: Map,
  chunk: TileChunk,
  visit: (tile: number, column: number, row: number) => void,
): void {
  expectChunk(map, chunk, "walk the tiles of a chunk");
  expectArguments("walk the tiles of a chunk", ["the visitor", visit, "function"]);
  for (let row = 0; row < chunk.rows; row++) {
    for (let column = 0; column < chunk.columns; column++) {
      const tile = map.tiles[(chunk.row + row) * map.columns + chunk.column + column] ?? EMPTY_TILE;
      if (tile >= 0) visit(tile, column, row);
    }
  }
}

/** The orientation of a tile: first mirrored at its diagonal, then in x, then in y. */
export interface TileTurn {
  /** Mirrored at the diagonal from the top left. */
  readonly swap: boolean;
  /** Mirrored from left to right. */
  readonly flipX: boolean;
  /** Mirrored from top to bottom. */
  readonly flipY: boolean;
}

/** The orientation of a tile; `undefined` for a plain one. */
export function tileTurn(tile: number): TileTurn | undefined {
  expectArguments("read a tile", ["the tile", tile, "number"]);
  if (tile < FLIP_TILE_X) return undefined;
  return {
    swap: (tile & SWAP_TILE_XY) !== 0,
    flipX: (tile & FLIP_TILE_X) !== 0,
    flipY: (tile & FLIP_TILE_Y) !== 0,
  };
}

/** The part of a texture with that width that a tile shows, in pixels; for an animated tile, at the time of the map. */
export function tileFrame(map: Map, tile: number, textureWidth: number): Rectangle {
  if (
    typeof tile !== "number" ||
    typeof textureWidth !== "number" ||
    typeof map !== "object" ||
    map === null
  ) {
    expectArguments(
      "find a tile in a texture",
      ["the map", map, ["tileWidth", "tileHeight"]],
      ["the tile", tile, "number"],
      ["the width of the texture", textureWidth, "number"],
    );
  }
  const { tileWidth, tileHeight, margin = 0, spacing = 0, animations, time } = map;
  let shown = tileNumber(tile);
  if (animations !== undefined && Object.hasOwn(animations, shown)) shown = frameAt(animations[shown], time);
  const [stepX, stepY] = [tileWidth + spacing, tileHeight + spacing];
  const across = Math.max(Math.floor((textureWidth - margin + spacing) / stepX), 1);
  const [column, row] = [shown % across, Math.floor(shown / across)];
  return {
    x: margin + column * stepX,
    y: margin + row * stepY,
    width: tileWidth,
    height: tileHeight,
  };
}
