/** A figure gets a push, falls over and comes to rest: ten bodies, nine joints. */
import { loadBox2D } from "espalier/physics/box2d";
import { createRagdoll } from "./scene.ts";

const { space, physics, bodies } = createRagdoll(await loadBox2D());
const { joints, bodies: count } = physics.counts;
console.log(`${count - 1} parts, ${joints} joints`);

const heightOf = (name: string) => space.localOf(bodies.get(name)!).y;
physics.applyImpulse(bodies.get("torso")!, 3, 1);
for (let k = 0; k <= 360; k++) {
  if (k % 60 === 0) {
    const asleep = [...bodies.values()].every((body) => !physics.isAwake(body));
    console.log(
      `${k / 60} s: head at a height of ${heightOf("head").toFixed(2)}${asleep ? ", everything asleep" : ""}`,
    );
  }
  physics.step(1 / 60);
}

const apart = physics
  .debugPicture()
  .joints.map(({ points: [ax, ay, bx, by] }) => Math.hypot(bx - ax, by - ay));
console.log(`no joint is open by more than 1 cm: ${Math.max(...apart) < 0.01}`);
