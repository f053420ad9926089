import { component, createWorld, f32, tag, type World } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createHistory, restoreSnapshot, takeSnapshot } from "espalier/history";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";

const Health = component("Health", { hp: f32(100) });
const A = tag("A");
const B = tag("B");
const C = tag("C");
const components = [Health, A, B, C];

/** What the queries of a world give, in their order. */
function queriesOf(world: World): number[][] {
  return [world.query(), ...components.map((each) => world.query(each))].map((query) => [...query.ids()]);
}

describe("the order of queries", () => {
  it("is that of the snapshot in a new world, even where a combination appeared before its parts", () => {
    const world = createWorld();
    world.query(A);
    world.spawn(B, A);
    world.spawn(A);
    const other = createWorld();
    restoreSnapshot(other, takeSnapshot(world), { components });
    expect(queriesOf(other)).toEqual(queriesOf(world));
  });

  it("is that of the snapshot in a world that has the combinations in another order, and undo restores that one", () => {
    const world = createWorld();
    world.spawn(A);
    world.spawn(A, B);
    const other = createWorld();
    const second = other.spawn(B, A);
    const first = other.spawn(A);
    const before = queriesOf(other);
    const history = createHistory(other);
    restoreSnapshot(other, takeSnapshot(world), { components });
    expect(queriesOf(other)).toEqual(queriesOf(world));
    history.undo();
    expect(queriesOf(other)).toEqual(before);
    expect([...other.query(A).ids()]).toEqual([second, first]);
  });

  it("continues as in the world of the snapshot, even in combinations that were empty then", () => {
    const world = createWorld();
    world.query(A);
    world.destroy(world.spawn(B));
    world.spawn(A, B);
    const other = createWorld();
    restoreSnapshot(other, takeSnapshot(world), { components });
    for (const each of [world, other]) each.spawn(B);
    expect(queriesOf(other)).toEqual(queriesOf(world));
  });

  it("continues as in the world of the snapshot, even in a combination that only the other world had met", () => {
    const world = createWorld();
    world.spawn(A);
    const other = createWorld();
    other.spawn(A, B);
    restoreSnapshot(other, takeSnapshot(world), { components });
    for (const each of [world, other]) each.spawn(A, B);
    expect(queriesOf(other)).toEqual(queriesOf(world));
  });

  it("needs no component that no entity of the snapshot has", () => {
    const world = createWorld();
    world.destroy(world.spawn(Health, A));
    const e = world.spawn(A);
    const other = createWorld();
    restoreSnapshot(other, takeSnapshot(world), { components: [A] });
    expect([...other.query(A).ids()]).toEqual([e]);
  });

  it("is the same after any operations in both worlds, and stays the same", () => {
    const act = fc.tuple(fc.nat(3), fc.nat(), fc.nat(3));
    const run = (world: World, acts: readonly (readonly [number, number, number])[]) => {
      for (const [kind, pick, which] of acts) {
        const all = world.entities();
        const e = all[pick % Math.max(1, all.length)];
        const one = components[which]!;
        if (kind === 0 || e === undefined) world.spawn(...new Set([one, components[(which + pick) % 4]!]));
        else if (kind === 1) world.destroy(e);
        else if (kind === 2) world.add(e, one);
        else world.remove(e, one);
      }
    };
    property(
      fc.tuple(fc.array(act), fc.array(act), fc.array(act)),
      ([first, second, later]) => {
        const [world, other] = [createWorld(), createWorld()];
        const [tree, otherTree] = [createHierarchy(world), createHierarchy(other)];
        run(world, first);
        run(other, second);
        restoreSnapshot(other, takeSnapshot(world, { trees: [tree] }), { trees: [otherTree], components });
        expect(queriesOf(other)).toEqual(queriesOf(world));
        run(world, later);
        run(other, later);
        if (second.length === 0) expect(queriesOf(other)).toEqual(queriesOf(world));
      },
      200,
    );
  });
});
