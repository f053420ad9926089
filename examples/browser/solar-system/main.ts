/**
 * 10,000 bodies in one tree. An orbit is an entity that turns about its parent; a body is a child of its orbit. Whatever
 * turns takes everything below it along, and no code computes a position.
 */
import { component, createWorld, type Entity, f32, tag } from "espalier";
import { compactOrder, createHierarchy } from "espalier/hierarchy";
import { createThreeSync } from "espalier/three";
import { createTransforms3D, Transform3D } from "espalier/transform";
import { Color, IcosahedronGeometry, InstancedMesh, MeshLambertMaterial } from "three";
import { runFrames } from "../frames.ts";
import { createStage } from "../three-stage.ts";

const Orbit = component("Orbit", { speed: f32(), phase: f32() });
const Body = tag("Body");
const Tint = component("Tint", { hue: f32(), lightness: f32(0.6) });

const world = createWorld({ capacity: 25_000 });
const tree = createHierarchy(world);
const space = createTransforms3D(tree);

// The same numbers every time.
let seed = 42;
const random = () => {
  seed = (seed * 16807) % 2147483647;
  return seed / 2147483647;
};

/** A body on an orbit about `center`. */
function addBody(
  center: Entity | null,
  distance: number,
  size: number,
  speed: number,
  hue: number,
  height = 0,
): Entity {
  const orbit = tree.attachNew(center, Transform3D, Orbit({ speed, phase: random() * Math.PI * 2 }));
  // The unscaled entity carries the orbits around it; only the body is scaled.
  const planet = tree.attachNew(orbit, space.at(distance, height, 0));
  const scale = { scaleX: size, scaleY: size, scaleZ: size };
  tree.attachNew(planet, Transform3D(scale), Body, Tint({ hue, lightness: 0.45 + random() * 0.3 }));
  return planet;
}

const sun = addBody(null, 0, 2.4, 0, 0.12);
for (let k = 0; k < 8; k++) {
  const planet = addBody(sun, 5 + k * 2.6, 0.35 + random() * 0.5, 0.8 / (1 + k), 0.05 + k * 0.11);
  for (let moon = 0; moon < k * 2; moon++) {
    addBody(planet, 1 + moon * 0.12, 0.1, 1 + random() * 2, random(), (random() - 0.5) * 0.3);
  }
}
const bodies = world.query(Transform3D, Body);
while (bodies.count() < 10_000) {
  const isInner = random() < 0.4;
  const distance = isInner ? 13.6 + random() * 1.2 : 28 + random() * 6;
  addBody(
    sun,
    distance,
    0.03 + random() * 0.07,
    (isInner ? 0.2 : 0.06) * (0.8 + random() * 0.4),
    0.08,
    (random() - 0.5) * 0.8,
  );
}
compactOrder(tree);

const { scene, camera, renderer } = createStage("#05070d", [0, 26, 44]);
const view = createThreeSync(space);
scene.add(view.root);
const mesh = new InstancedMesh(new IcosahedronGeometry(1, 1), new MeshLambertMaterial(), 10_000);
const color = new Color();
view.attachInstances(mesh, bodies, {
  onRow: (row, entity) => {
    const { hue, lightness } = world.get(entity, Tint)!;
    mesh.setColorAt(row, color.setHSL(hue, 0.7, lightness));
  },
});

const orbits = world.query(Transform3D, Orbit);
const info = document.querySelector("#info")!;
runFrames((time) => {
  const start = performance.now();
  orbits.update((transform, orbit) => {
    const half = (orbit.phase + orbit.speed * time) / 2;
    transform.qy = Math.sin(half);
    transform.qw = Math.cos(half);
  });
  view.sync();
  const spent = performance.now() - start;
  renderer.render(scene, camera);
  const isTest = location.search.includes("time");
  info.textContent = `${bodies.count()} bodies, ${world.count} entities${isTest ? "" : `, ${spent.toFixed(1)} ms`}`;
});
