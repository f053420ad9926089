import { toFlat, toNested } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { createFormat, emptyTree, Props } from "./scenes.ts";

const format = createFormat();
const levels = 100_000;

/** `levels` entities, each inside the one before. */
function nested(): string {
  return `{ "entities": [${'{"components":{"Position":{"x":1}},"children":['.repeat(levels)}{"id":"last"}${"]}".repeat(levels)}] }`;
}

describe("a scene of 100,000 levels", () => {
  it("loads from the nested form and saves flat, always the same", () => {
    const scene = format.load(emptyTree(), nested());
    expect(scene.tree.depthOf(scene.entity("last"))).toBe(levels);
    const text = scene.save();
    const again = format.load(emptyTree(), text);
    expect(again.tree.depthOf(again.entity("last"))).toBe(levels);
    expect(again.save()).toBe(text);
  });

  it("is converted both ways", () => {
    const file = JSON.parse(nested());
    const flat = toFlat(file);
    expect(flat.entities.length).toBe(levels + 1);
    expect(toFlat(toNested(flat))).toEqual(flat);
  });

  it("is checked, with the location of what is wrong at the bottom", () => {
    const problems = format.check(nested().replace('"id":"last"', '"id":"last","components":{"X":{}}'));
    expect(problems.map(({ code, entity, path }) => `${code} ${entity} ${path}`)).toEqual([
      "scene/unknown-component last entities[0].children[0].children[0].children[0].children[0].children[0]…children[0].children[0].children[0].children[0].children[0].components.X",
    ]);
    expect(problems[0]?.column).toBe(15 + levels * 47 + 28);
  });

  it("is a cycle that is found", () => {
    const entities = Array.from({ length: levels }, (_, k) => ({
      id: `e${k}`,
      parent: `e${(k + 1) % levels}`,
    }));
    const problems = format.check({ entities });
    expect(problems.map(({ code }) => code)).toEqual(["scene/cycle"]);
    expect(problems[0]?.message).toContain("… 99988 more …");
  });

  it("is cloned and reloaded", () => {
    const scene = format.load(emptyTree(), nested());
    const text = scene.save();
    format.clone(scene.tree, scene.roots()[0]!);
    expect(scene.tree.world.count).toBe(2 * (levels + 1));
    const changed = text.replace('{ "x": 1 }', '{ "x": 2 }');
    expect(scene.reload(changed).changed).toHaveLength(1);
  });
});

describe("a value of 100,000 levels inside a component", () => {
  it("loads and saves", () => {
    const value = `${"[".repeat(levels)}1${"]".repeat(levels)}`;
    const text = `{ "entities": [{ "id": "a", "components": { "Props": { "values": { "v": ${value} } } } }] }`;
    const scene = format.load(emptyTree(), text);
    const saved = scene.save();
    const again = format.load(emptyTree(), saved);
    expect(again.save()).toBe(saved);
    let depth = 0;
    let at: unknown = again.tree.world.get(again.entity("a"), Props)?.values.v;
    for (; Array.isArray(at); at = at[0]) depth++;
    expect(depth).toBe(levels);
  });
});
