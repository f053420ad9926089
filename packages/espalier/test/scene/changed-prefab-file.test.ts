import { type Entity, observe } from "espalier";
import { createHistory } from "espalier/history";
import { createSceneFormat, instancesIn, SceneError, type SceneFile } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { components, emptyTree, expectSound, Health } from "./scenes.ts";

const format = createSceneFormat({ components });
const engine = (hp: number): SceneFile => ({ entities: [{ id: "engine", components: { Health: { hp } } }] });
const tank = (motor: object): SceneFile => ({
  entities: [
    { id: "tank", components: { Health: {} }, children: [{ id: "motor", prefab: "engine", ...motor }] },
  ],
});
const prefabs = { engine: engine(10) };

describe("a prefab that is reloaded", () => {
  it("reaches instances of prefabs that hide its change, when the override that hides it is removed later", () => {
    const tree = emptyTree();
    const kept = format.prefab(tank({ components: { Health: { hp: 5 } } }), { file: "tank", prefabs });
    const instance = kept.instantiate(tree);
    const motorOf = (each: typeof instance) => tree.world.get(each.find("motor")!, Health)?.hp;
    format.reloadPrefab(tree, "engine", engine(20));
    expect([instance, kept.instantiate(tree)].map(motorOf)).toEqual([5, 5]);
    format.reloadPrefab(tree, "tank", tank({}));
    expect([instance, kept.instantiate(tree)].map(motorOf)).toEqual([20, 20]);
  });

  it("is no step where its text says the same, or no instance follows it", () => {
    const tree = emptyTree();
    const kept = format.prefab(tank({}), { file: "tank", prefabs });
    const history = createHistory(tree.world);
    kept.instantiate(tree);
    expect(format.reloadPrefab(tree, "engine", engine(10))).toEqual([]);
    expect(format.reloadPrefab(tree, "wheel", engine(3))).toEqual([]);
    expect(history.undoLabels).toEqual([""]);
    expect(format.reloadPrefab(tree, "engine", engine(20))).toHaveLength(1);
    expect(history.undoLabels).toEqual(["Reload prefab", ""]);
  });

  it("gives observers the new form: they run when all have followed", () => {
    const tree = emptyTree();
    const kept = format.prefab(engine(10), { file: "engine" });
    const first = kept.instantiate(tree);
    const second = kept.instantiate(tree);
    const seen: unknown[] = [];
    const hpOf = (entity: Entity) => tree.world.get(entity, Health)?.hp;
    const stop = observe(tree.world, Health, {
      set: (entity) => {
        seen.push([entity, hpOf(first.root), hpOf(second.root), hpOf(kept.instantiate(tree).root)]);
      },
    });
    format.reloadPrefab(tree, "engine", engine(20));
    stop();
    expect(seen).toEqual([
      [first.root, 20, 20, 20],
      [second.root, 20, 20, 20],
    ]);
  });

  it("changes nothing where the file is broken", () => {
    const tree = emptyTree();
    const kept = format.prefab(tank({}), { file: "tank", prefabs });
    const { root } = kept.instantiate(tree);
    const wrong = { entities: [{ id: "engine", components: { Health: { hp: "much" } } }] };
    expect(() => format.reloadPrefab(tree, "engine", wrong)).toThrow(SceneError);
    expect([instancesIn(tree).map((each) => each.root), kept.toFile()]).toEqual([
      [root],
      format.prefab(tank({}), { file: "tank", prefabs }).toFile(),
    ]);
    expectSound(tree);
  });
});
