import type { Entity } from "espalier";
import {
  attachAll,
  attachMany,
  checkTree,
  depthLimit,
  detachChildren,
  detachMany,
  dissolve,
  type Hierarchy,
  inlineLinks,
  isolate,
  replaceChildren,
  sortChildren,
  swap,
} from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { describe, expect, it } from "vitest";
import { drawn, names, plant, thrown } from "./planting.ts";

/** That a call is refused, and leaves tree and events alone. */
function expectRefused(tree: Hierarchy, call: () => unknown, why: string): void {
  const before = drawn(tree);
  const reader = tree.events.reader();
  expect(call).toThrow(why);
  expect(drawn(tree)).toBe(before);
  expect(reader.read()).toEqual([]);
  expect(checkTree(tree)).toEqual([]);
  reader.close();
}

describe("attachMany", () => {
  it("puts several under one parent, in the given order, from wherever they are", () => {
    const { tree, e } = plant("p(a) q(x(y)) z");
    attachMany(tree, [e.z!, e.y!, e.x!], e.p!);
    expect(drawn(tree)).toBe("p(a z y x) q");
  });

  it("puts them at one position, even when the sibling that marks it is moved too", () => {
    const { tree, e } = plant("p(a b c d) x y");
    attachMany(tree, [e.x!, e.y!], e.p!, { at: 1 });
    expect(drawn(tree)).toBe("p(a x y b c d)");
    attachMany(tree, [e.d!, e.a!], e.p!, { before: e.b! });
    expect(drawn(tree)).toBe("p(x y d a b c)");
    attachMany(tree, [e.b!, e.x!], e.p!, { after: e.x! });
    expect(drawn(tree)).toBe("p(b x y d a c)");
    attachMany(tree, [e.c!, e.b!], e.p!, { before: e.c! });
    expect(drawn(tree)).toBe("p(x y d a c b)");
  });

  it("counts positions without those that move", () => {
    const { tree, e } = plant("p(a b c d e)");
    attachMany(tree, [e.a!, e.b!], e.p!, { at: 1 });
    expect(drawn(tree)).toBe("p(c a b d e)");
    attachMany(tree, [e.c!, e.e!], e.p!, { at: -1 });
    expect(drawn(tree)).toBe("p(a b d c e)");
  });

  it("puts them at any index like an array does, in whatever order they are named", () => {
    const letters = ["a", "b", "c", "d", "x"];
    const orders = letters.flatMap((one) =>
      letters.flatMap((two) => letters.map((three) => [...new Set([one, two, three])])),
    );
    for (const order of orders) {
      for (let at = -5; at <= 5; at++) {
        const { tree, e } = plant("p(a b c d) x");
        const expected = ["a", "b", "c", "d"].filter((name) => !order.includes(name));
        const index = at < 0 ? Math.max(0, expected.length + 1 + at) : at;
        expected.splice(index, 0, ...order);
        attachMany(
          tree,
          order.map((name) => e[name]!),
          e.p!,
          { at },
        );
        expect(names(tree, tree.childrenOf(e.p!))).toBe(expected.join(" "));
      }
    }
  });

  it("does not move children that are in place already, and emits no event for them", () => {
    const { tree, e } = plant("p(a b c) x");
    const reader = tree.events.reader();
    attachMany(tree, [e.b!, e.c!], e.p!);
    attachMany(tree, [e.a!, e.b!, e.c!], e.p!);
    attachMany(tree, [e.a!, e.b!], e.p!, { at: 0 });
    attachMany(tree, [], e.p!);
    expect(reader.read()).toEqual([]);
    attachMany(tree, [e.a!, e.x!, e.b!, e.c!], e.p!);
    expect(reader.read()).toEqual([{ type: "added", child: e.x, parent: e.p, index: 1 }]);
  });

  it("refuses all when one is refused", () => {
    const { world, tree, e } = plant("top(p(a)) x y");
    const dead = world.spawn();
    world.destroy(dead);
    expectRefused(tree, () => attachMany(tree, [e.x!, dead, e.y!], e.p!), "was destroyed");
    expectRefused(tree, () => attachMany(tree, [e.x!, e.top!], e.p!), "its own ancestor");
    expectRefused(tree, () => attachMany(tree, [e.x!, e.p!], e.p!), "its own ancestor");
    expectRefused(
      tree,
      () => attachMany(tree, [e.x!, e.y!, e.x!], e.p!),
      "Cannot attach x#4 twice in one call",
    );
    expectRefused(
      tree,
      () => attachMany(tree, [e.x!, e.y!], e.p!, { before: e.y! }),
      "it is not a child of p#2",
    );
  });

  it("counts those that join against the limit, and judges depth by the outcome", () => {
    const { tree, e } = plant("p(a b) x(y) q", { maxChildren: 3, limits: depthLimit({ max: 2 }) });
    expectRefused(
      tree,
      () => attachMany(tree, [e.x!, e.y!], e.p!),
      "2 further children: it has 2 and tree allows 3",
    );
    attachMany(tree, [e.a!, e.x!], e.p!);
    expect(drawn(tree)).toBe("p(b a x(y)) q");
    // x has y below it now, but not when both have moved.
    const deep = plant("p(q) x(y(z))", { limits: depthLimit({ max: 2 }) });
    expectRefused(deep.tree, () => attachMany(deep.tree, [deep.e.x!], deep.e.q!), "4 levels below its root");
    attachMany(deep.tree, [deep.e.x!, deep.e.y!, deep.e.z!], deep.e.q!);
    expect(drawn(deep.tree)).toBe("p(q(x y z))");
  });
});

describe("attachAll", () => {
  it("attaches to different parents, in order", () => {
    const { tree, e } = plant("a b c d");
    attachAll(tree, [
      [e.b!, e.a!],
      [e.d!, e.b!],
      [e.c!, e.b!],
      [e.d!, null],
    ]);
    expect(drawn(tree)).toBe("a(b(c)) d");
  });

  it("finds a cycle that only several attachments form together", () => {
    const { tree, e } = plant("a b c d");
    expectRefused(
      tree,
      () =>
        attachAll(tree, [
          [e.d!, e.a!],
          [e.a!, e.b!],
          [e.b!, e.c!],
          [e.c!, e.a!],
        ]),
      "Cannot move c#3 under a#1: together with the attachments before it, it would become its own ancestor (c#3 > b#2 > a#1). Leave one of them out. [hierarchy/cycle]",
    );
  });

  it("accepts what is a cycle before an earlier attachment and none after it", () => {
    const { tree, e } = plant("a(b(c))");
    attachAll(tree, [
      [e.c!, null],
      [e.a!, e.c!],
    ]);
    expect(drawn(tree)).toBe("c(a(b))");
  });

  it("refuses all when a parent has no room at its turn, a tree gets too deep, or one is dead", () => {
    const { world, tree, e } = plant("p(a b) q x y", { maxChildren: 2, limits: depthLimit({ max: 2 }) });
    expectRefused(
      tree,
      () =>
        attachAll(tree, [
          [e.x!, e.q!],
          [e.y!, e.p!],
        ]),
      "another child: it has 2 and tree allows 2",
    );
    expectRefused(
      tree,
      () =>
        attachAll(tree, [
          [e.x!, e.p!],
          [e.a!, e.q!],
        ]),
      "another child",
    );
    expectRefused(
      tree,
      () =>
        attachAll(tree, [
          [e.x!, e.y!],
          [e.y!, e.q!],
          [e.q!, e.a!],
        ]),
      "levels below its root",
    );
    world.destroy(e.b!);
    expectRefused(
      tree,
      () =>
        attachAll(tree, [
          [e.x!, e.q!],
          [e.y!, e.b!],
        ]),
      "was destroyed",
    );
    attachAll(tree, [
      [e.a!, e.q!],
      [e.x!, e.p!],
      [e.y!, e.p!],
    ]);
    expect(drawn(tree)).toBe("p(x y) q(a)");
  });

  it("does nothing with an empty list", () => {
    const { tree } = plant("a");
    attachAll(tree, []);
    expect(drawn(tree)).toBe("a");
  });
});

describe("detachMany and detachChildren", () => {
  it("make roots, in the given order", () => {
    const { tree, e } = plant("p(a b c(d)) q");
    detachMany(tree, [e.d!, e.a!, e.q!]);
    expect(drawn(tree)).toBe("p(b c) q d a");
    detachChildren(tree, e.p!);
    expect(drawn(tree)).toBe("p q d a b c");
    detachChildren(tree, e.p!);
    expect(drawn(tree)).toBe("p q d a b c");
  });

  it("refuse all when one is named twice or dead", () => {
    const { world, tree, e } = plant("p(a b) x");
    world.destroy(e.x!);
    expectRefused(tree, () => detachMany(tree, [e.a!, e.b!, e.a!]), "Cannot detach a#2 twice");
    expectRefused(tree, () => detachMany(tree, [e.a!, e.x!]), "was destroyed");
  });
});

describe("replaceChildren", () => {
  it("makes the children exactly those, in that order; the others become roots", () => {
    const { tree, e } = plant("p(a b(b1) c) x q(y)");
    replaceChildren(tree, e.p!, [e.y!, e.c!, e.x!, e.a!]);
    expect(drawn(tree)).toBe("p(y c x a) q b(b1)");
    replaceChildren(tree, e.p!, []);
    expect(drawn(tree)).toBe("p q b(b1) y c x a");
  });

  it("puts a new one where it belongs at once, and emits one new order where the old ones change theirs", () => {
    const { tree, e } = plant("p(a b c) x");
    const reader = tree.events.reader();
    replaceChildren(tree, e.p!, [e.a!, e.x!, e.b!, e.c!]);
    expect(reader.read()).toEqual([{ type: "added", child: e.x, parent: e.p, index: 1 }]);
    replaceChildren(tree, e.p!, [e.c!, e.b!, e.x!, e.a!]);
    expect(reader.read()).toMatchObject([{ type: "reordered", parent: e.p, order: [e.c, e.b, e.x, e.a] }]);
    replaceChildren(tree, e.p!, [e.c!, e.b!, e.x!, e.a!]);
    expect(reader.read()).toEqual([]);
  });

  it("changes nothing when refused", () => {
    const { tree, e } = plant("top(p(a b)) x y z", { maxChildren: 3 });
    expectRefused(tree, () => replaceChildren(tree, e.p!, [e.x!, e.top!]), "its own ancestor");
    expectRefused(tree, () => replaceChildren(tree, e.p!, [e.x!, e.x!]), "twice");
    expectRefused(tree, () => replaceChildren(tree, e.p!, [e.a!, e.x!, e.y!, e.z!]), "2 further children");
    replaceChildren(tree, e.p!, [e.x!, e.y!, e.z!]);
    expect(drawn(tree)).toBe("top(p(x y z)) a b");
  });
});

describe("moveChild", () => {
  it("refuses what is not a position, and says how to make a root", () => {
    const { tree, e } = plant("p(a b)");
    for (const to of [null, undefined, true, () => 0]) {
      expectRefused(
        tree,
        () => tree.moveChild(e.a!, to as never),
        'that is not a position. Give an index, "first", "last", { before } or { after }; to make it a root, use detach().',
      );
    }
  });
});

describe("swap", () => {
  it("exchanges two positions, each with what is below", () => {
    const { tree, e } = plant("p(a(a1) b) q(c d(d1))");
    expect(swap(tree, e.a!, e.d!)).toBe(true);
    expect(drawn(tree)).toBe("p(d(d1) b) q(c a(a1))");
  });

  it("exchanges siblings: neighbours in both directions, the ends, and roots", () => {
    const { tree, e } = plant("p(a b c d) q");
    swap(tree, e.a!, e.b!);
    expect(drawn(tree)).toBe("p(b a c d) q");
    swap(tree, e.c!, e.a!);
    expect(drawn(tree)).toBe("p(b c a d) q");
    swap(tree, e.d!, e.b!);
    expect(drawn(tree)).toBe("p(d c a b) q");
    swap(tree, e.p!, e.q!);
    expect(drawn(tree)).toBe("q p(d c a b)");
    swap(tree, e.c!, e.q!);
    expect(drawn(tree)).toBe("c p(d q a b)");
  });

  it("does nothing with an entity and itself", () => {
    const { tree, e } = plant("p(a)");
    const reader = tree.events.reader();
    expect(swap(tree, e.a!, e.a!)).toBe(false);
    expect(reader.read()).toEqual([]);
  });

  it("refuses what is below the other, in either order", () => {
    const { tree, e } = plant("a(b(c))");
    for (const [x, y] of [
      ["a", "b"],
      ["b", "a"],
      ["a", "c"],
      ["c", "a"],
    ] as const)
      expectRefused(tree, () => swap(tree, e[x]!, e[y]!), "the second is below the first");
    expect(thrown(() => swap(tree, e.c!, e.a!))).toMatchObject({ chain: [e.a, e.b, e.c] });
  });

  it.each([1, 2, 3])(
    "is undone and redone between full arrays of %i, with the events of an unrecorded one",
    (limit) => {
      const events = [true, false].map((isRecorded) => {
        const { world, tree } = plant("p q", { links: inlineLinks(limit) });
        const [p, q] = [...tree.roots()] as [Entity, Entity];
        const [left, right] = [p, q].map((parent) =>
          Array.from({ length: limit }, () => tree.attachNew(parent)),
        );
        const reader = tree.events.reader();
        const shape = () => [tree.childrenOf(p), tree.childrenOf(q), checkTree(tree)];
        const history = isRecorded ? createHistory(world) : undefined;
        const read: unknown[] = [];
        for (let k = 0; k < limit * limit; k++) {
          const before = shape();
          swap(tree, left![k % limit]!, right![Math.floor(k / limit)]!);
          read.push(...reader.read());
          const after = shape();
          expect(after[2]).toEqual([]);
          for (let round = 0; history !== undefined && round < 2; round++) {
            history.undo();
            expect(shape()).toEqual(before);
            history.redo();
            expect(shape()).toEqual(after);
          }
          reader.read();
        }
        return read;
      });
      expect(events[0]).toEqual(events[1]);
    },
  );

  it("works between full parents, of any form", () => {
    for (const form of [{ maxChildren: 2 }, { links: inlineLinks(2) }]) {
      const { tree, e } = plant("p(a b) q(c d) r(x y)", form);
      swap(tree, e.a!, e.d!);
      swap(tree, e.b!, e.c!);
      swap(tree, e.d!, e.y!);
      expect(drawn(tree)).toBe("p(y c) q(b a) r(x d)");
      expect(checkTree(tree)).toEqual([]);
    }
  });

  it("keeps the limits of depth", () => {
    const { tree, e } = plant("p(a(a1)) q(r(b))", { limits: depthLimit({ max: 2 }) });
    expectRefused(tree, () => swap(tree, e.a!, e.b!), "3 levels below its root");
    swap(tree, e.a!, e.r!);
    expect(drawn(tree)).toBe("p(r(b)) q(a(a1))");
  });
});

describe("isolate and dissolve", () => {
  it("take one entity out of all links, or each of a subtree", () => {
    const { tree, e } = plant("p(a(b(c) d) x)");
    isolate(tree, e.a!);
    expect(drawn(tree)).toBe("p(x) a b(c) d");
    isolate(tree, e.a!);
    expect(drawn(tree)).toBe("p(x) a b(c) d");
    const other = plant("p(a(b(c) d) x)");
    dissolve(other.tree, other.e.a!);
    expect(drawn(other.tree)).toBe("p(x) a b c d");
    dissolve(other.tree, other.e.p!);
    expect(drawn(other.tree)).toBe("p a b c d x");
  });
});

describe("sortChildren", () => {
  it("is stable, emits one event, and none when nothing changes", () => {
    const { tree, e } = plant("p(b1 a1 b2 a2)");
    const reader = tree.events.reader();
    const first = (it: number) => tree.nameOf(it as never)!.charCodeAt(0);
    expect(sortChildren(tree, e.p!, (x, y) => first(x) - first(y))).toBe(true);
    expect(drawn(tree)).toBe("p(a1 a2 b1 b2)");
    expect(reader.read()).toEqual([
      {
        type: "reordered",
        parent: e.p,
        child: null,
        previousIndex: -1,
        index: -1,
        order: [e.a1, e.a2, e.b1, e.b2],
      },
    ]);
    expect(sortChildren(tree, e.p!, (x, y) => first(x) - first(y))).toBe(false);
    expect(sortChildren(tree, e.a1!, () => 0)).toBe(false);
    expect(reader.read()).toEqual([]);
  });

  it("changes nothing when the comparison throws or changes the children", () => {
    const { tree, e } = plant("p(c b a)");
    expectRefused(
      tree,
      () =>
        sortChildren(tree, e.p!, () => {
          throw new Error("no");
        }),
      "no",
    );
    const error = thrown(() =>
      sortChildren(tree, e.p!, () => {
        tree.detach(e.a!);
        return 0;
      }),
    );
    expect(error.message).toBe(
      "Cannot sort the children: the comparison changed them. Compare without changing the tree. [hierarchy/invalid-edit]",
    );
    expect(drawn(tree)).toBe("p(c b) a");
    // As many children as before, but others.
    let isDone = false;
    const other = plant("p(c b a) x");
    expect(() =>
      sortChildren(other.tree, other.e.p!, () => {
        if (!isDone) other.tree.detach(other.e.a!);
        if (!isDone) other.tree.attach(other.e.x!, other.e.p!);
        isDone = true;
        return 0;
      }),
    ).toThrow("the comparison changed them");
    const more = plant("p(c b) x");
    expect(() => {
      sortChildren(more.tree, more.e.p!, () => {
        more.tree.attach(more.e.x!, more.e.p!);
        return 0;
      });
    }).toThrow("the comparison changed them");
    expect([checkTree(other.tree), checkTree(more.tree)]).toEqual([[], []]);
  });
});

describe("moveChild", () => {
  it("leaves the parent unchanged and emits an event for one child", () => {
    const { tree, e } = plant("p(a b c)");
    const reader = tree.events.reader();
    expect(tree.moveChild(e.c!, 0)).toBe(true);
    expect(drawn(tree)).toBe("p(c a b)");
    expect(reader.read()).toEqual([
      { type: "reordered", parent: e.p, child: e.c, previousIndex: 2, index: 0, order: null },
    ]);
  });
});
