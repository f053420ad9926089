import { component, entityRef, f32, toTable } from "espalier";
import { createHistory } from "espalier/history";
import {
  createLoadOnlyFormat,
  createSceneFormat,
  instancesIn,
  prefabOf,
  type SceneFormat,
  SceneUseError,
} from "espalier/scene";
import { describe, expect, it } from "vitest";
import { emptyTree, expectSound } from "./scenes.ts";

const Health = component("Health", { hp: f32(100) });
const Aim = component("Aim", { at: entityRef() });
const components = [Health, Aim];

const turret = `{ "entities": [{ "id": "turret", "components": { "Health": { "hp": 40 } } }] }`;
const tank = `{ "entities": [{ "id": "tank", "name": "tank", "components": { "Health": {} }, "children": [{ "id": "gun", "prefab": "turret" }] }] }`;
const level = `{
  "entities": [
    { "id": "a", "prefab": "tank", "overrides": { "gun": { "components": { "Aim": { "at": "b" } } } } },
    { "id": "b", "prefab": "tank", "components": { "Health": { "hp": 5 } } }
  ]
}`;
const prefabs = { tank, turret };

/** Everything in a world that was loaded with a format. */
function loaded(format: SceneFormat) {
  const tree = emptyTree();
  const scene = format.load(tree, level, { prefabs });
  format.prefab(tank, { file: "tank", prefabs }).instantiate(tree, { components: { Health: { hp: 7 } } });
  expectSound(tree);
  return { tree, scene, table: toTable(tree.world.query(Health)) };
}

describe("a format that only loads", () => {
  it("loads scenes with prefabs and overrides as the other does", () => {
    const [lean, full] = [createLoadOnlyFormat, createSceneFormat].map((create) =>
      loaded(create({ components })),
    );
    expect(lean!.table).toEqual(full!.table);
    expect(full!.scene.tree.world.count).toBe(6);
    expect(lean!.scene.idOf(lean!.scene.entity("a/gun"))).toBe("a/gun");
  });

  it("checks files as the other does", () => {
    const broken = `{ "entities": [{ "id": "x", "components": { "Helth": {} } }] }`;
    const [lean, full] = [createLoadOnlyFormat, createSceneFormat].map((create) =>
      create({ components }).check(broken),
    );
    expect(lean).toEqual(full);
    expect(lean).toHaveLength(1);
  });

  it("is taken back by an undo", () => {
    const tree = emptyTree();
    const history = createHistory(tree.world);
    history.step("load", () => createLoadOnlyFormat({ components }).load(tree, level, { prefabs }));
    history.undo();
    expect(tree.world.count).toBe(0);
  });

  const format = createLoadOnlyFormat({ components });
  const { tree, scene } = loaded(format);
  const [instance] = instancesIn(tree);
  const prefab = format.prefab(tank, { file: "tank", prefabs });
  const calls: [string, () => unknown][] = [
    ["scene.save", () => scene.save()],
    ["scene.toFile", () => scene.toFile()],
    ["scene.reload", () => scene.reload(level, { prefabs })],
    ["format.save", () => format.save(tree)],
    ["format.clone", () => format.clone(tree, scene.entity("a"))],
    ["format.jsonSchema", () => format.jsonSchema()],
    ["format.reloadPrefab", () => format.reloadPrefab(tree, "tank", tank, { prefabs })],
    ["prefab.save", () => prefab.save()],
    ["prefab.toFile", () => prefab.toFile()],
    ["prefab.replace", () => prefab.replace(tree, format.prefab(turret))],
    ["prefab.apply", () => prefabOf(instance!).apply(instance!, [])],
    ["instance.overrides", () => instance!.overrides()],
    ["instance.revert", () => instance!.revert()],
  ];
  it.each(calls)("refuses %s and changes nothing", (_, call) => {
    const before = toTable(tree.world.query(Health));
    expect(call).toThrow(SceneUseError);
    expect(call).toThrow(expect.objectContaining({ code: "scene/load-only" }));
    expect(toTable(tree.world.query(Health))).toEqual(before);
    expectSound(tree);
  });
});
