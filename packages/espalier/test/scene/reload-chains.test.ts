import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import type { ReloadSummary, SceneFile } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { chain } from "./prefab-chain.ts";
import { createFormat, Position } from "./scenes.ts";

const format = createFormat();

// All ids together have 300 million letters: comparing or hashing them takes longer than a test may.
const levels = 6000;
const base = chain(levels);
const scene: SceneFile = { entities: [{ id: "s", prefab: "0" }] };

function counts({ added, removed, moved, changed }: ReloadSummary): number[] {
  return [added.length, removed.length, moved.length, changed.length];
}

describe(`a chain of ${levels} prefabs`, () => {
  it("is reloaded in whatever it differs, and every step is undone", () => {
    let prefabs = base;
    const tree = createHierarchy(createWorld());
    const loaded = format.load(tree, scene, { prefabs: (name) => prefabs[name] });
    const history = createHistory(tree.world);
    const text = loaded.save();
    const reload = (form: typeof base, mode: "changes" | "reset" = "changes"): ReloadSummary => {
      prefabs = form;
      return history.step("reload", () => loaded.reload(scene, { mode }));
    };
    expect(counts(reload(base))).toEqual([0, 0, 0, 0]);
    const { changed } = reload(chain(levels, { placed: levels - 1 }));
    expect(changed).toEqual([`s/${"in/".repeat(levels - 1)}second`]);
    expect(counts(reload(chain(levels, { more: true, placed: levels / 2 })))).toEqual([levels, 0, 0, 2]);
    expect(counts(reload(chain(levels, { turned: true })))).toEqual([0, levels, levels, 1]);
    expect(loaded.save()).not.toContain("overrides");
    expect(tree.world.count).toBe(4 * levels - 1);
    expect(counts(reload(base, "reset"))).toEqual([0, 0, levels, 0]);
    while (history.canUndo) history.undo();
    expect(counts(reload(base))).toEqual([0, 0, 0, 0]);
    expect(loaded.save()).toBe(text);
  });

  it("is reverted, and becomes an instance of another form", () => {
    const options = { file: "0", prefabs: base };
    const prefab = format.prefab(base[0] as SceneFile, options);
    const instance = prefab.instantiate(createHierarchy(createWorld()));
    const { world } = instance.tree;
    const second = `${"in/".repeat(levels - 1)}second`;
    world.add(instance.find(second) as never, Position({ x: 1 }));
    expect(instance.revert().changed).toHaveLength(1);
    world.add(instance.find(second) as never, Position({ x: 1 }));
    const [override] = instance.overrides();
    expect(instance.revert(override).changed).toHaveLength(1);
    const more = chain(levels, { more: true });
    prefab.replace(instance.tree, format.prefab(more[0] as SceneFile, { ...options, prefabs: more }));
    expect(world.count).toBe(5 * levels - 1);
    expect(instance.overrides()).toEqual([]);
  });
});
