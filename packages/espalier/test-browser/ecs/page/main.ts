/** A small game on a page that forbids code from text. What came of it stands in the page as JSON. */
import {
  bool,
  checkWorld,
  compileLoop,
  component,
  createWorld,
  type Entity,
  entityRef,
  enumOf,
  f32,
  optional,
  string,
} from "espalier";
import { checkTree, createHierarchy } from "espalier/hierarchy";
import { createHistory, restoreSnapshot, takeSnapshot } from "espalier/history";
import { createInherited, Visibility, visibility } from "espalier/inherit";
import { createSceneFormat } from "espalier/scene";
import {
  createTransforms2D,
  createTransforms3D,
  loadKernel,
  Transform2D,
  Transform3D,
} from "espalier/transform";

const Velocity = component("Velocity", { x: f32(1), y: f32(2) });
const Tank = component("Tank", {
  state: enumOf("idle", "moving"),
  armored: bool(),
  name: string("tank"),
  target: entityRef(),
});

function forbidden(make: () => unknown): boolean {
  try {
    make();
    return false;
  } catch {
    return true;
  }
}

async function play(): Promise<unknown> {
  const world = createWorld({ capacity: 4095 });
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  // For when the world has grown large enough.
  await loadKernel(space);
  const other = createHierarchy(createWorld());
  const space3 = createTransforms3D(other);
  const seen = createInherited(tree, visibility);
  const history = createHistory(world);
  const tank = tree.attachNew(null, Transform2D({ x: 10 }), Velocity, Tank, Visibility);
  const turret = tree.attachNew(tank, Transform2D({ x: 5 }), Tank({ target: tank }));
  const solid = other.attachNew(null, Transform3D({ x: 1 }));
  const moving = world.query(Transform2D, Velocity);
  // More passes than a query makes before it would get a loop of its own.
  for (let frame = 0; frame < 10; frame++) {
    moving.update((transform, velocity) => {
      transform.x += velocity.x;
      transform.y += velocity.y;
    });
    world.query(Tank, optional(Velocity)).each((_, it, velocity) => {
      it.state = velocity === undefined ? "idle" : "moving";
      it.armored = true;
    });
    space.propagate();
  }
  const crowd = world.spawnMany(500, Transform2D, Velocity);
  for (const entity of crowd) tree.attach(entity, tank);
  moving.update((transform) => {
    transform.y += 1;
  });
  const loop = compileLoop(world.query(Velocity), ([ids, { x }]) => (count) => {
    for (let k = 0; k < count; k++) x[ids[k] as number] = 7;
  });
  loop();
  const placed = { ...space.worldOf(turret) };
  const snapshot = takeSnapshot(world, { trees: [tree] });
  history.step("destroy", () => world.destroy(tank));
  const after = world.count;
  history.undo();
  restoreSnapshot(world, snapshot, { trees: [tree] });
  const format = createSceneFormat({ components: [Transform2D, Velocity, Tank, Visibility] });
  const file = JSON.parse(format.save(tree, [tank]));
  return {
    worlds: [world.count, after],
    turret: world.get(turret, Tank)?.target === tank,
    tank: world.get(tank, Tank),
    local: world.get(tank, Transform2D),
    placed,
    speeds: world.get(crowd[499] as Entity, Velocity),
    solid: space3.worldOf(solid),
    seen: seen.of(turret),
    file: file.entities.slice(0, 2),
    wasm: space.usesWasm,
    problems: [...checkWorld(world), ...checkTree(tree)],
  };
}

const result = document.createElement("output");
try {
  result.textContent = JSON.stringify({
    noText: forbidden(() => new Function("return 1")()),
    noWasm: forbidden(() => new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))),
    game: await play(),
  });
} catch (error) {
  result.textContent = JSON.stringify({ failed: String((error as Error).stack) });
}
document.body.append(result);
