import { createWorld, DeadEntityError, InvalidEntityError, observeEntities } from "espalier";
import {
  attachNewAt,
  CircularHierarchyError,
  compactOrder,
  createHierarchy,
  type Hierarchy,
  InvalidEditError,
  whyNotAttach,
} from "espalier/hierarchy";
import { describe, expect, it } from "vitest";
import { drawn, plant, thrown } from "./planting.ts";

describe("attach", () => {
  it("moves the whole subtree, last among its new siblings", () => {
    const { tree, e } = plant("level(tank(turret(gun)) hangar(crate))");
    expect(tree.attach(e.tank!, e.hangar!)).toBe(true);
    expect(drawn(tree)).toBe("level(hangar(crate tank(turret(gun))))");
  });

  it("makes a root with null, last among the roots", () => {
    const { tree, e } = plant("a(x) b");
    expect(tree.attach(e.x!, null)).toBe(true);
    expect(drawn(tree)).toBe("a b x");
  });

  it("makes a root with options that name no position, and moves a root where they name one", () => {
    const { tree, e } = plant("a(b) c d");
    expect(tree.attach(e.b!, null, {})).toBe(true);
    expect(drawn(tree)).toBe("a c d b");
    expect(tree.attach(e.b!, null, {})).toBe(false);
    expect(() => tree.attach(e.b!, null, { keep: "nowhere" as never })).toThrow('Cannot keep "nowhere"');
    expect(tree.attach(e.b!, null, { after: e.a! })).toBe(true);
    expect(drawn(tree)).toBe("a b c d");
    expect(tree.attach(e.d!, null, { before: e.a! })).toBe(true);
    expect(tree.attach(e.a!, null, { at: "last" })).toBe(true);
    expect(drawn(tree)).toBe("d b c a");
  });

  it("moves to the end under the parent it already has, and emits an event only when something changed", () => {
    const { tree, e } = plant("p(a b c)");
    const reader = tree.events.reader();
    expect(tree.attach(e.a!, e.p!)).toBe(true);
    expect(drawn(tree)).toBe("p(b c a)");
    expect(tree.attach(e.a!, e.p!)).toBe(false);
    expect(reader.read()).toEqual([
      { type: "reordered", parent: e.p, child: e.a, previousIndex: 0, index: 2, order: null },
    ]);
  });

  it("refuses a cycle, names it, and changes nothing", () => {
    const { tree, e } = plant("level(tank(turret(gun)))");
    const reader = tree.events.reader();
    const error = thrown(() => tree.attach(e.tank!, e.gun!)) as CircularHierarchyError;
    expect(error).toBeInstanceOf(CircularHierarchyError);
    expect(error.message).toBe(
      "Cannot move tank#2 under gun#4: it would become its own ancestor (tank#2 > turret#3 > gun#4). Pick a parent outside it. [hierarchy/cycle]",
    );
    expect(error.chain).toEqual([e.tank, e.turret, e.gun]);
    expect(thrown(() => tree.attach(e.gun!, e.gun!)).message).toBe(
      "Cannot move gun#4 under gun#4: it would become its own ancestor (gun#4). Pick a parent outside it. [hierarchy/cycle]",
    );
    expect(drawn(tree)).toBe("level(tank(turret(gun)))");
    expect(reader.read()).toEqual([]);
  });

  it("shows both ends of a long cycle and counts the rest", () => {
    const { tree, e } = plant("a");
    let last = e.a!;
    for (let k = 0; k < 99; k++) last = tree.attachNew(last);
    const { message } = thrown(() => tree.attach(e.a!, last));
    expect(message).toContain("(a#1 > #2 > #3 > #4 > #5 > #6 > … 88 more … > #95 > #96");
    expect(message.length).toBeLessThan(300);
  });

  it("refuses dead entities, foreign ones and what is not an entity, and changes nothing", () => {
    const { world, tree, e } = plant("a(b) c d");
    world.destroy(e.c!);
    const calls: [string, (tree: Hierarchy) => unknown][] = [
      ["dead child", (it) => it.attach(e.c!, e.a!)],
      ["dead parent", (it) => it.attach(e.d!, e.c!)],
      ["never created", (it) => it.attach(999_999 as typeof e.a & number, e.a!)],
      ["dead sibling", (it) => it.attach(e.d!, e.a!, { before: e.c! })],
    ];
    for (const [what, call] of calls) expect(() => call(tree), what).toThrow(DeadEntityError);
    expect(() => tree.attach("x" as unknown as typeof e.a & number, e.a!)).toThrow(InvalidEntityError);
    expect(() => tree.attach(e.d!, undefined as unknown as null)).toThrow(InvalidEntityError);
    expect(drawn(tree)).toBe("a(b) d");
  });

  it("does not confuse a new entity with the dead one whose index it reuses", () => {
    const { world, tree, e } = plant("a b");
    world.destroy(e.b!);
    const recycled = world.spawn();
    expect(recycled & 0x3fffff).toBe(e.b! & 0x3fffff);
    expect(() => tree.attach(e.b!, e.a!)).toThrow("was destroyed");
    expect(tree.isRoot(recycled)).toBe(true);
  });

  it("is refused in a disposed world, and so is every other call", () => {
    const { world, tree, e } = plant("a b");
    world.dispose();
    for (const call of [
      () => tree.attach(e.a!, e.b!),
      () => tree.attachNew(null),
      () => tree.roots(),
      () => tree.childrenOf(null),
      () => tree.parentOf(e.a!),
      () => compactOrder(tree),
      () => tree.find("a"),
      () => createHierarchy(world),
    ]) {
      expect(call).toThrow("this world was disposed");
    }
  });
});

describe("canAttach and whyNotAttach", () => {
  it("answer what attach would do, without throwing and without doing it", () => {
    const { world, tree, e } = plant("a(b(c)) d", { maxChildren: 1 });
    const dead = world.spawn();
    world.destroy(dead);
    expect(tree.canAttach(e.c!, e.d!)).toBe(true);
    expect(whyNotAttach(tree, e.c!, e.d!)).toBeNull();
    expect(tree.canAttach(e.c!, null)).toBe(true);
    expect(tree.canAttach(e.b!, e.a!)).toBe(true);
    for (const [child, parent, why] of [
      [e.a!, e.c!, "would become its own ancestor"],
      [e.a!, e.a!, "would become its own ancestor"],
      [e.d!, e.a!, "another child"],
      [dead, e.a!, "was destroyed"],
      [e.d!, dead, "was destroyed"],
    ] as const) {
      expect(tree.canAttach(child, parent)).toBe(false);
      expect(whyNotAttach(tree, child, parent)?.message).toContain(why);
      expect(() => tree.attach(child, parent)).toThrow(why);
    }
    expect(tree.canAttach(null as never, e.a!)).toBe(false);
    expect(drawn(tree)).toBe("a(b(c)) d");
  });
});

describe("attachNew", () => {
  it("creates an entity under a parent: one operation, one event", () => {
    const { world, tree, e } = plant("p(a)");
    const reader = tree.events.reader();
    const child = tree.attachNew(e.p!);
    expect(tree.parentOf(child)).toBe(e.p);
    expect(world.count).toBe(3);
    expect(reader.read()).toEqual([{ type: "added", child, parent: e.p, index: 1 }]);
  });

  it("takes a position among the siblings, and among the roots", () => {
    const { tree, e } = plant("p(a b) q");
    tree.setName(attachNewAt(tree, e.p!, { at: 0 }), "x");
    tree.setName(attachNewAt(tree, e.p!, { before: e.b! }), "y");
    tree.setName(attachNewAt(tree, null, { after: e.p! }), "z");
    expect(drawn(tree)).toBe("p(x a y b) z q");
  });

  it("creates nothing when the parent is dead or the position is wrong", () => {
    const { world, tree, e } = plant("p(a) q");
    world.destroy(e.q!);
    expect(() => tree.attachNew(e.q!)).toThrow(DeadEntityError);
    expect(() => attachNewAt(tree, e.p!, { before: e.p! })).toThrow("it is not a child of p#1");
    expect(() => attachNewAt(tree, e.p!, { at: 0.5 })).toThrow(InvalidEditError);
    expect(world.count).toBe(2);
  });

  it("shows the parent to spawn observers, and does not apply it to entities they create", () => {
    const { world, tree, e } = plant("p(a b)");
    const seen: unknown[] = [];
    let depth = 0;
    observeEntities(world, {
      spawn: (entity) => {
        seen.push(tree.parentOf(entity));
        if (depth++ === 0) world.spawn();
      },
    });
    attachNewAt(tree, e.p!, { at: "first" });
    attachNewAt(tree, null, { at: "first" });
    expect(seen).toEqual([e.p, null, null]);
    expect(tree.childCount(e.p!)).toBe(3);
    expect(tree.indexOf(e.p!)).toBe(1);
  });
});

describe("detach", () => {
  it("keeps the whole subtree, and returns whether it changed anything", () => {
    const { tree, e } = plant("a(b(c d))");
    expect(tree.detach(e.b!)).toBe(true);
    expect(drawn(tree)).toBe("a b(c d)");
    expect(tree.detach(e.b!)).toBe(false);
  });
});

describe("a hierarchy made for a world that has entities", () => {
  it("begins with all of them as roots, in the order of their indices", () => {
    const world = createWorld();
    const [a, b, c] = [world.spawn(), world.spawn(), world.spawn()];
    world.destroy(b);
    const tree = createHierarchy(world);
    expect([...tree.roots()]).toEqual([a, c]);
    const d = world.spawn();
    expect(tree.childrenOf(null)).toEqual([a, c, d]);
  });
});
