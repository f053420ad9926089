/** Every editing call, from one list: it exists as a command, can be undone and redone, and its events lead to the tree. */
import { createCommands, createWorld, type Entity } from "espalier";
import * as room from "espalier/hierarchy";
import { checkTree, createHierarchy, type HierarchyCommands, hierarchyCommands } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { describe, expect, it } from "vitest";
import { atOnce } from "./at-once.ts";
import { drawn, plantInto } from "./planting.ts";
import { Replay, shape } from "./replay.ts";

type Named = { readonly [name: string]: Entity };
/** `spawnTree` has tests of its own: it takes the tree first in a different way. */
type Editing = Exclude<keyof HierarchyCommands, "spawnTree">;

const text = "p(a(x y) b c) q(d) r";

/** What each call does to the text, by the same arguments at once and as a command. */
const edits: { readonly [Call in Editing]: readonly [args: (e: Named) => unknown[], after: string] } = {
  attach: [(e) => [e.a, e.q, { at: 0 }], "p(b c) q(a(x y) d) r"],
  setParent: [(e) => [e.r, e.x], "p(a(x(r) y) b c) q(d)"],
  attachNew: [(e) => [e.q], "p(a(x y) b c) q(d #10) r"],
  attachNewAt: [(e) => [e.q, { at: "first" }], "p(a(x y) b c) q(#10 d) r"],
  attachMany: [(e) => [[e.r, e.b], e.q, { at: 0 }], "p(a(x y) c) q(r b d)"],
  insertChildren: [(e) => [e.p, 1, [e.r, e.d]], "p(a(x y) r d b c) q"],
  attachAll: [
    (e) => [
      [
        [e.q, e.x],
        [e.b, e.d],
      ],
    ],
    "p(a(x(q(d(b))) y) c) r",
  ],
  detach: [(e) => [e.a], "p(b c) q(d) r a(x y)"],
  detachMany: [(e) => [[e.c, e.x]], "p(a(y) b) q(d) r c x"],
  detachChildren: [(e) => [e.p], "p q(d) r a(x y) b c"],
  replaceChildren: [(e) => [e.p, [e.c, e.r]], "p(c r) q(d) a(x y) b"],
  moveChild: [(e) => [e.c, { before: e.a }], "p(c a(x y) b) q(d) r"],
  moveToBack: [(e) => [e.c], "p(c a(x y) b) q(d) r"],
  moveToFront: [(e) => [e.a], "p(b c a(x y)) q(d) r"],
  setOrder: [(e) => [e.a, 1], "p(b a(x y) c) q(d) r"],
  swap: [(e) => [e.a, e.d], "p(d b c) q(a(x y)) r"],
  isolate: [(e) => [e.a], "p(b c) q(d) r a x y"],
  dissolve: [(e) => [e.p], "p q(d) r a x y b c"],
  sortChildren: [(e) => [e.p, (m: Entity, n: Entity) => n - m], "p(c b a(x y)) q(d) r"],
  sortChildrenBy: [(e) => [e.p, (child: Entity) => -child], "p(c b a(x y)) q(d) r"],
  attachNewMany: [(e) => [e.q, 2], "p(a(x y) b c) q(d #10 #11) r"],
  replaceInTree: [(e) => [e.a, e.d], "p(d(x y) b c) q r a"],
  ensurePath: [(e) => ["b/new/er", e.p], "p(a(x y) b(new(er)) c) q(d) r"],
  destroyChildren: [(e) => [e.p], "p q(d) r"],
  setName: [(e) => [e.a, "other"], "p(other(x y) b c) q(d) r"],
  destroy: [(e) => [e.p, { children: "orphan" }], "q(d) r a(x y) b c"],
};

function start() {
  const world = createWorld();
  const tree = createHierarchy(world);
  return { world, tree, e: plantInto(tree, text) };
}

function call(on: HierarchyCommands, name: Editing, args: unknown[]): unknown {
  return Reflect.apply(on[name], on, args);
}

const others = ["constructor", "canAttach"];

/** The exported functions that change no tree. One that is new stands here or is an edit, with everything that belongs to it. */
const notEdits = new Set([
  ...["createHierarchy", "createUpHierarchy", "createEntityEvents", "hierarchyCommands", "entityEvent"],
  ...[
    "depthLimit",
    "inlineLinks",
    "upLinks",
    "addKeeper",
    "constrain",
    "forbidOnChildren",
    "requireOnParent",
  ],
  // It edits by the calls of the list when values change.
  "keepSorted",
  ...["bubble", "replayedEvents", "onChildrenChanged", "onDestroying", "watchSubtree"],
  ...["checkTree", "printTree", "bytesPerNode", "compactOrder", "flatOrder", "hasFlatOrder", "limitsOf"],
  ...["rawLinks", "subtreeRange", "compareOrder", "whyNotAttach"],
  ...["childNamed", "findAll", "findOutwards", "relativePath"],
  ...["childrenChanged", "componentsInChildren", "componentsInParent", "hierarchyComponents"],
  ...["solidChildren", "solidDescendants", "solidParent", "parentsFirst", "throughTree"],
  ...["byDepth", "byTreeOrder", "groupByParent", "topmost"],
  ...["ancestorHas", "childHas", "childOf", "descendantHas", "descendantOf", "hasChildren", "hasParent"],
  ...["isRoot", "parentHas", "siblingHas"],
  ...["childrenBackwards", "commonAncestor", "descendantCount", "descendantsBackwards", "forEachAncestor"],
  ...["heightOf", "isDescendant", "isIntermediate", "leavesOf", "nextInList", "pathBetween"],
  ...["previousInList", "siblingsOf"],
]);
const calls = Object.keys(edits) as Editing[];

describe("the editing calls of a hierarchy", () => {
  it("are all in this list, and are all commands", () => {
    const { world, tree } = start();
    const members = Object.getOwnPropertyNames(Reflect.getPrototypeOf(tree));
    const methods = members.filter((name) => !others.includes(name));
    const later = hierarchyCommands(tree, createCommands(world));
    const commands = Object.getOwnPropertyNames(Reflect.getPrototypeOf(later));
    for (const name of methods) expect(commands, name).toContain(name);
    for (const name of calls) expect(later[name], name).toBeTypeOf("function");
  });

  it("are all exported functions but those that only read, and all of these are commands and in this list", () => {
    const { world, tree } = start();
    const later = hierarchyCommands(tree, createCommands(world));
    const functions = Object.keys(room).filter((name) => /^[a-z]/.test(name));
    const exported = functions.filter((name) => !notEdits.has(name));
    for (const name of exported) {
      expect(later, name).toHaveProperty(name);
      if (name !== "spawnTree") expect(calls, name).toContain(name);
    }
    for (const name of notEdits) {
      expect(functions, name).toContain(name);
      expect(later, name).not.toHaveProperty(name);
    }
    // Each is a method or a function, not both.
    for (const name of calls)
      expect([name in tree, exported.includes(name)].filter(Boolean), name).toEqual([true]);
  });

  it.each(calls)("do the same at once and as a command: %s", (name) => {
    const [args, after] = edits[name];
    const now = start();
    call(atOnce(now.tree), name, args(now.e));
    expect(drawn(now.tree)).toBe(after);
    const later = start();
    const buffer = createCommands(later.world);
    call(hierarchyCommands(later.tree, buffer), name, args(later.e));
    expect(drawn(later.tree)).toBe(text);
    expect(buffer.flush()).toMatchObject({ skipped: [], refused: [] });
    expect(drawn(later.tree)).toBe(after);
    expect([...checkTree(now.tree), ...checkTree(later.tree)]).toEqual([]);
  });

  it.each(calls)("are undone and redone in one step: %s", (name) => {
    const [args, after] = edits[name];
    const { world, tree, e } = start();
    const history = createHistory(world);
    call(atOnce(tree), name, args(e));
    history.commit();
    history.undo();
    expect(drawn(tree)).toBe(text);
    history.redo();
    expect(drawn(tree)).toBe(after);
    expect(checkTree(tree)).toEqual([]);
  });

  it.each(calls)("emit events that reproduce the tree: %s", (name) => {
    const { tree, e } = start();
    const replay = new Replay(tree);
    call(atOnce(tree), name, edits[name][0](e));
    expect(replay.state()).toEqual(shape(tree));
    expect(replay.complaints).toEqual([]);
    // A name is not structure.
    if (name !== "setName") expect(replay.count).toBeGreaterThan(0);
  });
});
