/**
 * A tank that drives, turns, aims and loses its turret: local and world transforms, moves that keep the world transform, what a link
 * inherits, and what changed.
 */
import { createWorld, type Entity } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createTransforms2D, setInherit } from "espalier/transform";

const world = createWorld();
const tree = createHierarchy(world);
const space = createTransforms2D(tree);

const tank = world.spawn(space.at(100, 100));
const turret = tree.attachNew(tank, space.at(0, 10));
const muzzle = tree.attachNew(turret, space.at(30, 0));
const label = tree.attachNew(tank, space.at(0, 40));
for (const [entity, name] of [
  [tank, "tank"],
  [turret, "turret"],
  [muzzle, "muzzle"],
  [label, "label"],
] as const)
  tree.setName(entity, name);

const degrees = (radians: number) => `${Math.round((radians * 180) / Math.PI)}°`;
function show(entity: Entity): void {
  const { x, y } = space.worldPosition(entity);
  const name = (tree.nameOf(entity) ?? "").padEnd(6);
  console.log(
    `  ${name} at ${x.toFixed(1)}, ${y.toFixed(1)}, turned ${degrees(space.worldRotation(entity))}`,
  );
}
const showAll = () => [tank, turret, muzzle, label].forEach(show);

console.log("The tank stands:");
showAll();

console.log("It turns left and drives on; everything on it follows, right at once:");
space.rotate(tank, Math.PI / 2);
space.translate(tank, 0, 50);
showAll();

console.log("The label follows, but neither turns nor is carried round:");
setInherit(space, label, "position");
show(label);

console.log("The turret aims at a target to the right, wherever the tank looks:");
space.lookAt(turret, 500, space.worldY(turret));
show(turret);
show(muzzle);
const aim = space.localToWorldDirection(turret, 1, 0);
console.log(`  it points along ${aim.x.toFixed(1)}, ${Math.abs(aim.y).toFixed(1)}`);

console.log("A mirrored tank mirrors what it carries:");
space.setScale(tank, 1, -1);
show(muzzle);
space.setScale(tank, 1, 1);

console.log("Blown off, the turret stays where it is while the tank rolls away:");
tree.detach(turret, { keep: "world" });
show(turret);
space.propagate();
const moved = space.changes();
space.translate(tank, -60, 0);
space.propagate();
console.log(
  "  moved:",
  moved
    .read()
    .changed.map((entity) => tree.nameOf(entity))
    .join(", "),
);
show(turret);

console.log("Under a tank that is squashed flat nothing else has a place:");
space.setScale(tank, 0);
try {
  tree.attach(turret, tank, { keep: "world" });
} catch (error) {
  console.log(
    `  ${(error as Error).name}; the turret is still ${tree.parentOf(turret) === null ? "a root" : "?"}`,
  );
}
