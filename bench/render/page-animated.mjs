/**
 * A thousand sprites that play a clip of 15 frames per second, stepped by a sixtieth: a quarter of them shows another frame each time. Espalier
 * steps the animations of a world and draws; Pixi has `AnimatedSprite`.
 */
import { createWorld } from "espalier";
import { createSpriteAnimations, readAtlas, SpriteAnimation } from "espalier/animation";
import { createHierarchy } from "espalier/hierarchy";
import { createPixiRenderer } from "espalier/pixi";
import { Sprite } from "espalier/render";
import { createTransforms2D } from "espalier/transform";
import { AnimatedSprite, Container, Rectangle, Texture } from "pixi.js";
import { createPixi, screen, startX, startY } from "./page-shared.mjs";

const frameCount = 8;
const side = 4;

/** Eight squares of different grey in one row. */
function sheet() {
  const canvas = document.createElement("canvas");
  canvas.width = frameCount * side;
  canvas.height = side;
  const context = canvas.getContext("2d");
  for (let k = 0; k < frameCount; k++) {
    context.fillStyle = `rgb(${80 + k * 20}, 255, ${k * 30})`;
    context.fillRect(k * side, 0, side, side);
  }
  return Texture.from(canvas);
}

export async function createAnimatedEspalier({ size }) {
  const pixi = await createPixi();
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const renderer = createPixiRenderer(space, { ...screen, renderer: pixi, load: false, yAxis: "down" });
  const frames = Array.from({ length: frameCount }, (_, k) => ({
    filename: `f${k}`,
    frame: { x: k * side, y: 0, w: side, h: side },
  }));
  const atlas = readAtlas({ frames }, { fps: 15, clips: { run: frames.map(({ filename }) => filename) } });
  renderer.textures.add("sheet", sheet(), atlas.frames);
  const animations = createSpriteAnimations(tree, { atlases: { sheet: atlas } });
  const group = world.spawn(space.at(0, 0));
  for (let k = 0; k < size; k++) {
    const animation = SpriteAnimation({ clip: "run", time: (k % 32) / 60 });
    tree.attachNew(group, space.at(startX(k), startY(k)), Sprite({ texture: "sheet" }), animation);
  }
  animations.step(0);
  renderer.render();

  function runFrame() {
    animations.step(1 / 60);
    renderer.render();
  }
  const places = () => renderer.stage.children[1].children[0].children.map(({ texture }) => texture.frame.x);
  return { pixi, runFrame, places };
}

export async function createAnimatedPixi({ size }) {
  const pixi = await createPixi();
  const stage = new Container({ isRenderGroup: true });
  const { source } = sheet();
  const textures = Array.from(
    { length: frameCount },
    (_, k) => new Texture({ source, frame: new Rectangle(k * side, 0, side, side) }),
  );
  const sprites = [];
  for (let k = 0; k < size; k++) {
    const sprite = new AnimatedSprite({
      textures,
      autoUpdate: false,
      anchor: 0.5,
      x: startX(k),
      y: startY(k),
    });
    sprite.animationSpeed = 0.25;
    sprite.play();
    sprite.update({ deltaTime: k % 32 });
    sprites.push(sprite);
    stage.addChild(sprite);
  }
  pixi.render(stage);

  const ticker = { deltaTime: 1 };
  function runFrame() {
    for (const sprite of sprites) sprite.update(ticker);
    pixi.render(stage);
  }
  const places = () => sprites.map(({ texture }) => texture.frame.x);
  return { pixi, runFrame, places };
}
