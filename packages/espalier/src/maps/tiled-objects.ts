/**
 * Objects of Tiled: as entities with their properties, or as instances of prefabs.
 */
import type { Json } from "../scene/index.ts";
import {
  addProp,
  addProperties,
  asList,
  asNumber,
  asObject,
  asText,
  type Loose,
  short,
} from "./import-context.ts";
import type { Components } from "./imported-map.ts";
import { addLook, type Offset, readColor, type TiledMap, tilemapOf } from "./tiled-map.ts";
import { findTile, readProperties, type TileSet } from "./tiled-tilesets.ts";

/** The parent of the objects of a layer, and their origin on the map. */
interface ObjectsTarget {
  readonly parent: string;
  readonly where: string;
  readonly offset: Offset;
}

/** Adds the objects of a layer below its entity. */
export async function addObjects(tiled: TiledMap, layer: Loose, target: ObjectsTarget): Promise<void> {
  const objects = asList(layer.objects).map(asObject);
  // As Tiled draws them, unless the layer says otherwise.
  if (layer.draworder !== "index") objects.sort((a, b) => asNumber(a.y) - asNumber(b.y));
  for (const own of objects) {
    const template = asText(own.template);
    addObject(tiled, template === "" ? own : await fromTemplate(tiled, own, template, target), target);
  }
}

/** An object with missing values taken from its template. */
async function fromTemplate(
  { context }: TiledMap,
  own: Loose,
  template: string,
  { where }: ObjectsTarget,
): Promise<Loose> {
  const base = asObject((await context.read(template, "template")).object);
  if (base.gid !== undefined && own.gid === undefined)
    context.note(where, `the picture of the template ${template}: its tile set is not that of the map`);
  return {
    ...base,
    ...own,
    gid: own.gid,
    // An object lists only changed properties; later ones of the same name win.
    properties: [...asList(base.properties), ...asList(own.properties)],
  };
}

function addObject(tiled: TiledMap, object: Loose, { parent, where: path, offset }: ObjectsTarget): void {
  const { context, sets } = tiled;
  const number = asNumber(object.id);
  const found = typeof object.gid === "number" ? findTile(sets, object.gid) : undefined;
  if (found === "unknown")
    throw context.invalid(`the object ${number} of ${path} has a tile that is in no tile set`);
  const className =
    asText(object.class) ||
    asText(object.type) ||
    (found === undefined ? "" : (found.set.classes.get(found.tile) ?? ""));
  const name = asText(object.name) || className || `object ${number}`;
  const where = `${path}/${name}`;
  const components: Components = {};
  const { x, y } = context.point(offset.x + asNumber(object.x), offset.y + asNumber(object.y));
  const degrees = asNumber(object.rotation);
  const rotation = short((degrees * Math.PI) / (context.isUp ? -180 : 180));
  components.Transform2D = { x, y, ...(rotation === 0 ? {} : { rotation }) };
  addLook(components, object);
  const prefab = context.prefabOf(className);
  if (found !== undefined) addPicture(tiled, components, object, found, where, prefab !== undefined);
  else addForm(tiled, components, object, where);
  const properties = new Map<string, Json>(found?.set.properties.get(found.tile) ?? []);
  for (const [key, value] of readProperties(context, object.properties, where)) properties.set(key, value);
  addProperties(components, properties);
  if (prefab === undefined && className !== "") addProp(components, "class", className);
  context.add(
    { id: `object.${number}`, name, ...(prefab === undefined ? {} : { prefab }), components },
    parent,
  );
}

/** The form of an object, for your own code: sizes and points in `Props`. */
function addForm({ context }: TiledMap, components: Components, object: Loose, where: string): void {
  const [width, height] = [asNumber(object.width), asNumber(object.height)];
  if (object.text !== undefined) {
    const text = asObject(object.text);
    const align = asText(text.halign);
    const { color, alpha } = readColor(text.color) ?? { color: "#000000", alpha: 1 };
    for (const key of ["wrap", "underline", "strikeout"])
      if (text[key] === true) context.note(where, `${key} of its text`);
    const valign = asText(text.valign);
    if (valign !== "" && valign !== "top")
      context.note(where, `the vertical alignment ${valign} of its text`);
    if (alpha !== 1) components.Alpha = { value: short(alpha * asNumber(components.Alpha?.value, 1)) };
    components.TextBlock = {
      text: asText(text.text),
      size: asNumber(text.pixelsize, 16),
      ...(asText(text.fontfamily) === "" ? {} : { font: asText(text.fontfamily) }),
      ...(text.bold === true ? { bold: true } : {}),
      ...(text.italic === true ? { italic: true } : {}),
      color,
      ...(align === "center" || align === "right" ? { align } : {}),
      anchorX: 0,
      anchorY: 0,
    };
  }
  if (width !== 0 || height !== 0) {
    addProp(components, "width", width);
    addProp(components, "height", height);
  }
  for (const key of ["ellipse", "capsule"]) if (object[key] === true) addProp(components, key, true);
  for (const key of ["polygon", "polyline"]) {
    if (!Array.isArray(object[key])) continue;
    const points = object[key].map((point: unknown) => {
      const { x, y } = asObject(point);
      return context.point(asNumber(x), asNumber(y));
    });
    addProp(components, key, points as unknown as Json);
  }
}

/** The picture of an object that was made from a tile: a map of one tile, or a sprite if the tile has an image of its own. */
function addPicture(
  tiled: TiledMap,
  components: Components,
  object: Loose,
  { set, tile, turned }: { readonly set: TileSet; readonly tile: number; readonly turned: number },
  where: string,
  isPrefab: boolean,
): void {
  const image = set.images.get(tile);
  const [width, height] = image === undefined ? [set.tileWidth, set.tileHeight] : [image.width, image.height];
  // A tile without a size is not scaled.
  const scaleX = width > 0 ? short(asNumber(object.width, width) / width) : 1;
  const scaleY = height > 0 ? short(asNumber(object.height, height) / height) : 1;
  if (isPrefab) {
    // The prefab has a picture of its own, which need not be as large as the tile.
    if (scaleX !== 1 || scaleY !== 1)
      tiled.context.note(where, "that its tile is scaled; its prefab has its own size");
    return;
  }
  components.Transform2D = {
    ...components.Transform2D,
    ...(scaleX === 1 ? {} : { scaleX }),
    ...(scaleY === 1 ? {} : { scaleY }),
  };
  const { anchor } = set;
  if (image === undefined) {
    const size = { tileWidth: set.tileWidth, tileHeight: set.tileHeight };
    components.Tilemap = {
      ...tilemapOf(size, set, { columns: 1, rows: 1 }, [turned]),
      ...(anchor.x === 0 ? {} : { anchorX: anchor.x }),
      ...(anchor.y === 0 ? {} : { anchorY: anchor.y }),
    };
    return;
  }
  components.Sprite = { texture: image.texture, anchorX: anchor.x, anchorY: anchor.y };
  if (turned !== tile) tiled.context.note(where, "that its image is turned");
}
