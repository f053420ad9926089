import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { fromJson, InvalidDataError, type Json } from "espalier/history";
import { createSceneFormat, SceneError, type SceneFile } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { createFormat, emptyTree } from "./scenes.ts";

const format = createFormat();

// How long they may take is the time limit of tests; what they guard against takes hours.

describe("what would never end is refused soon", () => {
  it("prefabs that contain another twice", () => {
    const prefabs = (name: string) => {
      const k = Number(name);
      const children =
        k === 0
          ? []
          : [
              { id: "a", prefab: String(k - 1) },
              { id: "b", prefab: String(k - 1) },
            ];
      return JSON.stringify({ entities: [{ id: "r", children }] });
    };
    const load = (depth: number) =>
      format.check(`{ "entities": [{ "id": "s", "prefab": "${depth}" }] }`, { prefabs });
    expect(load(10)).toEqual([]);
    const problems = load(24);
    expect(problems[0]?.code).toBe("scene/invalid-prefab");
    expect(problems[0]?.message).toContain("come to more than 2,000,000 entities");
  });

  it("a scene that contains itself", () => {
    const circle: { [key: string]: unknown } = { id: "a", components: { Props: { values: {} } } };
    (circle.components as { Props: { values: { [key: string]: unknown } } }).Props.values.self = circle;
    const file = { entities: [circle] } as unknown as SceneFile;
    expect(() => format.load(emptyTree(), file)).toThrow(SceneError);
    expect(format.check(file)[0]?.message).toBe(
      "A scene is plain data, as JSON has it: it holds an object that contains itself.",
    );
  });

  it("data that contains itself", () => {
    const circle: { [key: string]: Json } = {};
    circle.self = circle;
    expect(() => fromJson(circle)).toThrow(InvalidDataError);
    const list: Json[] = [];
    list.push({ $: "set", value: list });
    expect(() => fromJson(list)).toThrow("contains itself");
  });
});

describe("a chain of prefabs, each with one inside", () => {
  it("is read in a time that grows with the entities, not with the length of their ids", () => {
    const plain = createSceneFormat({ components: [] });
    const prefabs = (name: string) => {
      const k = Number(name);
      return JSON.stringify({
        entities: [
          { id: "r", children: k === 0 ? [{ id: "leaf" }] : [{ id: "inner", prefab: String(k - 1) }] },
        ],
      });
    };
    const tree = createHierarchy(createWorld());
    const scene = plain.load(tree, `{ "entities": [{ "id": "s", "prefab": "800" }] }`, { prefabs });
    expect(tree.world.count).toBe(802);
    const leaf = `s/${"inner/".repeat(800)}leaf`;
    expect(scene.idOf(scene.entity(leaf))).toBe(leaf);
    expect(plain.load(createHierarchy(createWorld()), scene.save(), { prefabs }).save()).toBe(scene.save());
  });
});
