/** Bare Pixi: sprites on a stage, moved by their position. */
import { Container, Sprite } from "pixi.js";
import { countPixels, createPixi, dot, startX, startY, withoutGpu } from "./page-shared.mjs";

const pixi = await createPixi();
const stage = new Container({ isRenderGroup: true });
const sprites = [];
let frame = 0;
let moving = 0;
let turning = false;

window.setUp = (given) => {
  ({ moving, turning } = given);
  const texture = dot();
  for (let k = 0; k < given.size; k++) {
    const sprite = new Sprite({ texture, anchor: 0.5, x: startX(k), y: startY(k) });
    sprites.push(sprite);
    stage.addChild(sprite);
  }
  pixi.render(stage);
};

const runFrames = (count) => {
  for (let n = 0; n < count; n++) {
    frame++;
    for (let k = 0; k < moving; k++) {
      sprites[k].position.set(startX(k) + (frame % 7), startY(k));
      if (turning) sprites[k].rotation = frame * 0.01;
    }
    pixi.render(stage);
  }
};

window.runFrames = (count) => withoutGpu(pixi, () => runFrames(count));
window.drawFrame = () => runFrames(1);
window.frame = () => frame;
window.places = () => sprites.map(({ worldTransform }) => ({ x: worldTransform.tx }));
window.pixels = () => countPixels(pixi);
