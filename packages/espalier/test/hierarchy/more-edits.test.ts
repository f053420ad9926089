import {
  component,
  createCommands,
  createWorld,
  destroyAll,
  type Entity,
  f32,
  InvalidValueError,
  i32,
} from "espalier";
import {
  attachNewAt,
  attachNewMany,
  checkTree,
  childrenBackwards,
  constrain,
  createHierarchy,
  descendantsBackwards,
  destroyChildren,
  ensurePath,
  findOutwards,
  HasChildrenError,
  hierarchyCommands,
  InvalidEditError,
  InvalidPathError,
  replaceInTree,
  replayedEvents,
  sortChildren,
  sortChildrenBy,
  spawnTree,
  TooManyChildrenError,
} from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";
import { drawn, names, plant } from "./planting.ts";

const Rank = component("Rank", { value: i32() });

function ranked(ranks: readonly number[]) {
  const world = createWorld();
  const tree = createHierarchy(world);
  const top = world.spawn();
  for (const value of ranks) tree.attachNew(top, Rank({ value }));
  return { world, tree, top };
}

describe("sortChildrenBy", () => {
  it("orders as sortChildren does by the same keys, and reads each key once", () => {
    property(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 30 }), (ranks) => {
      const [one, two] = [ranked(ranks), ranked(ranks)];
      let reads = 0;
      sortChildrenBy(one.tree, one.top, (child) => {
        reads++;
        return one.world.get(child, Rank)!.value;
      });
      const rank = (child: Entity) => two.world.get(child, Rank)!.value;
      sortChildren(two.tree, two.top, (a, b) => rank(a) - rank(b));
      expect(one.tree.childrenOf(one.top)).toEqual(two.tree.childrenOf(two.top));
      expect(reads).toBe(ranks.length);
    });
  });

  it("puts numbers before strings, and children that come while keys are read last", () => {
    const { tree, e } = plant("p(b two a one)");
    const keys: Record<string, number | string> = { b: "b", two: 2, a: "a", one: 1 };
    const keyOf = (child: Entity) => keys[tree.nameOf(child)!]!;
    expect(sortChildrenBy(tree, e.p!, keyOf)).toBe(true);
    expect(drawn(tree)).toBe("p(one two a b)");
    const made: Entity[] = [];
    sortChildrenBy(tree, e.p!, (child) => {
      if (made.length < 2) made.push(attachNewAt(tree, e.p!, { at: 0 }));
      return keyOf(child);
    });
    expect(tree.childrenOf(e.p!)).toEqual([e.one, e.two, e.a, e.b, made[1], made[0]]);
  });

  it("refuses keys that have no order, and changes nothing", () => {
    const { tree, e } = plant("p(b a)");
    for (const key of [Number.NaN, undefined, null, {}])
      expect(() => sortChildrenBy(tree, e.p!, () => key as never)).toThrow(InvalidEditError);
    expect(drawn(tree)).toBe("p(b a)");
    sortChildrenBy(tree, e.p!, (child) => tree.nameOf(child)!);
    expect(drawn(tree)).toBe("p(a b)");
  });
});

describe("attachNewMany", () => {
  it("does what attachNew does in a loop, also with constraints, limits and made defaults", () => {
    for (const rules of [false, true]) {
      const { world, tree, e } = plant("p(a) q", { maxChildren: 4 });
      if (rules) constrain(tree, { name: "any", attach: () => undefined });
      const made = attachNewMany(tree, e.p!, 3, Rank({ value: 7 }));
      expect(tree.childrenOf(e.p!)).toEqual([e.a, ...made]);
      expect(made.map((entity) => world.get(entity, Rank))).toEqual([7, 7, 7].map((value) => ({ value })));
      const before = world.count;
      expect(() => attachNewMany(tree, e.p!, 1)).toThrow(TooManyChildrenError);
      expect(() => attachNewMany(tree, e.q!, 5)).toThrow(TooManyChildrenError);
      expect(world.count).toBe(before);
      expect(attachNewMany(tree, e.q!, 0)).toEqual([]);
      expect(tree.isRoot(world.spawn())).toBe(true);
      expect(() => attachNewMany(tree, e.q!, 2, Rank({ value: "7" as never }))).toThrow(InvalidValueError);
      expect(tree.isRoot(world.spawn())).toBe(true);
      expect(attachNewMany(tree, null, 2).every((entity) => tree.isRoot(entity))).toBe(true);
      expect(tree.isRoot(world.spawn())).toBe(true);
      expect(checkTree(tree)).toEqual([]);
    }
  });

  it("makes none when a constraint refuses one of them", () => {
    const { world, tree, e } = plant("p");
    let asked = 0;
    constrain(tree, { name: "two", attach: () => (++asked > 2 ? "enough" : undefined) });
    const before = world.count;
    expect(() => attachNewMany(tree, e.p!, 3)).toThrow("enough");
    expect([world.count, tree.childCount(e.p!)]).toEqual([before, 0]);
    // As if none had been made: the same handles come next, in the same order.
    expect(world.spawnMany(3)).toEqual([before + 1, before + 2, before + 3]);
  });

  it("bad numbers are refused", () => {
    const { tree, e } = plant("p");
    for (const count of [-1, 1.5, Number.NaN, "2"])
      expect(() => attachNewMany(tree, e.p!, count as never)).toThrow();
    expect(drawn(tree)).toBe("p");
  });
});

describe("replaceInTree", () => {
  it("replaces an entity by another, wherever it was before", () => {
    const cases: [string, string, string, string][] = [
      ["p(a(x y) b) q", "a", "q", "p(q(x y) b) a"],
      ["p(a(x y) b)", "a", "b", "p(b(x y)) a"],
      ["p(a(x y) b)", "b", "a", "p(a(x y)) b"],
      ["p(a(x(z) y) b)", "a", "x", "p(x(z y) b) a"],
      ["p(a(x(z) y) b)", "a", "z", "p(z(x y) b) a"],
      ["p(a) q(b)", "p", "q", "q(b a) p"],
      ["p(a) q(b) r", "q", "a", "p a(b) q r"],
      ["p(a(x) b c)", "a", "b", "p(b(x) c) a"],
      ["p(a b(x) c)", "b", "a", "p(a(x) c) b"],
    ];
    for (const [text, old, fresh, after] of cases) {
      const { tree, e } = plant(text);
      replaceInTree(tree, e[old]!, e[fresh]!);
      expect(drawn(tree), text).toBe(after);
      expect(checkTree(tree)).toEqual([]);
    }
  });

  it("refuses itself and what is above it, and works in a family that is full", () => {
    const { tree, e } = plant("p(a b) q", { maxChildren: 2 });
    expect(() => replaceInTree(tree, e.a!, e.a!)).toThrow(InvalidEditError);
    expect(() => replaceInTree(tree, e.a!, e.p!)).toThrow("above it");
    expect(drawn(tree)).toBe("p(a b) q");
    replaceInTree(tree, e.a!, e.q!);
    expect(drawn(tree)).toBe("p(q b) a");
  });
});

describe("ensurePath", () => {
  it("finds what exists, creates what is missing with components, and is undone as one step", () => {
    const { world, tree } = plant("a(b)");
    const history = createHistory(world);
    const end = ensurePath(tree, "/a/b/c/d", null, Rank({ value: 2 }));
    expect(drawn(tree)).toBe("a(b(c(d)))");
    expect([tree.pathOf(end), world.get(end, Rank)]).toEqual(["/a/b/c/d", { value: 2 }]);
    expect(ensurePath(tree, "../c/./d", tree.parentOf(end)!)).toBe(end);
    history.commit();
    history.undo();
    expect(drawn(tree)).toBe("a(b)");
  });

  it("refuses what has no name and leaves nothing behind", () => {
    const { world, tree, e } = plant("a(b)");
    for (const path of ["new/*", "new/newer/**", "new/#77", "#2/new", "..", "/", "/..", ""])
      expect(() => ensurePath(tree, path)).toThrow(InvalidPathError);
    expect(drawn(tree)).toBe("a(b)");
    expect([ensurePath(tree, "#1/b"), ensurePath(tree, "/a/#2")]).toEqual([e.b, e.b]);
    expect(world.spawnMany(2)).toEqual([3, 4]);
    expect(ensurePath(tree, ".", e.a!)).toBe(e.a);
  });
});

describe("destroyChildren", () => {
  it("destroys all below and leaves the entity", () => {
    const { world, tree, e } = plant("p(a(x) b) q");
    expect(destroyChildren(tree, e.p!)).toBe(2);
    expect(drawn(tree)).toBe("p q");
    expect(destroyChildren(tree, e.p!)).toBe(0);
    world.destroy(e.p!);
    expect(() => destroyChildren(tree, e.p!)).toThrow("destroyed");
  });
});

describe("the policy refuse", () => {
  it("keeps an entity that has children, by the call or by the hierarchy", () => {
    const { world, tree, e } = plant("p(a(x))");
    expect(() => tree.destroy(e.p!, { children: "refuse" })).toThrow(HasChildrenError);
    expect(drawn(tree)).toBe("p(a(x))");
    tree.destroy(e.x!, { children: "refuse" });
    expect(drawn(tree)).toBe("p(a)");
    world.destroy(e.p!);
    expect(drawn(tree)).toBe("");

    const strict = plant("p(a(x)) q", { onDestroy: "refuse" });
    expect(() => strict.world.destroy(strict.e.p!)).toThrow(HasChildrenError);
    expect(() => destroyChildren(strict.tree, strict.e.p!)).toThrow(HasChildrenError);
    expect(drawn(strict.tree)).toBe("p(a(x)) q");
    strict.tree.destroy(strict.e.p!, { children: "cascade" });
    expect(drawn(strict.tree)).toBe("q");
  });

  it("lets parents go together with all their children, and undo take back what was created", () => {
    const Doomed = component("Doomed", { hp: f32() });
    const { world, tree, e } = plant("p(a b)", { onDestroy: "refuse" });
    for (const name of ["p", "a"]) world.add(e[name]!, Doomed);
    expect(() => destroyAll(world.query(Doomed))).toThrow(HasChildrenError);
    world.add(e.b!, Doomed);
    destroyAll(world.query(Doomed));
    expect(drawn(tree)).toBe("");
    const history = createHistory(world);
    const top = tree.attachNew(null);
    tree.attachNew(top);
    history.commit();
    history.undo();
    expect(world.count).toBe(0);
  });
});

describe("looking outwards", () => {
  it("finds the nearest: below, then beside, then at the roots", () => {
    const { tree } = plant("");
    const { named } = spawnTree(tree, {
      name: "level",
      children: [{ name: "a", children: [{ name: "b", children: [{ name: "light" }] }] }, { name: "light" }],
    });
    const light = tree.find("/level/a/b/light");
    expect(findOutwards(tree, "light", named.b!)).toBe(light);
    expect(findOutwards(tree, "light", named.a!)).toBe(tree.find("/level/light"));
    expect(findOutwards(tree, "level/a", named.b!)).toBe(named.a);
    expect(findOutwards(tree, "nothing", named.b!)).toBe(null);
  });
});

describe("walks backwards", () => {
  it("give the opposite of the walk, and skip what died or left", () => {
    const { tree, e } = plant("p(a(x y) b(z)) q");
    for (const order of ["pre", "post", "level"] as const)
      for (const includeSelf of [true, false])
        expect([...descendantsBackwards(tree, e.p!, { order, includeSelf })]).toEqual(
          [...tree.descendants(e.p!, { order, includeSelf })].reverse(),
        );
    expect(names(tree, [...childrenBackwards(tree, e.p!)])).toBe("b a");
    expect(names(tree, [...childrenBackwards(tree, null)])).toBe("q p");
    // Refused by the call, not by the first step.
    expect(() => descendantsBackwards(tree, 999 as Entity)).toThrow("never created");
    expect(() => childrenBackwards(tree, 999 as Entity)).toThrow("never created");
    const seen: string[] = [];
    for (const entity of descendantsBackwards(tree, e.p!)) {
      seen.push(tree.nameOf(entity)!);
      if (entity === e.z) {
        tree.attach(e.y!, e.q!);
        tree.destroy(e.x!);
      }
    }
    expect(seen).toEqual(["z", "b", "a"]);
  });
});

describe("replayedEvents", () => {
  it("lead a late reader to the same links as one from the start", () => {
    const { tree, e } = plant("p(a(x y) b) q(c)");
    const events = replayedEvents(tree);
    tree.attach(e.c!, e.b!);
    const parents = new Map<unknown, unknown>();
    const read = events.read();
    expect(read.slice(0, 5).map((event) => event.type)).toEqual([
      "added",
      "added",
      "added",
      "added",
      "added",
    ]);
    const known = new Set<unknown>([e.p, e.q]);
    for (const event of read) {
      if (event.type === "added") {
        expect(known.has(event.parent)).toBe(true);
        known.add(event.child);
        parents.set(event.child, event.parent);
      } else if (event.type === "moved") parents.set(event.child, event.newParent);
    }
    for (const [child, parent] of parents) expect(tree.parentOf(child as never)).toBe(parent);
    expect(parents.size).toBe(5);
    expect([events.read(), events.pending]).toEqual([[], 0]);
    events.close();
  });
});

describe("a flush result", () => {
  it("says which command failed, by its number on its buffer", () => {
    const quiet = createWorld({ onError: () => {} });
    const own = createHierarchy(quiet);
    const [a, gone] = [quiet.spawn(), quiet.spawn()];
    const b = own.attachNew(a);
    const buffer = createCommands(quiet);
    const later = hierarchyCommands(own, buffer);
    later.setName(a, "a");
    later.attach(a, b);
    quiet.destroy(gone);
    buffer.destroy(gone);
    const result = buffer.flush();
    expect(result.refused.map(({ index }) => index)).toEqual([1]);
    expect(result.skipped.map(({ index }) => index)).toEqual([2]);
  });
});
