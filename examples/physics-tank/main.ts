/** A tank drives against a wall and turns its turret; the barrel follows, without a body of its own. */
import { loadBox2D } from "espalier/physics/box2d";
import { createTank } from "./scene.ts";

const { tree, space, physics, hull, turret, muzzle, wall, step } = createTank(await loadBox2D());
const contacts = physics.contacts.reader();

const degrees = (radians: number) => `${Math.round((radians * 180) / Math.PI)}°`;
function show(second: number): void {
  const { x, y } = space.worldPosition(muzzle);
  const turned = degrees(space.worldRotation(turret) - space.worldRotation(hull));
  console.log(
    `${second} s: hull at ${space.localOf(hull).x.toFixed(1)}, turret turned ${turned}, muzzle at ${x.toFixed(1)}, ${y.toFixed(1)}`,
  );
}

show(0);
for (let k = 1; k <= 240; k++) {
  step(300, k <= 120 ? Math.PI / 4 : 0);
  if (k % 60 === 0) show(k / 60);
  for (const { type, a, b } of contacts.read()) {
    console.log(`  contact ${type}: ${[a, b].map((e) => tree.nameOf(e)).join(" and ")}`);
  }
}
const hit = physics.castRay(0, 0, 20, 0, { ignore: [hull, turret], layers: ["ground"] });
console.log(`ahead: ${tree.nameOf(hit?.entity ?? wall)}, ${hit?.x.toFixed(1)} metres from the start`);
try {
  tree.attach(turret, hull);
} catch (error) {
  console.log((error as Error).message.split(":")[0]);
}
