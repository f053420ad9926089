import { type Entity, indexOf } from "espalier";
import type { Order } from "espalier/hierarchy";
import {
  attachMany,
  attachNewAt,
  compactOrder,
  descendantCount,
  forEachAncestor,
  inlineLinks,
  leavesOf,
  siblingsOf,
} from "espalier/hierarchy";
import { treeOf } from "espalier/internal/hierarchy";
import { describe, expect, it } from "vitest";
import { drawn, looksAtLinks, names, plant, thrown } from "./planting.ts";

const text = "r(a(a1 a2(x)) b c(c1)) s";

describe("descendants", () => {
  it.each([
    ["pre", "a a1 a2 x b c c1"],
    ["post", "a1 x a2 a b c1 c"],
    ["level", "a b c a1 a2 c1 x"],
  ] as const)("come in %s-order and sibling order, without the start", (order, expected) => {
    const { tree, e } = plant(text);
    expect(names(tree, tree.descendants(e.r!, { order }))).toBe(expected);
    const visited: Entity[] = [];
    tree.forEachDescendant(e.r!, (entity) => void visited.push(entity), { order });
    expect(names(tree, visited)).toBe(expected);
  });

  it.each([
    ["pre", "r a a1 a2 x b c c1"],
    ["post", "a1 x a2 a b c1 c r"],
    ["level", "r a b c a1 a2 c1 x"],
  ] as const)("include the start on request: %s-order", (order, expected) => {
    const { tree, e } = plant(text);
    const options = { order, includeSelf: true };
    expect(names(tree, tree.descendants(e.r!, options))).toBe(expected);
    const visited: Entity[] = [];
    tree.forEachDescendant(e.r!, (entity) => void visited.push(entity), options);
    expect(names(tree, visited)).toBe(expected);
  });

  it("are in pre-order by default, none below a leaf, and the siblings of the start are left out", () => {
    const { tree, e } = plant(text);
    expect(names(tree, tree.descendants(e.a!))).toBe("a1 a2 x");
    expect([...tree.descendants(e.b!)]).toEqual([]);
    expect(names(tree, tree.descendants(e.b!, { includeSelf: true }))).toBe("b");
    for (const order of ["post", "level"] as const)
      expect(names(tree, tree.descendants(e.c!, { order, includeSelf: true })).length).toBe(4);
  });

  it.each([false, true])(
    "can be pruned: nothing below a skipped one (with an exact flat order: %s)",
    (isExact) => {
      const { tree, e } = plant(text);
      if (isExact) compactOrder(tree);
      for (const order of ["pre", "level"] as const) {
        const seen: Entity[] = [];
        const walk = tree.descendants(e.r!, { order });
        for (const entity of walk) {
          seen.push(entity);
          if (entity === e.a) walk.skip();
        }
        const called: Entity[] = [];
        tree.forEachDescendant(
          e.r!,
          (entity) => {
            called.push(entity);
            return entity === e.a ? "skip" : undefined;
          },
          { order },
        );
        expect(names(tree, seen)).toBe("a b c c1");
        expect(called).toEqual(seen);
      }
      const post: Entity[] = [];
      tree.forEachDescendant(
        e.r!,
        (entity) => {
          post.push(entity);
          return "skip";
        },
        { order: "post" },
      );
      expect(post.length).toBe(7);
    },
  );

  it("can be stopped: by the callback, and by leaving the loop", () => {
    const { tree, e } = plant(text);
    for (const order of ["pre", "post", "level"] as const) {
      for (const includeSelf of [true, false]) {
        const called: Entity[] = [];
        tree.forEachDescendant(
          e.r!,
          (entity) => {
            called.push(entity);
            return called.length === 3 ? "stop" : undefined;
          },
          { order, includeSelf },
        );
        expect(called.length).toBe(3);
        const walk = tree.descendants(e.r!, { order, includeSelf });
        for (const entity of walk) if (entity === called[2]) break;
        expect(walk.next()).toEqual({ done: true, value: undefined });
      }
    }
  });

  it("end for good, and an unfinished walk does not disturb later changes", () => {
    const { tree, e } = plant(text);
    const walk = tree.descendants(e.r!);
    walk.next();
    for (let k = 0; k < 5000; k++) tree.descendants(e.r!).next();
    tree.detach(e.a!);
    expect(walk.next().value).toBe(e.a1);
    expect([...walk].length).toBe(5);
    expect(walk.next().done).toBe(true);
    walk.skip();
    tree.attach(e.a!, e.r!);
    expect(walk.next().done).toBe(true);
  });

  it("rethrow an error of the callback and forget the walk", () => {
    const { tree, e } = plant(text);
    for (const options of [{}, { includeSelf: true }, { order: "post" }, { order: "level" }] as {
      order?: Order;
    }[]) {
      expect(
        thrown(() =>
          tree.forEachDescendant(
            e.r!,
            () => {
              throw new Error("mine");
            },
            options,
          ),
        ).message,
      ).toBe("mine");
    }
    tree.detach(e.a!);
    expect(drawn(tree)).toBe("r(b c(c1)) s a(a1 a2(x))");
  });

  it("of children and of ancestors are forgotten however they end", () => {
    const { tree, e } = plant("r(a(b))");
    for (let k = 0; k < 40; k++) tree.attachNew(e.r!);
    const before = treeOf(tree).dependents.count;
    const fail = () => {
      throw new Error("mine");
    };
    for (const visit of [() => undefined, () => "stop" as const, fail]) {
      const ends = [() => tree.forEachChild(e.r!, visit), () => forEachAncestor(tree, e.b!, visit)];
      for (const run of ends) {
        if (visit === fail) expect(run).toThrow("mine");
        else run();
        expect(treeOf(tree).dependents.count).toBe(before);
      }
    }
  });
});

describe("a walk while the tree changes", () => {
  it("skips what died or left, and does not visit what came", () => {
    for (const callback of [true, false]) {
      const { world, tree, e } = plant("r(a(a1 a2) b(b1) c) s(x)");
      const seen: Entity[] = [];
      const visit = (entity: Entity) => {
        seen.push(entity);
        if (entity !== e.a1) return;
        world.destroy(e.a2!);
        tree.detach(e.b!);
        tree.attach(e.x!, e.r!);
        tree.attach(e.b1!, e.c!);
      };
      if (callback) tree.forEachDescendant(e.r!, visit);
      else for (const entity of tree.descendants(e.r!)) visit(entity);
      // The list of r is the one at the start: x came, b left. That of c is the one when c is given out: b1 is in it.
      expect(names(tree, seen)).toBe("a a1 c b1");
    }
  });

  it("continues in a list whose parent left, because that list was entered", () => {
    const { tree, e } = plant("r(a(a1 a2) b) s");
    const seen: Entity[] = [];
    for (const entity of tree.descendants(e.r!)) {
      seen.push(entity);
      if (entity === e.a1) tree.attach(e.a!, e.s!);
    }
    expect(names(tree, seen)).toBe("a a1 a2 b");
  });

  it("ends although each step adds another entity", () => {
    for (const order of ["pre", "post", "level"] as const) {
      const { tree, e } = plant("r(a b c)");
      let steps = 0;
      for (const entity of tree.descendants(e.r!, { order })) {
        steps++;
        tree.attachNew(entity);
        tree.attachNew(e.r!);
        if (steps > 100) break;
      }
      expect(steps).toBe(3);
    }
  });

  it("gives the start first although it moved before the first step", () => {
    for (const order of ["pre", "post", "level"] as const) {
      const { tree, e } = plant("r(a(a1)) s");
      const walk = tree.descendants(e.a!, { order, includeSelf: true });
      tree.attach(e.a!, e.s!);
      expect(names(tree, walk)).toBe(order === "post" ? "a1 a" : "a a1");
    }
  });

  it("lets all descendants be destroyed, detached or moved one by one", () => {
    for (const order of ["pre", "post", "level"] as const) {
      const one = plant(text);
      for (const entity of one.tree.descendants(one.e.r!, { order })) one.tree.detach(entity);
      expect(one.tree.childCount(one.e.r!)).toBe(0);
      const two = plant(text);
      for (const entity of two.tree.descendants(two.e.r!, { order })) two.world.destroy(entity);
      expect(drawn(two.tree)).toBe("r s");
    }
  });

  it("does not meet a new entity with the index of a dead one", () => {
    const { world, tree, e } = plant("r(a b c)");
    const seen: Entity[] = [];
    for (const entity of tree.children(e.r!)) {
      seen.push(entity);
      if (entity !== e.a) continue;
      world.destroy(e.b!);
      attachNewAt(tree, e.r!, { after: e.a! });
    }
    expect(seen).toEqual([e.a, e.c]);
  });

  it.each(["children", "siblings", "descendants", "post", "level"] as const)(
    "does not follow its entries to a new entity with the index of their parent: %s",
    (kind) => {
      const { world, tree, e } = plant("r(p(a b c))", { onDestroy: "orphan" });
      const walks = {
        children: () => tree.children(e.p!),
        siblings: () => siblingsOf(tree, e.a!),
        descendants: () => tree.descendants(e.p!),
        post: () => tree.descendants(e.p!, { order: "post" }),
        level: () => tree.descendants(e.p!, { order: "level" }),
      };
      const seen: Entity[] = [];
      for (const entity of walks[kind]()) {
        seen.push(entity);
        if (seen.length > 1) continue;
        world.destroy(e.p!);
        const other = world.spawn();
        expect(indexOf(other)).toBe(indexOf(e.p!));
        attachMany(tree, [e.a!, e.b!, e.c!], other);
      }
      expect(seen.length).toBe(1);
    },
  );

  it("costs nothing to leave early after a change of what was visited", () => {
    const { world, tree, e } = plant("p q");
    for (let k = 0; k < 3000; k++) tree.attachNew(e.p!);
    const looks = looksAtLinks(tree, () => {
      for (let k = 0; k < 1000; k++) {
        for (const child of tree.children(e.p!)) {
          if (k % 3 === 0) tree.detach(child);
          else if (k % 3 === 1) tree.attach(child, e.q!);
          else world.destroy(child);
          break;
        }
      }
    });
    expect(looks).toBeLessThan(50_000);
    expect([tree.childCount(e.p!), tree.childCount(e.q!)]).toEqual([2000, 333]);
  });

  it("may have other walks inside it, each with its own view", () => {
    const { tree, e } = plant("r(a b c)");
    const seen: string[] = [];
    for (const x of tree.children(e.r!)) {
      for (const y of tree.children(e.r!)) {
        seen.push(`${tree.nameOf(x)}${tree.nameOf(y)}`);
        if (x === e.a && y === e.b) tree.moveChild(e.c!, "first");
      }
    }
    expect(seen.join(" ")).toBe("aa ab ac bc ba bb cc ca cb");
  });
});

describe("children", () => {
  it("come in order, as an array, an iterator and by callback with their index", () => {
    for (const form of [{ maxChildren: 8 }, { links: inlineLinks(8) }]) {
      const { tree, e } = plant("r(a b c)", form);
      expect(names(tree, tree.childrenOf(e.r!))).toBe("a b c");
      expect(names(tree, tree.children(e.r!))).toBe("a b c");
      const seen: unknown[] = [];
      tree.forEachChild(e.r!, (child, index) => void seen.push([child, index]));
      expect(seen).toEqual([
        [e.a, 0],
        [e.b, 1],
        [e.c, 2],
      ]);
      tree.forEachChild(e.a!, () => {
        throw new Error("there is none");
      });
      const some: Entity[] = [];
      tree.forEachChild(e.r!, (child) => {
        some.push(child);
        return some.length === 2 ? "stop" : undefined;
      });
      expect(names(tree, some)).toBe("a b");
    }
  });

  it("are those of the start of the walk, by callback too", () => {
    for (const form of [{ maxChildren: 8 }, { links: inlineLinks(8) }]) {
      const { world, tree, e } = plant("r(a b c d) x", form);
      const seen: unknown[] = [];
      tree.forEachChild(e.r!, (child, index) => {
        seen.push([tree.nameOf(child), index]);
        if (child === e.a) {
          tree.attach(e.x!, e.r!);
          tree.moveChild(e.d!, "first");
          world.destroy(e.b!);
        }
      });
      expect(seen).toEqual([
        ["a", 0],
        ["c", 1],
        ["d", 2],
      ]);
    }
  });

  it("grow the world under the walk", () => {
    const { tree, e } = plant("r(a b c)", {}, { capacity: 8 });
    const seen: Entity[] = [];
    tree.forEachChild(e.r!, (child) => {
      seen.push(child);
      for (let k = 0; k < 100; k++) tree.attachNew(child);
    });
    expect(names(tree, seen)).toBe("a b c");
    expect(descendantCount(tree, e.r!)).toBe(303);
  });

  it("of null are the roots", () => {
    const { tree, e } = plant("a b(x) c");
    expect(names(tree, tree.children(null))).toBe("a b c");
    expect(names(tree, tree.roots())).toBe("a b c");
    expect(tree.childCount(null)).toBe(3);
    expect(tree.rootCount).toBe(3);
    expect(tree.firstChild(null)).toBe(e.a);
    expect(tree.lastChild(null)).toBe(e.c);
    expect(tree.childAt(null, 1)).toBe(e.b);
  });
});

describe("siblings", () => {
  it("leave out the entity itself, and go from the first, from itself on, or all the way round", () => {
    const { tree, e } = plant("r(a b c d)");
    const from = (name: string, options?: Parameters<typeof siblingsOf>[2]) =>
      names(tree, siblingsOf(tree, e[name]!, options));
    expect(["a", "b", "d"].map((name) => from(name))).toEqual(["b c d", "a c d", "a b c"]);
    expect(["a", "b", "d"].map((name) => from(name, { from: "self" }))).toEqual(["b c d", "c d", ""]);
    expect(["a", "b", "d"].map((name) => from(name, { from: "self", wrap: true }))).toEqual([
      "b c d",
      "c d a",
      "a b c",
    ]);
    expect(from("r")).toBe("");
    expect(from("r", { from: "self", wrap: true })).toBe("");
  });

  it("of a root are none", () => {
    const { tree, e } = plant("a b(x) c");
    expect(names(tree, siblingsOf(tree, e.b!))).toBe("");
    expect(tree.nextSibling(e.a!)).toBeNull();
    expect(tree.previousSibling(e.b!)).toBeNull();
  });

  it("are those of the start of the walk", () => {
    for (const options of [{}, { from: "self" }, { from: "self", wrap: true }] as const) {
      const { world, tree, e } = plant("r(a b c d) x");
      const walk = siblingsOf(tree, e.a!, options);
      expect(walk.next().value).toBe(e.b);
      tree.attach(e.x!, e.r!, { after: e.b! });
      world.destroy(e.c!);
      expect(names(tree, walk)).toBe("d");
    }
  });
});

describe("ancestors", () => {
  it("go from the parent to the root, with the start on request", () => {
    const { tree, e } = plant("a(b(c))");
    expect(names(tree, tree.ancestors(e.c!))).toBe("b a");
    expect(names(tree, tree.ancestors(e.c!, { includeSelf: true }))).toBe("c b a");
    expect([...tree.ancestors(e.a!)]).toEqual([]);
    const seen: Entity[] = [];
    forEachAncestor(tree, e.c!, (entity) => void seen.push(entity));
    forEachAncestor(tree, e.c!, (entity) => void seen.push(entity), { includeSelf: true });
    expect(names(tree, seen)).toBe("b a c b a");
    forEachAncestor(tree, e.c!, (entity) => {
      seen.push(entity);
      return "stop";
    });
    expect(seen.length).toBe(6);
  });

  it("are those of the start of the walk, without the dead, so that it ends", () => {
    const { world, tree, e } = plant("a(b(c(d))) x");
    const seen: Entity[] = [];
    forEachAncestor(tree, e.d!, (entity) => {
      seen.push(entity);
      if (entity === e.c) {
        tree.attach(e.a!, e.x!);
        tree.attach(e.c!, e.x!);
        world.destroy(e.b!);
      }
      if (tree.isRoot(entity)) tree.attach(entity, tree.attachNew(null));
    });
    expect(names(tree, seen)).toBe("c a");
  });
});

describe("leaves", () => {
  it("are those without children, the start itself if it has none", () => {
    const { tree, e } = plant(text);
    expect(names(tree, leavesOf(tree, e.r!))).toBe("a1 x b c1");
    expect(names(tree, leavesOf(tree, e.b!))).toBe("b");
  });
});

describe("walks of dead entities", () => {
  it("are refused when they are requested, not when they begin", () => {
    const { world, tree, e } = plant("a b");
    world.destroy(e.a!);
    for (const call of [
      () => tree.descendants(e.a!),
      () => tree.children(e.a!),
      () => siblingsOf(tree, e.a!),
      () => tree.ancestors(e.a!),
      () => leavesOf(tree, e.a!),
      () => tree.forEachChild(e.a!, () => {}),
      () => tree.forEachDescendant(e.a!, () => {}),
      () => forEachAncestor(tree, e.a!, () => {}),
    ]) {
      expect(call).toThrow("#1 was destroyed");
    }
  });
});
