/** Bare Pixi: sprites on a stage, moved by their position. */
import { Container, Sprite } from "pixi.js";
import { createPixi, dot, startX, startY } from "./page-shared.mjs";

export async function createBarePixi({ size, moving, turning }) {
  const pixi = await createPixi();
  const stage = new Container({ isRenderGroup: true });
  const sprites = [];
  const texture = dot();
  for (let k = 0; k < size; k++) {
    const sprite = new Sprite({ texture, anchor: 0.5, x: startX(k), y: startY(k) });
    sprites.push(sprite);
    stage.addChild(sprite);
  }
  pixi.render(stage);

  function runFrame(frame) {
    for (const k of moving) {
      sprites[k].position.set(startX(k) + (frame % 7), startY(k));
      if (turning) sprites[k].rotation = frame * 0.01;
    }
    pixi.render(stage);
  }

  const places = () => sprites.map(({ worldTransform }) => worldTransform.tx);
  return { pixi, runFrame, places };
}
