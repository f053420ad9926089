import { changesOf, createWorld } from "espalier";
import { createHierarchy, Ghost } from "espalier/hierarchy";
import {
  Active,
  activity,
  createInherited,
  HIDDEN,
  INHERIT,
  VISIBLE,
  Visibility,
  visibility,
  ZIndex,
  zIndex,
} from "espalier/inherit";
import { describe, expect, it } from "vitest";

function createScene() {
  const world = createWorld();
  return { world, tree: createHierarchy(world) };
}

describe("visibility", () => {
  function createPanel() {
    const { world, tree } = createScene();
    const visible = createInherited(tree, visibility);
    const panel = world.spawn(Visibility);
    const group = tree.attachNew(panel);
    const button = tree.attachNew(group, Visibility);
    return { world, tree, visible, panel, group, button };
  }

  it("is on for roots that inherit", () => {
    const { world, visible, button } = createPanel();
    expect(visible.of(button)).toBe(true);
    expect(visible.of(world.spawn())).toBe(true);
  });

  it("hides everything below that inherits", () => {
    const { world, visible, panel, group, button } = createPanel();
    world.set(panel, Visibility, { mode: HIDDEN });
    expect([panel, group, button].map((e) => visible.of(e))).toEqual([false, false, false]);
    expect(world.get(button, Visibility)).toEqual({ mode: INHERIT });
  });

  it("shows an entity set to visible below a hidden one, with all that is below it", () => {
    const { world, tree, visible, panel, group, button } = createPanel();
    world.set(panel, Visibility, { mode: HIDDEN });
    world.add(group, Visibility({ mode: VISIBLE }));
    expect([panel, group, button].map((e) => visible.of(e))).toEqual([false, true, true]);
    const other = tree.attachNew(button, Visibility({ mode: HIDDEN }));
    expect(visible.of(other)).toBe(false);
  });

  it("returns as it was when the parent is shown again", () => {
    const { world, tree, visible, panel, group, button } = createPanel();
    const hidden = tree.attachNew(group, Visibility({ mode: HIDDEN }));
    world.set(panel, Visibility, { mode: HIDDEN });
    visible.propagate();
    world.set(panel, Visibility, { mode: INHERIT });
    expect([button, hidden].map((e) => visible.of(e))).toEqual([true, false]);
  });

  it("follows a child to its new parent", () => {
    const { world, tree, visible, panel, button } = createPanel();
    const other = world.spawn(Visibility({ mode: HIDDEN }));
    tree.attach(button, other);
    expect(visible.of(button)).toBe(false);
    tree.attach(button, panel);
    expect(visible.of(button)).toBe(true);
  });

  it("passes through ghosts, whatever their own values are", () => {
    const { world, visible, group, button } = createPanel();
    world.add(group, Visibility({ mode: HIDDEN }), Ghost);
    expect(visible.of(button)).toBe(true);
    world.remove(group, Ghost);
    expect(visible.of(button)).toBe(false);
  });
});

describe("activity", () => {
  it("is the own flag and those of all ancestors", () => {
    const { world, tree } = createScene();
    const active = createInherited(tree, activity);
    const level = world.spawn(Active);
    const wave = tree.attachNew(level, Active({ on: false }));
    const enemy = tree.attachNew(wave, Active);
    const gun = tree.attachNew(enemy);
    expect([level, wave, enemy, gun].map((e) => active.of(e))).toEqual([true, false, false, false]);
    world.set(wave, Active, { on: true });
    expect(active.of(gun)).toBe(true);
    world.set(level, Active, { on: false });
    expect([wave, enemy, gun].map((e) => active.of(e))).toEqual([false, false, false]);
  });

  it("never writes to children: what was off stays off when the parent comes back", () => {
    const { world, tree } = createScene();
    const active = createInherited(tree, activity);
    const level = world.spawn(Active);
    const children = [true, false, true].map((on) => tree.attachNew(level, Active({ on })));
    const writes = changesOf(world, Active);
    const switched = active.changes();
    active.propagate();
    switched.read();
    world.set(level, Active, { on: false });
    active.propagate();
    expect(switched.read().changed).toEqual([level, children[0], children[2]]);
    world.set(level, Active, { on: true });
    active.propagate();
    expect(switched.read().changed).toEqual([level, children[0], children[2]]);
    expect(writes.read().changed).toEqual([level]);
    expect(children.map((e) => world.get(e, Active)?.on)).toEqual([true, false, true]);
  });
});

describe("z", () => {
  it("adds up: a parent at 10 and a child at 2 give 12", () => {
    const { world, tree } = createScene();
    const depth = createInherited(tree, zIndex);
    const parent = world.spawn(ZIndex({ z: 10 }));
    const child = tree.attachNew(parent, ZIndex({ z: 2 }));
    expect([depth.of(parent), depth.of(child)]).toEqual([10, 12]);
    depth.propagate();
    expect([depth.of(parent), depth.of(child)]).toEqual([10, 12]);
  });

  it("is absolute where it is not relative, and relative to that again below", () => {
    const { world, tree } = createScene();
    const depth = createInherited(tree, zIndex);
    const parent = world.spawn(ZIndex({ z: 10 }));
    const popup = tree.attachNew(parent, ZIndex({ z: 1000, zRelative: false }));
    const text = tree.attachNew(popup, ZIndex({ z: 1 }));
    expect([depth.of(popup), depth.of(text)]).toEqual([1000, 1001]);
  });

  it("counts ancestors without one as 0", () => {
    const { world, tree } = createScene();
    const depth = createInherited(tree, zIndex);
    const root = world.spawn();
    const group = tree.attachNew(root);
    const sprite = tree.attachNew(group, ZIndex({ z: 3 }));
    expect([depth.of(root), depth.of(group), depth.of(sprite)]).toEqual([0, 0, 3]);
    world.add(root, ZIndex({ z: -5 }));
    expect([depth.of(group), depth.of(sprite)]).toEqual([-5, -2]);
  });

  it("is a plain number: large sums and fractions are kept", () => {
    const { world, tree } = createScene();
    const depth = createInherited(tree, zIndex);
    let parent = world.spawn(ZIndex({ z: 30_000 }));
    for (let k = 0; k < 3; k++) parent = tree.attachNew(parent, ZIndex({ z: 30_000.5 }));
    expect(depth.of(parent)).toBe(120_001.5);
  });
});
