/** The page: a mirror of the worker's world. It draws that world, and sends what the visitor does. */
import { createWorld, type Entity } from "espalier";
import { createCanvasRenderer } from "espalier/canvas";
import { createHierarchy } from "espalier/hierarchy";
import { HIDDEN, VISIBLE, Visibility } from "espalier/inherit";
import { circle, Shape } from "espalier/render";
import { createTransforms2D } from "espalier/transform";
import { mirrorWorld } from "espalier/worker";
import "../frames.ts";
import { type Command, components } from "./shared.ts";

const world = createWorld();
const tree = createHierarchy(world);
const space = createTransforms2D(tree);

const worker = new Worker(new URL("./game.ts", import.meta.url), { type: "module" });
const mirror = mirrorWorld(world, { components, spaces: [space], port: worker });
await mirror.ready;

const canvas = document.querySelector("canvas")!;
const renderer = createCanvasRenderer(space, { canvas, width: innerWidth, height: innerHeight });
addEventListener("resize", () => renderer.resize(innerWidth, innerHeight));

// An entity of the page alone: it marks the crate under the pointer.
const mark = world.spawn(space.at(0, 0), circle(0.2, { fill: 0xffffff }), Visibility({ mode: HIDDEN }));

/** The crate at a point of the screen: the entity drawn there, or its parent. */
function crateAt(x: number, y: number): Entity | null {
  const at = renderer.toWorld(x, y);
  const hit = renderer.hitTestAll(at.x, at.y).find((entity) => entity !== mark);
  return hit === undefined ? null : (tree.parentOf(hit) ?? hit);
}

let pointer: { x: number; y: number } | undefined;
addEventListener("pointermove", ({ clientX, clientY }) => {
  pointer = { x: clientX, y: clientY };
});

const send = (command: Command) => mirror.send(command);
addEventListener("click", ({ clientX, clientY }) => {
  const crate = crateAt(clientX, clientY);
  const id = crate === null ? undefined : mirror.idOf(crate);
  if (id !== undefined) send({ hit: id });
  else send({ drop: renderer.toWorld(clientX, clientY) });
});

function frame(): void {
  world.set(mark, Visibility, { mode: HIDDEN });
  const crate = pointer === undefined ? null : crateAt(pointer.x, pointer.y);
  if (crate !== null) {
    const { x, y } = space.worldPosition(crate);
    space.setPosition(mark, x, y);
    world.set(mark, Visibility, { mode: VISIBLE });
  }
  renderer.render();
}

// Read by tests.
const crates = () => [...world.query(Shape)].filter((entity) => tree.childrenOf(entity).length > 0);
Object.assign(window, {
  mirror,
  entities: () => world.count,
  isShared: () => mirror.isShared,
  heightOf: (id: Entity) => space.worldY(mirror.entityOf(id)!),
  highest() {
    const crate = crates().reduce((a, b) => (space.worldY(a) > space.worldY(b) ? a : b));
    const { x, y } = space.worldPosition(crate);
    return { ...renderer.toScreen(x, y), height: y, id: mirror.idOf(crate) };
  },
});

const fixed = new URLSearchParams(location.search).get("time");
send({ start: fixed === null ? null : Number(fixed) });
if (fixed === null) {
  const next = () => {
    frame();
    window.ready = true;
    requestAnimationFrame(next);
  };
  next();
} else {
  const first = mirror.tick;
  const wait = () => {
    if (mirror.tick === first) {
      setTimeout(wait, 5);
      return;
    }
    frame();
    window.ready = true;
  };
  wait();
}
