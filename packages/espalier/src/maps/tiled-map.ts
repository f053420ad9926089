/**
 * What layers and objects of Tiled have in common.
 */
import type { Json } from "../scene/index.ts";
import { asNumber, asText, type ImportContext, type Loose, short } from "./import-context.ts";
import type { Components } from "./imported-map.ts";
import type { TileSet } from "./tiled-tilesets.ts";

/** What the layers of one map share. */
export interface TiledMap {
  readonly context: ImportContext;
  readonly sets: readonly TileSet[];
  readonly tileWidth: number;
  readonly tileHeight: number;
}

/** A point of the map: pixels to the right and downwards. */
export interface Offset {
  readonly x: number;
  readonly y: number;
}

/** Opacity, tint and visibility. */
export function addLook(components: Components, layer: Loose): void {
  const opacity = asNumber(layer.opacity, 1);
  if (opacity !== 1) components.Alpha = { value: short(opacity) };
  const [, rgb] = /^#(?:[\da-f]{2})?([\da-f]{6})$/i.exec(asText(layer.tintcolor)) ?? [];
  if (rgb !== undefined) components.Tint = { color: `#${rgb.toLowerCase()}` };
  if (layer.visible === false) components.Visibility = { mode: "hidden" };
}

/** The values of a `Tilemap` that shows tiles of a set. */
export function tilemapOf(
  { tileWidth, tileHeight }: Pick<TiledMap, "tileWidth" | "tileHeight">,
  { texture, margin, spacing, animations }: TileSet,
  { columns, rows }: { readonly columns: number; readonly rows: number },
  tiles: readonly number[],
): { [field: string]: Json } {
  return {
    texture,
    ...(tileWidth === 16 ? {} : { tileWidth }),
    ...(tileHeight === 16 ? {} : { tileHeight }),
    columns,
    rows,
    tiles: tiles as Json[],
    ...(margin === 0 ? {} : { margin }),
    ...(spacing === 0 ? {} : { spacing }),
    ...(Object.keys(animations).length === 0 ? {} : { animations: animations as unknown as Json }),
  };
}
