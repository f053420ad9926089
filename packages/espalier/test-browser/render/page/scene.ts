/** One scene with everything that can be drawn, for both renderers. */
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { HIDDEN, Visibility, ZIndex } from "espalier/inherit";
import {
  Alpha,
  Camera,
  circle,
  createParticles,
  ellipse,
  line,
  linearGradient,
  NineSlice,
  ParticleEmitter,
  polygon,
  rect,
  roundedRect,
  Sprite,
  TextBlock,
  Tilemap,
  Tint,
} from "espalier/render";
import { createTransforms2D } from "espalier/transform";

export const size = { width: 320, height: 240 };

export function createScene() {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const particles = createParticles(space);

  world.spawn(space.at(0, 0), Camera({ background: 0x203040, backgroundAlpha: 1 }));

  // Shapes along the top, each in a cell of 40 pixels.
  const style = { fill: 0xff8800, stroke: 0xffffff, strokeWidth: 2 };
  world.spawn(space.at(-130, 90), rect(24, 24, { fill: 0xff0000 }));
  world.spawn(space.at(-90, 90), roundedRect(24, 24, 8, style));
  world.spawn(space.at(-50, 90), circle(12, { fill: 0x00ff00 }));
  world.spawn(space.at(-10, 90), ellipse(28, 16, style));
  // Points up where y points up.
  world.spawn(space.at(30, 90), polygon([-12, -12, 12, -12, 0, 12], { fill: 0x0000ff }));
  world.spawn(space.at(70, 90), line([-12, -12, 12, 12], { stroke: 0xffff00, strokeWidth: 4 }));
  world.spawn(space.at(110, 90), rect(24, 24, { gradient: linearGradient(0xffffff, 0x000000) }));

  // Pictures: red over blue, left half brighter, so that every flip can be told.
  const flag = world.spawn(space.at(-120, 40), Sprite({ texture: "flag" }));
  world.spawn(space.at(-80, 40), Sprite({ texture: "flag", flipX: true }));
  world.spawn(space.at(-40, 40), Sprite({ texture: "flag", flipY: true }));
  const turned = world.spawn(space.at(0, 40), Sprite({ texture: "flag", scaleX: 0.5 }));
  space.setRotation(turned, Math.PI / 2);
  const group = world.spawn(space.at(40, 40), Tint({ color: 0xff0000 }), Alpha({ value: 0.5 }));
  tree.attachNew(group, space.at(0, 0), Sprite({ texture: "flag" }));
  world.spawn(space.at(80, 40), Sprite({ texture: "missing" }));

  // Below the others: leaning, and mirrored by the transform of a parent.
  const leaning = world.spawn(space.at(-120, -80), Sprite({ texture: "flag" }));
  space.setLocal(leaning, { skew: 0.5 });
  const mirror = world.spawn(space.at(-60, -80));
  space.setScale(mirror, -1, 1);
  const mirrored = tree.attachNew(mirror, space.at(0, 0), Sprite({ texture: "flag" }));
  space.setRotation(mirrored, Math.PI / 2);

  // Order: the green square has the higher z, the red one comes later in the tree.
  world.spawn(space.at(120, 44), rect(20, 20, { fill: 0x00ff00 }), ZIndex({ z: 1 }));
  world.spawn(space.at(128, 36), rect(20, 20, { fill: 0xff0000 }));

  // Hidden with its parent.
  const hidden = world.spawn(space.at(0, 0), Visibility({ mode: HIDDEN }));
  const secret = tree.attachNew(hidden, space.at(0, 0), rect(400, 400, { fill: 0xff00ff }));

  world.spawn(space.at(-110, -20), NineSlice({ texture: "frame", width: 60, height: 40 }));
  const tiles = [0, 1, -1, 1, 0, 1, 0, -1, 1];
  const map = world.spawn(
    space.at(-36, -24),
    Tilemap({
      anchorX: 0.5,
      anchorY: 0.5,
      texture: "tiles",
      columns: 3,
      rows: 3,
      tiles,
      chunk: 2,
      tileWidth: 16,
      tileHeight: 16,
    }),
  );
  world.spawn(space.at(40, -20), TextBlock({ text: "Espalier\nup", size: 20, bold: true, align: 1 }));
  world.spawn(
    space.at(120, -20),
    ParticleEmitter({
      rate: 0,
      lifetime: 10,
      speed: 0,
      size: 12,
      startColor: 0x00ffff,
      endAlpha: 1,
      endColor: 0x00ffff,
    }),
  );
  const emitter = world.query(ParticleEmitter).single();
  particles.burst(emitter, 1);
  particles.step(0.01);

  return { world, tree, space, particles, flag, secret, map, emitter };
}

/** The images of the scene, painted here so that no file is needed. */
export function paintImages(): { [name: string]: HTMLCanvasElement } {
  const paint = (width: number, height: number, fill: (context: CanvasRenderingContext2D) => void) => {
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    fill(canvas.getContext("2d")!);
    return canvas;
  };
  const block = (
    context: CanvasRenderingContext2D,
    color: string,
    x: number,
    y: number,
    w: number,
    h: number,
  ) => {
    context.fillStyle = color;
    context.fillRect(x, y, w, h);
  };
  return {
    flag: paint(32, 32, (context) => {
      block(context, "#ff4040", 0, 0, 16, 16);
      block(context, "#800000", 16, 0, 16, 16);
      block(context, "#4040ff", 0, 16, 16, 16);
      block(context, "#000080", 16, 16, 16, 16);
    }),
    frame: paint(24, 24, (context) => {
      block(context, "#ffffff", 0, 0, 24, 24);
      block(context, "#008000", 8, 8, 8, 8);
    }),
    tiles: paint(32, 16, (context) => {
      block(context, "#ffff00", 0, 0, 16, 16);
      block(context, "#ff00ff", 16, 0, 16, 16);
    }),
  };
}
