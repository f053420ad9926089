import { component, createWorld, f32 } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createSceneFormat, saveInSlices } from "espalier/scene";
import { describe, expect, it } from "vitest";

const Health = component("Health", { hp: f32(100) });
const format = createSceneFormat({ components: [Health] });

function largeScene(count: number, prefab: boolean) {
  const tree = createHierarchy(createWorld());
  const entities: object[] = [{ id: "root", name: "root" }];
  for (let k = 0; k < count; k++) {
    entities.push(
      prefab && k % 7 === 0
        ? { id: `tank${k}`, parent: "root", prefab: "tank", components: { Health: { hp: k } } }
        : {
            id: `e${k}`,
            parent: k % 3 === 0 || prefab ? "root" : `e${k - 1}`,
            components: { Health: { hp: k } },
          },
    );
  }
  const prefabs = {
    tank: `{ "entities": [{ "id": "tank", "components": { "Health": {} }, "children": [{ "id": "turret" }] }] }`,
  };
  return { tree, scene: format.load(tree, JSON.stringify({ version: 1, entities }), { prefabs }) };
}

function drain(saving: Generator<number, string>): {
  readonly text: string;
  readonly shares: readonly number[];
} {
  const shares: number[] = [];
  for (;;) {
    const { done, value } = saving.next();
    if (done === true) return { text: value, shares };
    shares.push(value);
  }
}

describe("saveInSlices", () => {
  it.each([false, true])("gives the text of save() and a share that grows (prefabs: %s)", (prefab) => {
    const { tree, scene } = largeScene(3000, prefab);
    if (prefab) tree.moveChild(scene.entity("tank7"), { before: scene.entity("e1") });
    const { text, shares } = drain(saveInSlices(scene));
    expect(text).toBe(scene.save());
    expect(shares.length).toBeGreaterThan(4);
    expect([...shares].sort((a, b) => a - b)).toEqual(shares);
    expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
  });

  it("remembers the text for the next reload, as save() does", () => {
    const { tree, scene } = largeScene(3, false);
    tree.world.set(scene.entity("e1"), Health, { hp: 7 });
    const { text } = drain(saveInSlices(scene));
    expect(scene.reload(text.replace('"hp": 7', '"hp": 8')).changed).toHaveLength(1);
    expect(tree.world.get(scene.entity("e1"), Health)?.hp).toBe(8);
  });

  it("refuses to continue when the tree changed between two slices", () => {
    const { tree, scene } = largeScene(3000, false);
    const saving = saveInSlices(scene);
    saving.next();
    tree.detach(scene.entity("e1"));
    expect(() => saving.next()).toThrow(expect.objectContaining({ code: "scene/invalid-use" }));
    expect(drain(saveInSlices(scene)).text).toBe(scene.save());
  });
});
