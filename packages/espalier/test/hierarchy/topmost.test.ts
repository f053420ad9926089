import { createCommands, createWorld, type Entity } from "espalier";
import {
  createHierarchy,
  hierarchyCommands,
  moveToBack,
  moveToFront,
  setOrder,
  topmost,
} from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { describe, expect, it } from "vitest";

function family(children: number) {
  const world = createWorld();
  const tree = createHierarchy(world);
  const parent = world.spawn();
  const list = Array.from({ length: children }, () => tree.attachNew(parent));
  return { world, tree, parent, list };
}

describe("topmost", () => {
  it("leaves out descendants of other entries, and has no duplicates", () => {
    const { tree, parent, list } = family(3);
    const grandchild = tree.attachNew(list[1]!);
    expect(topmost(tree, [grandchild, list[1]!, list[1]!, list[0]!])).toEqual([list[0], list[1]]);
    expect(topmost(tree, [grandchild, parent])).toEqual([parent]);
    expect(topmost(tree, [])).toEqual([]);
  });

  it("gives few and many in the order of the tree", () => {
    const { tree, list } = family(500);
    const few = [list[40]!, list[3]!, list[17]!];
    expect(topmost(tree, few)).toEqual([list[3], list[17], list[40]]);
    const shuffled = [...list].sort((a, b) => ((a * 7919) % 1009) - ((b * 7919) % 1009));
    expect(topmost(tree, shuffled)).toEqual(list);
  });

  it("works on a chain of 20,000 levels", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    let last: Entity = world.spawn();
    const first = last;
    for (let k = 0; k < 20_000; k++) last = tree.attachNew(last);
    expect(topmost(tree, [last, first])).toEqual([first]);
  });

  it("refuses a dead entity", () => {
    const { world, tree, list } = family(1);
    world.destroy(list[0]!);
    expect(() => topmost(tree, [list[0]!])).toThrow("was destroyed");
  });
});

describe("the order of siblings", () => {
  it("setOrder, moveToFront and moveToBack move one child, and undo brings the order back", () => {
    const { world, tree, parent, list } = family(3);
    const [a, b, c] = list as [Entity, Entity, Entity];
    const history = createHistory(world);
    history.step("front", () => moveToFront(tree, a));
    expect(tree.childrenOf(parent)).toEqual([b, c, a]);
    history.step("back", () => moveToBack(tree, c));
    expect(tree.childrenOf(parent)).toEqual([c, b, a]);
    history.step("second", () => setOrder(tree, a, 1));
    expect(tree.childrenOf(parent)).toEqual([c, a, b]);
    expect(setOrder(tree, a, 1)).toBe(false);
    while (history.undo());
    expect(tree.childrenOf(parent)).toEqual([a, b, c]);
  });

  it("can be recorded on a command buffer", () => {
    const { world, tree, parent, list } = family(3);
    const [a, b, c] = list as [Entity, Entity, Entity];
    const commands = createCommands(world);
    hierarchyCommands(tree, commands).moveChild(a, "last");
    commands.flush();
    expect(tree.childrenOf(parent)).toEqual([b, c, a]);
  });

  it("orders roots too", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const [a, b] = [world.spawn(), world.spawn()];
    moveToFront(tree, a);
    expect([...tree.roots()]).toEqual([b, a]);
  });
});
