/** A world that is drawn with PixiJS, up to the graphics card: what stands for Pixi's renderer draws nothing. */
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createPixiRenderer } from "espalier/pixi";
import { circle, rect } from "espalier/render";
import { createTransforms2D } from "espalier/transform";
import { Container } from "pixi.js";
import { otherHandles } from "./other-handles.ts";
import type { Stage } from "./runner.ts";

const screen = { width: 100, height: 50, resolution: 1, canvas: {}, render: () => {}, resize: () => {} };

export function pixiStage(): Stage {
  const reported: unknown[] = [];
  const world = createWorld({ onError: (error) => void reported.push(error) });
  const tree = createHierarchy(world, { onWarn: () => {} });
  const space = createTransforms2D(tree);
  const entity = world.spawn(space.at(0, 0), rect(2, 2));
  const options = { renderer: screen as never, load: false, onProblem: () => {} };
  const renderer = createPixiRenderer(space, options);
  renderer.render();
  return {
    world,
    ...otherHandles(world),
    reported,
    objects: [
      ["renderer", "PixiRenderer", renderer],
      ["textures", "PixiTextures", renderer.textures],
    ],
    right: {
      Transforms2D: space,
      Entity: entity,
      number: 1,
      string: "ship",
      container: new Container(),
      PixiRendererOptions: options,
      Bounds: { minX: 0, minY: 0, maxX: 1, maxY: 1 },
      CameraView: renderer.cameraView(),
    },
    poke() {
      if (world.isDisposed) return;
      space.setPosition(entity, 1, 1);
      world.destroy(world.spawn(space.at(1, 1), circle(1)));
      renderer.render();
    },
  };
}
