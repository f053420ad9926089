/**
 * A robot arm that carries a crate from one table to another. Grabbing is giving the crate another parent; with
 * `keep: "world"` it stays where it is, although the hand is turned and moves.
 */
import { createWorld, type Entity } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createThreeSync } from "espalier/three";
import { createTransforms3D, eulerToQuaternion } from "espalier/transform";
import { BoxGeometry, CylinderGeometry, Mesh, MeshLambertMaterial, PlaneGeometry } from "three";
import { runFrames } from "../frames.ts";
import { createStage } from "../three-stage.ts";

const world = createWorld();
const tree = createHierarchy(world);
const space = createTransforms3D(tree);
const { scene, camera, renderer } = createStage("#20252e", [1.5, 5, 9]);
const view = createThreeSync(space);
scene.add(view.root);

const floor = new Mesh(new PlaneGeometry(30, 30), new MeshLambertMaterial({ color: "#39414f" }));
floor.rotation.x = -Math.PI / 2;
scene.add(floor);

function box(entity: Entity, size: readonly [number, number, number], color: string, lift = 0): void {
  const geometry = new BoxGeometry(...size).translate(0, lift, 0);
  view.attach(entity, new Mesh(geometry, new MeshLambertMaterial({ color })));
}

const LENGTH = 2;
const base = world.spawn(space.at(0, 0, 0));
view.attach(
  base,
  new Mesh(new CylinderGeometry(0.7, 0.8, 0.5), new MeshLambertMaterial({ color: "#8b94a5" })),
);
const shoulder = tree.attachNew(base, space.at(0, 0.4, 0));
box(shoulder, [0.4, LENGTH, 0.4], "#f0a93b", LENGTH / 2);
const elbow = tree.attachNew(shoulder, space.at(0, LENGTH, 0));
box(elbow, [0.32, LENGTH, 0.32], "#f5c063", LENGTH / 2);
const hand = tree.attachNew(elbow, space.at(0, LENGTH, 0));
box(hand, [0.7, 0.2, 0.7], "#d8dde6");
for (const [k, name] of (["base", "shoulder", "elbow", "hand"] as const).entries())
  tree.setName([base, shoulder, elbow, hand][k]!, name);

const left = world.spawn(space.at(-2.4, 0.5, 0));
const right = world.spawn(space.at(0, 0.5, 2.4));
for (const [table, name] of [
  [left, "left table"],
  [right, "right table"],
] as const) {
  box(table, [1.4, 1, 1.4], "#56607a");
  tree.setName(table, name);
}
const crate = tree.attachNew(left, space.at(0, 0.8, 0));
tree.setName(crate, "crate");
box(crate, [0.6, 0.6, 0.6], "#4fb286");

/** Angles of shoulder and elbow that bring the hand onto a crate on a table, and up between the tables. */
const reach = { shoulder: 0.254, elbow: 1.64 };
const rest = { shoulder: 0.047, elbow: 1.218 };

const smooth = (t: number) => t * t * (3 - 2 * t);
const between = (time: number, from: number, to: number) =>
  smooth(Math.min(1, Math.max(0, (time - from) / (to - from))));

/** Down, grab, up, turn, down, release, up, back: a round of eight seconds. */
function pose(time: number): void {
  const down = between(time, 0, 1) - between(time, 1.2, 2.2) + between(time, 4, 5) - between(time, 5.2, 6.2);
  const turn = between(time, 2.2, 4) - between(time, 6.2, 8);
  space.setLocal(base, eulerToQuaternion(0, Math.PI + turn * (Math.PI / 2), 0));
  const mix = (from: number, to: number) => from + (to - from) * down;
  const atShoulder = mix(rest.shoulder, reach.shoulder);
  const atElbow = mix(rest.elbow, reach.elbow);
  space.setLocal(shoulder, eulerToQuaternion(0, 0, -atShoulder));
  space.setLocal(elbow, eulerToQuaternion(0, 0, -atElbow));
  // The hand points down, whatever the pose of the arm.
  space.setLocal(hand, eulerToQuaternion(0, 0, atShoulder + atElbow - Math.PI));
}

/** Who holds the crate: the hand between grabbing and releasing, the tables before and after. */
function carry(time: number): void {
  const holder = time < GRAB ? left : time < RELEASE ? hand : right;
  if (tree.parentOf(crate) !== holder) tree.attach(crate, holder, { keep: "world" });
}

const GRAB = 1.1;
const RELEASE = 5.1;
const isFixed = location.search.includes("time");
const info = document.querySelector("#info")!;
runFrames((now) => {
  // There, and the same way back.
  const isBack = Math.floor(now / 8) % 2 === 1;
  const time = isBack ? 8 - (now % 8) : now % 8;
  // A fixed picture has no frames before it: the grabs and releases until then are done here.
  for (const moment of isFixed ? [GRAB, RELEASE].filter((moment) => moment < time) : []) {
    pose(moment);
    carry(moment);
  }
  pose(time);
  carry(time);
  view.sync();
  renderer.render(scene, camera);
  const { x, y, z } = space.worldPosition(crate);
  info.textContent = `${tree.pathOf(crate)}\n${x.toFixed(2)}, ${y.toFixed(2)}, ${z.toFixed(2)}`;
});
