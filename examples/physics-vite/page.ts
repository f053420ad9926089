/** Draws the result, and continues. */
import { createCanvasRenderer } from "espalier/canvas";
import { createPhysicsDebug } from "espalier/physics";
import { Camera, circle, line, polygon } from "espalier/render";
import { fallen, physics, space, world } from "./main.ts";

world.spawn(space.at(0, 4), Camera({ width: 24, height: 12, background: 0x20252b, backgroundAlpha: 1 }));
const debug = createPhysicsDebug(physics, { circle, line, polygon });
const canvas = document.querySelector("canvas") as HTMLCanvasElement;
const renderer = createCanvasRenderer(space, { canvas, width: 960, height: 480 });
debug.update();
renderer.render();
Object.assign(window, { fallen, hash: physics.hash() });
