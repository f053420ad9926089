/** The tank on a canvas: arrow keys drive and turn the turret. */
import { createCanvasRenderer } from "espalier/canvas";
import { createPhysicsDebug } from "espalier/physics";
import { loadBox2D } from "espalier/physics/box2d";
import { Camera, circle, createInterpolation, line, polygon } from "espalier/render";
import { createTank } from "./scene.ts";

const tank = createTank(await loadBox2D());
tank.world.spawn(
  tank.space.at(5, 0),
  Camera({ width: 24, height: 14, background: 0x20252b, backgroundAlpha: 1 }),
);
const debug = createPhysicsDebug(tank.physics, { circle, line, polygon }, { lineWidth: 0.04 });
const interpolation = createInterpolation(tank.space);
const canvas = document.querySelector("canvas") as HTMLCanvasElement;
const renderer = createCanvasRenderer(tank.space, { canvas, width: 960, height: 560, interpolation });

const held = new Set<string>();
addEventListener("keydown", ({ key }) => held.add(key));
addEventListener("keyup", ({ key }) => held.delete(key));

let left = 0;
let last = performance.now();
let steps = 0;
function frame(now: number): void {
  left = Math.min(left + (now - last) / 1000, 0.1);
  last = now;
  for (; left >= 1 / 60; left -= 1 / 60) {
    interpolation.keep();
    const force = held.has("ArrowDown") ? -300 : held.has("ArrowUp") || held.size === 0 ? 300 : 0;
    tank.step(force, held.has("ArrowRight") ? -1 : held.has("ArrowLeft") || held.size === 0 ? 1 : 0);
    steps++;
  }
  debug.update();
  renderer.render(left * 60);
  Object.assign(window, { steps });
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
