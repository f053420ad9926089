/** A car drives over hills, brakes, and stands. */
import { loadBox2D } from "espalier/physics/box2d";
import { createCar } from "./scene.ts";

const { space, physics, body, cabin, wheels, drive } = createCar(await loadBox2D());
console.log(`${physics.counts.bodies} bodies, ${physics.counts.joints} joints`);

for (let second = 0; second <= 6; second++) {
  const { x } = space.localOf(body);
  const speed = physics.velocityOf(body).x;
  console.log(
    `${second} s: at ${x.toFixed(1)}, ${Math.abs(speed) < 0.05 ? "standing" : `${speed.toFixed(1)} m/s`}`,
  );
  drive(second < 4 ? -20 : 0);
  for (let k = 0; k < 60; k++) physics.step(1 / 60);
}
space.propagate();

const top = space.worldPosition(cabin);
console.log(`the cabin is above the car: ${top.y > space.localOf(body).y}`);
console.log(`the wheels have turned: ${wheels.every((wheel) => space.localOf(wheel).rotation !== 0)}`);
const [hit] = physics.castRayAll(top.x, top.y + 5, top.x, -5);
console.log(`a drop of rain falls on the ${hit?.collider === cabin ? "cabin" : "road"}`);
