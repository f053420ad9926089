/** A map with everything that tiles can do, drawn by either renderer and by plain `drawImage`. */

import { createWorld } from "espalier";
import { createTileAnimations } from "espalier/animation";
import { createCanvasRenderer, createCanvasTextures } from "espalier/canvas";
import { createGameFormat } from "espalier/game";
import { createHierarchy } from "espalier/hierarchy";
import { importTiled } from "espalier/maps";
import { openPixiRenderer } from "espalier/pixi";
import { Camera, type WorldRenderer, type YAxis } from "espalier/render";
import { printScene } from "espalier/scene";
import { createTransforms2D } from "espalier/transform";
import { Cache, Texture } from "pixi.js";

export type Harness = typeof harness;

const TILE = 16;
const COLUMNS = 20;
const ROWS = 15;
const size = { width: COLUMNS * TILE, height: ROWS * TILE };
const flags = [0x80000000, 0x40000000, 0x20000000] as const;

/** A set of eight tiles, none like itself when turned. */
function paintSet(margin: number, spacing: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = margin * 2 + 4 * TILE + 3 * spacing;
  canvas.height = margin * 2 + 2 * TILE + spacing;
  const context = canvas.getContext("2d")!;
  // What lies between tiles must not be seen.
  context.fillStyle = "#ff00ff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  for (let k = 0; k < 8; k++) {
    const [x, y] = [margin + (k % 4) * (TILE + spacing), margin + Math.floor(k / 4) * (TILE + spacing)];
    context.fillStyle = `rgb(${30 * k}, ${255 - 30 * k}, 120)`;
    context.fillRect(x, y, TILE, TILE);
    context.fillStyle = "#ffffff";
    context.fillRect(x, y, 4, 4);
    context.fillStyle = "#000000";
    context.fillRect(x + 8, y, 8, 4);
  }
  return canvas;
}

const sets = [
  { name: "spaced", image: paintSet(3, 2), margin: 3, spacing: 2, firstgid: 1 },
  { name: "plain", image: paintSet(0, 0), margin: 0, spacing: 0, firstgid: 9 },
];
const seconds = 0.25;

/** Tiles of both sets, in all eight ways, with holes. */
const gids = Array.from({ length: COLUMNS * ROWS }, (_, k) => {
  if (k % 7 === 3) return 0;
  const turn = Math.floor(k / COLUMNS) % 8;
  return (1 + (k % 16) + flags.reduce((sum, flag, bit) => sum + ((turn >> bit) & 1 ? flag : 0), 0)) >>> 0;
});

const layer = (id: number, name: string, data: readonly number[], more: object = {}) => ({
  id,
  name,
  type: "tilelayer",
  width: COLUMNS,
  height: ROWS,
  data,
  ...more,
});

const map = {
  type: "map",
  orientation: "orthogonal",
  width: COLUMNS,
  height: ROWS,
  tilewidth: TILE,
  tileheight: TILE,
  tilesets: sets.map(({ name, margin, spacing, firstgid }) => ({
    firstgid,
    name,
    image: `${name}.png`,
    tilewidth: TILE,
    tileheight: TILE,
    margin,
    spacing,
    tiles: [
      {
        id: 2,
        animation: [
          { tileid: 2, duration: 200 },
          { tileid: 5, duration: 200 },
        ],
      },
    ],
  })),
  layers: [
    layer(1, "ground", gids),
    {
      id: 2,
      name: "group",
      type: "group",
      offsetx: 5,
      offsety: 9,
      layers: [
        layer(
          3,
          "above",
          gids.map((gid, k) => (k % 5 === 0 ? gid : 0)),
          { opacity: 0.5, offsetx: 3 },
        ),
      ],
    },
  ],
};

/** The same picture with nothing but `drawImage`. */
function drawPlainly(context: CanvasRenderingContext2D): void {
  const draw = (data: readonly number[], left: number, top: number) => {
    data.forEach((gid, k) => {
      const number = (gid & 0x1fffffff) >>> 0;
      if (number === 0) return;
      const set = number >= 9 ? sets[1]! : sets[0]!;
      let tile = number - set.firstgid;
      if (tile === 2 && seconds % 0.4 >= 0.2) tile = 5;
      const [stepX, stepY] = [TILE + set.spacing, TILE + set.spacing];
      context.save();
      context.translate(left + ((k % COLUMNS) + 0.5) * TILE, top + (Math.floor(k / COLUMNS) + 0.5) * TILE);
      // Tiled: the diagonal first, then x, then y. Transforms apply from the last to the first.
      if (gid & flags[1]) context.scale(1, -1);
      if (gid & flags[0]) context.scale(-1, 1);
      if (gid & flags[2]) context.transform(0, 1, 1, 0, 0, 0);
      const [x, y] = [set.margin + (tile % 4) * stepX, set.margin + Math.floor(tile / 4) * stepY];
      context.drawImage(set.image, x, y, TILE, TILE, -TILE / 2, -TILE / 2, TILE, TILE);
      context.restore();
    });
  };
  context.imageSmoothingEnabled = false;
  draw(gids, 0, 0);
  context.globalAlpha = 0.5;
  draw(
    gids.map((gid, k) => (k % 5 === 0 ? gid : 0)),
    8,
    9,
  );
}

let opened: WorldRenderer | undefined;

const harness = {
  size,
  plain() {
    document.body.replaceChildren();
    const canvas = document.createElement("canvas");
    Object.assign(canvas, size);
    canvas.style.display = "block";
    document.body.append(canvas);
    drawPlainly(canvas.getContext("2d")!);
  },
  async draw(kind: "canvas" | "pixi", yAxis: YAxis) {
    opened?.dispose();
    document.body.replaceChildren();
    const world = createWorld();
    const tree = createHierarchy(world);
    const space = createTransforms2D(tree);
    const { scene } = await importTiled(map, { yAxis });
    createGameFormat().load(tree, printScene(scene));
    world.spawn(space.at(size.width / 2, ((yAxis === "up" ? -1 : 1) * size.height) / 2), Camera);
    if (kind === "pixi") {
      for (const { name, image } of sets) {
        const texture = Texture.from(image);
        texture.source.scaleMode = "nearest";
        Cache.set(`${name}.png`, texture);
      }
      opened = await openPixiRenderer(space, {
        ...size,
        yAxis,
        load: false,
        pixi: { preserveDrawingBuffer: true, antialias: false, background: 0xffffff },
      });
    } else {
      const textures = createCanvasTextures();
      for (const { name, image } of sets) textures.add(`${name}.png`, image);
      const canvas = document.createElement("canvas");
      opened = createCanvasRenderer(space, { ...size, yAxis, canvas, textures, smooth: false });
    }
    opened.view!.style.display = "block";
    document.body.append(opened.view!);
    // In small steps, as a game does it.
    const tiles = createTileAnimations(tree);
    for (let k = 0; k < 5; k++) {
      opened.render();
      tiles.step(seconds / 5);
    }
    opened.render();
  },
};
Object.assign(window, { harness });
