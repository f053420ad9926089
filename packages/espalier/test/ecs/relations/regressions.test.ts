/** What a reading of relations and required components found. */
import {
  bundle,
  checkWorld,
  component,
  createWorld,
  type Entity,
  entityRefs,
  f32,
  InvalidSchemaError,
  indexedRef,
  observe,
  pairOf,
  pairsOf,
  referrersOf,
  setPair,
  type Tag,
  targetsOf,
} from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createSceneFormat } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { strictWorld } from "../../testing.ts";

const Likes = component("Likes", { people: entityRefs() });
const Ties = component("Ties", { people: entityRefs({ data: { strength: f32(0.5) } }) });
const Buff = component("Buff", { from: indexedRef({ onTargetDestroyed: "removeComponent" }) });
const Buffs = component("Buffs", { from: entityRefs({ onTargetDestroyed: "removeComponent" }) });
const Keeps = component("Keeps", { what: indexedRef({ onTargetDestroyed: "refuse" }) });

describe("a list of references", () => {
  it("takes 200,000 targets before one that was there", () => {
    const world = createWorld();
    const last = world.spawn();
    const owner = world.spawn(Likes({ people: [last] }));
    const many = world.spawnMany(200_000);
    world.set(owner, Likes, { people: [...many, last] });
    expect(referrersOf(world, many[100_000] as Entity, Likes, "people")).toEqual([owner]);
    expect(checkWorld(world)).toEqual([]);
  });

  it("cannot be changed by code that reads it", () => {
    const world = strictWorld();
    const [ann, bob] = world.spawnMany(2) as [Entity, Entity];
    const eve = world.spawn(Likes({ people: [ann] }), Ties({ people: [{ target: ann, strength: 1 }] }));
    const read: readonly unknown[] = [
      targetsOf(world, eve, Likes, "people"),
      targetsOf(world, ann, Likes, "people"),
      world.get(eve, Likes)?.people,
      pairsOf(world, eve, Ties, "people"),
      world.get(eve, Ties)?.people,
      referrersOf(world, ann, Likes, "people"),
      referrersOf(world, bob, Likes, "people"),
    ];
    for (const list of read) expect(() => (list as unknown[]).push(bob)).toThrow(TypeError);
    const pair = pairOf(world, eve, Ties, "people", ann) as { strength: number };
    expect(() => {
      pair.strength = 7;
    }).toThrow(TypeError);
    expect(checkWorld(world)).toEqual([]);
  });

  it("does not report data that equals the stored value once it is rounded", () => {
    const world = strictWorld();
    const ann = world.spawn();
    const eve = world.spawn(Ties({ people: [{ target: ann, strength: 0.1 }] }));
    let count = 0;
    observe(world, Ties, { set: () => count++ });
    setPair(world, eve, Ties, "people", ann, { strength: 0.1 });
    expect(count).toBe(0);
    setPair(world, eve, Ties, "people", ann, { strength: 0.2 });
    expect(count).toBe(1);
  });
});

describe("observers of a component that is removed with its target", () => {
  it("run once for an owner of two targets that go together", () => {
    const world = strictWorld();
    const [a, b] = world.spawnMany(2) as [Entity, Entity];
    const owner = world.spawn(Buffs({ from: [a, b] }));
    const seen: Entity[] = [];
    observe(world, Buffs, { removing: (entity) => seen.push(entity) });
    const tree = createHierarchy(world);
    tree.attach(b, a);
    tree.destroy(a);
    expect(seen).toEqual([owner]);
    expect(world.has(owner, Buffs)).toBe(false);
  });

  it("run once for an owner that is destroyed in the same call", () => {
    const world = strictWorld();
    const tree = createHierarchy(world);
    const target = world.spawn();
    const owner = tree.attachNew(target, Buff({ from: target }));
    const seen: Entity[] = [];
    observe(world, Buff, { removing: (entity) => seen.push(entity) });
    tree.destroy(target);
    expect(seen).toEqual([owner]);
    expect(world.count).toBe(0);
  });
});

describe("a field that is not a reference", () => {
  it("is named as such in the error, even in a component without references", () => {
    const Health = component("Health", { hp: f32(100) });
    const world = strictWorld();
    const e = world.spawn(Health);
    const find = () => referrersOf(world, e, Health as never, "hp" as never);
    expect(find).toThrow(/Health\.hp is not a reference, Health holds f32 there/);
  });
});

describe("scene.destroy", () => {
  it("destroys roots that refuse to lose each other", () => {
    const world = strictWorld();
    const tree = createHierarchy(world);
    const format = createSceneFormat({ components: [Keeps] });
    const scene = format.load(
      tree,
      `{ "entities": [
        { "id": "a", "components": { "Keeps": { "what": "b" } } },
        { "id": "b", "components": { "Keeps": { "what": "a" } } }
      ] }`,
    );
    scene.destroy();
    expect(world.count).toBe(0);
  });
});

describe("required components", () => {
  it("are refused when there is a cycle after the first step", () => {
    const B: Tag = component("B", {}, { requires: () => [C] });
    const C: Tag = component("C", {}, { requires: () => [B] });
    const A = component("A", {}, { requires: [B, C] });
    const world = strictWorld();
    expect(() => world.spawn(A)).toThrow(InvalidSchemaError);
    expect(world.count).toBe(0);
  });

  it("do not follow an array that is changed afterwards", () => {
    const [A, B] = [component("A", {}), component("B", {})];
    const list = [A];
    const Both = component("Both", {}, { requires: list });
    list.push(B);
    const world = strictWorld();
    const e = world.spawn(bundle("Only", Both));
    expect([world.has(e, A), world.has(e, B)]).toEqual([true, false]);
  });
});
