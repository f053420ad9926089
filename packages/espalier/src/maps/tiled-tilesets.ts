/**
 * The tile sets of a map of Tiled: the texture of a tile, and its properties.
 */
import { FLIP_TILE_X, FLIP_TILE_Y, SWAP_TILE_XY } from "../render/index.ts";
import type { Json } from "../scene/index.ts";
import { asList, asNumber, asObject, asText, type ImportContext, type Loose } from "./import-context.ts";

/** One tile set. */
export interface TileSet {
  readonly name: string;
  readonly firstGid: number;
  /** Empty for a collection of images. */
  readonly texture: string;
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly margin: number;
  readonly spacing: number;
  /** By the number of the tile: its frames in seconds. */
  readonly animations: { readonly [tile: string]: readonly { tile: number; seconds: number }[] };
  /** Numbers of the tiles that have the property `solid`. */
  readonly solid: readonly number[];
  /** For collections: the texture of each tile. */
  readonly images: ReadonlyMap<
    number,
    { readonly texture: string; readonly width: number; readonly height: number }
  >;
  /** Classes of tiles, which objects made from them have too. */
  readonly classes: ReadonlyMap<number, string>;
  /** The point of an object made from a tile at which the object is placed, as fractions of its size. */
  readonly anchor: { readonly x: number; readonly y: number };
  readonly properties: ReadonlyMap<number, ReadonlyMap<string, Json>>;
}

// The bits that Tiled adds to the number of a flipped or rotated tile.
const X = 0x80000000;
const Y = 0x40000000;
const DIAGONAL = 0x20000000;
const HEXAGONAL = 0x10000000;
const NUMBER = 0x0fffffff;

/** The set of a tile and its number there, with its orientation. `undefined` for an empty cell. */
export function findTile(
  sets: readonly TileSet[],
  gid: number,
): { readonly set: TileSet; readonly tile: number; readonly turned: number } | undefined | "unknown" {
  const number = (gid & NUMBER) >>> 0;
  if (number === 0) return undefined;
  let set: TileSet | undefined;
  for (const each of sets) if (each.firstGid <= number) set = each;
  if (set === undefined) return "unknown";
  const tile = number - set.firstGid;
  const turns =
    ((gid & X) === 0 ? 0 : FLIP_TILE_X) +
    ((gid & Y) === 0 ? 0 : FLIP_TILE_Y) +
    ((gid & DIAGONAL) === 0 ? 0 : SWAP_TILE_XY);
  return { set, tile, turned: tile + turns };
}

/** Whether it has the rotation by 120° of hexagonal maps, which is meaningless elsewhere. */
export const isHexagonal = (gid: number): boolean => (gid & HEXAGONAL) !== 0;

/** Reads the tile sets of a map, including those in other files. */
export async function readTileSets(context: ImportContext, list: unknown): Promise<TileSet[]> {
  const sets: TileSet[] = [];
  for (const each of asList(list)) {
    const entry = asObject(each);
    const firstGid = asNumber(entry.firstgid, 1);
    const source = asText(entry.source);
    const json = source === "" ? entry : await context.read(source, "tile set");
    sets.push(readTileSet(context, json, firstGid, folderOf(source)));
  }
  return sets.sort((a, b) => a.firstGid - b.firstGid);
}

function readTileSet(context: ImportContext, json: Loose, firstGid: number, folder: string): TileSet {
  const name = asText(json.name);
  const where = `tile set ${name}`;
  const image = asText(json.image);
  const animations: { [tile: string]: { tile: number; seconds: number }[] } = {};
  const images = new Map<number, { texture: string; width: number; height: number }>();
  const classes = new Map<number, string>();
  const properties = new Map<number, ReadonlyMap<string, Json>>();
  const solid: number[] = [];
  for (const each of asList(json.tiles)) {
    const tile = asObject(each);
    const id = asNumber(tile.id);
    const frames = asList(tile.animation).map((frame) => {
      const { tileid, duration } = asObject(frame);
      return { tile: asNumber(tileid), seconds: Math.max(asNumber(duration), 1) / 1000 };
    });
    if (frames.length > 0) animations[id] = frames;
    const own = readProperties(context, tile.properties, where);
    if (own.size > 0) properties.set(id, own);
    if (own.get("solid") === true) solid.push(id);
    const className = asText(tile.class) || asText(tile.type);
    if (className !== "") classes.set(id, className);
    if (typeof tile.image === "string") {
      const [width, height] = [asNumber(tile.imagewidth), asNumber(tile.imageheight)];
      images.set(id, { texture: context.texture(joined(folder, tile.image)), width, height });
      if (tile.x !== undefined || tile.y !== undefined)
        context.note(where, `that tile ${id} is a part of its image`);
    }
    if (tile.objectgroup !== undefined)
      context.note(where, `the collision shapes of tile ${id}; mark solid tiles with a property solid`);
  }
  const offset = asObject(json.tileoffset);
  if (asNumber(offset.x) !== 0 || asNumber(offset.y) !== 0) context.note(where, "the drawing offset");
  if (asList(json.wangsets).length > 0) context.note(where, "terrains, which are for drawing in Tiled");
  if (json.tilerendersize === "grid") context.note(where, "that its tiles are scaled to the grid");
  if (asList(json.properties).length > 0) context.note(where, "the properties of the set itself");
  if (asText(json.transparentcolor) !== "")
    context.note(where, "the transparent colour; save the image with transparency");
  return {
    name,
    firstGid,
    texture: image === "" ? "" : context.texture(joined(folder, image)),
    tileWidth: asNumber(json.tilewidth),
    tileHeight: asNumber(json.tileheight),
    margin: asNumber(json.margin),
    spacing: asNumber(json.spacing),
    animations,
    solid,
    images,
    classes,
    properties,
    anchor: anchorOf(context, asText(json.objectalignment), where),
  };
}

/** Tiled places objects by their lower left corner, unless their tile set defines another point. */
function anchorOf(context: ImportContext, alignment: string, where: string): { x: number; y: number } {
  if (alignment === "" || alignment === "unspecified") return { x: 0, y: 1 };
  if (!/^(top|bottom|center|left|right|(top|bottom)(left|right))$/.test(alignment)) {
    context.note(where, `the object alignment ${alignment}`);
    return { x: 0, y: 1 };
  }
  const middle = 0.5;
  return {
    x: alignment.endsWith("left") ? 0 : alignment.endsWith("right") ? 1 : middle,
    y: alignment.startsWith("top") ? 0 : alignment.startsWith("bottom") ? 1 : middle,
  };
}

/** Custom properties by name. Colours and files are kept as Tiled writes them. */
export function readProperties(context: ImportContext, list: unknown, where: string): Map<string, Json> {
  const found = new Map<string, Json>();
  for (const each of asList(list)) {
    const { name, value, type } = asObject(each);
    if (typeof name !== "string") throw context.invalid(`a property of ${where || "the map"} has no name`);
    // A reference to an object is the id of its entity.
    if (type === "object") found.set(name, asNumber(value) === 0 ? null : `object.${asNumber(value)}`);
    else found.set(name, (value ?? null) as Json);
  }
  return found;
}

/** The path of a file that is named relative to a folder. */
export function joined(folder: string, path: string): string {
  if (folder === "" || /^([a-z]+:|\/)/i.test(path)) return path;
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split("/")) {
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

export function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}
