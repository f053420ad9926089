import { type Instance, instanceOf } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { applyOverrides } from "../src/commands/scene/apply-overrides.ts";
import { changePrefab } from "../src/commands/scene/change-prefab.ts";
import { instantiatePrefab } from "../src/commands/scene/instantiate-prefab.ts";
import { revertOverride } from "../src/commands/scene/revert-override.ts";
import { unpack } from "../src/commands/scene/unpack-instance.ts";
import { edit } from "../src/document/edit.ts";
import { originOf } from "../src/document/prefab-origin.ts";
import { at, format, Health, open, tankPrefab } from "./open.ts";

/** A document with two instances, and the text of their prefab. */
function setUp() {
  const document = open();
  let text = tankPrefab;
  document.prefabs = (name) => (name === "tank" ? text : undefined);
  const root = instantiatePrefab(document, "tank");
  const second = instanceOf(document.tree, root)!;
  const first = instanceOf(document.tree, at(document, "unit"))!;
  const write = (next: string) => {
    text = next;
  };
  const apply = (instance: typeof first) =>
    applyOverrides(document, format.prefab(text, { file: "tank" }), instance, {
      label: "Apply",
      before: text,
      write,
    });
  const change = (after: string) =>
    changePrefab(document, { label: "Change", before: text, after, write, prefabs: document.prefabs });
  return { document, first, second, apply, change, texts: () => `${document.save()}\n${text}` };
}

describe("what a prefab is made from", () => {
  it("is the base of a variant, the parts of a composed one, and nothing for others", () => {
    const document = open();
    const files: { readonly [name: string]: string } = {
      tank: tankPrefab,
      tiger: `{ "entities": [{ "id": "tiger", "prefab": "tank" }] }`,
      flag: `{ "entities": [{ "id": "flag" }] }`,
      both: `{ "compose": ["tiger", "flag"], "entities": [] }`,
    };
    document.prefabs = (name) => files[name];
    const origin = (name: string) =>
      originOf(instanceOf(document.tree, instantiatePrefab(document, name)) as Instance);
    expect(["tank", "tiger", "both"].map(origin)).toEqual([
      undefined,
      { kind: "variant", names: ["tank"] },
      { kind: "composed", names: ["tiger", "flag"] },
    ]);
  });
});

describe("prefabs in a document", () => {
  it("are applied, changed, reverted and unpacked, and all of it is undone and redone with the prefab's text", () => {
    const { document, first, second, apply, change, texts } = setUp();
    const { tree, world } = document;
    const seen = [texts()];
    const did = (work: () => void) => {
      work();
      seen.push(texts());
    };
    did(() => edit(document, "Hurt", () => world.set(first.root, Health, { hp: 1 })));
    did(() => edit(document, "Drag in", () => tree.attach(at(document, "coin"), second.find("turret")!)));
    did(() => apply(second));
    did(() => change(tankPrefab.replace("250", "90")));
    did(() => edit(document, "Hurt", () => world.set(second.root, Health, { hp: 2 })));
    did(() => apply(second));
    did(() => revertOverride(document, first));
    did(() => unpack(document, first.root));
    for (let k = seen.length - 2; k >= 0; k--) {
      expect(document.undo()).toBe(true);
      expect(texts()).toBe(seen[k]);
    }
    for (let k = 1; k < seen.length; k++) {
      expect(document.redo()).toBe(true);
      expect(texts()).toBe(seen[k]);
    }
  });

  it("get an entity that was dragged into an instance once, and not the position of the instance", () => {
    const { document, first, second, apply, texts } = setUp();
    const { tree } = document;
    edit(document, "Drag in", () => tree.attach(at(document, "coin"), first.root));
    apply(first);
    expect(tree.childrenOf(first.root)).toHaveLength(2);
    expect(tree.childrenOf(second.root)).toHaveLength(2);
    expect(texts().match(/"coin"/g)).toHaveLength(2);
    expect(document.space.localOf(first.root).x).toBe(7);
    expect(format.prefab(texts().slice(document.save().length), {}).toFile().entities[0]).toMatchObject({
      name: "tank",
      components: { Transform2D: {} },
    });
  });
});
