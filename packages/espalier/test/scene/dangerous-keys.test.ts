import { component, createWorld, EspalierError, f32, object, resource } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { applyPatch, diff, fromJson, restoreSnapshot, takeSnapshot } from "espalier/history";
import {
  createSceneFormat,
  diffScenes,
  parseScene,
  patchScene,
  printScene,
  toFlat,
  toNested,
} from "espalier/scene";
import { describe, expect, it } from "vitest";
import { dangerousKeys, pollutionOf } from "../dangerous-keys.ts";
import { createFormat, emptyTree, problemsOf, shape } from "./scenes.ts";

const format = createFormat();

/** An object with one key, also when that is `__proto__`. */
function keyed(key: string, value: unknown): { [key: string]: never } {
  return JSON.parse(`{ ${JSON.stringify(key)}: ${JSON.stringify(value)} }`);
}

function own(value: unknown, key: string): unknown {
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

describe.each(dangerousKeys)("the key %s", (key) => {
  it("is an id, a name and a parent like any other", () => {
    const text = JSON.stringify({
      entities: [{ id: key, name: key, children: [{ id: "below", components: { Aim: { at: key } } }] }],
    });
    const left = pollutionOf(() => {
      const scene = format.load(emptyTree(), text);
      expect(shape(scene)).toBe(`${key}(below)`);
      const again = format.load(emptyTree(), scene.save());
      expect(again.save()).toBe(scene.save());
      scene.reload(text.replace("below", "under"));
      expect(shape(scene)).toBe(`${key}(under)`);
      patchScene(scene, diffScenes(format, scene, text));
      expect(shape(scene)).toBe(`${key}(below)`);
      const file = parseScene(text);
      expect(printScene(toNested(toFlat(file)))).toBe(printScene(file));
    });
    expect(left).toEqual([]);
  });

  it("is kept where a file contains it and it is unknown", () => {
    const entity = {
      id: "a",
      components: { ...keyed(key, { x: 1 }), Props: { values: keyed(key, { deep: true }) } },
      ...keyed(key, "an unknown key"),
    };
    const text = JSON.stringify({ entities: [entity], ...keyed(key, ["of the file"]) });
    const left = pollutionOf(() => {
      const scene = format.load(emptyTree(), text, { lenient: true });
      const file = JSON.parse(scene.save());
      expect(own(file, key)).toEqual(["of the file"]);
      expect(own(file.entities[0], key)).toBe("an unknown key");
      expect(own(file.entities[0].components, key)).toEqual({ x: 1 });
      expect(own(file.entities[0].components.Props.values, key)).toEqual({ deep: true });
      expect(scene.problems.map(({ code }) => code).sort()).toEqual([
        "scene/unknown-component",
        "scene/unknown-key",
        "scene/unknown-key",
      ]);
    });
    expect(left).toEqual([]);
  });

  it("names prefabs and what is overridden in them", () => {
    const prefab = JSON.stringify({ entities: [{ id: "root", children: [{ id: key }] }] });
    const text = JSON.stringify({
      entities: [
        {
          id: "i",
          prefab: key,
          overrides: keyed(key, { components: { Label: { text: "x" }, ...keyed(key, {}) } }),
        },
      ],
    });
    const prefabs = keyed(key, prefab);
    const left = pollutionOf(() => {
      const scene = format.load(emptyTree(), text, { prefabs, unknown: "keep" });
      const { overrides } = JSON.parse(scene.save()).entities[0];
      const components = (own(overrides, key) as { components: object }).components;
      expect(own(components, "Label")).toEqual({ text: "x" });
      expect(own(components, key)).toEqual({});
      const plain = JSON.stringify({ entities: [{ id: "i", prefab: key }] });
      expect(problemsOf(() => format.load(emptyTree(), plain))[0]).toContain("scene/unknown-prefab");
      const removing = text.replace(
        JSON.stringify({ Label: { text: "x" }, ...keyed(key, {}) }),
        JSON.stringify(keyed(key, null)),
      );
      expect(format.check(removing, { prefabs })[0]?.code).toBe("scene/unknown-override");
    });
    expect(left).toEqual([]);
  });

  it("names components and fields", () => {
    // The world refuses fields of these names.
    if (["constructor", "prototype", "__proto__"].includes(key)) return;
    const left = pollutionOf(() => {
      const Odd = component(key, { [key]: f32(1), other: object(() => ({})) });
      const odd = createSceneFormat({ components: [Odd] });
      const text = JSON.stringify({ entities: [{ id: "a", components: keyed(key, keyed(key, 5)) }] });
      const scene = odd.load(emptyTree(), text);
      expect(JSON.parse(scene.save()).entities).toEqual(JSON.parse(text).entities);
      const { world } = scene.tree;
      const before = takeSnapshot(world, { trees: [scene.tree] });
      world.set(scene.entity("a"), Odd, { [key]: 7 } as never);
      const patch = diff(before, { world, trees: [scene.tree] });
      expect(patch).toEqual([{ op: "set", id: scene.entity("a"), component: key, values: keyed(key, 7) }]);
      restoreSnapshot(world, before, { trees: [scene.tree] });
      applyPatch(world, patch, { trees: [scene.tree] });
      expect(JSON.parse(scene.save()).entities[0].components[key][key]).toBe(7);
    });
    expect(left).toEqual([]);
  });

  it("is nothing special in patches, values and snapshots", () => {
    const left = pollutionOf(() => {
      const world = createWorld();
      const tree = createHierarchy(world);
      const e = world.spawn();
      const patches = [
        [{ op: "set", id: e, component: key, values: {} }],
        [{ op: "add", id: 77, components: keyed(key, {}), positions: {} }],
        [{ op: "add", id: 77, components: {}, positions: keyed(key, { parent: null }) }],
        [{ op: key, id: e }],
      ];
      for (const patch of patches) {
        expect(() => applyPatch(world, patch as never, { trees: [tree] })).toThrow(EspalierError);
      }
      expect(own(fromJson(keyed(key, 1)), key)).toBe(1);
      const listed = fromJson({ $: "object", value: [[key, 1]] });
      expect(own(listed, key)).toBe(1);
      expect(() => fromJson({ $: key, value: [] })).toThrow(EspalierError);
      const Odd = resource<number>(key);
      world.setResource(Odd, 5);
      const taken = takeSnapshot(world, { resources: [Odd] });
      world.setResource(Odd, 6);
      restoreSnapshot(world, taken, { resources: [Odd] });
      expect(world.resource(Odd)).toBe(5);
    });
    expect(left).toEqual([]);
  });
});
