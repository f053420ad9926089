import { component, f32, tag } from "espalier";
import { printTree } from "espalier/hierarchy";
import { describe, expect, it } from "vitest";
import { plant } from "./planting.ts";

const Health = component("Health", { hp: f32(100) });
const Hot = tag("Hot");

describe("printTree", () => {
  const text = "tank(turret(barrel) tracks) crate";

  it("draws a forest with names and components", () => {
    const { world, tree, e } = plant(text);
    world.add(e.tank!, Health, Hot);
    tree.attachNew(e.tracks!);
    expect(printTree(tree)).toBe(
      ["tank#1 [Health Hot]", "├─ turret#2", "│  └─ barrel#3", "└─ tracks#4", "   └─ #6", "crate#5"].join(
        "\n",
      ),
    );
  });

  it("draws one subtree, without its siblings", () => {
    const { tree, e } = plant(text);
    expect(printTree(tree, { from: e.turret! })).toBe("turret#2\n└─ barrel#3");
    expect(printTree(tree, { from: e.crate! })).toBe("crate#5");
  });

  it("leaves components out and adds notes on request", () => {
    const { world, tree, e } = plant("a(b)");
    world.add(e.a!, Hot);
    expect(printTree(tree, { components: false, note: (it) => (it === e.b ? "here" : "") })).toBe(
      "a#1\n└─ b#2 here",
    );
  });

  it("stops at a depth, and counts the lines it leaves out", () => {
    const { tree, e } = plant("a(b(c) d) x(y)");
    expect(printTree(tree, { maxDepth: 0 })).toBe("a#1\nx#5");
    expect(printTree(tree, { maxDepth: 1 })).toBe("a#1\n├─ b#2\n└─ d#4\nx#5\n└─ y#6");
    expect(printTree(tree, { from: e.a!, maxDepth: 0 })).toBe("a#1");
    expect(printTree(tree, { from: e.a!, maxDepth: 1 })).toBe("a#1\n├─ b#2\n└─ d#4");
    expect(printTree(tree, { maxLines: 2 })).toBe("a#1\n├─ b#2\n… and 4 more");
  });

  it("gives nothing for an empty forest, and refuses a dead start", () => {
    const { world, tree, e } = plant("a");
    world.destroy(e.a!);
    expect(printTree(tree)).toBe("");
    expect(() => printTree(tree, { from: e.a! })).toThrow("Cannot print: #1 was destroyed");
  });
});
