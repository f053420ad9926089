import { createWorld, type Entity, observeEntities, tag } from "espalier";
import { checkTree, createHierarchy, isRoot, upLinks } from "espalier/hierarchy";
import { describe, expect, it } from "vitest";
import { dice, drawn, plantInto, thrown } from "./planting.ts";
import { shape } from "./replay.ts";

describe("several hierarchies of one world", () => {
  it("have their own parents, order, names and events", () => {
    const world = createWorld();
    const space = createHierarchy(world, { name: "space" });
    const owner = createHierarchy(world, { name: "owner" });
    const e = plantInto(space, "ship(gun crew)");
    owner.attach(e.ship!, e.crew!);
    owner.setName(e.gun!, "prize");
    expect(drawn(space)).toBe("ship(gun crew)");
    expect(space.parentOf(e.crew!)).toBe(e.ship);
    expect(owner.parentOf(e.ship!)).toBe(e.crew);
    expect(space.nameOf(e.gun!)).toBe("gun");
    expect(owner.nameOf(e.gun!)).toBe("prize");
    expect(world.query(isRoot(owner)).ids()).toEqual([e.gun, e.crew]);
  });

  it("let lifetime follow one tree and position another", () => {
    const world = createWorld();
    const position = createHierarchy(world, { name: "position", onDestroy: "orphan" });
    const life = createHierarchy(world, { name: "life" });
    const [tank, ghost, spark] = [world.spawn(), world.spawn(), world.spawn()];
    position.attach(ghost, tank);
    position.attach(spark, tank);
    life.attach(spark, tank);
    world.destroy(tank);
    expect([world.isAlive(ghost), world.isAlive(spark)]).toEqual([true, false]);
    expect(position.parentOf(ghost)).toBeNull();
  });

  it("each apply their own policy to the children of a destroyed entity", () => {
    const world = createWorld();
    const trees = (["orphan", "adopt"] as const).map((onDestroy) =>
      createHierarchy(world, { name: onDestroy, onDestroy }),
    );
    const [a, b, c] = [world.spawn(), world.spawn(), world.spawn()];
    for (const tree of trees) {
      tree.attach(b, a);
      tree.attach(c, b);
    }
    world.destroy(b);
    expect(trees.map((tree) => tree.parentOf(c))).toEqual([null, a]);
    for (const tree of trees) expect(checkTree(tree)).toEqual([]);
  });

  it("have different names, whatever their form", () => {
    const world = createWorld();
    createHierarchy(world);
    createHierarchy(world, { links: upLinks() });
    for (const make of [
      () => createHierarchy(world),
      () => createHierarchy(world, { name: "tree", onDestroy: "orphan" }),
      () => createHierarchy(world, { name: "links" }),
      () => createHierarchy(world, { name: "tree", links: upLinks() }),
    ]) {
      expect(thrown(make).message).toMatch(
        /^Cannot create a hierarchy named "(tree|links)": this world has one of that name. Give the second a name of its own: createHierarchy\(world, \{ name: "owners" \}\). \[hierarchy\/invalid-options\]$/,
      );
    }
    expect(createHierarchy(createWorld()).name).toBe("tree");
  });

  it("take each other's entities along in opposite directions, at any depth, without an error", () => {
    for (const isObserved of [false, true]) {
      const errors: Error[] = [];
      const world = createWorld({ onError: (error) => errors.push(error) });
      const down = createHierarchy(world, { name: "down" });
      const up = createHierarchy(world, { name: "up" });
      const chain = world.spawnMany(300);
      for (let k = 1; k < 300; k++) {
        down.attach(chain[k]!, chain[k - 1]!);
        up.attach(chain[k - 1]!, chain[k]!);
      }
      const seen: Entity[] = [];
      if (isObserved) observeEntities(world, { destroy: (entity) => void seen.push(entity) });
      expect(down.destroy(chain[150]!)).toBe(true);
      expect([world.count, errors, new Set(seen).size]).toEqual([0, [], isObserved ? 300 : 0]);
    }
  });

  it("report that an entity was destroyed even when another tree destroyed it", () => {
    const world = createWorld();
    const position = createHierarchy(world, { name: "position", onDestroy: "orphan" });
    const life = createHierarchy(world, { name: "life" });
    const [p, child] = [world.spawn(), world.spawn()];
    position.attach(child, p);
    life.attach(p, child);
    expect(position.destroy(p, { children: "cascade" })).toBe(true);
    expect(world.count).toBe(0);
    expect(position.destroy(p, { children: "cascade" })).toBe(false);
  });

  it("name themselves in errors", () => {
    const world = createWorld();
    const tree = createHierarchy(world, { name: "weapons", maxChildren: 1 });
    const [a, b, c] = [world.spawn(), world.spawn(), world.spawn()];
    tree.attach(b, a);
    expect(() => tree.attach(c, a)).toThrow("weapons allows 1");
  });

  it("may be made while entities are being destroyed or iterated", () => {
    const Mark = tag("Mark");
    const world = createWorld();
    const [a, b] = [world.spawn(Mark), world.spawn(Mark)];
    let late: ReturnType<typeof createHierarchy> | undefined;
    observeEntities(world, {
      destroy: () => {
        late ??= createHierarchy(world, { name: "late" });
      },
    });
    world.query(Mark).each((entity) => {
      if (entity === a) world.destroy(entity);
    });
    expect(late!.childrenOf(null)).toEqual([b]);
    expect(checkTree(late!)).toEqual([]);
  });
});

describe("two worlds", () => {
  it("share nothing: the same numbers mean different entities", () => {
    const [one, two] = [createWorld(), createWorld()];
    const [left, right] = [createHierarchy(one), createHierarchy(two)];
    const l = plantInto(left, "a(b c)");
    const r = plantInto(right, "x(y)");
    right.detach(r.y!);
    one.destroy(l.b!);
    expect([drawn(left), drawn(right)]).toEqual(["a(c)", "x y"]);
    expect(() => right.attach(l.c!, r.x!)).toThrow("was never created in this world");
  });

  it("that do the same in the same order get the same handles, order and events", () => {
    const run = () => {
      const roll = dice(7);
      const world = createWorld();
      const tree = createHierarchy(world);
      const reader = tree.events.reader();
      const all: Entity[] = [];
      for (let k = 0; k < 500; k++) {
        const some = () => all[roll(all.length)]!;
        if (k < 10 || roll(3) === 0)
          all.push(tree.attachNew(roll(2) && all.length > 0 && world.isAlive(all[0]!) ? all[0]! : null));
        else if (roll(5) === 0) world.destroy(some());
        else {
          const [a, b] = [some(), some()];
          if (tree.canAttach(a, b)) tree.attach(a, b);
        }
      }
      return { shape: shape(tree), all, events: reader.read() };
    };
    expect(run()).toEqual(run());
  });
});
