/** The worker: crates, Box2D and time. It draws nothing. */
import { createWorld, type Entity } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { Collider, createPhysics, RigidBody, STATIC } from "espalier/physics";
import { loadBox2D } from "espalier/physics/box2d";
import { Camera, circle, rect } from "espalier/render";
import { createTransforms2D } from "espalier/transform";
import { hostWorld, timerFrames } from "espalier/worker";
import { type Command, components } from "./shared.ts";

const world = createWorld();
const tree = createHierarchy(world);
const space = createTransforms2D(tree);
const physics = createPhysics(space, await loadBox2D());

world.spawn(space.at(0, 4), Camera({ width: 24, height: 13.5, background: 0x10141b, backgroundAlpha: 1 }));
for (const [x, y, width, height] of [
  [0, -2, 26, 1],
  [-12, 4, 1, 14],
  [12, 4, 1, 14],
] as const) {
  world.spawn(
    space.at(x, y),
    RigidBody({ type: STATIC }),
    Collider({ shapes: [{ type: "box", width, height }] }),
    rect(width, height, { fill: 0x3b4756 }),
  );
}
const colors = [0xf3a712, 0x6f8f4e, 0x4e7a8f, 0xa8506b];
let crates = 0;
function drop(x: number, y: number): void {
  const fill = colors[crates++ % colors.length]!;
  const crate = world.spawn(
    space.at(x, y, crates),
    RigidBody,
    Collider({ shapes: [{ type: "box", width: 1, height: 1 }] }),
    rect(1, 1, { fill, stroke: 0x10141b, strokeWidth: 0.06 }),
  );
  // A child, which follows its crate here and on the page.
  tree.attachNew(crate, space.at(0.25, 0.25), circle(0.12, { fill: 0x10141b }));
}
for (let k = 0; k < 60; k++) drop(((k * 7) % 19) - 9 + k * 0.01, 2 + Math.floor(k / 10) * 2);

function hit(entity: Entity): void {
  // It may be gone by now, or a wall.
  const body = world.isAlive(entity) ? world.get(entity, RigidBody) : null;
  if (body && body.type !== STATIC) physics.applyImpulse(entity, 2, 9);
}

const step = 1 / 60;
const advance = () => {
  physics.step(step);
  space.propagate();
};

const host = hostWorld(world, {
  components,
  spaces: [space],
  onInput(event) {
    const command = event as Command;
    if ("start" in command) start(command.start);
    else if ("drop" in command) drop(command.drop.x, command.drop.y);
    else hit(command.hit as Entity);
  },
});

function start(at: number | null): void {
  for (let k = 0; k < (at ?? 0) / step; k++) advance();
  host.publish();
  if (at !== null) return;
  const frames = timerFrames(1 / step);
  const tick = () => {
    frames.request(tick);
    advance();
    host.publish();
  };
  tick();
}
