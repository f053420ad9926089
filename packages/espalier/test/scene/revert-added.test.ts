import { createHistory } from "espalier/history";
import { createSceneFormat, type SceneFile } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { components, emptyTree, Position } from "./scenes.ts";

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

describe("reverting an added entity", () => {
  it("puts parts of the instance that are below it back first, and undo brings all back", () => {
    const { tree, world, first } = setUp();
    const history = createHistory(world);
    const barrel = first.find("barrel")!;
    const box = tree.attachNew(first.root, Position());
    tree.attach(barrel, box);
    history.commit();
    const all = first.overrides();
    history.step("Revert", () => first.revert(all.filter(({ kind }) => kind === "added")));
    expect([world.isAlive(box), tree.parentOf(barrel), first.overrides()]).toEqual([
      false,
      first.find("turret"),
      [],
    ]);
    history.undo();
    expect([tree.parentOf(barrel), first.overrides()]).toEqual([box, all]);
  });

  it("destroys nothing that is not added to the instance any more, or never was", () => {
    const { tree, world, first, second } = setUp();
    const box = tree.attachNew(first.root, Position());
    const added = first.overrides();
    tree.attach(box, second.root);
    first.revert(added);
    for (const entity of [first.root, first.find("turret")!, second.root]) {
      first.revert({ kind: "added", target: ".", entity });
    }
    expect([box, first.root, first.find("turret")!, second.root].every((e) => world.isAlive(e))).toBe(true);
  });

  it("takes an order back only where there is one", () => {
    const { tree, first } = setUp();
    expect(first.revert({ kind: "order", target: "nowhere", entity: undefined })).toMatchObject({
      moved: [],
    });
    tree.destroy(first.find("turret")!);
    expect(first.revert({ kind: "order", target: "turret", entity: undefined })).toMatchObject({ moved: [] });
  });
});
