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
  type TileChunk,
  type TilemapSchema,
  tileFrame,
  tileTurn,
} from "../render/index.ts";
import { type AnyCanvas, type Context2D, contextOf, type MakeCanvas } from "./context.ts";

type MapValue = ValueOf<TilemapSchema>;

/** The cache of one map. */
export interface TileCache {
  map: MapValue | undefined;
  image: CanvasImageSource | undefined;
  /** The chunks seen so far, by number; a map may have millions that never are. */
  painted: Map<number, { readonly chunk: TileChunk; readonly canvas: AnyCanvas }>;
}

export function createTileCache(): TileCache {
  return { map: undefined, image: undefined, painted: new Map() };
}

/** Called when the map has changed: changed chunks are repainted when they next become visible. */
export function updateTileCache(cache: TileCache, map: MapValue): void {
  const before = cache.map;
  cache.map = map;
  if (before === undefined || !hasSameChunks(before, map)) cache.painted.clear();
  for (const [index, { chunk }] of cache.painted)
    if (isChunkChanged(before!, map, chunk)) cache.painted.delete(index);
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
  makeCanvas: MakeCanvas,
): void {
  const { map } = cache;
  if (map === undefined || map.tileWidth <= 0 || map.tileHeight <= 0) return;
  if (cache.image !== image) {
    cache.image = image;
    cache.painted.clear();
  }
  const [left, top] = [-map.anchorX * map.columns * map.tileWidth, -map.anchorY * map.rows * map.tileHeight];
  for (const chunk of chunksOf(map, visible)) {
    const [x, y] = [left + chunk.column * map.tileWidth, top + chunk.row * map.tileHeight];
    let canvas = cache.painted.get(chunk.index)?.canvas;
    if (canvas === undefined) {
      canvas = makeCanvas(Math.ceil(chunk.columns * map.tileWidth), Math.ceil(chunk.rows * map.tileHeight));
      const into = canvas && contextOf(canvas);
      if (into) paint(into, map, chunk, image, textureWidth, 0, 0);
      if (canvas) cache.painted.set(chunk.index, { chunk, canvas });
    }
    if (canvas === undefined) paint(context, map, chunk, image, textureWidth, x, y);
    else context.drawImage(canvas as CanvasImageSource, x, y);
  }
}

function paint(
  context: Context2D,
  map: MapValue,
  chunk: TileChunk,
  image: CanvasImageSource,
  textureWidth: number,
  left: number,
  top: number,
): void {
  forEachTile(map, chunk, (tile, column, row) => {
    const { x, y, width, height } = tileFrame(map, tile, textureWidth);
    const [toX, toY] = [left + column * width, top + row * height];
    const turn = tileTurn(tile);
    if (turn === undefined) {
      context.drawImage(image, x, y, width, height, toX, toY, width, height);
      return;
    }
    const [signX, signY] = [turn.flipX ? -1 : 1, turn.flipY ? -1 : 1];
    context.save();
    // Around the middle of the cell, and as large as the cell.
    const [acrossX, acrossY] = turn.swap ? [0, signX] : [signX, 0];
    const [downX, downY] = turn.swap ? [signY, 0] : [0, signY];
    context.transform(acrossX, downX, acrossY, downY, toX + width / 2, toY + height / 2);
    const [w, h] = turn.swap ? [height, width] : [width, height];
    context.drawImage(image, x, y, width, height, -w / 2, -h / 2, w, h);
    context.restore();
  });
}
