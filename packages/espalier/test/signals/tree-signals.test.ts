import { type Entity, resource } from "espalier";
import { spawnTree, swap } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { createInherited, HIDDEN, Visibility, visibility } from "espalier/inherit";
import {
  childrenSignal,
  historySignal,
  inheritedSignal,
  parentSignal,
  resourceSignal,
  worldTransformSignal,
} from "espalier/signals";
import { createTransforms2D, createTransforms3D } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { log, setUp } from "./set-up.ts";

const Gravity = resource("Gravity", () => -9.81);

describe("tree signals", () => {
  it("report children that come, go and change positions, and the parent", () => {
    const { world, tree, signals } = setUp();
    const { tank, turret, hatch } = spawnTree(tree, {
      name: "tank",
      children: [{ name: "turret" }, { name: "hatch" }],
    }).named as Record<string, Entity>;
    const children = log(childrenSignal(signals, tree, tank!));
    const roots = log(childrenSignal(signals, tree, null));
    const parent = log(parentSignal(signals, tree, hatch!));
    const step = (change: () => unknown) => {
      change();
      signals.flush();
    };
    step(() => swap(tree, turret!, hatch!));
    step(() => tree.attach(turret!, hatch!));
    step(() => tree.detach(hatch!));
    step(() => world.destroy(tank!));
    expect(children.told).toEqual([[hatch, turret], [hatch], []]);
    expect(roots.told).toEqual([[tank, hatch], [hatch]]);
    expect(parent.told).toEqual([null]);
    step(() => tree.attach(tree.attachNew(null), turret!));
    step(() => world.destroy(hatch!));
    expect(parent.told).toEqual([null]);
    expect(roots.told.at(-1)).toEqual([]);
  });

  it("give the empty list and null for dead entities, even when they were subscribed to before", () => {
    const { world, tree, signals } = setUp();
    const tank = world.spawn();
    const turret = tree.attachNew(tank);
    const children = log(childrenSignal(signals, tree, tank));
    const parent = log(parentSignal(signals, tree, turret));
    world.destroy(tank);
    signals.flush();
    expect(children.told).toEqual([[]]);
    expect(parent.told).toEqual([null]);
  });

  it("continue for others when one of several listeners to parents leaves", () => {
    const { tree, signals } = setUp();
    const [a, b] = [tree.attachNew(null), tree.attachNew(null)];
    const first = log(parentSignal(signals, tree, a));
    const second = log(parentSignal(signals, tree, b));
    first.end();
    tree.attach(b, a);
    signals.flush();
    expect(second.told).toEqual([a]);
  });
});

describe("sampled signals", () => {
  it("report world transforms that an ancestor moved, in 2D and 3D", () => {
    const { world, tree, signals } = setUp();
    const space = createTransforms2D(tree);
    const tank = world.spawn(space.at(1, 0));
    const turret = tree.attachNew(tank, space.at(1, 0));
    const transform = worldTransformSignal(signals, space, turret);
    const { told } = log(transform);
    signals.flush();
    space.setPosition(tank, 5, 0);
    expect(transform.get()?.x).toBe(6);
    signals.flush();
    signals.flush();
    expect(told.map((matrix) => matrix?.x)).toEqual([6]);
    world.destroy(turret);
    signals.flush();
    expect(told).toHaveLength(2);
    expect(told[1]).toBe(undefined);

    const space3 = createTransforms3D(tree, { name: "space" });
    const crane = world.spawn(space3.at(1, 2, 3));
    const hook = log(worldTransformSignal(signals, space3, crane));
    signals.flush();
    space3.setPosition(crane, 4, 5, 6);
    signals.flush();
    expect(hook.told.map((m) => [...m!.subarray(9)])).toEqual([[4, 5, 6]]);
  });

  it("report inherited values, resources, histories and values of your own", () => {
    const { world, tree, signals } = setUp();
    const shown = createInherited(tree, visibility);
    const history = createHistory(world);
    const tank = world.spawn();
    const turret = tree.attachNew(tank);
    history.clear();
    const logs = {
      shown: log(inheritedSignal(signals, shown, turret)),
      gravity: log(resourceSignal(signals, Gravity)),
      undo: log(historySignal(signals, history)),
      count: log(signals.derive(() => world.count)),
    };
    history.step("hide", () => world.add(tank, Visibility({ mode: HIDDEN })));
    signals.flush();
    world.setResource(Gravity, 0);
    signals.flush();
    world.spawn();
    signals.flush();
    expect(logs.shown.told).toEqual([false]);
    expect(logs.gravity.told).toEqual([0]);
    expect(logs.undo.told.map(({ undoLabels }) => undoLabels)).toEqual([["hide"], ["", "hide"]]);
    expect(logs.count.told).toEqual([3]);
  });
});
