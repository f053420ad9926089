import { createHierarchy, type Hierarchy } from "espalier/hierarchy";
import { createSceneFormat, SceneError, type SceneFile } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { strictWorld } from "../testing.ts";
import { createFormat, emptyTree } from "./scenes.ts";

const format = createFormat();
const long = "n".repeat(1_000_000);
const other = `${long.slice(0, -1)}m`;

/** Files with something wrong whose names and values are a million letters long. */
const files: { readonly [what: string]: string | object } = {
  "an id twice": { entities: [{ id: long }, { id: long }] },
  "an id with a slash": { entities: [{ id: `${long}/x` }] },
  "an id that is no text": { entities: [{ id: [long], name: long }] },
  "a name that is no text": { entities: [{ id: long, name: { [long]: long } }] },
  "a parent that is not there": { entities: [{ id: long, parent: other }] },
  "a circle": {
    entities: [
      { id: long, parent: other },
      { id: other, parent: long },
    ],
  },
  "an unknown key of the file": { entities: [], [long]: 1 },
  "an unknown key of an entity": { entities: [{ id: long, [other]: 1 }] },
  "an unknown component": { entities: [{ id: long, components: { [other]: {} } }] },
  "an unknown field": { entities: [{ id: long, components: { Health: { [other]: 1 } } }] },
  "a wrong value": { entities: [{ id: long, components: { Health: { hp: long } } }] },
  "a component that is no object": { entities: [{ id: long, components: { Health: long } }] },
  "a reference to nothing": { entities: [{ id: long, components: { Aim: { at: other } } }] },
  "an unknown prefab": { entities: [{ id: long, prefab: other }] },
  "an unknown override": { entities: [{ id: long, prefab: "p", overrides: { [other]: {} } }] },
  "an override of nothing": { entities: [{ id: long, prefab: "p", overrides: { inner: long } }] },
  "a removed component that is not there": {
    entities: [{ id: long, prefab: "p", components: { [other]: null } }],
  },
  "an order of others": { entities: [{ id: long, order: [other, { [long]: 1 }] }] },
  "a prefab with two roots": { entities: [{ id: long, prefab: "two" }] },
  "a prefab in itself": { entities: [{ id: long, prefab: "loop" }] },
  "a version that is none": { version: long, entities: [] },
  "entities that are none": { entities: long },
  "a key without quotes": `{ ${long}: 1 }`,
  "a word that is no value": `{ "entities": ${long} }`,
  "a number that is none": `{ "entities": 0${"1".repeat(1_000_000)} }`,
  "a key twice": `{ "entities": [], "${long}": 1, "${long}": 2 }`,
  "a text that never ends": `{ "entities": "${long}`,
};

const prefabs = {
  p: { entities: [{ id: long, children: [{ id: "inner" }, { id: `${long}2` }] }] },
  two: { entities: [{ id: long }, { id: other }] },
  loop: { entities: [{ id: long, prefab: "loop" }] },
} as unknown as { readonly [name: string]: SceneFile };

describe("a message about a file", () => {
  it.each(Object.keys(files))("is short where names are very long: %s", (what) => {
    const file = files[what] as SceneFile | string;
    for (const input of [file, typeof file === "string" ? file : JSON.stringify(file)]) {
      const problems = format.check(input, { file: "a.json", prefabs });
      expect(problems).not.toEqual([]);
      for (const { message, path } of problems) {
        expect(message.length).toBeLessThan(1000);
        expect(path.length).toBeLessThan(1000);
      }
    }
  });

  it("is short as a whole", () => {
    const entities = Array.from({ length: 30 }, (_, k) => ({ id: `${long}${k}`, parent: other }));
    try {
      format.load(emptyTree(), { entities }, { file: "a.json" });
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(SceneError);
      expect((error as Error).message.length).toBeLessThan(50_000);
    }
  });
});

describe("a message about entities", () => {
  const named = (options = {}): Hierarchy => createHierarchy(strictWorld(), options);
  it.each<[string, () => unknown]>([
    [
      "a name twice",
      () => {
        const tree = named({ uniqueNames: true });
        for (let k = 0; k < 2; k++) tree.setName(tree.world.spawn(), long);
      },
    ],
    [
      "a move below itself",
      () => {
        const tree = named();
        const [a, b] = [tree.world.spawn(), tree.world.spawn()];
        tree.setName(a, long);
        tree.setName(b, other);
        tree.attach(b, a);
        tree.attach(a, b);
      },
    ],
    ["a path with wildcards", () => named().find(`${long}*`)],
    [
      "an id that is not there",
      () =>
        createSceneFormat({ components: [] })
          .load(emptyTree(), { entities: [{ id: long }] })
          .entity(other),
    ],
    [
      "a tree of that name",
      () => {
        const { world } = named({ name: long });
        createHierarchy(world, { name: long });
      },
    ],
  ])("is short where names are very long: %s", (_, call) => {
    let message = "";
    try {
      call();
    } catch (error) {
      ({ message } = error as Error);
    }
    expect(message).toMatch(/^Cannot /);
    expect(message.length).toBeLessThan(1000);
  });
});
