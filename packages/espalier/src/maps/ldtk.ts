/**
 * Worlds of LDtk (.ldtk) as scenes: a level is a root, a layer an entity below it, IntGrids are grids of values.
 */
import { EMPTY_TILE, FLIP_TILE_X, FLIP_TILE_Y } from "../render/index.ts";
import type { Json } from "../scene/index.ts";
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
  short,
} from "./import-context.ts";
import type { Components, ImportedMap, ImportMapOptions } from "./imported-map.ts";

interface LdtkProject {
  readonly context: ImportContext;
  /** Definitions of tile sets and of layers, by their `uid`. */
  readonly sets: ReadonlyMap<number, Loose>;
  readonly layers: ReadonlyMap<number, Loose>;
}

/**
 * Reads a world of LDtk: its text, or what it was parsed to. Levels are roots; the position of a level is added to its content.
 * An IntGrid is a `Tilemap` without a
 * texture whose tiles are the values, so that `tileAt` and `TileCollider` work with them; its pictures are below it.
 *
 * @throws InvalidMapError for a value that is not a world of LDtk.
 * @throws MissingMapFileError when levels are in files of their own, and `read` does not give them.
 */
export async function importLdtk(
  world: string | object,
  options: ImportMapOptions = {},
): Promise<ImportedMap> {
  const context = new ImportContext(options);
  const json = parseMap(world, context.file);
  if (!Array.isArray(json.levels) || json.defs === undefined)
    throw context.invalid("it is not a world of LDtk: it has no levels with defs");
  const defs = asObject(json.defs);
  const project = { context, sets: byUid(defs.tilesets), layers: byUid(defs.layers) };
  const others = asList(json.worlds).map(asObject);
  if (others.some((each) => asList(each.levels).length > 0))
    context.note("", "which of several worlds a level belongs to");
  for (const { levels, worldLayout } of [json, ...others]) {
    // Levels in a row have no positions: LDtk writes -1 for both numbers.
    const isRow = worldLayout === "LinearHorizontal";
    const isColumn = worldLayout === "LinearVertical";
    let passed = 0;
    for (const each of asList(levels)) {
      let level = asObject(each);
      const path = asText(level.externalRelPath);
      if (!Array.isArray(level.layerInstances) && path !== "")
        level = { ...level, ...(await context.read(path, "level")) };
      if (isRow) level = { ...level, worldX: passed, worldY: 0 };
      if (isColumn) level = { ...level, worldX: 0, worldY: passed };
      passed += asNumber(isRow ? level.pxWid : level.pxHei);
      addLevel(project, level);
    }
  }
  return context.done();
}

function byUid(list: unknown): Map<number, Loose> {
  return new Map(
    asList(list)
      .map(asObject)
      .map((each) => [asNumber(each.uid), each]),
  );
}

function addLevel(world: LdtkProject, level: Loose): void {
  const { context } = world;
  const name = asText(level.identifier);
  // No transform, because bodies may only be below folders. The position of the level is added to its content.
  const corner = { x: asNumber(level.worldX), y: asNumber(level.worldY) };
  const components: Components = {};
  const { x, y } = context.point(corner.x, corner.y);
  addProp(components, "x", x);
  addProp(components, "y", y);
  addProp(components, "width", asNumber(level.pxWid));
  addProp(components, "height", asNumber(level.pxHei));
  if (asNumber(level.worldDepth) !== 0) addProp(components, "worldDepth", asNumber(level.worldDepth));
  addProperties(components, fieldsOf(context, level.fieldInstances, name));
  if (asText(level.bgRelPath) !== "") context.note(name, `the background picture ${asText(level.bgRelPath)}`);
  if (asText(level.bgColor) !== "")
    context.note(name, `the background ${asText(level.bgColor)}; give it to the camera`);
  const id = context.add({ id: idOf(level, name), name, components }, undefined);
  // LDtk lists the topmost first; here later ones are on top.
  for (const layer of [...asList(level.layerInstances)].reverse())
    addLayer(world, asObject(layer), { id, name, corner });
}

/** An added level: its entity, and the position of its upper left corner in the world of LDtk. */
interface Level {
  readonly id: string;
  readonly name: string;
  readonly corner: { readonly x: number; readonly y: number };
}

function addLayer(world: LdtkProject, layer: Loose, level: Level): void {
  const { context } = world;
  const name = asText(layer.__identifier);
  const where = `${level.name}/${name}`;
  const offset = {
    x: level.corner.x + asNumber(layer.__pxTotalOffsetX),
    y: level.corner.y + asNumber(layer.__pxTotalOffsetY),
  };
  const position = context.positionFields(offset.x, offset.y);
  const components: Components = {};
  if (asNumber(layer.__opacity, 1) !== 1) components.Alpha = { value: short(asNumber(layer.__opacity)) };
  if (layer.visible === false) components.Visibility = { mode: "hidden" };
  const base = { id: idOf(layer, name), name };
  const definition = world.layers.get(asNumber(layer.layerDefUid, -1)) ?? {};
  for (const key of ["parallaxFactorX", "parallaxFactorY"])
    if (asNumber(definition[key]) !== 0)
      context.note(where, `the parallax factor ${key} ${asNumber(definition[key])}`);
  const grid = gridOf(context, layer, where);
  const values = asList(layer.intGridCsv);
  if (values.length === 0 && asList(layer.intGrid).length > 0)
    context.note(where, "its values, which are as LDtk wrote them before 0.8; save it with a later one");
  if (layer.__type === "IntGrid" && values.length > 0) {
    if (values.length !== grid.columns * grid.rows)
      throw context.invalid(`the IntGrid ${where} has ${values.length} values`);
    components.Transform2D = position;
    components.Tilemap = {
      ...grid.size,
      columns: grid.columns,
      rows: grid.rows,
      tiles: values.map((value) => asNumber(value) || EMPTY_TILE),
    };
    const names = asList(definition.intGridValues).flatMap((each) => {
      const { identifier, value } = asObject(each);
      return asText(identifier) === "" ? [] : [[asText(identifier), asNumber(value)] as const];
    });
    if (names.length > 0) addProp(components, "values", Object.fromEntries(names));
  }
  const stacks = tilesOf(world, layer, grid, where);
  // A single picture is put on the layer itself, unless that is a grid of values.
  const [only] = stacks;
  if (stacks.length === 1 && only !== undefined && components.Tilemap === undefined) {
    components.Transform2D = position;
    components.Tilemap = only;
  }
  const id = context.add({ ...base, components }, level.id);
  if (components.Tilemap !== only)
    stacks.forEach((Tilemap, k) => {
      const Transform2D = components.Transform2D === undefined ? position : {};
      context.add(
        { id: `${base.id}.tiles`, name: `tiles ${k + 1}`, components: { Transform2D, Tilemap } },
        id,
      );
    });
  for (const each of asList(layer.entityInstances)) addEntity(context, asObject(each), { id, where, offset });
}

interface Grid {
  readonly columns: number;
  readonly rows: number;
  readonly side: number;
  readonly size: { [field: string]: Json };
}

function gridOf(context: ImportContext, layer: Loose, where: string): Grid {
  const [columns, rows] = [asNumber(layer.__cWid), asNumber(layer.__cHei)];
  const side = asNumber(layer.__gridSize, 16);
  const isSize = [columns, rows].every((each) => Number.isInteger(each) && each >= 0 && each <= 65_535);
  if (!isSize || columns * rows > MOST_CELLS || !(side > 0))
    throw context.invalid(`the layer ${where} has an impossible size: ${columns} by ${rows} cells`);
  return { columns, rows, side, size: side === 16 ? {} : { tileWidth: side, tileHeight: side } };
}

/** The pictures of a layer: as many maps as the highest number of tiles on one cell. */
function tilesOf(
  { context, sets }: LdtkProject,
  layer: Loose,
  grid: Grid,
  where: string,
): { [field: string]: Json }[] {
  const all = [...asList(layer.autoLayerTiles), ...asList(layer.gridTiles)].map(asObject);
  if (all.length === 0) return [];
  const set = sets.get(asNumber(layer.__tilesetDefUid, -1)) ?? {};
  const path = asText(layer.__tilesetRelPath) || asText(set.relPath);
  if (path === "") {
    context.note(where, "its tiles: their tile set has no image");
    return [];
  }
  const source = asNumber(set.tileGridSize, grid.side);
  if (source !== grid.side) {
    context.note(where, `its tiles: they are ${source} pixels wide and the grid ${grid.side}`);
    return [];
  }
  const stacks: number[][] = [];
  let lost = 0;
  let faded = 0;
  for (const tile of all) {
    const [px = Number.NaN, py = Number.NaN] = asList(tile.px).map((value) => asNumber(value));
    const [column, row] = [px / grid.side, py / grid.side];
    const isInside = column >= 0 && row >= 0 && column < grid.columns && row < grid.rows;
    if (!Number.isInteger(column) || !Number.isInteger(row) || !isInside) {
      lost++;
      continue;
    }
    if (asNumber(tile.a, 1) !== 1) faded++;
    const flips = asNumber(tile.f);
    const turned =
      asNumber(tile.t) + ((flips & 1) === 0 ? 0 : FLIP_TILE_X) + ((flips & 2) === 0 ? 0 : FLIP_TILE_Y);
    const at = row * grid.columns + column;
    let stack = stacks.find((tiles) => tiles[at] === EMPTY_TILE);
    if (stack === undefined) {
      const cells = grid.columns * grid.rows;
      // A file with a few bytes per tile must not take the memory of a whole map for each.
      if ((stacks.length + 1) * cells > MOST_CELLS)
        throw context.invalid(
          `the layer ${where} of ${grid.columns} by ${grid.rows} cells has too many tiles on one cell`,
        );
      stack = new Array<number>(cells).fill(EMPTY_TILE);
      stacks.push(stack);
    }
    stack[at] = turned;
  }
  if (lost > 0) context.note(where, `${lost} tiles that are not on the grid`);
  if (faded > 0) context.note(where, `the opacity of ${faded} tiles`);
  const [margin, spacing] = [asNumber(set.padding), asNumber(set.spacing)];
  const texture = context.texture(path);
  return stacks.map((tiles) => ({
    texture,
    ...grid.size,
    columns: grid.columns,
    rows: grid.rows,
    tiles,
    ...(margin === 0 ? {} : { margin }),
    ...(spacing === 0 ? {} : { spacing }),
  }));
}

/** An added layer, and the origin of its entities. */
interface Layer {
  readonly id: string;
  readonly where: string;
  readonly offset: { readonly x: number; readonly y: number };
}

function addEntity(context: ImportContext, entity: Loose, layer: Layer): void {
  const className = asText(entity.__identifier);
  const where = `${layer.where}/${className}`;
  const [px = 0, py = 0] = asList(entity.px).map((value) => asNumber(value));
  const { x, y } = context.point(layer.offset.x + px, layer.offset.y + py);
  const components: Components = { Transform2D: { x, y } };
  const prefab = context.prefabOf(className);
  if (prefab === undefined) {
    addProp(components, "class", className);
    addProp(components, "width", asNumber(entity.width));
    addProp(components, "height", asNumber(entity.height));
    // The pivot of its box.
    const [pivotX, pivotY] = asList(entity.__pivot).map((value) => asNumber(value));
    if (pivotX || pivotY) addProp(components, "pivot", { x: pivotX ?? 0, y: pivotY ?? 0 });
    if (asList(entity.__tags).length > 0) addProp(components, "tags", asList(entity.__tags) as Json[]);
    if (entity.__tile !== null && entity.__tile !== undefined)
      context.note(where, "its picture; make it a prefab, or draw it by its class");
  }
  addProperties(components, fieldsOf(context, entity.fieldInstances, where));
  context.add(
    { id: idOf(entity, className), name: className, ...(prefab === undefined ? {} : { prefab }), components },
    layer.id,
  );
}

/** Fields by name. `Health_hp` is the field `hp` of a component `Health`: LDtk allows no dots in names. */
function fieldsOf(context: ImportContext, list: unknown, where: string): [string, Json][] {
  return asList(list).map((each) => {
    const { __identifier, __value } = asObject(each);
    const name = asText(__identifier);
    if (name === "") throw context.invalid(`a field of ${where} has no name`);
    const [, component, field] = /^([A-Z][A-Za-z\d]*)_([a-z]\w*)$/.exec(name) ?? [];
    const value = Array.isArray(__value) ? __value.map(referenceOr) : referenceOr(__value);
    return [component === undefined ? name : `${component}.${field}`, value];
  });
}

/** A reference to an entity is the id of it; other values are kept as LDtk writes them. */
function referenceOr(value: unknown): Json {
  return asText(asObject(value).entityIid) || ((value ?? null) as Json);
}

const idOf = (json: Loose, name: string): string => asText(json.iid) || name;
