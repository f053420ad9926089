/** The same on a canvas, drawn by the debug drawing of the physics. */
import { createCanvasRenderer } from "espalier/canvas";
import { createPhysicsDebug } from "espalier/physics";
import { loadBox2D } from "espalier/physics/box2d";
import { Camera, circle, line, polygon } from "espalier/render";
import { createRagdoll } from "./scene.ts";

const { world, space, physics, bodies } = createRagdoll(await loadBox2D());
world.spawn(space.at(0, 2.5), Camera({ width: 12, height: 7, background: 0x20252b, backgroundAlpha: 1 }));
const debug = createPhysicsDebug(physics, { circle, line, polygon });
const canvas = document.querySelector("canvas") as HTMLCanvasElement;
const renderer = createCanvasRenderer(space, { canvas, width: 960, height: 560 });

let steps = 0;
function frame(): void {
  if (steps % 240 === 0) physics.applyImpulse(bodies.get("torso")!, steps % 480 === 0 ? 6 : -6, 5);
  physics.step(1 / 60);
  steps++;
  space.propagate();
  debug.update();
  renderer.render();
  Object.assign(window, { steps });
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
