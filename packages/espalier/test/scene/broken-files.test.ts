import { SceneError } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { locations } from "../json-locations.ts";
import { createFormat, emptyTree } from "./scenes.ts";

const format = createFormat();
const prefab = {
  entities: [{ id: "p", name: "P", children: [{ id: "q", components: { Aim: { at: "p" } } }] }],
};
const scene = {
  $schema: "x",
  version: 1,
  entities: [
    {
      id: "a",
      name: "A",
      components: { Health: { hp: 5 }, Bag: { items: [1, { x: null }] } },
      children: [{ id: "b" }, {}],
    },
    { id: "c", parent: "a", order: ["d", "e"] },
    { id: "d", parent: "c", components: { Aim: { at: "a", from: "i/q" }, Position: { x: "NaN" } } },
    { id: "e", parent: "c" },
    {
      id: "i",
      prefab: "prefab",
      components: { Label: { text: "x" } },
      overrides: { q: { name: "Q", components: { Health: {} }, order: ["f"], children: [{ id: "f" }] } },
      order: ["i/q"],
    },
  ],
  order: ["i", "a"],
};

const odd = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  "",
  "p",
  "a/b",
  "i/q",
  "__proto__",
  [],
  [0],
  ["p"],
  {},
  { a: 1 },
  [[]],
  { $replace: 1 },
  undefined,
];

function tryAll(text: string, prefabText: string): void {
  const prefabs = { prefab: prefabText };
  const problems = format.check(text, { prefabs });
  const tree = emptyTree();
  try {
    const loaded = format.load(tree, text, { prefabs });
    expect(format.check(loaded.save(), { prefabs }), text).toEqual([]);
    expect(problems, text).toEqual([]);
  } catch (error) {
    if (!(error instanceof SceneError)) expect.unreachable(`${text}: ${String((error as Error).stack)}`);
    expect(tree.world.count).toBe(0);
  }
  try {
    format.load(emptyTree(), text, { prefabs, lenient: true }).save();
  } catch (error) {
    if (!(error instanceof SceneError))
      expect.unreachable(`lenient ${text}: ${String((error as Error).stack)}`);
  }
}

describe("a file that is broken at any one point, or two", () => {
  it("is refused with problems, or loads and saves to what loads", () => {
    const base = JSON.stringify(scene);
    const basePrefab = JSON.stringify(prefab);
    for (let at = 0; at < locations(JSON.parse(base)).length; at++) {
      for (const other of odd) {
        const changed = JSON.parse(base);
        locations(changed)[at]?.(other);
        tryAll(JSON.stringify(changed), basePrefab);
        const all = locations(changed);
        all[(at * 7 + 3) % all.length]?.(odd[(at + odd.indexOf(other)) % odd.length]);
        tryAll(JSON.stringify(changed), basePrefab);
      }
    }
    for (let at = 0; at < locations(JSON.parse(basePrefab)).length; at++) {
      for (const other of odd) {
        const changed = JSON.parse(basePrefab);
        locations(changed)[at]?.(other);
        tryAll(base, JSON.stringify(changed));
      }
    }
    tryAll(`{"entities":[0],"order":["p"]}`, basePrefab);
  });

  it("is refused when its text is cut or has other characters", () => {
    const base = JSON.stringify(scene, null, 1);
    for (let at = 0; at < base.length; at += 3) {
      tryAll(base.slice(0, at), base);
      tryAll(`${base.slice(0, at)}${'{}[]",:\\0'[at % 9]}${base.slice(at + 1)}`, base);
    }
  });
});
