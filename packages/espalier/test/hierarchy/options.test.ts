import {
  component,
  createCommands,
  createWorld,
  DEVELOPMENT,
  f32,
  InvalidOptionError,
  observe,
  observeEntities,
} from "espalier";
import { attachMany, attachNewAt, createHierarchy, printTree, siblingsOf, upLinks } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { clone } from "espalier/scene";
import { createTransforms2D, createTransforms3D, setInherit, setSkew } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { refused } from "../testing.ts";

/** Options as a program without types would write them. */
const wrong = (options: unknown) => options as never;

function garden(checks = true) {
  const world = createWorld({ checks });
  const tree = createHierarchy(world);
  const parent = world.spawn();
  const child = tree.attachNew(parent);
  const other = world.spawn();
  return { world, tree, parent, child, other };
}

describe.runIf(DEVELOPMENT)("options that do not exist", () => {
  const { world, tree, parent, child, other } = garden();
  const space = createTransforms2D(tree);
  const space3D = createTransforms3D(tree, { name: "solid" });
  const history = createHistory(world);
  const Health = component("Health", { hp: f32() });
  const calls: [string, () => unknown][] = [
    ["onDestroy", () => createHierarchy(world, wrong({ name: "a", onDestory: "orphan" }))],
    ["name", () => createHierarchy(world, wrong({ links: upLinks(), nam: "x" }))],
    ["checks", () => createWorld(wrong({ check: true, checks: true }))],
    ["at", () => tree.attach(other, parent, wrong({ att: 0 }))],
    ["before", () => attachMany(tree, [other], parent, wrong({ befor: child }))],
    ["before", () => attachNewAt(tree, parent, wrong({ befor: child }))],
    ["after", () => tree.moveChild(child, wrong({ aftr: other }))],
    ["keep", () => tree.detach(child, wrong({ kep: "world" }))],
    ["children", () => tree.destroy(parent, wrong({ childre: "orphan" }))],
    ["orphan", () => tree.destroy(parent, wrong({ children: "orphans" }))],
    ["pre", () => tree.descendants(parent, wrong({ order: "prr" }))],
    ["post", () => tree.forEachDescendant(parent, () => {}, wrong({ order: "pos" }))],
    ["includeSelf", () => tree.ancestors(child, wrong({ includeself: true }))],
    ["wrap", () => siblingsOf(tree, child, wrong({ warp: true }))],
    ["rotation", () => setInherit(space, child, wrong({ rotaton: false }))],
    ["rotation", () => setInherit(space3D, child, wrong({ rotaton: false }))],
    ["kernel", () => createTransforms2D(tree, wrong({ kernle: "wasm", name: "second" }))],
    ["kernel", () => createTransforms3D(tree, wrong({ kernl: "auto", name: "second" }))],
    ["name", () => clone(tree, parent, wrong({ nam: "x" }))],
    ["add", () => observe(world, Health, wrong({ ad: () => {} }))],
    ["destroy", () => observeEntities(world, wrong({ destory: () => {} }))],
    ["name", () => createCommands(world, wrong({ nam: "x" }))],
    ["maxSteps", () => createHistory(createWorld(), wrong({ maxStep: 1 }))],
    ["key", () => history.step("x", () => {}, wrong({ kee: "x" }))],
    ["maxLines", () => printTree(tree, wrong({ maxLine: 1 }))],
  ];

  it.each(calls)("are refused with the nearest name, %s", (nearest, call) => {
    const error = refused(world, call);
    expect(error).toBeInstanceOf(InvalidOptionError);
    expect(error.message).toContain(`Did you mean "${nearest}"?`);
  });

  it("are refused with all names where none is near", () => {
    expect(() => tree.attach(other, parent, wrong({ index: 0 }))).toThrow(
      "There is at, before, after, keep.",
    );
    expect(() => tree.destroy(parent, wrong({ children: "explode" }))).toThrow(InvalidOptionError);
    expect(() => clone(tree, parent, wrong({ deep: false }))).toThrow(InvalidOptionError);
    expect(() => observe(world, Health, wrong({ added: () => {} }))).toThrow(InvalidOptionError);
  });

  it("are refused where options are no object, and callbacks no functions", () => {
    for (const options of [null, 5, "first", []]) {
      expect(() => tree.destroy(parent, wrong(options))).toThrow(InvalidOptionError);
      expect(() => tree.detach(child, wrong(options))).toThrow(InvalidOptionError);
      expect(() => tree.attach(child, parent, wrong(options))).toThrow(InvalidOptionError);
    }
    expect(() => observe(world, Health, wrong({ add: 5 }))).toThrow("with add 5: it takes a function");
    expect(() => tree.ancestors(child, wrong({ includeSelf: 1 }))).toThrow("takes true or false");
  });

  it("pass in builds without checks", () => {
    const { tree, parent, child } = garden(false);
    expect(tree.attach(child, parent, wrong({ index: 0 }))).toBe(false);
  });

  it("are right when they are undefined", () => {
    const { tree, parent, child } = garden();
    expect(tree.attach(child, parent, wrong({ at: undefined, keep: undefined }))).toBe(false);
    expect([...tree.descendants(parent, wrong({ order: undefined }))]).toEqual([child]);
  });
});

describe("transforms", () => {
  it("take numbers only, not what could be read as one", () => {
    const { world, tree, child } = garden();
    const space = createTransforms2D(tree);
    space.setPosition(child, 7, 8);
    const calls = [
      () => space.setPosition(child, wrong("1"), wrong(null)),
      () => space.setPosition(child, 1, wrong(null)),
      () => space.setRotation(child, wrong("1")),
      () => space.setScale(child, wrong(true)),
      () => setSkew(space, child, wrong([])),
      () => space.setTransform(child, 1, 2, wrong("3")),
    ];
    for (const call of calls) expect(refused(world, call).message).toContain("finite numbers");
    expect(space.localOf(child)).toMatchObject({ x: 7, y: 8, rotation: 0, scaleX: 1 });
  });
});
