import { component, createWorld, f32 } from "espalier";
import {
  attachAll,
  attachMany,
  createHierarchy,
  nextInList,
  previousInList,
  setParent,
  siblingHas,
  siblingsOf,
  swap,
} from "espalier/hierarchy";
import { createTransforms2D } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { plant } from "./planting.ts";
import { Replay } from "./replay.ts";

describe("a root", () => {
  it("that gets the parent null without a position stays where it is: false, no event, no new version", () => {
    const { tree, e } = plant("a b(c) d");
    createTransforms2D(tree);
    const reader = tree.events.reader();
    const { version } = tree;
    expect(setParent(tree, e.a!, null)).toBe(false);
    expect(tree.attach(e.a!, null)).toBe(false);
    expect(tree.attach(e.a!, null, {})).toBe(false);
    expect(tree.attach(e.a!, null, { keep: "world" })).toBe(false);
    attachAll(tree, [[e.a!, null]]);
    expect([...tree.roots()]).toEqual([e.a, e.b, e.d]);
    expect(reader.read()).toEqual([]);
    expect(tree.version).toBe(version);
    expect(tree.attach(e.a!, null, { at: "last" })).toBe(true);
    expect([...tree.roots()]).toEqual([e.b, e.d, e.a]);
  });

  it("has no siblings, and an index in the list of roots", () => {
    const { tree, e } = plant("a b(c d) q");
    expect([...siblingsOf(tree, e.b!)]).toEqual([]);
    expect([...siblingsOf(tree, e.b!, { from: "self", wrap: true })]).toEqual([]);
    expect([tree.nextSibling(e.a!), tree.previousSibling(e.b!)]).toEqual([null, null]);
    expect([nextInList(tree, e.a!), previousInList(tree, e.b!)]).toEqual([e.b, e.a]);
    expect([nextInList(tree, e.c!), previousInList(tree, e.d!)]).toEqual([e.d, e.c]);
    expect(tree.indexOf(e.b!)).toBe(1);
  });

  it("matches no siblingHas, and children still do", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const Mark = component("Mark", { value: f32() });
    const top = world.spawn(Mark);
    world.spawn(Mark);
    const left = tree.attachNew(top, Mark);
    const right = tree.attachNew(top);
    expect([...world.query(siblingHas(tree, Mark))]).toEqual([right]);
    expect(world.has(left, Mark)).toBe(true);
  });
});

describe("a call emits one event", () => {
  it("for a swap of siblings that are not adjacent", () => {
    const { tree, e } = plant("p(a b c d e)");
    const replay = new Replay(tree);
    swap(tree, e.b!, e.e!);
    expect(replay.read()).toMatchObject([{ type: "reordered", order: [e.a, e.e, e.c, e.d, e.b] }]);
    expect(replay.children.get(e.p!)).toEqual(tree.childrenOf(e.p!));
    expect(replay.complaints).toEqual([]);
  });

  it("for a swap of roots, and two for entities of different parents", () => {
    const { tree, e } = plant("a b c p(x) q(y)");
    const reader = tree.events.reader();
    swap(tree, e.a!, e.c!);
    expect(reader.read().map(({ type }) => type)).toEqual(["reordered"]);
    swap(tree, e.x!, e.y!);
    expect(reader.read().map(({ type }) => type)).toEqual(["moved", "moved"]);
  });

  it("for the new order that attachMany gives to children, besides one for each that joins", () => {
    const { tree, e } = plant("p(a b c d) x");
    const replay = new Replay(tree);
    attachMany(tree, [e.d!, e.b!, e.a!], e.p!, { at: "first" });
    expect(replay.read()).toMatchObject([{ type: "reordered", order: [e.d, e.b, e.a, e.c] }]);
    attachMany(tree, [e.c!, e.x!, e.d!], e.p!);
    expect(replay.read().map(({ type }) => type)).toEqual(["added", "reordered"]);
    expect(replay.children.get(e.p!)).toEqual([e.b, e.a, e.c, e.x, e.d]);
    expect(replay.complaints).toEqual([]);
  });
});
