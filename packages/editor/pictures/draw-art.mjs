/**
 * Draws the images of the sample "Meadow", and writes them as data:
 *
 *     node packages/editor/pictures/draw-art.mjs
 *
 * writes `packages/editor/src/samples/meadow-art.ts`. Each picture is a list of shapes from back to front; a shape is a function of a
 * point that is below 0 inside, with a light that comes from the upper left.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PNG } from "pngjs";

const circle = (x, y, r) => (px, py) => Math.hypot(px - x, py - y) - r;
const ellipse = (x, y, a, b) => (px, py) => (Math.hypot((px - x) / a, (py - y) / b) - 1) * Math.min(a, b);
const box =
  (x, y, w, h, r = 0) =>
  (px, py) => {
    const [dx, dy] = [Math.abs(px - x) - w / 2 + r, Math.abs(py - y) - h / 2 + r];
    return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - r;
  };
/** Corners in the order of the clock. */
const polygon = (points) => (px, py) => {
  let [inside, nearest] = [false, Number.POSITIVE_INFINITY];
  for (let k = 0, j = points.length - 1; k < points.length; j = k++) {
    const [[ax, ay], [bx, by]] = [points[k], points[j]];
    if (ay > py !== by > py && px < ((bx - ax) * (py - ay)) / (by - ay) + ax) inside = !inside;
    const t = Math.max(
      0,
      Math.min(1, ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)),
    );
    nearest = Math.min(nearest, Math.hypot(px - ax - t * (bx - ax), py - ay - t * (by - ay)));
  }
  return inside ? -nearest : nearest;
};
const anyOf =
  (...shapes) =>
  (px, py) =>
    Math.min(...shapes.map((shape) => shape(px, py)));
/** Round things are lit: lighter towards the upper left, darker away from it. */
const lit = (shape, color, x, y, r) => ({ shape, color, light: (px, py) => (x - px + (y - py)) / (2.4 * r) });
const flat = (shape, color) => ({ shape, color, light: () => 0 });

const crown = anyOf(circle(32, 26, 20), circle(18, 36, 14), circle(47, 35, 14), circle(32, 42, 16));
const wool = anyOf(
  circle(16, 19, 9),
  circle(25, 14, 9),
  circle(34, 17, 9),
  circle(20, 25, 9),
  circle(31, 25, 9),
);
const puff = anyOf(circle(24, 26, 14), circle(44, 20, 18), circle(66, 26, 14), box(46, 32, 62, 14, 7));

const pictures = {
  house: [
    96,
    96,
    [
      flat(box(72, 20, 10, 26), "#8a5a48"),
      flat(box(48, 66, 68, 52, 2), "#e9dcc3"),
      flat(box(76, 66, 12, 52), "#d9c9a9"),
      flat(
        polygon([
          [6, 44],
          [48, 8],
          [90, 44],
        ]),
        "#b6523f",
      ),
      flat(
        polygon([
          [6, 44],
          [48, 8],
          [48, 16],
          [18, 44],
        ]),
        "#cc6a52",
      ),
      flat(box(48, 76, 18, 32, 3), "#6b4a34"),
      flat(circle(53, 78, 1.5), "#e8c667"),
      ...[26, 70].flatMap((x) => [
        flat(box(x, 62, 16, 16, 1), "#f7f1e2"),
        flat(box(x, 62, 12, 12), "#7fb0cf"),
        flat(box(x, 62, 2, 12), "#f7f1e2"),
      ]),
    ],
  ],
  tree: [
    64,
    80,
    [
      flat(box(32, 64, 8, 30, 3), "#7a5638"),
      lit(crown, "#5f9a4e", 32, 34, 30),
      flat(circle(22, 32, 3), "#d8574a"),
      flat(circle(42, 40, 3), "#d8574a"),
      flat(circle(36, 24, 3), "#d8574a"),
    ],
  ],
  sheep: [
    52,
    40,
    [
      flat(box(17, 33, 4, 10, 2), "#4a4440"),
      flat(box(31, 33, 4, 10, 2), "#4a4440"),
      lit(wool, "#efeae0", 25, 20, 22),
      lit(ellipse(43, 17, 7, 6), "#5a534e", 43, 17, 9),
      flat(circle(45, 15, 1.2), "#ffffff"),
      flat(ellipse(38, 13, 4, 2), "#4a4440"),
    ],
  ],
  fence: [
    64,
    32,
    [
      flat(box(32, 12, 64, 5, 1), "#b58f60"),
      flat(box(32, 22, 64, 5, 1), "#a27d50"),
      ...[8, 24, 40, 56].map((x) => flat(box(x, 16, 7, 28, 3), "#c8a473")),
    ],
  ],
  cloud: [92, 46, [lit(puff, "#f4f7fa", 46, 24, 60)]],
  flower: [
    16,
    20,
    [
      flat(box(8, 14, 2, 12), "#4f8a45"),
      ...[0, 1, 2, 3, 4].map((k) =>
        flat(circle(8 + 4 * Math.cos(k * 1.257), 6 + 4 * Math.sin(k * 1.257), 2.6), "#f0a6c4"),
      ),
      flat(circle(8, 6, 2.4), "#f2cf63"),
    ],
  ],
};

/** How many points a pixel has in each direction. */
const FINE = 4;

function draw(width, height, layers) {
  const png = new PNG({ width, height });
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const sum = [0, 0, 0, 0];
      for (let k = 0; k < FINE * FINE; k++) {
        const [px, py] = [x + ((k % FINE) + 0.5) / FINE, y + (Math.floor(k / FINE) + 0.5) / FINE];
        const top = layers.findLast(({ shape }) => shape(px, py) < 0);
        if (top === undefined) continue;
        const number = Number.parseInt(top.color.slice(1), 16);
        // In steps: a picture with few colours is a small file.
        const light = Math.round(Math.max(-1, Math.min(1, top.light(px, py))) * 4) / 4;
        for (const [channel, shift] of [16, 8, 0].entries())
          sum[channel] += Math.max(0, Math.min(255, ((number >> shift) & 255) * (1 + 0.16 * light)));
        sum[3]++;
      }
      const at = (y * width + x) * 4;
      for (let channel = 0; channel < 3; channel++)
        png.data[at + channel] = sum[3] === 0 ? 0 : sum[channel] / sum[3];
      png.data[at + 3] = (sum[3] * 255) / FINE ** 2;
    }
  }
  return PNG.sync.write(png, { deflateLevel: 9 });
}

const lines = Object.entries(pictures).map(([name, [width, height, layers]]) => {
  const bytes = draw(width, height, layers);
  console.log(`${name}: ${width} x ${height}, ${bytes.length} bytes`);
  return `  "${name}.png":\n    "data:image/png;base64,${bytes.toString("base64")}",\n`;
});
const target = new URL("../src/samples/meadow-art.ts", import.meta.url);
writeFileSync(
  fileURLToPath(target),
  `/** The images of the sample "Meadow". Made by \`pictures/draw-art.mjs\`; do not edit. */\nexport const meadowArt: { readonly [name: string]: string } = {\n${lines.join("")}};\n`,
);
