/**
 * A level editor in small: deletes a tank with everything on it, brings it back, drags it, and fails halfway through a
 * change that is then rolled back.
 */
import { component, createWorld, type Entity, f32, string } from "espalier";
import { createHierarchy, spawnTree } from "espalier/hierarchy";
import { createHistory } from "espalier/history";

const Position = component("Position", { x: f32(), y: f32() });
const Paint = component("Paint", { color: string("grey") });

const world = createWorld();
const tree = createHierarchy(world);
const { level, tank, turret, gun } = spawnTree(tree, {
  name: "level",
  children: [
    { name: "hangar" },
    {
      name: "tank",
      with: [Position({ x: 4, y: 2 }), Paint({ color: "green" })],
      children: [{ name: "turret", with: [Paint], children: [{ name: "gun" }] }, { name: "hatch" }],
    },
    { name: "oak", with: [Position({ x: 9 })] },
  ],
}).named;
// A second hierarchy over the same entities: the controller of each.
const control = createHierarchy(world, { name: "control", onDestroy: "orphan" });
const player = world.spawn();
control.attach(gun, player);

const history = createHistory(world);

function show(title: string): void {
  console.log(`${title}: ${outline(level)}`);
}

function outline(entity: Entity): string {
  const inside = tree.childrenOf(entity).map(outline).join(" ");
  return `${tree.nameOf(entity)}#${entity}${inside === "" ? "" : `(${inside})`}`;
}

show("at first");
history.step("Delete tank", () => world.destroy(tank));
show("deleted");
console.log(
  `  next is undo ${JSON.stringify(history.undoLabels[0])}, the player controls`,
  control.childrenOf(player).length,
);

history.undo();
show("undone");
console.log("  tank", world.get(tank, Position), world.get(tank, Paint));
console.log("  the player controls the gun again:", control.parentOf(gun) === player);

history.redo();
history.undo();
show("redone and undone");

for (let x = 5; x <= 204; x++) {
  history.step("Drag tank", () => world.set(tank, Position, { x }), { key: "drag" });
}
console.log("dragged to", world.get(tank, Position)?.x, "in", history.undoLabels.length, "step");
history.undo();
console.log("undone, back at", world.get(tank, Position)?.x);

try {
  history.transaction("Repaint", () => {
    world.set(tank, Paint, { color: "red" });
    tree.attachNew(turret);
    throw new Error("no paint left");
  });
} catch (error) {
  console.log("failed:", (error as Error).message);
}
show("as if nothing had happened");
console.log("  tank", world.get(tank, Paint));
