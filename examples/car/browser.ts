/** The same on a canvas, drawn by the debug drawing of the physics. */
import { createCanvasRenderer } from "espalier/canvas";
import { createPhysicsDebug } from "espalier/physics";
import { loadBox2D } from "espalier/physics/box2d";
import { Camera, circle, line, polygon } from "espalier/render";
import { setInherit } from "espalier/transform";
import { createCar } from "./scene.ts";

const { tree, space, physics, body, drive } = createCar(await loadBox2D());
const eye = tree.attachNew(
  body,
  space.at(0, 0),
  Camera({ width: 20, height: 12, background: 0x20252b, backgroundAlpha: 1 }),
);
// The camera follows the car and does not turn with it.
setInherit(space, eye, "position");
const debug = createPhysicsDebug(physics, { circle, line, polygon });
const canvas = document.querySelector("canvas") as HTMLCanvasElement;
const renderer = createCanvasRenderer(space, { canvas, width: 960, height: 560 });

let steps = 0;
function frame(): void {
  if (steps === 0) drive(-15);
  physics.step(1 / 60);
  steps++;
  space.propagate();
  debug.update();
  renderer.render();
  Object.assign(window, { steps });
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
