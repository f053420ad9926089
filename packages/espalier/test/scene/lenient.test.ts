import { SceneError } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { createFormat, emptyTree, Health, Position, shape, valuesIn } from "./scenes.ts";

const format = createFormat();

const broken = `{
  "version": 1,
  "mood": "dark",
  "entities": [
    {
      "id": "tank",
      "components": {
        "Health": { "hp": 5 },
        "Position": { "x": "far" },
        "Weapon": { "kind": { "name": "laser" } }
      },
      "notes": ["keep me"]
    },
    { "id": "tank", "parent": "tank" },
    { "id": "lost", "parent": "nowhere", "components": { "Aim": { "at": "nobody", "from": "tank" } } },
    { "id": "copy", "prefab": "ghost", "overrides": { "a": null }, "components": { "Label": { "text": "x" } } },
    { "id": "a", "parent": "b" },
    { "id": "b", "parent": "a" }
  ]
}`;

describe("lenient loading", () => {
  it("loads what is sound and lists what is not", () => {
    const scene = format.load(emptyTree(), broken, { lenient: true, file: "level.json" });
    expect(shape(scene)).toBe("tank(tank-2) lost copy a(b)");
    expect(valuesIn(scene, "tank")).toEqual({ Health: { hp: 5, armored: false, lives: 3, mood: 0 } });
    expect(valuesIn(scene, "lost")).toEqual({ Aim: { at: null, from: scene.entity("tank") } });
    expect(valuesIn(scene, "copy")).toEqual({ Label: { text: "x" } });
    expect(scene.problems.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "scene/unknown-key mood",
      "scene/wrong-type entities[0].components.Position.x",
      "scene/unknown-component entities[0].components.Weapon",
      "scene/unknown-key entities[0].notes",
      "scene/duplicate-id entities[1].id",
      "scene/missing-parent entities[2].parent",
      "scene/missing-reference entities[2].components.Aim.at",
      "scene/unknown-prefab entities[3].prefab",
      "scene/cycle entities[4].parent",
    ]);
  });

  it("loses nothing when it is saved", () => {
    const scene = format.load(emptyTree(), broken, { lenient: true });
    const file = JSON.parse(scene.save());
    expect(file.mood).toBe("dark");
    expect(file.entities).toEqual([
      {
        id: "tank",
        components: {
          Health: { hp: 5 },
          Position: { x: "far" },
          Weapon: { kind: { name: "laser" } },
        },
        notes: ["keep me"],
      },
      { id: "tank-2", parent: "tank" },
      { id: "lost", parent: "nowhere", components: { Aim: { at: "nobody", from: "tank" } } },
      { id: "copy", prefab: "ghost", overrides: { a: null }, components: { Label: { text: "x" } } },
      { id: "a" },
      { id: "b", parent: "a" },
    ]);
    const text = scene.save();
    expect(format.load(emptyTree(), text, { lenient: true }).save()).toBe(text);
  });

  it("writes the values that the game has set", () => {
    const scene = format.load(emptyTree(), broken, { lenient: true });
    const { world } = scene.tree;
    world.add(scene.entity("tank"), Position({ x: 1 }));
    world.remove(scene.entity("tank"), Health);
    expect(JSON.parse(scene.save()).entities[0].components).toEqual({
      Position: { x: 1 },
      Weapon: { kind: { name: "laser" } },
    });
  });

  it("keeps it in copies, too", () => {
    const scene = format.load(emptyTree(), broken, { lenient: true });
    scene.add(format.clone(scene.tree, scene.entity("tank")), "twin");
    expect(JSON.parse(scene.save()).entities[2].components.Weapon).toEqual({ kind: { name: "laser" } });
  });

  it("still refuses what is not a scene at all, or a newer one", () => {
    expect(() => format.load(emptyTree(), `{ "entities": [ }`, { lenient: true })).toThrow(SceneError);
    expect(() => format.load(emptyTree(), `{ "version": 2, "entities": [] }`, { lenient: true })).toThrow(
      "[scene/newer-version]",
    );
  });
});

describe("unknown components that are kept", () => {
  it("are no problem and stay untouched, while everything else is checked", () => {
    const text = `{ "entities": [{ "id": "a", "components": { "Weapon": { "x": [1] }, "Frozen": {} } }] }`;
    const scene = format.load(emptyTree(), text, { unknown: "keep" });
    expect(scene.problems).toEqual([]);
    expect(JSON.parse(scene.save()).entities).toEqual([
      { id: "a", components: { Frozen: {}, Weapon: { x: [1] } } },
    ]);
    const problems = format.check(
      `{ "entities": [{ "components": { "Health": { "hp": "x" }, "Parent": {} } }] }`,
      {
        unknown: "keep",
      },
    );
    expect(problems.map(({ code }) => code)).toEqual(["scene/wrong-type", "scene/parent-component"]);
  });
});
