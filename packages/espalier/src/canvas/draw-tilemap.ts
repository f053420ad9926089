/**
 * Tilemaps on a 2D context: each chunk is painted once into a canvas of its own and again only when a tile in it changed.
 */
import type { ValueOf } from "../ecs/index.ts";
import {
  type Bounds,
  chunksOf,
  forEachTile,
  hasSameChunks,
  isChunkChanged,
  overlaps,
  type TileChunk,
  type TilemapSchema,
  tileFrame,
} from "../render/index.ts";
import { type AnyCanvas, type Context2D, contextOf, makeCanvas } from "./context.ts";

type Map = ValueOf<TilemapSchema>;

/** What is kept of one map. */
export interface TileCache {
  map: Map | undefined;
  image: CanvasImageSource | undefined;
  chunks: TileChunk[];
  /** By chunk; nothing for those that are still to be painted. */
  painted: (AnyCanvas | undefined)[];
}

export function createTileCache(): TileCache {
  return { map: undefined, image: undefined, chunks: [], painted: [] };
}

/** Says that the map is another now: chunks that are not as before are painted anew when they are next seen. */
export function updateTileCache(cache: TileCache, map: Map): void {
  const before = cache.map;
  cache.map = map;
  if (before === undefined || !hasSameChunks(before, map)) {
    cache.chunks = chunksOf(map);
    cache.painted = cache.chunks.map(() => undefined);
    return;
  }
  for (const chunk of cache.chunks)
    if (isChunkChanged(before, map, chunk)) cache.painted[chunk.index] = undefined;
}

/**
 * Draws the chunks that overlap `visible`, which is in the map's own coordinates. `textureWidth` is the width of the image.
 */
export function drawTilemap(
  context: Context2D,
  cache: TileCache,
  image: CanvasImageSource,
  textureWidth: number,
  visible: Bounds,
): void {
  const { map } = cache;
  if (map === undefined || map.tileWidth <= 0 || map.tileHeight <= 0) return;
  if (cache.image !== image) {
    cache.image = image;
    cache.painted = cache.chunks.map(() => undefined);
  }
  const [left, top] = [-map.anchorX * map.columns * map.tileWidth, -map.anchorY * map.rows * map.tileHeight];
  for (const chunk of cache.chunks) {
    const [x, y] = [left + chunk.column * map.tileWidth, top + chunk.row * map.tileHeight];
    const [width, height] = [chunk.columns * map.tileWidth, chunk.rows * map.tileHeight];
    if (!overlaps({ minX: x, minY: y, maxX: x + width, maxY: y + height }, visible)) continue;
    let canvas = cache.painted[chunk.index];
    if (canvas === undefined) {
      canvas = makeCanvas(Math.ceil(width), Math.ceil(height));
      const into = canvas && contextOf(canvas);
      if (into) paint(into, map, chunk, image, textureWidth, 0, 0);
      cache.painted[chunk.index] = canvas;
    }
    if (canvas === undefined) paint(context, map, chunk, image, textureWidth, x, y);
    else context.drawImage(canvas as CanvasImageSource, x, y);
  }
}

function paint(
  context: Context2D,
  map: Map,
  chunk: TileChunk,
  image: CanvasImageSource,
  textureWidth: number,
  left: number,
  top: number,
): void {
  forEachTile(map, chunk, (tile, column, row) => {
    const { x, y, width, height } = tileFrame(map, tile, textureWidth);
    context.drawImage(image, x, y, width, height, left + column * width, top + row * height, width, height);
  });
}
