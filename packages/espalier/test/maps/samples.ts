/** Small maps as Tiled and LDtk write them, made by hand. */
import { deflateSync, gzipSync } from "node:zlib";

export const X = 0x80000000;
export const Y = 0x40000000;
export const D = 0x20000000;

const bytesOf = (tiles: readonly number[]): Uint8Array => new Uint8Array(new Uint32Array(tiles).buffer);

/** Layer data in one of the forms that Tiled offers. */
export function tileData(tiles: readonly number[], form: "csv" | "base64" | "zlib" | "gzip") {
  if (form === "csv") return { data: tiles };
  const bytes = bytesOf(tiles);
  const packed = form === "zlib" ? deflateSync(bytes) : form === "gzip" ? gzipSync(bytes) : bytes;
  const data = Buffer.from(packed).toString("base64");
  return { data, encoding: "base64", compression: form === "base64" ? "" : form };
}

export const caveSet = {
  type: "tileset",
  name: "cave",
  image: "cave.png",
  imagewidth: 40,
  imageheight: 22,
  tilewidth: 8,
  tileheight: 8,
  margin: 2,
  spacing: 2,
  tilecount: 8,
  columns: 4,
  tiles: [
    { id: 1, properties: [{ name: "solid", type: "bool", value: true }] },
    {
      id: 2,
      animation: [
        { tileid: 2, duration: 100 },
        { tileid: 3, duration: 200 },
      ],
    },
    { id: 5, class: "Coin", properties: [{ name: "value", type: "int", value: 5 }] },
  ],
};

export const plainSet = {
  name: "plain",
  image: "plain.png",
  imagewidth: 32,
  imageheight: 16,
  tilewidth: 8,
  tileheight: 8,
  tilecount: 8,
  columns: 4,
};

/** Layers, a group with an offset, objects of every kind. */
export function caveMap(form: "csv" | "base64" | "zlib" | "gzip" = "csv") {
  return {
    type: "map",
    version: "1.10",
    orientation: "orthogonal",
    infinite: false,
    width: 3,
    height: 2,
    tilewidth: 8,
    tileheight: 8,
    properties: [{ name: "music", type: "string", value: "cave" }],
    tilesets: [
      { firstgid: 1, source: "sets/cave.tsj" },
      { firstgid: 9, ...plainSet },
    ],
    layers: [
      {
        id: 1,
        name: "ground",
        type: "tilelayer",
        width: 3,
        height: 2,
        opacity: 0.5,
        tintcolor: "#ff8000",
        ...tileData([1, 2, 0, (1 | X) >>> 0, (1 | X | Y | D) >>> 0, 3], form),
      },
      {
        id: 2,
        name: "deep",
        type: "group",
        offsetx: 10,
        offsety: 20,
        layers: [
          {
            id: 3,
            name: "mixed",
            type: "tilelayer",
            width: 3,
            height: 2,
            visible: false,
            parallaxx: 0.5,
            ...tileData([1, 0, 9, 10, 0, 0], form),
          },
        ],
      },
      {
        id: 4,
        name: "things",
        type: "objectgroup",
        objects: [
          {
            id: 7,
            name: "spawn",
            class: "Start",
            x: 16,
            y: 8,
            point: true,
            rotation: 90,
            properties: [
              { name: "team", type: "string", value: "red" },
              { name: "Health.hp", type: "int", value: 3 },
            ],
          },
          { id: 8, type: "Coin", gid: 6, x: 4, y: 12, width: 16, height: 8 },
          {
            id: 9,
            name: "zone",
            x: 1,
            y: 2,
            width: 30,
            height: 4,
            polygon: [
              { x: 0, y: 0 },
              { x: 4, y: 4 },
            ],
          },
          {
            id: 10,
            name: "sign",
            x: 0,
            y: 30,
            width: 9,
            height: 9,
            text: { text: "Hi", pixelsize: 12, halign: "center" },
          },
        ],
      },
      { id: 5, name: "sky", type: "imagelayer", image: "sky.png", offsetx: 3 },
    ],
  };
}

export const world = {
  jsonVersion: "1.5.3",
  defs: { tilesets: [{ uid: 1, relPath: "tiles.png", tileGridSize: 8, spacing: 1, padding: 1 }] },
  levels: [
    {
      identifier: "Level_0",
      iid: "level-0",
      worldX: 100,
      worldY: 50,
      pxWid: 16,
      pxHei: 16,
      fieldInstances: [{ __identifier: "music", __value: "cave" }],
      layerInstances: [
        {
          __identifier: "Entities",
          __type: "Entities",
          iid: "layer-e",
          __cWid: 2,
          __cHei: 2,
          __gridSize: 8,
          entityInstances: [
            {
              __identifier: "Player",
              iid: "player",
              px: [4, 8],
              width: 8,
              height: 8,
              fieldInstances: [
                { __identifier: "Health_hp", __value: 3 },
                { __identifier: "friend", __value: { entityIid: "other" } },
              ],
            },
          ],
        },
        {
          __identifier: "Walls",
          __type: "IntGrid",
          iid: "layer-w",
          __cWid: 2,
          __cHei: 2,
          __gridSize: 8,
          __tilesetDefUid: 1,
          intGridCsv: [1, 0, 2, 1],
          autoLayerTiles: [
            { px: [0, 0], src: [1, 1], f: 0, t: 0 },
            { px: [0, 0], src: [1, 1], f: 1, t: 3 },
            { px: [8, 8], src: [1, 1], f: 2, t: 1 },
            { px: [3, 8], src: [1, 1], f: 0, t: 1 },
          ],
        },
      ],
    },
  ],
};
