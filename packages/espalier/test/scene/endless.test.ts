import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { fromJson, InvalidDataError, type Json } from "espalier/history";
import { createSceneFormat, diffScenes, SceneError, type SceneFile } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { createFormat, emptyTree } from "./scenes.ts";

const format = createFormat();

// How long they may take is the time limit of tests; what they guard against takes hours.

describe("what would never end is refused quickly", () => {
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
    expect(problems[0]?.message).toContain("produce more than 2,000,000 entities");
  });

  it.each(["[", '{"a":', "/**/[", '{"entities":['])("a text of millions of %s", (part) => {
    const [problem, ...others] = format.check(part.repeat(12_000_000));
    expect([problem?.code, others]).toEqual(["scene/syntax", []]);
    expect(problem?.message).toMatch(/^The text is nested more than 5,000,000 levels deep\. /);
    expect(problem?.line).toBe(1);
  });

  it.each(['/*"*/', '["\n,', `['"',`])("a text of brackets behind the quote in %s", (start) => {
    const problems = format.check(`${start}${"[".repeat(12_000_000)}`);
    expect(problems.at(-1)?.message).toMatch(/^The text is nested more than 5,000,000 levels deep\. /);
  });

  it("a text of brackets that are closed, as far as they are few enough", () => {
    const text = (count: number) => `{ "entities": [], "x": ${"[".repeat(count)}${"]".repeat(count)} }`;
    expect(format.check(text(1_000_000)).map(({ code }) => code)).toEqual(["scene/unknown-key"]);
    expect(format.check(text(6_000_000)).map(({ code }) => code)).toEqual(["scene/syntax"]);
    // Those in texts are none.
    const name = '[{\\"'.repeat(2_000_000);
    expect(format.check(`{ "entities": [{ "name": "${name}" }] }`)).toEqual([]);
    expect(format.check(`/*"*/{ "entities": [{ "name": "${"[".repeat(6_000_000)}" }] }`)).toEqual([]);
  });

  it("the difference of two chains in which every entity has another parent", () => {
    const chain = (up: number): SceneFile => ({
      entities: Array.from({ length: 400_000 }, (_, k) =>
        k < 2 ? { id: `${k}` } : { id: `${k}`, parent: `${k - up}` },
      ),
    });
    const patch = diffScenes(format, chain(1), chain(2));
    expect(patch.length).toBe(399_998);
    expect(patch.slice(0, 2)).toEqual([
      { op: "move", id: "2", tree: "tree", parent: "0", after: null },
      { op: "move", id: "3", tree: "tree", parent: "1", after: null },
    ]);
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
