/**
 * Draws the pictures, sounds and the map of the template `complete`: `node scripts/make-complete-assets.mjs`. Small on purpose, and our own work.
 */
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "./workspace.mjs";
import { waveRate, writeWave } from "./write-wave.mjs";

const { PNG } = createRequire(import.meta.url)("pngjs");
const folder = join(root, "packages/cli/template-complete");

/** @type {{ readonly [letter: string]: readonly [number, number, number] }} */
const colors = {
  a: [29, 39, 51],
  b: [38, 50, 64],
  w: [91, 107, 128],
  l: [124, 141, 163],
  h: [232, 180, 110],
  r: [209, 73, 91],
  k: [20, 24, 30],
  y: [255, 209, 102],
  o: [214, 158, 46],
  v: [122, 92, 168],
};

const body = [
  "....hhhh....",
  "...hhhhhh...",
  "...hkhhkh...",
  "...hhhhhh...",
  "....rrrr....",
  "...rrrrrr...",
  "..hrrrrrrh..",
  "...rrrrrr...",
];
const legs = [
  ["...rr..rr...", "...kk..kk..."],
  ["..rr....rr..", "..kk....kk.."],
  ["....rrrr....", "....kkkk...."],
];
const bats = [
  ["v..........v", "vv...vv...vv", "vvvvvvvvvvvv", "..vvkvvkvv..", "....vvvv...."],
  ["............", ".....vv.....", "..vvvvvvvv..", ".vvvkvvkvvv.", "vv..vvvv..vv"],
];
const coins = [
  ["..yyyy..", ".yyooyy.", ".yooooy.", ".yooooy.", ".yyooyy.", "..yyyy.."],
  ["...yy...", "...yo...", "...yo...", "...yo...", "...yo...", "...yy..."],
];
const floor = Array.from({ length: 16 }, (_, y) =>
  Array.from({ length: 16 }, (_, x) => ((x * 7 + y * 3) % 11 === 0 ? "b" : "a")).join(""),
);
const wall = Array.from({ length: 16 }, (_, y) =>
  Array.from({ length: 16 }, (_, x) =>
    y < 2 || y % 8 === 0 || (x + (y > 8 ? 4 : 0)) % 8 === 0 ? "l" : "w",
  ).join(""),
);

/** @param {string} file @param {readonly (readonly string[])[]} cells */
function draw(file, cells) {
  const png = new PNG({ width: cells.length * 16, height: 16 });
  cells.forEach((rows, cell) => {
    const [left, top] = [Math.floor((16 - (rows[0]?.length ?? 0)) / 2), Math.floor((16 - rows.length) / 2)];
    rows.forEach((row, y) => {
      [...row].forEach((letter, x) => {
        const color = colors[letter];
        if (color === undefined) return;
        const at = ((top + y) * png.width + cell * 16 + left + x) * 4;
        png.data.set([...color, 255], at);
      });
    });
  });
  writeFileSync(join(folder, "assets", file), PNG.sync.write(png, { deflateLevel: 9 }));
}

/** Tones one after the other: frequency in Hz, and seconds. @param {string} file @param {readonly (readonly [number, number])[]} tones */
function sing(file, tones) {
  const samples = tones.flatMap(([frequency, seconds]) => {
    const count = Math.round(seconds * waveRate);
    return Array.from({ length: count }, (_, k) => {
      const fade = Math.min(1, k / 50) * (1 - k / count);
      const wave = Math.sign(Math.sin((2 * Math.PI * frequency * k) / waveRate));
      return (60 / 127) * fade * (frequency === 0 ? 0 : wave);
    });
  });
  writeWave(join(folder, "assets", file), samples);
}

draw("tiles.png", [floor, wall]);
draw("sprites.png", [...legs.map((rows) => [...body, ...rows]), ...bats, ...coins]);
sing("coin.wav", [
  [988, 0.07],
  [1319, 0.18],
]);
sing("over.wav", [
  [330, 0.12],
  [262, 0.12],
  [196, 0.3],
]);
sing("theme.wav", [
  [196, 0.3],
  [0, 0.1],
  [233, 0.3],
  [0, 0.1],
  [262, 0.3],
  [0, 0.1],
  [233, 0.3],
  [0, 0.1],
]);

/** @param {number} k @param {number} duration */
const frame = (k, duration) => ({ frame: { x: k * 16, y: 0, w: 16, h: 16 }, duration });
const sheet = {
  frames: {
    "hero 0": frame(0, 200),
    "hero 1": frame(1, 100),
    "hero 2": frame(2, 100),
    "bat 0": frame(3, 150),
    "bat 1": frame(4, 150),
    "coin 0": frame(5, 250),
    "coin 1": frame(6, 150),
  },
  meta: {
    image: "sprites.png",
    frameTags: [
      { name: "idle", from: 0, to: 0, direction: "forward" },
      { name: "run", from: 1, to: 2, direction: "forward" },
      { name: "fly", from: 3, to: 4, direction: "forward" },
      { name: "spin", from: 5, to: 6, direction: "forward" },
    ],
  },
};
writeFileSync(join(folder, "assets/sprites.json"), `${JSON.stringify(sheet, null, 2)}\n`);

const plan = [
  "####################",
  "#H.....#.......C...#",
  "#......#...........#",
  "#..C...#...B.......#",
  "#..................#",
  "####..####..########",
  "#..................#",
  "#...B......C.......#",
  "#..........#.......#",
  "#.C........#..B..C.#",
  "#..........#.......#",
  "####################",
];
const classes = { H: "hero", C: "coin", B: "bat" };
const objects = plan.flatMap((row, y) =>
  [...row].flatMap((letter, x) =>
    letter in classes
      ? [{ class: classes[/** @type {keyof typeof classes} */ (letter)], x: x * 16 + 8, y: y * 16 + 8 }]
      : [],
  ),
);
const map = {
  type: "map",
  version: "1.10",
  tiledversion: "1.11.0",
  orientation: "orthogonal",
  renderorder: "right-down",
  infinite: false,
  width: plan[0]?.length,
  height: plan.length,
  tilewidth: 16,
  tileheight: 16,
  nextlayerid: 3,
  nextobjectid: objects.length + 1,
  tilesets: [
    {
      firstgid: 1,
      name: "cave",
      image: "../assets/tiles.png",
      imagewidth: 32,
      imageheight: 16,
      tilewidth: 16,
      tileheight: 16,
      columns: 2,
      tilecount: 2,
      margin: 0,
      spacing: 0,
    },
  ],
  layers: [
    {
      id: 1,
      name: "ground",
      type: "tilelayer",
      x: 0,
      y: 0,
      width: plan[0]?.length,
      height: plan.length,
      opacity: 1,
      visible: true,
      data: plan.flatMap((row) => [...row].map((letter) => (letter === "#" ? 2 : 1))),
    },
    {
      id: 2,
      name: "things",
      type: "objectgroup",
      x: 0,
      y: 0,
      opacity: 1,
      visible: true,
      draworder: "topdown",
      objects: objects.map((object, k) => ({
        id: k + 1,
        name: "",
        width: 0,
        height: 0,
        rotation: 0,
        point: true,
        visible: true,
        ...object,
      })),
    },
  ],
};
writeFileSync(join(folder, "maps/level.tmj"), `${JSON.stringify(map)}\n`);
