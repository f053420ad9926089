/**
 * Calls for many entities while a history listens: one record for all, against one for each, which is what happens beside an
 * observer. Both worlds must be the same after every call and every step back and forth, down to rows and free indices.
 */

import {
  type AnyComponent,
  addAll,
  bool,
  type ComponentInit,
  checkWorld,
  component,
  createWorld,
  destroyAll,
  type Entity,
  f32,
  f64,
  i16,
  i32,
  object,
  observe,
  optional,
  removeAll,
  string,
  tag,
  u8,
  type World,
} from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createHistory, transaction, type UndoHistory } from "espalier/history";
import { stateOf } from "espalier/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modes, property, snapshot } from "../testing.ts";

const Spot = component("Spot", { x: f32(), y: f32() });
const Hp = component("Hp", { n: i32(7) });
const Rare = component("Rare", { n: i32() }, { storage: "sparse" });
const Label = component("Label", { text: string("label") });
const Bag = component("Bag", { items: object<number[]>(() => []) });
const Flags = component("Flags", { on: bool(true), level: u8(3), weight: f64(0.5), kind: i16(-2) });
const Frozen = tag("Frozen");
const Watched = tag("Watched");
const all: readonly AnyComponent[] = [Spot, Hp, Rare, Label, Bag, Frozen];

interface Recorded {
  readonly world: World;
  readonly history: UndoHistory;
}

function create(generate: boolean, withTree: boolean, isSlow: boolean): Recorded {
  const world = createWorld({ generate, capacity: 8 });
  for (const each of [...all, Watched]) stateOf(world).store(each);
  if (withTree) createHierarchy(world);
  if (isSlow) observe(world, Watched, { add: () => {} });
  return { world, history: createHistory(world) };
}

type Call = readonly [what: number, a: number, b: number];
const call: fc.Arbitrary<Call> = fc.tuple(fc.noBias(fc.nat(13)), fc.nat(63), fc.nat(63));

const pick = (bits: number): AnyComponent[] => all.filter((_, k) => (bits >> k) & 1);

function inits(bits: number, value: number): ComponentInit[] {
  return pick(bits).map((each) => {
    if (each === Spot && value % 2 === 0) return Spot({ x: value });
    if (each === Bag) return Bag({ items: [value] });
    if (each === Label && value % 3 === 0) return Label({ text: `${value}` });
    return each as ComponentInit;
  });
}

function perform({ world, history }: Recorded, [what, a, b]: Call): unknown {
  const entities = world.entities();
  const one = entities[a % Math.max(1, entities.length)] as Entity;
  if (what < 3) return world.spawnMany(b % 9, ...inits(a, b));
  if (what < 5) return addAll(world.query(...pick(a & b)), ...inits(b, a));
  if (what < 7) return removeAll(world.query(...pick(a & b)), ...pick(b));
  if (what === 7) return destroyAll(world.query(...pick(a)));
  if (what === 8) {
    return transaction(world, () => {
      world.spawnMany(3, Spot);
      removeAll(world.query(Spot), Spot);
      destroyAll(world.query(Hp));
      if (a % 2 === 0) throw new Error("taken back");
    });
  }
  if (what === 9) return history.commit();
  if (what === 10) return a % 2 === 0 ? history.undo() : history.redo();
  if (one === undefined) return world.spawn(Spot);
  if (what === 11) return world.destroy(one);
  if (what === 12) return world.add(one, ...inits(b | 1, a));
  return world.has(one, Hp) ? world.set(one, Hp, { n: b }) : world.remove(one, Spot);
}

function outcome(it: Recorded, call: Call): unknown {
  try {
    return perform(it, call);
  } catch (error) {
    return String(error);
  }
}

const state = ({ world }: Recorded) => ({ ...(snapshot(world) as object), version: 0 });

describe.each(modes)("calls for many while a history listens ($mode)", ({ generate }) => {
  it.each([false, true])("are recorded as a whole and undone as one by one (with a tree: %s)", (withTree) => {
    property(
      fc.array(call, { minLength: 5, maxLength: 60 }),
      (calls) => {
        const [quick, slow] = [create(generate, withTree, false), create(generate, withTree, true)];
        const start = state(quick);
        for (const each of calls) {
          expect(outcome(quick, each)).toEqual(outcome(slow, each));
          expect(state(quick)).toEqual(state(slow));
        }
        expect(checkWorld(quick.world)).toEqual([]);
        while (quick.history.redo()) expect(slow.history.redo()).toBe(true);
        const end = state(quick);
        for (const go of ["undo", "redo", "undo"] as const) {
          while (quick.history[go]()) {
            expect(slow.history[go]()).toBe(true);
            expect(state(quick)).toEqual(state(slow));
          }
          if (go === "redo") expect(state(quick)).toEqual(end);
        }
        expect({ ...state(quick), free: 0 }).toEqual({ ...start, free: 0 });
        expect(checkWorld(quick.world)).toEqual([]);
      },
      60,
    );
  });
});

it.each([false, true])("large archetypes come back with their values (with a tree: %s)", (withTree) => {
  const [quick, slow] = [create(true, withTree, false), create(true, withTree, true)];
  const both = (act: (it: Recorded) => unknown) => {
    act(quick);
    act(slow);
    expect(state(quick)).toEqual(state(slow));
  };
  both(({ world, history }) => {
    world.spawnMany(301, Spot, Flags);
    world.spawnMany(150, Spot, Hp, Frozen);
    world.query(Spot, optional(Flags)).each((entity, spot, flags) => {
      spot.x = entity;
      spot.y = 1 / entity;
      if (flags !== undefined) flags.level = entity % 200;
      if (flags !== undefined) flags.weight = 1 / entity;
    });
    history.commit();
  });
  const states = [state(quick)];
  const steps: ((world: World) => void)[] = [
    (world) => removeAll(world.query(Flags), Flags),
    (world) => addAll(world.query(Spot), Label, Flags({ level: 9 })),
    (world) => removeAll(world.query(Spot, Flags), Flags, Spot),
    (world) => destroyAll(world.query(Hp)),
    (world) => destroyAll(world.query()),
  ];
  for (const step of steps) {
    both(({ world, history }) => history.step("Step", () => step(world)));
    states.push(state(quick));
  }
  for (let k = states.length - 2; k >= 0; k--) {
    both(({ history }) => history.undo());
    expect(state(quick)).toEqual(states[k]);
  }
  for (let k = 1; k < states.length; k++) {
    both(({ history }) => history.redo());
    expect(state(quick)).toEqual(states[k]);
  }
});

const block = fc.record({
  gap: fc.nat(1500),
  length: fc.integer({ min: 1, max: 150 }),
  stride: fc.constantFrom(1, 1, 3, 9),
});

it.each(modes)("entities come back with their values wherever their indices lie ($mode)", ({ generate }) => {
  property(
    fc.tuple(
      fc.array(block, { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(5), { maxLength: 4 }),
      fc.boolean(),
    ),
    ([blocks, swaps, withLabels]) => {
      const world = createWorld({ generate });
      let next = 1;
      const lists = blocks.map(({ gap, length, stride }) => {
        const first = next + gap;
        next = first + length * stride;
        return Array.from({ length }, (_, k) => first + k * stride);
      });
      // Not in the order of their indices.
      for (const k of swaps) lists.push(...lists.splice(k % lists.length, 1).map((list) => list.reverse()));
      const made = world.spawnMany(next);
      const chosen = lists.flat().map((index) => made[index] as Entity);
      chosen.forEach((entity, k) => {
        const values = { on: k % 3 === 0, level: k % 256, weight: 1 / k, kind: -k };
        world.add(
          entity,
          Spot({ x: k, y: 1 / k }),
          Flags(values),
          ...(withLabels ? [Label({ text: `${k}` })] : []),
        );
      });
      for (const entity of made) if (!world.has(entity, Flags)) world.destroy(entity);
      const history = createHistory(world);
      const it = { world, history };
      const before = state(it);
      for (const change of [
        () => destroyAll(world.query(Flags)),
        () => removeAll(world.query(Flags), Flags, Spot),
      ]) {
        history.step("Change", change);
        const after = state(it);
        history.undo();
        expect(state(it)).toEqual(before);
        history.redo();
        expect(state(it)).toEqual(after);
        history.undo();
      }
      expect(state(it)).toEqual(before);
      expect(checkWorld(world)).toEqual([]);
    },
    40,
  );
});

it("refuses to undo when new entities have the indices of entities that a call changed", () => {
  const world = createWorld();
  const entities = world.spawnMany(3, Spot);
  const history = createHistory(world, { implicit: false });
  history.step("Freeze", () => addAll(world.query(Spot), Frozen));
  world.destroy(entities[1] as Entity);
  expect(() => history.undo()).toThrow("#2 was destroyed");
  expect(world.query(Frozen).count()).toBe(2);
  world.spawn(Spot, Frozen);
  expect(() => history.undo()).toThrow("Its index is used by #2v1 now");
});
