/**
 * Attaching and detaching as code of its own, against the long ways: two worlds get the same calls, one of them may not make
 * code from text. Every call must give or throw the same, lead to the same tree and be undone the same.
 */
import { component, createWorld, type Entity, f32, type World } from "espalier";
import { check, createHierarchy, type Hierarchy, type HierarchyOptions } from "espalier/hierarchy";
import { createHistory, createVersions, type History } from "espalier/history";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";

const Spot = component("Spot", { x: f32(0) });

interface Twin {
  readonly world: World;
  readonly tree: Hierarchy;
  readonly entities: Entity[];
  readonly history: History | undefined;
  /** Ends what listens or forbids. */
  end: (() => void) | undefined;
  /** Gives what was told since the last time. */
  told: (() => unknown) | undefined;
}

function plant(generate: boolean, recording: string, ordered: boolean, options: HierarchyOptions): Twin {
  const world = createWorld({ capacity: 8, generate });
  const tree = createHierarchy(world, options);
  if (ordered) tree.order;
  const entities = world.spawnMany(6, Spot);
  const history =
    recording === "none" ? undefined : createHistory(world, { implicit: recording !== "steps only" });
  if (recording === "with versions") createVersions(tree);
  const [a, b] = entities as [Entity, Entity];
  for (let k = 0; k < 120; k++) {
    const edit = () => (k % 2 === 0 ? tree.attach(b, a) : tree.detach(b));
    if (recording === "steps only") history?.step("warm", edit);
    else edit();
  }
  history?.clear();
  return { world, tree, entities, history, end: undefined, told: undefined };
}

type Call = readonly [what: number, who: number, other: number];
const call: fc.Arbitrary<Call> = fc.tuple(fc.noBias(fc.nat(27)), fc.nat(50), fc.nat(50));

function perform(twin: Twin, [what, who, other]: Call): unknown {
  const { world, tree, entities, history } = twin;
  const a = entities[who % entities.length] as Entity;
  const b = entities[other % entities.length] as Entity;
  if (what < 10) return tree.attach(a, b);
  if (what < 15) return tree.detach(a);
  if (what === 15) return tree.attach(a, null);
  if (what === 16) return tree.moveChild(a, other % 2 === 0 ? "first" : "last");
  if (what === 17) return tree.attach(a, b, { at: other % 2 === 0 ? "first" : "last" });
  if (what === 18) return tree.swap(a, b);
  if (what === 19) return entities.push(tree.attachNew(b, Spot({ x: who })));
  if (what === 20) return world.destroy(a);
  if (what === 21) return tree.attach([0, -1, 2 ** 22, 2 ** 40, 0.5][who % 5] as Entity, b);
  if (what === 22) return tree.attach(a, [0, -1, 2 ** 22, undefined, "x"][other % 5] as Entity);
  if (what === 23) return tree.detach([0, -1, undefined, 2 ** 22][who % 4] as Entity);
  if (what === 24) {
    twin.end?.();
    const reader = tree.events.reader();
    twin.told = () => reader.read();
    twin.end = () => {
      twin.told = undefined;
      reader.close();
    };
  } else if (what === 25) {
    twin.end?.();
    twin.end = tree.constrain({
      name: "even only",
      attach: (child) => (child % 2 === 0 ? undefined : "it is odd"),
    });
  } else if (what === 26) {
    twin.end?.();
    twin.end = undefined;
  } else if (history !== undefined) {
    return who % 2 === 0 ? history.undo() : history.redo();
  }
  return undefined;
}

function outcome(twin: Twin, call: Call): unknown {
  try {
    return twin.history === undefined || call[0] === 27
      ? perform(twin, call)
      : twin.history.step("edit", () => perform(twin, call));
  } catch (error) {
    return String(error);
  }
}

function shape({ world, tree, history, told }: Twin): unknown {
  return {
    trees: world.entities().map((entity) => [entity, tree.parentOf(entity), tree.childrenOf(entity)]),
    roots: tree.childrenOf(null),
    version: tree.version,
    told: told?.(),
    steps: history?.undoLabels.length,
    bytes: history?.bytes,
  };
}

describe.each(["none", "always", "steps only", "with versions"])(
  "code for edits (recording: %s)",
  (recording) => {
    const forms: { [name: string]: HierarchyOptions } = {
      linked: {},
      inline: { links: "inline", maxChildren: 4 },
      limited: { maxDepth: 3, uniqueNames: true },
    };
    it.each(Object.keys(forms))("leads where the long ways lead (%s)", (form) => {
      property(
        fc.tuple(fc.array(call, { minLength: 20, maxLength: 150 }), fc.boolean()),
        ([calls, ordered]) => {
          const quick = plant(true, recording, ordered, forms[form] as HierarchyOptions);
          const long = plant(false, recording, ordered, forms[form] as HierarchyOptions);
          for (const each of calls) {
            expect(outcome(quick, each)).toEqual(outcome(long, each));
            expect(shape(quick)).toEqual(shape(long));
          }
          expect(check(quick.tree)).toEqual([]);
          for (const go of ["undo", "redo"] as const) {
            while (quick.history?.[go]()) {
              expect(long.history?.[go]()).toBe(true);
              expect(shape(quick)).toEqual(shape(long));
            }
          }
        },
        30,
      );
    });
  },
);

it("where handles became wide the long ways are taken", () => {
  const world = createWorld({ capacity: 8, fixed: true });
  const tree = createHierarchy(world);
  const history = createHistory(world);
  const [a, b, c] = world.spawnMany(3) as [Entity, Entity, Entity];
  for (let k = 0; k < 120; k++) {
    if (k % 2 === 0) tree.attach(b, a);
    else tree.detach(b);
  }
  for (let k = 0; k < 600; k++) world.destroy(world.spawn());
  const wide = world.spawn();
  expect(wide).toBeGreaterThan(2 ** 31);
  const parents = () => [wide, b, c].map((each) => tree.parentOf(each));
  tree.attach(wide, a);
  tree.attach(c, wide);
  tree.attach(b, wide);
  history.commit();
  history.step("Move", () => {
    tree.attach(b, c);
    tree.detach(c);
  });
  expect(check(tree)).toEqual([]);
  history.undo();
  expect(parents()).toEqual([a, wide, wide]);
  expect(tree.childrenOf(wide)).toEqual([c, b]);
  history.redo();
  expect(parents()).toEqual([a, c, null]);
});

it("undoes a swap where both parents have as many children as they may", () => {
  const world = createWorld();
  const tree = createHierarchy(world, { links: "inline", maxChildren: 1 });
  const [a, b] = world.spawnMany(2) as [Entity, Entity];
  const [left, right] = [tree.attachNew(a), tree.attachNew(b)];
  const history = createHistory(world);
  tree.swap(left, right);
  expect(tree.childrenOf(a)).toEqual([right]);
  history.undo();
  expect([tree.childrenOf(a), tree.childrenOf(b)]).toEqual([[left], [right]]);
  history.redo();
  expect([tree.childrenOf(a), tree.childrenOf(b)]).toEqual([[right], [left]]);
  expect(check(tree)).toEqual([]);
});
