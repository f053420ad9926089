import { createWorld, type Entity, tag } from "espalier";
import { checkTree, createHierarchy, isRoot } from "espalier/hierarchy";
import { describe, expect, it } from "vitest";
import { dice, drawn, plantInto } from "./planting.ts";
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

  it("let lifetime follow one tree and place another", () => {
    const world = createWorld();
    const place = createHierarchy(world, { name: "place", onDestroy: "orphan" });
    const life = createHierarchy(world, { name: "life" });
    const [tank, ghost, spark] = [world.spawn(), world.spawn(), world.spawn()];
    place.attach(ghost, tank);
    place.attach(spark, tank);
    life.attach(spark, tank);
    world.destroy(tank);
    expect([world.isAlive(ghost), world.isAlive(spark)]).toEqual([true, false]);
    expect(place.parentOf(ghost)).toBeNull();
  });

  it("each do with the children of a destroyed entity what they were made for", () => {
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
    world.observeEntities({
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
  it("never meet: the same numbers mean different entities", () => {
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
