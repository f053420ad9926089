/** Renderers and bindings that come and go leave nothing behind: everything that can be reached from a world is counted. */
import { createWorld } from "espalier";
import { createCanvasRenderer, createCanvasTextures, createRecordingContext } from "espalier/canvas";
import { createHierarchy } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { createInherited, visibility } from "espalier/inherit";
import { stateOf } from "espalier/internal";
import {
  Camera,
  circle,
  createInterpolation,
  createParticles,
  createRecordingRenderer,
  Shape,
  Sprite,
} from "espalier/render";
import {
  childrenSignal,
  componentSignal,
  createSignals,
  hasSignal,
  historySignal,
  inheritedSignal,
  parentSignal,
  querySignal,
  worldTransformSignal,
} from "espalier/signals";
import { createThreeSync } from "espalier/three";
import { createTransforms2D, createTransforms3D, createWorldFill, Transform2D } from "espalier/transform";
import { BufferGeometry, InstancedMesh, MeshBasicMaterial, Object3D } from "three";
import { describe, expect, it } from "vitest";

function setUp() {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const solid = createTransforms3D(tree, { name: "solid" });
  const history = createHistory(world);
  const visible = createInherited(tree, visibility);
  const tank = world.spawn(space.at(1, 2), circle(3));
  const turret = tree.attachNew(tank, space.at(1, 0), Sprite({ texture: "gun" }), solid.at(1, 2, 3));
  world.spawn(space.at(0, 0), Camera);
  history.clear();
  return { world, tree, space, solid, history, visible, tank, turret };
}

/** How many objects and functions can be reached. */
function countReachable(roots: readonly unknown[]): number {
  const seen = new Set<object>();
  const open: unknown[] = [...roots];
  while (open.length > 0) {
    const value = open.pop();
    if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value))
      continue;
    seen.add(value);
    if (ArrayBuffer.isView(value)) continue;
    if (value instanceof Map) open.push(...value.keys(), ...value.values());
    else if (value instanceof Set) open.push(...value);
    for (const key of Reflect.ownKeys(value)) {
      const { value: inside } = Object.getOwnPropertyDescriptor(value, key)!;
      if (inside !== undefined) open.push(inside);
    }
  }
  return seen.size;
}

type Stage = ReturnType<typeof setUp>;

const comeAndGo: Record<string, (stage: Stage) => void> = {
  "recording renderers"({ space }) {
    const renderer = createRecordingRenderer(space, { textures: {}, onProblem() {} });
    renderer.render();
    renderer.dispose();
  },
  "canvas renderers"({ space, turret }) {
    const textures = createCanvasTextures();
    const context = createRecordingContext();
    const interpolation = createInterpolation(space);
    const options = { context, textures, interpolation, onProblem() {} };
    const renderer = createCanvasRenderer(space, { ...options, particles: createParticles(space) });
    space.setPosition(turret, Math.random(), 0);
    renderer.render(0.5);
    renderer.dispose();
    interpolation.dispose();
  },
  "three.js scenes"({ world, solid, visible, turret }) {
    const view = createThreeSync(solid, { visibility: visible });
    view.attach(turret, new Object3D());
    view.attachEach(world.query(solid.component), { create: () => new Object3D() })();
    const mesh = new InstancedMesh(new BufferGeometry(), new MeshBasicMaterial(), 2);
    view.attachInstances(mesh, world.query(solid.component));
    view.sync();
    solid.setPosition(turret, Math.random(), 0, 0);
    view.sync();
    view.dispose();
  },
  fills({ world, space }) {
    const fill = createWorldFill(space, world.query(Transform2D));
    fill.update(new Float32Array(64));
    fill.update(new Float32Array(64));
    fill.dispose();
  },
  signals({ world, tree, space, history, visible, tank, turret }) {
    const signals = createSignals(world, { schedule: "manual", frame: "manual" });
    const ends = [
      componentSignal(signals, tank, Shape),
      hasSignal(signals, tank, Shape),
      childrenSignal(signals, tree, tank),
      parentSignal(signals, tree, turret),
      worldTransformSignal(signals, space, turret),
      inheritedSignal(signals, visible, turret),
      querySignal(signals, Shape),
      historySignal(signals, history),
    ].map((signal) => signal.subscribe(() => {}));
    space.setPosition(turret, Math.random(), 0);
    signals.flush();
    for (const end of ends) end();
  },
};

describe("what is added and removed a thousand times", () => {
  it.each(Object.keys(comeAndGo))("leaves nothing in the world: %s", (name) => {
    const stage = setUp();
    const count = () => {
      stage.history.clear();
      stage.space.propagate();
      stage.solid.propagate();
      const { world, ...parts } = stage;
      return countReachable([world, stateOf(world), ...Object.values(parts)]);
    };
    // What is made once and kept: inherited values that all renderers share.
    for (let k = 0; k < 5; k++) comeAndGo[name]!(stage);
    const before = count();
    for (let k = 0; k < 1000; k++) comeAndGo[name]!(stage);
    // Lists may have grown once; a listener each time would be a thousand more.
    expect(Math.abs(count() - before)).toBeLessThan(5);
  });
});
