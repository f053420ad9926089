/**
 * A tank, drawn by PixiJS. The tree is Espalier's: the hull drives in a circle and takes turret, barrel, name and camera with
 * it; the turret turns on its own; the smoke is emitted by the hull and stays behind. Fixed steps of a fiftieth of a
 * second, drawn in between.
 */
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { HIDDEN, VISIBLE, Visibility, ZIndex } from "espalier/inherit";
import { openPixiRenderer } from "espalier/pixi";
import {
  Camera,
  circle,
  createInterpolation,
  createParticles,
  linearGradient,
  ParticleEmitter,
  polygon,
  rect,
  roundedRect,
  TextBlock,
  Tilemap,
  Tint,
} from "espalier/render";
import { createTransforms2D, setInherit } from "espalier/transform";
import { Cache, Texture } from "pixi.js";
import { runFrames } from "../frames.ts";

const world = createWorld();
const tree = createHierarchy(world);
const space = createTransforms2D(tree);
const interpolation = createInterpolation(space);
const particles = createParticles(space);

// The ground: two tiles, painted here so that no file is needed.
Cache.set("ground", Texture.from(paintGround()));
const tiles = Array.from({ length: 60 * 40 }, (_, k) => ((k * 7919) % 11 > 2 ? 0 : 1));
world.spawn(
  space.at(0, 0),
  ZIndex({ z: -10 }),
  Tilemap({
    texture: "ground",
    columns: 60,
    rows: 40,
    tileWidth: 32,
    tileHeight: 32,
    tiles,
    anchorX: 0.5,
    anchorY: 0.5,
  }),
);
for (let k = 0; k < 24; k++) {
  const angle = (k / 24) * 2 * Math.PI;
  const rock = circle(6 + (k % 3) * 3, { fill: 0x6b6257, stroke: 0x2d2a26, strokeWidth: 2 });
  world.spawn(space.at(Math.cos(angle) * 290, Math.sin(angle) * 290), rock);
}

// The tank.
const hull = world.spawn(
  space.at(200, 0),
  roundedRect(64, 44, 6, { gradient: linearGradient(0x6f8f4e, 0x3f5a2c), stroke: 0x1d2a14, strokeWidth: 2 }),
);
for (const side of [-1, 1])
  tree.attachNew(hull, space.at(0, side * 24), ZIndex({ z: -1 }), roundedRect(70, 12, 4, { fill: 0x2b2f33 }));
const smoke = tree.attachNew(
  hull,
  space.at(-34, 12),
  ZIndex({ z: -1 }),
  ParticleEmitter({
    rate: 25,
    lifetime: 2,
    lifetimeSpread: 0.5,
    direction: Math.PI,
    spread: 0.4,
    speed: 30,
    speedSpread: 10,
    size: 6,
    startColor: 0xdddddd,
    endColor: 0x555555,
    startAlpha: 0.6,
    endScale: 3,
    max: 120,
  }),
);
const turret = tree.attachNew(hull, space.at(-4, 0), Visibility, Tint({ color: 0xffffff }));
tree.attachNew(turret, space.at(28, 0), rect(40, 8, { fill: 0x8aa869, stroke: 0x1d2a14, strokeWidth: 2 }));
tree.attachNew(turret, space.at(0, 0), circle(15, { fill: 0x7c9a5b, stroke: 0x1d2a14, strokeWidth: 2 }));
tree.attachNew(turret, space.at(4, 0), polygon([-4, -5, 7, 0, -4, 5], { fill: 0xf3a712 }));
const name = tree.attachNew(
  hull,
  space.at(0, 48),
  ZIndex({ z: 5 }),
  TextBlock({ text: "Espalier", size: 15, bold: true }),
);
setInherit(space, name, "position"); // stays upright and above, however the hull turns
const camera = tree.attachNew(
  hull,
  space.at(0, 0),
  Camera({ zoom: 1.4, background: 0x10141b, backgroundAlpha: 1 }),
);
setInherit(space, camera, "position");

const renderer = await openPixiRenderer(space, {
  width: innerWidth,
  height: innerHeight,
  interpolation,
  particles,
  pixi: { preserveDrawingBuffer: true },
});
document.body.append(renderer.view!);
addEventListener("resize", () => renderer.resize(innerWidth, innerHeight));

let aim: { x: number; y: number } | undefined;
addEventListener("pointermove", (event) => {
  aim = { x: event.clientX, y: event.clientY };
});
addEventListener("click", () => {
  const { mode } = world.get(turret, Visibility)!;
  world.set(turret, Visibility, { mode: mode === HIDDEN ? VISIBLE : HIDDEN });
});

const step = 1 / 50;
let steps = 0;
function advance(): void {
  interpolation.keep();
  const time = ++steps * step;
  const angle = time * 0.5;
  space.setTransform(hull, Math.cos(angle) * 200, Math.sin(angle) * 200, angle + Math.PI / 2);
  if (aim === undefined) space.setRotation(turret, Math.sin(time) * 0.9);
  else {
    const target = renderer.toWorld(aim.x, aim.y);
    space.lookAt(turret, target.x, target.y);
  }
  particles.step(step);
}

runFrames((time) => {
  while ((steps + 1) * step <= time) advance();
  renderer.render(time / step - steps);
});
Object.assign(window, { tank: { world, smoke, renderer } });

function paintGround(): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = 64;
  canvas.height = 32;
  const context = canvas.getContext("2d")!;
  for (const [k, color] of ["#4b5d3a", "#55663f"].entries()) {
    context.fillStyle = color;
    context.fillRect(k * 32, 0, 32, 32);
    context.fillStyle = "rgba(0, 0, 0, 0.08)";
    context.fillRect(k * 32, 0, 32, 1);
    context.fillRect(k * 32, 0, 1, 32);
  }
  return canvas;
}
