import { checkWorld, component, createCommands, createWorld, type Entity, f32, tag } from "espalier";
import {
  attachMany,
  checkTree,
  createHierarchy,
  createUpHierarchy,
  inlineLinks,
  sortChildren,
} from "espalier/hierarchy";
import { createHistory, HistoryConflictError } from "espalier/history";
import { destroyAlone, revive, stateOf } from "espalier/internal";
import { describe, expect, it } from "vitest";

/** A history that records only in steps, so that anything else stands in its way. */
function partial(options: Parameters<typeof createHierarchy>[1] = {}) {
  const world = createWorld();
  const tree = createHierarchy(world, options);
  const spawn = (count: number) => Array.from({ length: count }, () => world.spawn());
  return { world, tree, spawn, history: createHistory(world, { implicit: false }) };
}

describe("undo beside changes that were not recorded", () => {
  it("refuses to make an entity its own ancestor, and changes nothing", () => {
    const { tree, spawn, history } = partial();
    const [top, tank, gun] = spawn(3) as [Entity, Entity, Entity];
    tree.attach(tank, top);
    history.step("Detach tank", () => tree.detach(tank));
    tree.attach(gun, tank);
    tree.attach(top, gun);
    expect(() => history.undo()).toThrow(HistoryConflictError);
    expect(() => history.undo()).toThrow(
      'Cannot undo "Detach tank": Cannot move #2 under #1: it would become its own ancestor (#2 > #3 > #1). Pick a parent outside it. [hierarchy/cycle] Something changed the world without being recorded, or an observer does while isReplaying(world). [history/conflict]',
    );
    expect(history.undoLabels).toEqual(["Detach tank"]);
    expect(tree.childrenOf(null)).toEqual([tank]);
    expect(checkTree(tree)).toEqual([]);
    tree.detach(top);
    expect(history.undo()).toBe(true);
    expect(tree.childrenOf(top)).toEqual([tank]);
  });

  it("refuses when an entity it needs is destroyed, rolls back, and can be tried again", () => {
    const { world, tree, spawn, history } = partial();
    const [a, b, c] = spawn(3) as [Entity, Entity, Entity];
    const Mark = tag("Mark");
    history.step("Edit", () => {
      tree.attach(c, a);
      world.add(b, Mark);
      tree.setName(b, "b");
      world.add(a, Mark);
    });
    world.destroy(c);
    expect(() => history.undo()).toThrow("#3 was destroyed");
    expect([world.has(a, Mark), world.has(b, Mark), tree.nameOf(b)]).toEqual([true, true, "b"]);
    revive(stateOf(world), c, []);
    expect(history.undo()).toBe(true);
    expect([world.has(a, Mark), world.has(b, Mark), tree.nameOf(b)]).toEqual([false, false, undefined]);
    expect(history.redo()).toBe(true);
    expect(tree.nameOf(b)).toBe("b");
  });

  it("refuses where the index of a destroyed entity is taken", () => {
    const { world, spawn, history } = partial();
    const [a] = spawn(1) as [Entity];
    history.step("Destroy", () => world.destroy(a));
    const other = world.spawn();
    expect(() => history.undo()).toThrow("Cannot bring back #1: its index is taken by #1v1.");
    destroyAlone(stateOf(world), other, true);
    const commands = createCommands(world);
    commands.spawn();
    expect(() => history.undo()).toThrow(
      "its index is taken by #1v1, which a command buffer reserved; flush or close that first.",
    );
    commands.close();
    expect(history.undo()).toBe(true);
    expect(world.isAlive(a)).toBe(true);
    expect(checkWorld(world)).toEqual([]);
  });

  it("moves the entity to the end when the sibling behind it left, and orders the remaining ones", () => {
    const { tree, spawn, history } = partial();
    const [top, a, b, c] = spawn(4) as [Entity, Entity, Entity, Entity];
    attachMany(tree, [a, b, c], top);
    history.step("Move a", () => tree.moveChild(a, "last"));
    tree.detach(b);
    history.undo();
    expect(tree.childrenOf(top)).toEqual([c, a]);
    history.clear();
    tree.attach(b, top);
    history.step("Sort", () => sortChildren(tree, top, (x, y) => x - y));
    tree.detach(a);
    const [d] = spawn(1) as [Entity];
    tree.attach(d, top);
    history.undo();
    expect(tree.childrenOf(top)).toEqual([c, b, d]);
    expect(checkTree(tree)).toEqual([]);
  });

  it("leaves alone what a recorded loop did not write, and entities that no longer exist", () => {
    const world = createWorld();
    const Spot = component("Spot", { x: f32() });
    const Picked = tag("Picked");
    const entities = Array.from({ length: 100 }, (_, k) =>
      k % 2 === 0 ? world.spawn(Spot, Picked) : world.spawn(Spot),
    );
    const history = createHistory(world, { implicit: false });
    history.step("Shift", () => {
      world.query(Spot, Picked).update((spot) => {
        spot.x += 5;
      });
    });
    const [picked, other, gone] = [entities[0], entities[1], entities[3]] as [Entity, Entity, Entity];
    world.set(other, Spot, { x: 7 });
    world.destroy(gone);
    expect(history.undo()).toBe(true);
    expect([world.get(picked, Spot)?.x, world.get(other, Spot)?.x]).toEqual([0, 7]);
    expect(history.redo()).toBe(true);
    expect([world.get(picked, Spot)?.x, world.get(other, Spot)?.x]).toEqual([5, 7]);
  });

  it("refuses to put more children into a fixed array than it holds", () => {
    const { tree, spawn, history } = partial({ links: inlineLinks(1) });
    const [top, a, b] = spawn(3) as [Entity, Entity, Entity];
    tree.attach(a, top);
    history.step("Detach", () => tree.detach(a));
    tree.attach(b, top);
    expect(() => history.undo()).toThrow("it has 1 and tree allows 1");
    expect(tree.childrenOf(top)).toEqual([b]);
    expect(checkTree(tree)).toEqual([]);
  });

  it("brings children back beyond a limit that is no fixed array", () => {
    const { tree, spawn, history } = partial({ maxChildren: 1 });
    const [top, a, b] = spawn(3) as [Entity, Entity, Entity];
    tree.attach(a, top);
    history.step("Detach", () => tree.detach(a));
    tree.attach(b, top);
    expect(history.undo()).toBe(true);
    expect(tree.childrenOf(top)).toEqual([b, a]);
  });

  it("writes nothing behind a fixed array when a step would bring two children more than it holds", () => {
    const { tree, spawn, history } = partial({ links: inlineLinks(2) });
    const [top, a, b, c, d] = spawn(5) as [Entity, Entity, Entity, Entity, Entity];
    for (const child of [a, b]) tree.attach(child, top);
    history.step("Detach", () => {
      for (const child of [a, b]) tree.detach(child);
    });
    for (const child of [c, d]) tree.attach(child, top);
    expect(() => history.undo()).toThrow("it has 2 and tree allows 2");
    expect([tree.childrenOf(top), tree.parentOf(a), tree.parentOf(b)]).toEqual([[c, d], null, null]);
    expect(checkTree(tree)).toEqual([]);
  });

  it("refuses cycles in a hierarchy of parents only", () => {
    const world = createWorld();
    const up = createUpHierarchy(world);
    const [a, b] = [world.spawn(), world.spawn()];
    up.attach(a, b);
    const history = createHistory(world, { implicit: false });
    history.step("Detach", () => up.detach(a));
    up.attach(b, a);
    expect(() => history.undo()).toThrow("it would become its own ancestor");
    expect([up.parentOf(a), up.parentOf(b)]).toEqual([null, a]);
  });
});

describe("a hierarchy of parents only", () => {
  it("has its links again after a destroy is undone, on both ends", () => {
    const world = createWorld();
    const up = createUpHierarchy(world);
    const [tank, turret, gun] = [world.spawn(), world.spawn(), world.spawn()];
    up.attach(turret, tank);
    up.attach(gun, turret);
    const history = createHistory(world);
    world.destroy(turret);
    expect(up.parentOf(gun)).toBe(null);
    history.undo();
    expect([up.parentOf(gun), up.parentOf(turret)]).toEqual([turret, tank]);
    history.redo();
    expect([up.parentOf(gun), world.isAlive(turret)]).toEqual([null, false]);
  });
});
