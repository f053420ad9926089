/** Espalier: entities with a transform and a sprite, below one parent, drawn by its Pixi renderer. */
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createPixiRenderer } from "espalier/pixi";
import { Sprite } from "espalier/render";
import { createTransforms2D } from "espalier/transform";
import { Cache } from "pixi.js";
import { createPixi, dot, screen, startX, startY } from "./page-shared.mjs";

export async function createEspalier({ size, moving, turning }) {
  const pixi = await createPixi();
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const renderer = createPixiRenderer(space, { ...screen, renderer: pixi, load: false, yAxis: "down" });
  Cache.set("dot", dot());
  const group = world.spawn(space.at(0, 0));
  const entities = [];
  for (let k = 0; k < size; k++)
    entities.push(tree.attachNew(group, space.at(startX(k), startY(k)), Sprite({ texture: "dot" })));
  renderer.render();

  function runFrame(frame) {
    for (const k of moving) {
      if (turning) space.setTransform(entities[k], startX(k) + (frame % 7), startY(k), frame * 0.01);
      else space.setPosition(entities[k], startX(k) + (frame % 7), startY(k));
    }
    renderer.render();
  }

  // What Pixi drew, not what was asked for: one container per sprite, in the order of creation.
  const places = () => renderer.stage.children[1].children[0].children.map(({ position }) => position.x);
  return { pixi, runFrame, places };
}
