import type { SceneFile } from "espalier/scene";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Bag, createFormat, emptyTree } from "./scenes.ts";

const format = createFormat();

/** An entity whose bag holds `owner`, or which has no bag. */
const prefabWith = (owner: object | undefined) =>
  ({ entities: [{ id: "box", components: owner === undefined ? {} : { Bag: { owner } } }] }) as SceneFile;

function load(file: SceneFile | string, prefab: SceneFile) {
  const scene = format.load(emptyTree(), file, { prefabs: { box: prefab } });
  return { scene, bag: () => scene.tree.world.get(scene.entity("a"), Bag)?.owner };
}

const instance = (owner: unknown): SceneFile => ({
  entities: [{ id: "a", prefab: "box", components: { Bag: { owner } } } as SceneFile["entities"][number]],
});

describe("a value in $replace", () => {
  it.each([
    ["without the component", undefined],
    ["without the value", {}],
    ["with a value of another kind", { godot: 5 }],
    ["with another object", { godot: { script: { old: 1 } } }],
  ])("is the value itself in an instance of a prefab %s", (_, owner) => {
    const { bag } = load(instance({ godot: { script: { $replace: { path: "a.gd" } } } }), prefabWith(owner));
    expect(bag()).toEqual({ godot: { script: { path: "a.gd" } } });
  });

  it("may hold a key of that name, which is data", () => {
    const { bag } = load(instance({ $replace: { inner: { $replace: 1 } } }), prefabWith(undefined));
    expect(bag()).toEqual({ inner: { $replace: 1 } });
  });
});

describe("a value that holds the key $replace as data", () => {
  const value = fc.letrec((tie) => ({
    object: fc.dictionary(fc.constantFrom("$replace", "a", "b"), tie("any"), { maxKeys: 2 }),
    any: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(1, null, "x"),
      tie("object"),
      fc.array(tie("any"), { maxLength: 2 }),
    ),
  })).object;

  it("is saved so that it loads to the same, whatever the prefab has", () => {
    fc.assert(
      fc.property(fc.option(value, { nil: undefined }), value, (base, owner) => {
        const prefab = prefabWith(base as object | undefined);
        const { scene } = load({ entities: [{ id: "a", prefab: "box" }] }, prefab);
        scene.tree.world.add(scene.entity("a"), Bag({ owner: owner as object }));
        expect(load(scene.save(), prefab).bag()).toEqual(owner);
      }),
      { numRuns: 500 },
    );
  });
});
