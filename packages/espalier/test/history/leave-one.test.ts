/**
 * Entities that are destroyed one by one while only a history listens, by generated code, against a world with an observer, where
 * each goes the long way. Both must be the same after every call and every step back and forth, down to rows and free places.
 */
import {
  type AnyComponent,
  bool,
  type ComponentInit,
  check,
  component,
  createWorld,
  type Entity,
  entityRef,
  f32,
  f64,
  string,
  tag,
  type World,
} from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createHistory, createVersions, type History, transaction } from "espalier/history";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modes, property, snapshot } from "../testing.ts";

const Spot = component("Spot", { x: f32(), y: f64() });
const Link = component("Link", { to: entityRef(), isOn: bool() });
const Label = component("Label", { text: string("label") });
const Frozen = tag("Frozen");
const Hidden = tag("Hidden", { storage: "sparse" });
const Watched = tag("Watched");
const all: readonly AnyComponent[] = [Spot, Link, Frozen, Label, Hidden];

/** More than it takes until there is code for an archetype. */
const MANY = 120;

interface Recorded {
  readonly world: World;
  readonly history: History;
}

const pick = (bits: number) => all.filter((_, k) => (bits >> k) & 1) as ComponentInit[];

function create(generate: boolean, isSlow: boolean): Recorded {
  const world = createWorld({ generate, capacity: 8 });
  for (const each of [...all, Watched]) world.store(each);
  if (isSlow) world.observe(Watched, { add: () => {} });
  const history = createHistory(world);
  for (const bits of [0, 1, 3, 7, 15, 16, 17]) {
    for (let k = 0; k < MANY; k++) world.destroy(world.spawn(...pick(bits)));
  }
  history.clear();
  return { world, history };
}

type Call = readonly [what: number, a: number, b: number];
const call: fc.Arbitrary<Call> = fc.tuple(fc.noBias(fc.nat(15)), fc.nat(63), fc.nat(31));

function perform({ world, history }: Recorded, dead: Entity[], [what, a, b]: Call): unknown {
  const entities = world.entities();
  const one = entities[a % Math.max(1, entities.length)];
  if (what < 5 || one === undefined) {
    const inits = pick(b);
    if (b & 1) inits[0] = Spot({ x: a, y: 1 / a });
    if (b & 2 && one !== undefined) inits[b & 1] = Link({ to: one, isOn: a % 2 === 0 });
    return world.spawn(...inits);
  }
  if (what < 10) {
    dead.push(one);
    return world.destroy(one);
  }
  if (what === 10) return world.destroy(dead[a % Math.max(1, dead.length)] ?? (a as Entity));
  if (what === 11) {
    let left = b % 4;
    return world.query(Spot).each((each) => {
      if (--left < 0) world.destroy(each);
    });
  }
  if (what === 12) {
    return transaction(world, () => {
      world.destroy(one);
      world.spawn(Spot({ x: b }));
      if (a % 2 === 0) throw new Error("taken back");
    });
  }
  if (what === 13) return world.query(Spot).run(() => world.destroy(one));
  return a % 3 === 0 ? history.commit() : a % 3 === 1 ? history.undo() : history.redo();
}

function outcome(it: Recorded, dead: Entity[], call: Call): unknown {
  try {
    return perform(it, dead, call);
  } catch (error) {
    return String(error);
  }
}

const state = ({ world }: Recorded) => ({ ...(snapshot(world) as object), version: 0 });

describe.each(modes)("an entity destroyed while only a history listens ($mode)", ({ generate }) => {
  it("is recorded and comes back as in a world with observers", () => {
    property(
      fc.tuple(fc.array(call, { minLength: 5, maxLength: 80 }), fc.nat(120)),
      ([calls, widened]) => {
        const [quick, slow] = [create(generate, false), create(generate, true)];
        expect(quick.world.shortcut !== undefined).toBe(generate);
        const one = slow.world.spawn();
        expect(quick.world.spawn()).toBe(one);
        expect(slow.world.shortcut?.(one) ?? false).toBe(false);
        const dead: [Entity[], Entity[]] = [[], []];
        calls.forEach((each, k) => {
          // From here on handles no longer fit 32 bits.
          if (k === widened) for (const { world } of [quick, slow]) world.table.widen();
          expect(outcome(quick, dead[0], each)).toEqual(outcome(slow, dead[1], each));
          expect(state(quick)).toEqual(state(slow));
        });
        expect(check(quick.world)).toEqual([]);
        for (const go of ["redo", "undo", "redo", "undo"] as const) {
          while (quick.history[go]()) {
            expect(slow.history[go]()).toBe(true);
            expect(state(quick)).toEqual(state(slow));
          }
        }
        expect(check(quick.world)).toEqual([]);
      },
      40,
    );
  });
});

describe("the short way of destroying", () => {
  it("is not taken once somebody else hears of it", () => {
    const { world, history } = create(true, false);
    const spawn = () => world.spawn(Spot);
    const shortcut = world.shortcut as (entity: Entity) => boolean;
    expect(shortcut(spawn())).toBe(true);
    const seen: Entity[] = [];
    const stop = world.observe(Spot, { remove: (each) => void seen.push(each) });
    const a = spawn();
    expect(shortcut(a)).toBe(false);
    world.destroy(a);
    expect(seen).toEqual([a]);
    stop();
    expect(shortcut(spawn())).toBe(true);
    history.close();
    expect(world.shortcut).toBe(undefined);
    expect(shortcut(spawn())).toBe(false);
  });

  it("is not taken where a tree must let go", () => {
    const { world, history } = create(true, false);
    const tree = createHierarchy(world);
    const versions = createVersions(tree);
    const [top, child] = [world.spawn(Spot), world.spawn(Spot)];
    tree.attach(child, top);
    history.clear();
    world.destroy(top);
    expect(world.isAlive(child)).toBe(false);
    history.undo();
    expect(tree.parentOf(child)).toBe(top);
    versions.close();
    world.destroy(child);
    expect(tree.childrenOf(top)).toEqual([]);
    history.undo();
    expect(tree.childrenOf(top)).toEqual([child]);
  });

  it("keeps to the limits of the history", () => {
    const world = createWorld();
    const history = createHistory(world, { maxBytes: 4096 });
    for (let k = 0; k < 1000; k++) {
      const each = world.spawn(Spot({ x: k }));
      history.commit();
      world.destroy(each);
      history.commit();
      expect(history.bytes).toBeLessThanOrEqual(4096);
    }
    expect(history.dropped).toBeGreaterThan(1000);
    let undone = 0;
    while (history.undo()) undone++;
    expect(undone).toBeGreaterThan(20);
    expect(check(world)).toEqual([]);
  });
});
