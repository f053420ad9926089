/**
 * Maps of Tiled (.tmj) as scenes: a layer is an entity, a group a parent, an object an entity with its properties.
 */
import { EMPTY_TILE, tileNumber } from "../render/index.ts";
import type { Json } from "../scene/index.ts";
import { decodeTiles } from "./decode-tiles.ts";
import { UnsupportedMapError } from "./errors.ts";
import {
  addProp,
  addProperties,
  asList,
  asNumber,
  asObject,
  asText,
  ImportContext,
  type Loose,
  MOST_CELLS,
  parseMap,
} from "./import-context.ts";
import type { Components, ImportedMap, ImportMapOptions } from "./imported-map.ts";
import { addLook, type Offset, type TiledMap, tilemapOf } from "./tiled-map.ts";
import { addObjects } from "./tiled-objects.ts";
import { findTile, isHexagonal, readProperties, readTileSets, type TileSet } from "./tiled-tilesets.ts";

/**
 * Reads a map of Tiled: its text, or what it was parsed to. Orthogonal maps, finite or infinite, with tiles as CSV or Base64 (zlib, gzip).
 *
 * @throws InvalidMapError for a value that is not a map.
 * @throws UnsupportedMapError for isometric and hexagonal maps, and for zstd.
 * @throws MissingMapFileError when a tile set or template is in another file, and `read` does not give it.
 *
 * @example
 * ```ts
 * const { scene } = await importTiled({
 *   type: "map",
 *   orientation: "orthogonal",
 *   width: 2,
 *   height: 1,
 *   tilewidth: 16,
 *   tileheight: 16,
 *   tilesets: [{ firstgid: 1, name: "cave", image: "cave.png", tilewidth: 16, tileheight: 16 }],
 *   layers: [{ id: 1, name: "ground", type: "tilelayer", width: 2, height: 1, data: [1, 0] }],
 * });
 * scene.entities[0]!.name; // → "ground"
 * scene.entities[0]!.components!.Tilemap!.tiles; // → [0, -1]
 * ```
 */
export async function importTiled(
  map: string | object,
  options: ImportMapOptions = {},
): Promise<ImportedMap> {
  const context = new ImportContext(options);
  const json = parseMap(map, context.file);
  if (json.type !== "map" || !Array.isArray(json.layers))
    throw context.invalid(
      json.type === "tileset"
        ? "it is a tile set. Import the map that uses it"
        : 'it is not a map of Tiled: it has no "type": "map" with layers',
    );
  requireOrthogonal(context, json);
  const sets = await readTileSets(context, json.tilesets);
  const tiled: TiledMap = {
    context,
    sets,
    tileWidth: asNumber(json.tilewidth, 16),
    tileHeight: asNumber(json.tileheight, 16),
  };
  addMapItself(tiled, json);
  // Not recursive: groups may be nested to any depth.
  const waiting: { layer: Loose; parent: string | undefined; path: string; offset: Offset }[] = [];
  const queue = (layers: unknown, parent: string | undefined, path: string, offset: Offset) => {
    const below = asList(layers);
    for (let k = below.length - 1; k >= 0; k--)
      waiting.push({ layer: asObject(below[k]), parent, path, offset });
  };
  queue(json.layers, undefined, "", { x: 0, y: 0 });
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { layer, parent, path } = next;
    const where = `${path}/${asText(layer.name)}`;
    const offset = {
      x: next.offset.x + asNumber(layer.offsetx),
      y: next.offset.y + asNumber(layer.offsety),
    };
    const id = await addLayer(tiled, layer, { parent, where, offset });
    if (layer.type === "group") queue(layer.layers, id, where, offset);
  }
  return context.done();
}

function requireOrthogonal(context: ImportContext, { orientation = "orthogonal" }: Loose): void {
  if (orientation === "orthogonal") return;
  throw new UnsupportedMapError(
    `Cannot import ${context.label}: it is ${String(orientation)}. Only orthogonal maps are drawn: in Tiled, choose Map > Map Properties… > Orientation: Orthogonal.`,
    { file: context.file, value: orientation },
  );
}

/** Adds an entity `map` for properties of the map itself, if there are any. */
function addMapItself({ context }: TiledMap, json: Loose): void {
  const components: Components = {};
  addProperties(components, readProperties(context, json.properties, ""));
  if (asText(json.class) !== "") addProp(components, "class", asText(json.class));
  if (asText(json.backgroundcolor) !== "")
    context.note("", `the background ${asText(json.backgroundcolor)}; give it to the camera`);
  if (Object.keys(components).length > 0) context.add({ id: "map", name: "map", components }, undefined);
}

/** The parent and the offset of a layer, including those of its groups. */
interface LayerTarget {
  readonly parent: string | undefined;
  readonly where: string;
  readonly offset: Offset;
}

/**
 * Adds a layer. Groups and layers of objects get no transform of their own: their offset is added to their content, because
 * bodies may only be below
 * folders.
 */
async function addLayer(tiled: TiledMap, layer: Loose, target: LayerTarget): Promise<string> {
  const { context } = tiled;
  const { parent, where, offset } = target;
  const components: Components = {};
  const properties = readProperties(context, layer.properties, where);
  addLook(components, layer);
  for (const key of ["parallaxx", "parallaxy"])
    if (asNumber(layer[key], 1) !== 1)
      context.note(where, `the parallax factor ${key} ${asNumber(layer[key])}`);
  if (asText(layer.mode) !== "" && layer.mode !== "normal")
    context.note(where, `the blend mode ${asText(layer.mode)}`);
  const base = { id: `layer.${asNumber(layer.id)}`, name: asText(layer.name) };
  const isSolid = properties.get("solid") === true;
  if (isSolid && layer.type === "tilelayer") properties.delete("solid");
  addProperties(components, properties);
  if (asText(layer.class) !== "") addProp(components, "class", asText(layer.class));

  if (layer.type === "tilelayer")
    return await addTiles(tiled, layer, { ...target, base, components, isSolid });
  if (layer.type === "imagelayer") {
    const image = asText(layer.image);
    components.Transform2D = { ...context.positionFields(offset.x, offset.y), ...components.Transform2D };
    if (image !== "") components.Sprite = { texture: context.texture(image), anchorX: 0, anchorY: 0 };
    if (layer.repeatx === true || layer.repeaty === true) context.note(where, "the repetition of its image");
    if (asText(layer.transparentcolor) !== "")
      context.note(where, "the transparent colour; save the image with transparency");
    return context.add({ ...base, components }, parent);
  }
  const id = context.add({ ...base, components }, parent);
  if (layer.type === "objectgroup") await addObjects(tiled, layer, { parent: id, where, offset });
  else if (layer.type !== "group") context.note(where, `a layer of the type ${asText(layer.type)}`);
  return id;
}

interface LayerEntry extends LayerTarget {
  readonly base: { readonly id: string; readonly name: string };
  readonly components: Components;
  readonly isSolid: boolean;
}

/** A layer of tiles: one map, or one below it per tile set if it uses several. */
async function addTiles(tiled: TiledMap, layer: Loose, entry: LayerEntry): Promise<string> {
  const { context } = tiled;
  const { base, components, parent, where, offset } = entry;
  const grid = await readGrid(tiled, layer, where);
  const used = new Map<TileSet, number[]>();
  const lost = new Set<string>();
  grid.gids.forEach((gid, at) => {
    const found = findTile(tiled.sets, gid);
    if (found === undefined) return;
    if (found === "unknown")
      throw context.invalid(`the layer ${where} has the tile ${gid}, which is in no tile set`);
    const { set, turned } = found;
    const why = reasonAgainst(tiled, set) ?? (isHexagonal(gid) ? "hexagonally turned tiles" : undefined);
    if (why !== undefined) {
      lost.add(why);
      return;
    }
    let tiles = used.get(set);
    if (tiles === undefined) {
      tiles = new Array<number>(grid.columns * grid.rows).fill(EMPTY_TILE);
      used.set(set, tiles);
    }
    tiles[at] = turned;
  });
  for (const why of lost) context.note(where, why);
  const maps = [...used].map(([set, tiles]) => ({ set, values: tilemapOf(tiled, set, grid, tiles) }));
  const [first] = maps;
  const position = context.positionFields(
    offset.x + grid.column * tiled.tileWidth,
    offset.y + grid.row * tiled.tileHeight,
  );
  if (maps.length < 2) {
    components.Transform2D = { ...position, ...components.Transform2D };
    if (first !== undefined) {
      components.Tilemap = first.values;
      addCollider(components, first.set, entry.isSolid);
    }
    return context.add({ ...base, components }, parent);
  }
  const id = context.add({ ...base, components }, parent);
  for (const { set, values } of maps) {
    const own: Components = { Transform2D: position, Tilemap: values };
    addCollider(own, set, entry.isSolid);
    context.add({ id: `${base.id}.${set.name}`, name: set.name, components: own }, id);
  }
  return id;
}

/** All tiles of a solid layer collide; in other layers those that are marked as solid in their tile set. */
function addCollider(components: Components, { solid }: TileSet, isSolid: boolean): void {
  const tiles = (components.Tilemap?.tiles ?? []) as readonly number[];
  if (!isSolid) {
    const used = new Set(tiles.map(tileNumber));
    if (!solid.some((tile) => used.has(tile))) return;
  }
  components.RigidBody = { type: "static", ...components.RigidBody };
  components.TileCollider = { ...(isSolid ? {} : { solid: solid as Json[] }), ...components.TileCollider };
}

/** Why tiles of a set cannot be in a layer. */
function reasonAgainst({ tileWidth, tileHeight }: TiledMap, set: TileSet): string | undefined {
  if (set.texture === "")
    return `tiles of ${set.name}, a collection of images; use one image, or place them as objects`;
  if (set.tileWidth === tileWidth && set.tileHeight === tileHeight) return undefined;
  return `tiles of ${set.name}: they are ${set.tileWidth} by ${set.tileHeight} pixels and the grid ${tileWidth} by ${tileHeight}; place them as objects`;
}

interface Grid {
  /** The column of the first tile: infinite maps begin anywhere. */
  readonly column: number;
  readonly row: number;
  readonly columns: number;
  readonly rows: number;
  readonly gids: readonly number[];
}

/** The maximum number of columns and rows of a `Tilemap`. */
const MOST = 65_535;

async function readGrid({ context }: TiledMap, layer: Loose, where: string): Promise<Grid> {
  const compression = asText(layer.compression);
  const sized = (part: Loose) => {
    const [columns, rows] = [asNumber(part.width), asNumber(part.height)];
    if (
      ![columns, rows].every((side) => Number.isInteger(side) && side >= 0 && side <= MOST) ||
      columns * rows > MOST_CELLS
    )
      throw context.invalid(`the layer ${where} has an impossible size: ${columns} by ${rows} tiles`);
    return { columns, rows };
  };
  if (!Array.isArray(layer.chunks)) {
    const { columns, rows } = sized(layer);
    const gids = await decodeTiles(context, layer.data, compression, columns * rows, where);
    return { column: 0, row: 0, columns, rows, gids };
  }
  const parts = layer.chunks.map((chunk) => {
    const json = asObject(chunk);
    const [column, row] = [asNumber(json.x), asNumber(json.y)];
    if (!Number.isSafeInteger(column) || !Number.isSafeInteger(row))
      throw context.invalid(`the layer ${where} has a chunk at ${column}, ${row}, which is between tiles`);
    return { json, column, row, ...sized(json) };
  });
  const [head] = parts;
  if (head === undefined) return { column: 0, row: 0, columns: 0, rows: 0, gids: [] };
  let { column, row } = head;
  let [right, bottom] = [column, row];
  for (const part of parts) {
    column = Math.min(column, part.column);
    row = Math.min(row, part.row);
    right = Math.max(right, part.column + part.columns);
    bottom = Math.max(bottom, part.row + part.rows);
  }
  const whole = sized({ width: right - column, height: bottom - row });
  const gids = new Array<number>(whole.columns * whole.rows).fill(0);
  for (const part of parts) {
    const tiles = await decodeTiles(context, part.json.data, compression, part.columns * part.rows, where);
    tiles.forEach((gid, k) => {
      const [x, y] = [
        part.column - column + (k % part.columns),
        part.row - row + Math.floor(k / part.columns),
      ];
      gids[y * whole.columns + x] = gid;
    });
  }
  return { column, row, ...whole, gids };
}
