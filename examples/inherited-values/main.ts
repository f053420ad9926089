/**
 * A window with two panels: visibility, activity and depth flow down, and so does a custom opacity.
 */
import { component, createWorld, f32 } from "espalier";
import { createHierarchy, Ghost } from "espalier/hierarchy";
import {
  Active,
  activity,
  createInherited,
  defineInherited,
  HIDDEN,
  VISIBLE,
  Visibility,
  visibility,
  ZIndex,
  zIndex,
} from "espalier/inherit";

const Opacity = component("Opacity", { value: f32(1) });
const opacity = defineInherited({
  name: "opacity",
  component: Opacity,
  initial: 1,
  combine: (parent, own) => parent * own.value,
});

const world = createWorld();
const tree = createHierarchy(world);
const visible = createInherited(tree, visibility);
const active = createInherited(tree, activity);
const depth = createInherited(tree, zIndex);
const shade = createInherited(tree, opacity);

const window = world.spawn(Visibility, Active, ZIndex({ z: 10 }), Opacity);
const panel = tree.attachNew(window, Visibility, Active, ZIndex({ z: 2 }), Opacity({ value: 0.5 }));
const group = tree.attachNew(panel); // has no value of its own
const button = tree.attachNew(
  group,
  Visibility,
  Active({ on: false }),
  ZIndex({ z: 1 }),
  Opacity({ value: 0.5 }),
);
const hint = tree.attachNew(window, Visibility, ZIndex({ z: 1000, zRelative: false }));
for (const [name, entity] of Object.entries({ window, panel, group, button, hint }))
  tree.setName(entity, name);

function show(title: string): void {
  console.log(title);
  for (const entity of [window, ...tree.descendants(window)]) {
    const values = [
      visible.of(entity) ? "visible" : "hidden ",
      active.of(entity) ? "on " : "off",
      `z ${depth.of(entity)}`,
      `opacity ${shade.of(entity)}`,
    ];
    console.log(`  ${(tree.nameOf(entity) ?? "").padEnd(6)} ${values.join("  ")}`);
  }
}

show("As it was made:");

visible.propagate();
const changes = visible.changes();
world.set(panel, Visibility, { mode: HIDDEN });
world.set(hint, Visibility, { mode: VISIBLE });
visible.propagate();
show("The panel is hidden, and what is in it; the hint was visible and still is:");
console.log(
  "  changed:",
  changes
    .read()
    .changed.map((entity) => tree.nameOf(entity))
    .join(", "),
);

world.set(window, Active, { on: false });
show("The window is off, and with it everything; nobody's own flag was touched:");
console.log("  the panel itself says", world.get(panel, Active));

world.set(window, Active, { on: true });
world.add(panel, Ghost);
show("The panel becomes a ghost, and everything sees through it:");

tree.attach(button, hint);
show("The button moves below the hint:");
