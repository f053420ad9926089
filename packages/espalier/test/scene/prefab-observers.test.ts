/** Observers that edit while prefabs are applied, replaced and reverted: they run when the whole call has finished. */
import { type Entity, observe } from "espalier";
import { constrain } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { createSceneFormat, type SceneFile } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { components, emptyTree, expectSound, Health, Position } from "./scenes.ts";

const format = createSceneFormat({ components });
const tank: SceneFile = {
  entities: [
    {
      id: "tank",
      components: { Health: { hp: 250 } },
      children: [{ id: "turret", components: { Position: {} }, children: [{ id: "barrel" }] }],
    },
  ],
};

function setUp() {
  const tree = emptyTree();
  const prefab = format.prefab(tank, { file: "tank" });
  const instances = [prefab.instantiate(tree), prefab.instantiate(tree)] as const;
  return { tree, world: tree.world, prefab, first: instances[0], second: instances[1] };
}

describe("observers", () => {
  it("may destroy parts of an instance that follows another form of its prefab", () => {
    const { tree, world, prefab, first, second } = setUp();
    observe(world, Health, {
      set: (entity) => {
        if (entity === first.root) tree.destroy(first.find("turret")!);
      },
    });
    const text = JSON.stringify(tank)
      .replace("250", "7")
      .replace(`{"id":"barrel"}`, `{"id":"barrel"},{"id":"flag"}`);
    prefab.replace(tree, format.prefab(text, { file: "tank" }));
    expect(first.overrides()).toMatchObject([{ kind: "removed", target: "turret" }]);
    expect(second.find("flag")).toBeDefined();
    expectSound(tree);
  });

  it("see all instances after an apply, and what they do is part of its step", () => {
    const { tree, world, first, second, prefab } = setUp();
    const history = createHistory(world);
    world.set(first.root, Health, { hp: 1 });
    tree.attachNew(first.root, Position({ x: 3 }));
    history.commit();
    const seen: unknown[] = [];
    const stop = observe(world, Health, {
      set: (entity) => {
        seen.push([entity, tree.childCount(second.root), second.overrides()]);
        world.remove(second.find("turret") as Entity, Position);
      },
    });
    prefab.apply(first);
    stop();
    expect(seen).toEqual([[second.root, 2, []]]);
    expect(history.undoLabels[0]).toBe("Apply to tank");
    history.undo();
    expect([world.get(second.root, Health)?.hp, world.has(second.find("turret")!, Position)]).toEqual([
      250,
      true,
    ]);
  });

  it("are not notified of what is taken back", () => {
    const { tree, world, prefab, second } = setUp();
    const seen: Entity[] = [];
    observe(world, Health, { set: (entity) => void seen.push(entity) });
    constrain(tree, {
      name: "no flags",
      attach: (_child, parent) => (parent === second.find("turret") ? "it takes none" : undefined),
    });
    const text = JSON.stringify(tank)
      .replace("250", "7")
      .replace(`{"id":"barrel"}`, `{"id":"barrel"},{"id":"flag"}`);
    expect(() => prefab.replace(tree, format.prefab(text, { file: "tank" }))).toThrow("it takes none");
    expect(seen).toEqual([]);
  });
});
