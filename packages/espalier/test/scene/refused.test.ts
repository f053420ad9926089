import { changesOf, checkWorld } from "espalier";
import { checkTree, createHierarchy, type Hierarchy } from "espalier/hierarchy";
import { createHistory, createVersions, followChanges } from "espalier/history";
import { clone, type SceneFormat } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { snapshot, strictWorld } from "../testing.ts";
import { createFormat, Health } from "./scenes.ts";

const format: SceneFormat = createFormat();
const twins = `{ "entities": [{ "id": "a", "components": { "Health": {} },
  "children": [{ "id": "b", "name": "twin" }, { "id": "c", "name": "twin" }] }] }`;
const prefab = format.prefab(twins, { file: "twins" });

describe.each([
  ["without a history", false],
  ["with a history", true],
])("what a hierarchy refuses, %s,", (_, recorded) => {
  it("leaves no trace: no entity, no event, no change, no step", () => {
    const world = strictWorld();
    const tree = createHierarchy(world, { uniqueNames: true });
    const kept = world.spawn(Health);
    const wide = createHierarchy(world, { name: "wide" });
    const history = recorded ? createHistory(world) : undefined;
    if (history !== undefined) {
      history.step("Set", () => world.set(kept, Health, { hp: 1 }));
      history.undo();
    }
    const events = [tree.events.reader(), wide.events.reader()];
    const changes = changesOf(world.query(Health), Health);
    changes.read();
    for (const reader of events) reader.read();
    const before = snapshot(world);
    for (const act of [
      () => format.load(tree, twins),
      () => prefab.instantiate(tree),
      () => prefab.instantiate(tree, { components: { Label: {} } }),
    ]) {
      expect(act).toThrow("twin");
      const { version: _before, ...was } = before as { version: number };
      const { version: _after, ...is } = snapshot(world) as { version: number };
      expect(is).toEqual(was);
      for (const reader of events) expect([...reader.read()]).toEqual([]);
      expect([...changes.read().added]).toEqual([]);
      expect([...checkWorld(world), ...checkTree(tree)]).toEqual([]);
      if (history !== undefined) expect([history.undoLabels, history.redoLabels]).toEqual([[], ["Set"]]);
    }
  });

  it("keeps events of what was done before and stays", () => {
    const world = strictWorld();
    const tree = createHierarchy(world, { uniqueNames: true });
    if (recorded) createHistory(world);
    const reader = tree.events.reader();
    const parent = world.spawn();
    tree.attachNew(parent);
    const reported = reader.read().length;
    tree.attachNew(parent);
    expect(() => format.load(tree, twins)).toThrow("twin");
    expect(() => clone(tree, parent, { name: "" })).toThrow();
    expect(reported).toBeGreaterThan(0);
    expect([...reader.read()].length).toBe(reported);
  });
});

describe.each<[string, (tree: Hierarchy) => () => unknown]>([
  [
    "versions",
    (tree) => {
      const versions = createVersions(tree);
      return () => versions.versionOf(null);
    },
  ],
  [
    "a change stream",
    (tree) => {
      const changes = followChanges(tree.world, { trees: [tree] });
      return () => changes.read().patch;
    },
  ],
])("a load that is refused while the record is read by %s", (_, read) => {
  it("is taken back by it, and nothing of it is reported", () => {
    const world = strictWorld();
    const tree = createHierarchy(world, { uniqueNames: true });
    const kept = world.spawn(Health);
    const see = read(tree);
    world.set(kept, Health, { hp: 1 });
    see();
    const before = see();
    expect(() => format.load(tree, twins)).toThrow("twin");
    expect(see()).toEqual(before);
    expect(world.count).toBe(1);
    expect([...checkWorld(world), ...checkTree(tree)]).toEqual([]);
    const next = world.spawn();
    expect(format.load(tree, `{ "entities": [{ "id": "a" }] }`).roots()).toHaveLength(1);
    expect(world.isAlive(next)).toBe(true);
  });
});
