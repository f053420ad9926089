/** Espalier: entities with a transform and a sprite, below one parent, drawn by its Pixi renderer. */
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createPixiRenderer } from "espalier/pixi";
import { Sprite } from "espalier/render";
import { createTransforms2D } from "espalier/transform";
import { Cache } from "pixi.js";
import { countPixels, createPixi, dot, screen, startX, startY, withoutGpu } from "./page-shared.mjs";

const pixi = await createPixi();
const world = createWorld();
const tree = createHierarchy(world);
const space = createTransforms2D(tree);
const renderer = createPixiRenderer(space, { ...screen, renderer: pixi, load: false });
const entities = [];
let frame = 0;
let moving = 0;
let turning = false;

window.setUp = (given) => {
  ({ moving, turning } = given);
  Cache.set("dot", dot());
  const group = world.spawn(space.at(0, 0));
  for (let k = 0; k < given.size; k++)
    entities.push(tree.attachNew(group, space.at(startX(k), startY(k)), Sprite({ texture: "dot" })));
  renderer.render();
};

const runFrames = (count) => {
  for (let n = 0; n < count; n++) {
    frame++;
    for (let k = 0; k < moving; k++) {
      if (turning) space.setTransform(entities[k], startX(k) + (frame % 7), startY(k), frame * 0.01);
      else space.setPosition(entities[k], startX(k) + (frame % 7), startY(k));
    }
    renderer.render();
  }
};

window.runFrames = (count) => withoutGpu(pixi, () => runFrames(count));
window.drawFrame = () => runFrames(1);
window.frame = () => frame;
// What Pixi drew, not what was asked for: one container per sprite, in the order of creation.
window.places = () =>
  renderer.stage.children[1].children[0].children.map(({ position }) => ({ x: position.x }));
window.pixels = () => countPixels(pixi);
