/**
 * Trees that are destroyed at once, by the loop that knows their archetypes, against a world that may not make code from text:
 * rows, free indices and values must be the same, also after an undo.
 */

import {
  type AnyComponent,
  checkWorld,
  component,
  createWorld,
  type Entity,
  f32,
  i32,
  string,
  tag,
  type World,
} from "espalier";
import { checkTree, createHierarchy, type Hierarchy } from "espalier/hierarchy";
import { createHistory, type UndoHistory } from "espalier/history";
import { stateOf } from "espalier/internal";
import { describe, expect, it } from "vitest";
import { snapshot } from "../testing.ts";

const Spot = component("Spot", { x: f32(), y: f32() });
const Count = component("Count", { n: i32() });
const Rare = component("Rare", { n: i32() }, { storage: "sparse" });
const Label = component("Label", { text: string() });
// One of them sparse: it holds nothing, but has a row to give back.
const tags = Array.from({ length: 6 }, (_, k) => tag(`T${k}`, { storage: k === 2 ? "sparse" : "dense" }));

interface Grown {
  readonly world: World;
  readonly tree: Hierarchy;
  readonly history: UndoHistory | undefined;
}

function empty(generate: boolean, isRecorded: boolean, capacity: number): Grown {
  const world = createWorld({ generate, capacity });
  for (const each of [Spot, Count, Rare, Label, ...tags]) stateOf(world).store(each);
  const tree = createHierarchy(world);
  return { world, tree, history: isRecorded ? createHistory(world) : undefined };
}

/** A tree of `size` entities; `kind` says what the k-th has. */
function grow({ world, tree }: Grown, size: number, kind: (k: number) => number): Entity {
  const made = [world.spawn()];
  for (let k = 1; k < size; k++) {
    const bits = kind(k);
    const components: AnyComponent[] = tags.filter((_, t) => (bits >> t) & 1);
    if ((bits >> 6) & 1) components.push(Spot);
    if ((bits >> 7) & 1) components.push(Count);
    const entity = tree.attachNew(made[(k * 7) % Math.ceil(k / 2)] as Entity, ...components);
    if (world.has(entity, Spot)) world.set(entity, Spot, { x: k, y: -k });
    if (world.has(entity, Count)) world.set(entity, Count, { n: k });
    if (k % 17 === 0) world.add(entity, Rare({ n: k }));
    if (k % 23 === 0) world.add(entity, Label({ text: `${k}` }));
    made.push(entity);
  }
  return made[0] as Entity;
}

const mixes: { [name: string]: (k: number) => number } = {
  "all alike": () => 64,
  "four by turns": (k) => [64, 192, 0, 4][k % 4] as number,
  "more kinds than the loop takes": (k) => (k * 37) % 256,
};

describe.each([true, false])("trees that are destroyed at once (recorded: %s)", (isRecorded) => {
  it.each(Object.keys(mixes))("leave the same behind: %s", (mix) => {
    const [quick, plain] = [empty(true, isRecorded, 16), empty(false, isRecorded, 16)];
    for (let round = 0; round < 6; round++) {
      for (const it of [quick, plain]) {
        const { world, history } = it;
        // The second half of the rounds is larger, so that the world grows under a loop that was made.
        const size = round < 3 ? 900 : 2500;
        const kept = grow(it, 40, mixes[mix] as (k: number) => number);
        const top = grow(it, size, mixes[mix] as (k: number) => number);
        history?.commit();
        const before = snapshot(world);
        if (round % 2 === 0) world.destroy(top);
        else {
          // Lists that something walks are copied before they change.
          let destroyed = false;
          world.query(Spot).each(() => {
            if (!destroyed) world.destroy(top);
            destroyed = true;
          });
          expect(destroyed).toBe(true);
        }
        expect(world.isAlive(kept)).toBe(true);
        expect([...checkWorld(world), ...checkTree(it.tree)]).toEqual([]);
        if (history === undefined || round % 3 === 1) continue;
        const after = snapshot(world);
        history.undo();
        expect(withoutVersion(snapshot(world))).toEqual(withoutVersion(before));
        history.redo();
        expect(withoutVersion(snapshot(world))).toEqual(withoutVersion(after));
      }
      expect(snapshot(quick.world)).toEqual(snapshot(plain.world));
    }
  });
});

it("handles that became wide come back as they were", () => {
  const world = createWorld({ capacity: 64, fixed: true });
  const tree = createHierarchy(world);
  const history = createHistory(world);
  const it = { world, tree, history };
  for (let round = 0; round < 5; round++) world.destroy(grow(it, 30, () => 64));
  for (let k = 0; k < 600; k++) world.destroy(...world.spawnMany(30));
  const top = grow(it, 30, () => 64);
  const entities = Array.from(tree.descendants(top));
  expect(Math.min(...entities)).toBeGreaterThan(2 ** 31);
  history.commit();
  world.destroy(top);
  history.undo();
  expect(Array.from(tree.descendants(top))).toEqual(entities);
  expect([...checkWorld(world), ...checkTree(tree)]).toEqual([]);
});

function withoutVersion(state: unknown): unknown {
  return { ...(state as object), version: 0 };
}
