/** What is drawn, where, and in which order: a picture as a list, from the renderer for tests. */
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { HIDDEN, Visibility, ZIndex } from "espalier/inherit";
import { Alpha, Camera, circle, createRecordingRenderer, rect } from "espalier/render";
import { createTransforms2D } from "espalier/transform";

const world = createWorld();
const tree = createHierarchy(world);
const space = createTransforms2D(tree);
const renderer = createRecordingRenderer(space, { width: 400, height: 300 });

const boat = world.spawn(space.at(100, 40), rect(60, 20, { fill: 0x885522 }));
const sail = tree.attachNew(boat, space.at(0, 30), rect(4, 50), Alpha({ value: 0.8 }));
const sun = world.spawn(space.at(100, 90), circle(30, { fill: 0xffdd55 }));
tree.setName(boat, "boat");
tree.setName(sail, "sail");
tree.setName(sun, "sun");
world.spawn(space.at(100, 40), Camera({ zoom: 2 }));

function show(title: string): void {
  renderer.render();
  console.log(`${title}:`);
  for (const { entity, matrix, alpha } of renderer.drawn()) {
    const { x, y } = renderer.toScreen(matrix.x, matrix.y);
    console.log(`  ${tree.nameOf(entity)} at ${x}, ${y} on the screen, alpha ${alpha.toFixed(1)}`);
  }
}

show("in tree order");
world.add(sun, ZIndex({ z: -1 }));
space.setPosition(boat, 110, 40);
show("the sun behind the boat, which has moved on");
world.add(boat, Visibility({ mode: HIDDEN }));
show("the boat hidden, and the sail with it");
console.log(`under the middle of the screen: ${tree.nameOf(renderer.hitTest(100, 90) ?? boat)}`);
