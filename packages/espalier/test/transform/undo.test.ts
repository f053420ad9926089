import { createHistory } from "espalier/history";
import { setInherit, setSkew, setTopLevel, Transform2D } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";
import { createScene, edit, edits, type Scene } from "./random-edits.ts";

function stateOf({ world, tree, space }: Scene) {
  return world.entities().map((entity) => ({
    entity,
    parent: tree.parentOf(entity),
    local: world.get(entity, Transform2D),
    world: space.worldOf(entity),
  }));
}

describe("undo of transforms", () => {
  it("brings back what each setter wrote, and the world with it", () => {
    const { world, tree, space } = createScene();
    const tank = world.spawn(space.at(1, 2));
    const turret = tree.attachNew(tank, space.at(5, 0));
    const history = createHistory(world);
    const writes: (() => void)[] = [
      () => space.setPosition(tank, 10, 20),
      () => space.setRotation(tank, 1),
      () => space.setScale(tank, 2, 3),
      () => setSkew(space, tank, 0.5),
      () => space.translate(tank, 1, 1),
      () => space.rotate(tank, 1),
      () => space.setLocal(tank, { x: -1, skew: 0 }),
      () => space.setWorldPosition(turret, 0, 0),
      () => space.setWorldRotation(turret, 0),
      () => space.lookAt(turret, 3, 100),
      () => setInherit(space, turret, "position"),
      () => setTopLevel(space, turret, true),
      () => world.remove(tank, Transform2D),
    ];
    const states = [stateOf({ world, tree, space })];
    for (const write of writes) {
      history.step("write", write);
      states.push(stateOf({ world, tree, space }));
    }
    for (let k = writes.length - 1; k >= 0; k--) {
      if (k % 2 === 0) space.propagate();
      history.undo();
      expect(stateOf({ world, tree, space })).toEqual(states[k]);
    }
    for (let k = 1; k <= writes.length; k++) {
      history.redo();
      expect(stateOf({ world, tree, space })).toEqual(states[k]);
      if (k % 2 === 0) space.propagate();
    }
  });

  it("brings back the sign of a zero", () => {
    const { world, tree, space } = createScene();
    const tank = world.spawn(space.at(0, 0));
    const before = stateOf({ world, tree, space });
    const history = createHistory(world);
    for (const write of [
      () => space.setPosition(tank, -0, 5),
      () => space.setTransform(tank, -0, 1, -0),
      () => space.setScale(tank, 2, -0),
    ]) {
      history.step("write", write);
      history.undo();
      expect(stateOf({ world, tree, space })).toEqual(before);
    }
  });

  it("brings a destroyed subtree back with its transforms", () => {
    const { world, tree, space } = createScene();
    const tank = world.spawn(space.at(100, 100, 1));
    const turret = tree.attachNew(tank, Transform2D({ x: 5, skew: 0.5, scaleY: -2 }));
    setInherit(space, turret, { scale: false });
    const before = stateOf({ world, tree, space });
    const history = createHistory(world);
    history.step("Destroy", () => tree.destroy(tank));
    space.propagate();
    history.undo();
    expect(stateOf({ world, tree, space })).toEqual(before);
    space.propagate();
    expect(stateOf({ world, tree, space })).toEqual(before);
  });

  it("leads back to the same bits from any edits", () => {
    property(
      edits({ maxLength: 25 }),
      (steps) => {
        const scene = createScene();
        const history = createHistory(scene.world);
        const states = [stateOf(scene)];
        for (const step of steps) {
          const before = history.version;
          history.step(step.kind, () => edit(scene, step));
          if (history.version !== before) states.push(stateOf(scene));
        }
        while (history.canUndo) {
          history.undo();
          states.pop();
          expect(stateOf(scene)).toEqual(states.at(-1));
        }
      },
      80,
    );
  });
});
