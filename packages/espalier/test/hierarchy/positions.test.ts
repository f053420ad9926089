import { attachNewAt, InvalidEditError, insertChildren, sortChildren } from "espalier/hierarchy";
import { describe, expect, it } from "vitest";
import { drawn, plant, thrown } from "./planting.ts";

describe("a position", () => {
  it.each([
    [0, "x a b c"],
    [1, "a x b c"],
    [2, "a b x c"],
    [3, "a b c x"],
    [4, "a b c x"],
    [1e9, "a b c x"],
    [-1, "a b c x"],
    [-2, "a b x c"],
    [-4, "x a b c"],
    [-5, "x a b c"],
    [-1e9, "x a b c"],
    [-0, "x a b c"],
    ["first", "x a b c"],
    ["last", "a b c x"],
  ] as const)("at %s", (at, expected) => {
    const { tree, e } = plant("p(a b c) x");
    tree.attach(e.x!, e.p!, { at });
    expect(drawn(tree)).toBe(`p(${expected})`);
  });

  it.each([
    [0, "b a c"],
    [1, "a b c"],
    [2, "a c b"],
    [-1, "a c b"],
    [-2, "a b c"],
    [-3, "b a c"],
  ] as const)("at %s among those of the same parent, counted without the one that moves", (at, expected) => {
    const { tree, e } = plant("p(a b c)");
    expect(tree.attach(e.b!, e.p!, { at })).toBe(expected !== "a b c");
    expect(drawn(tree)).toBe(`p(${expected})`);
    const again = plant("p(a b c)");
    again.tree.moveChild(again.e.b!, at);
    expect(drawn(again.tree)).toBe(`p(${expected})`);
  });

  it.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, "1", null, {}])("refuses an index of %j", (at) => {
    const { tree, e } = plant("p(a b c) x");
    for (const call of [
      () => tree.attach(e.x!, e.p!, { at: at as number }),
      () => tree.moveChild(e.a!, at as number),
      () => insertChildren(tree, e.p!, at as number, [e.x!]),
      () => attachNewAt(tree, e.p!, { at: at as number }),
    ]) {
      // An object is taken for { before } or { after }, which it lacks.
      if (call.toString().includes("moveChild") && typeof at === "object") continue;
      expect(call).toThrow(InvalidEditError);
    }
    expect(drawn(tree)).toBe("p(a b c) x");
  });

  it("says what an index is", () => {
    const { tree, e } = plant("p(a) x");
    expect(thrown(() => tree.attach(e.x!, e.p!, { at: 1.5 })).message).toBe(
      'Cannot place a child at 1.5: an index is an integer, "first" or "last". [hierarchy/invalid-edit]',
    );
    expect(thrown(() => tree.childAt(e.p!, 1.5)).message).toBe(
      "Cannot read child 1.5: an index is an integer. [hierarchy/invalid-edit]",
    );
  });

  it("is next to a sibling", () => {
    const { tree, e } = plant("p(a b c) x y");
    tree.attach(e.x!, e.p!, { before: e.b! });
    tree.attach(e.y!, e.p!, { after: e.b! });
    expect(drawn(tree)).toBe("p(a x b y c)");
    tree.moveChild(e.a!, { after: e.c! });
    tree.moveChild(e.y!, { before: e.x! });
    expect(drawn(tree)).toBe("p(y x b c a)");
  });

  it("is unchanged next to itself and next to its neighbours", () => {
    const { tree, e } = plant("p(a b c)");
    const reader = tree.events.reader();
    expect(tree.moveChild(e.b!, { before: e.b! })).toBe(false);
    expect(tree.moveChild(e.b!, { after: e.b! })).toBe(false);
    expect(tree.moveChild(e.b!, { after: e.a! })).toBe(false);
    expect(tree.moveChild(e.b!, { before: e.c! })).toBe(false);
    expect(tree.moveChild(e.a!, "first")).toBe(false);
    expect(tree.moveChild(e.c!, "last")).toBe(false);
    expect(reader.read()).toEqual([]);
  });

  it("refuses an entity that is not a sibling, and more than one position", () => {
    const { tree, e } = plant("p(a) q(b) x");
    expect(thrown(() => tree.attach(e.x!, e.p!, { before: e.b! })).message).toBe(
      "Cannot place a child beside b#4: it is not a child of p#1. Name one of its children, or leave the position out. [hierarchy/not-a-child]",
    );
    expect(thrown(() => tree.attach(e.x!, e.p!, { after: e.x! })).message).toContain(
      "it is not a child of p#1",
    );
    expect(thrown(() => tree.attach(e.a!, null, { after: e.b! })).message).toContain("it is not a root");
    for (const several of [
      { at: 0, before: e.a! },
      { at: 0, after: e.a! },
      { before: e.a!, after: e.a! },
    ]) {
      expect(thrown(() => tree.attach(e.x!, e.p!, several)).message).toBe(
        "Cannot place a child: give one of at, before and after, not several. [hierarchy/invalid-edit]",
      );
    }
    expect(drawn(tree)).toBe("p(a) q(b) x");
  });

  it("exists among the roots too", () => {
    const { tree, e } = plant("a b(x) c");
    tree.attach(e.x!, null, { at: 1 });
    expect(drawn(tree)).toBe("a x b c");
    tree.moveChild(e.c!, "first");
    tree.moveChild(e.a!, { after: e.b! });
    expect(drawn(tree)).toBe("c x b a");
    sortChildren(tree, null, (a, b) => a - b);
    expect(drawn(tree)).toBe("a b x c");
    expect([...tree.roots()].map((root) => tree.indexOf(root))).toEqual([0, 1, 2, 3]);
  });
});
