/**
 * Tilemaps in chunks: which there are, and which of them changed.
 */
import type { ValueOf } from "../../ecs/index.ts";
import type { Rectangle } from "../cameras/camera-view.ts";
import { EMPTY_TILE, type TilemapSchema } from "./tilemap.ts";

type Map = ValueOf<TilemapSchema>;

/** A part of a map: tiles from `column`, `row` on. */
export interface TileChunk {
  /** Its number, row by row. */
  readonly index: number;
  readonly column: number;
  readonly row: number;
  readonly columns: number;
  readonly rows: number;
}

/** All chunks of a map, row by row. */
export function chunksOf({ columns, rows, chunk }: Map): TileChunk[] {
  const side = Math.max(chunk, 1);
  const chunks: TileChunk[] = [];
  for (let row = 0; row < rows; row += side) {
    for (let column = 0; column < columns; column += side) {
      const size = { columns: Math.min(side, columns - column), rows: Math.min(side, rows - row) };
      chunks.push({ index: chunks.length, column, row, ...size });
    }
  }
  return chunks;
}

/** Whether the chunks of two maps are cut the same way from the same texture, so that they can be compared. */
export function hasSameChunks(a: Map, b: Map): boolean {
  const keys = ["texture", "columns", "rows", "chunk", "tileWidth", "tileHeight"] as const;
  return keys.every((key) => a[key] === b[key]);
}

/** Whether a chunk has other tiles in `after` than in `before`. The maps have the same chunks. */
export function isChunkChanged(before: Map, after: Map, chunk: TileChunk): boolean {
  if (before.tiles === after.tiles) return false;
  for (let row = chunk.row; row < chunk.row + chunk.rows; row++) {
    const start = row * after.columns;
    for (let at = start + chunk.column; at < start + chunk.column + chunk.columns; at++)
      if ((before.tiles[at] ?? EMPTY_TILE) !== (after.tiles[at] ?? EMPTY_TILE)) return true;
  }
  return false;
}

/** Calls `visit` for each tile of a chunk that is not empty, with its place in the chunk. */
export function forEachTile(
  map: Map,
  chunk: TileChunk,
  visit: (tile: number, column: number, row: number) => void,
): void {
  for (let row = 0; row < chunk.rows; row++) {
    for (let column = 0; column < chunk.columns; column++) {
      const tile = map.tiles[(chunk.row + row) * map.columns + chunk.column + column] ?? EMPTY_TILE;
      if (tile >= 0) visit(tile, column, row);
    }
  }
}

/** The part of a texture of that width that a tile shows, in pixels. */
export function tileFrame({ tileWidth, tileHeight }: Map, tile: number, textureWidth: number): Rectangle {
  const across = Math.max(Math.floor(textureWidth / tileWidth), 1);
  const [column, row] = [tile % across, Math.floor(tile / across)];
  return { x: column * tileWidth, y: row * tileHeight, width: tileWidth, height: tileHeight };
}
