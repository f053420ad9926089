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

/** A colour as Tiled writes it, `#RRGGBB` or `#AARRGGBB`: the colour, and how opaque it is from 0 to 1. */
export function readColor(value: unknown): { readonly color: string; readonly alpha: number } | undefined {
  const [, alpha = "ff", rgb] = /^#([\da-f]{2})?([\da-f]{6})$/i.exec(asText(value)) ?? [];
  if (rgb === undefined) return undefined;
  return { color: `#${rgb.toLowerCase()}`, alpha: Number.parseInt(alpha, 16) / 255 };
}

/** Opacity, tint and visibility. */
export function addLook(components: Components, layer: Loose): void {
  const tint = readColor(layer.tintcolor);
  const opacity = asNumber(layer.opacity, 1) * (tint?.alpha ?? 1);
  if (opacity !== 1) components.Alpha = { value: short(opacity) };
  if (tint !== undefined) components.Tint = { color: tint.color };
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
