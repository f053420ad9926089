import { component, createWorld, f32, tag } from "espalier";
import {
  checkTree,
  createHierarchy,
  depthLimit,
  onChildrenChanged,
  spawnTree,
  type TreeLiteral,
} from "espalier/hierarchy";
import { describe, expect, it } from "vitest";
import { drawn, plant, thrown } from "./planting.ts";

const Health = component("Health", { hp: f32(100) });
const Hot = tag("Hot");

describe("spawnTree", () => {
  it("creates a tree with names and components, and gives handles by name and in pre-order", () => {
    const { world, tree } = plant("");
    const { root, all, named } = spawnTree(tree, {
      name: "tank",
      with: [Health({ hp: 250 }), Hot],
      children: [{ name: "turret", children: [{ name: "barrel" }] }, {}, { name: "tracks" }],
    });
    expect(drawn(tree)).toBe("tank(turret(barrel) #4 tracks)");
    expect(world.get(named.tank, Health)).toEqual({ hp: 250 });
    expect(root).toBe(named.tank);
    expect(all).toEqual([root, ...tree.descendants(root)]);
    expect(checkTree(tree)).toEqual([]);
  });

  it("puts it under a parent, last", () => {
    const { tree, e } = plant("p(a)");
    spawnTree(tree, { name: "b", children: [{ name: "c" }] }, e.p!);
    expect(drawn(tree)).toBe("p(a b(c))");
  });

  it("gives the first entity when a name is used twice, and takes names of built-in properties", () => {
    const { tree } = plant("");
    const { named, all } = spawnTree(tree, {
      name: "constructor",
      children: [{ name: "x" }, { name: "x" }, { name: "__proto__" }],
    });
    expect(named.x).toBe(all[1]);
    expect(named.constructor).toBe(all[0]);
    expect(Object.keys(named)).toEqual(["constructor", "x", "__proto__"]);
  });

  it("may use one literal several times, and refuses one that contains itself", () => {
    const { world, tree } = plant("");
    const wheel = { name: "wheel", children: [{}] } as const;
    spawnTree(tree, { name: "car", children: [wheel, wheel, { children: [wheel] }] });
    expect(drawn(tree)).toBe("car(wheel(#3) wheel(#5) #6(wheel(#8)))");
    const ring = { name: "ring", children: [] as TreeLiteral[] };
    ring.children.push({ children: [ring] });
    expect(thrown(() => spawnTree(tree, ring)).message).toBe(
      'Cannot spawn a tree whose literal contains itself: "ring". Leave the inner one out. [hierarchy/invalid-edit]',
    );
    expect(world.count).toBe(8);
  });

  it.each<[string, TreeLiteral, string]>([
    ["a wrong value", { children: [{}, { with: [Health({ hp: "x" as never })] }] }, "Cannot set Health.hp"],
    ["a wrong name", { children: [{}, { name: "" }] }, "Cannot name"],
    ["two equal names", { children: [{ name: "x" }, { name: "x" }] }, "two siblings named"],
    ["too many children", { children: [{}, {}, {}, {}] }, "another child"],
    ["too many levels", { children: [{ children: [{ children: [{}] }] }] }, "levels below its root"],
  ])("takes everything back when a node is refused: %s", (_what, literal, why) => {
    const { world, tree, e } = plant("p(q)", {
      uniqueNames: true,
      maxChildren: 3,
      limits: depthLimit({ max: 3 }),
    });
    const reader = tree.events.reader();
    const seen: unknown[] = [];
    onChildrenChanged(tree, (parent) => seen.push(parent));
    expect(() => spawnTree(tree, literal, e.p!)).toThrow(why);
    expect(drawn(tree)).toBe("p(q)");
    expect(world.count).toBe(2);
    expect(reader.read()).toEqual([]);
    expect(seen).toEqual([]);
    expect(world.spawn() & 0x3fffff).toBe(3);
    expect(checkTree(tree)).toEqual([]);
  });

  it("refuses a dead parent", () => {
    const { world, tree, e } = plant("p");
    world.destroy(e.p!);
    expect(() => spawnTree(tree, {}, e.p!)).toThrow("was destroyed");
  });

  it("builds 100,000 levels", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    let literal: TreeLiteral = {};
    for (let k = 1; k < 100_000; k++) literal = { children: [literal] };
    const { all } = spawnTree(tree, literal);
    expect(tree.depthOf(all.at(-1)!)).toBe(99_999);
  });
});
