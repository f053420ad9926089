import { mountEditor } from "@espalier/editor";
import { component, createWorld, f32 } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { circle, rect } from "espalier/render";
import { createTransforms2D } from "espalier/transform";

const Health = component("Health", { hp: f32(100) });
const world = createWorld();
const tree = createHierarchy(world);
const space = createTransforms2D(tree);
const history = createHistory(world);

const tank = world.spawn(space.at(0, 0), rect(60, 40, { fill: 0x557744 }), Health);
const turret = tree.attachNew(tank, space.at(0, 0), circle(14, { fill: 0x88aa66 }));
tree.setName(tank, "tank");
tree.setName(turret, "turret");

// The editor as a panel over a world that runs: what moves in the tree beside moves in its panel too.
const panel = document.body.appendChild(document.createElement("div"));
panel.style.cssText = "position: fixed; inset: 0";
mountEditor(panel, { world, tree, space, history });
setInterval(() => space.rotate(turret, 0.05), 50);
