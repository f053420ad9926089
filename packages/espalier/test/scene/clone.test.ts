import { component, type Entity, entityRef, object } from "espalier";
import { createHierarchy, depthLimit } from "espalier/hierarchy";
import { clone, createSceneFormat, withCodec } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { strictWorld } from "../testing.ts";
import { Aim, Bag, emptyTree, expectSound, Frozen, Health, Label, shapeOf, valuesOf } from "./scenes.ts";

describe("clone", () => {
  it("copies the subtree with components, names and order, right behind the original", () => {
    const tree = emptyTree();
    const { world } = tree;
    const level = world.spawn();
    const tank = tree.attachNew(level, Health({ hp: 7 }), Frozen);
    const [a, b, c] = ["a", "b", "c"].map((text) => tree.attachNew(tank, Label({ text })));
    tree.moveChild(c!, "first");
    tree.attachNew(b!, Label({ text: "d" }));
    tree.attachNew(level, Label({ text: "rock" }));
    tree.setName(tank, "tank");
    tree.setName(a!, "a");
    const copy = clone(tree, tank);
    expect(tree.indexOf(copy)).toBe(1);
    const text = (entity: Entity) => world.get(entity, Label)?.text ?? tree.nameOf(entity) ?? "-";
    expect(shapeOf(tree, [level], text)).toBe("-(tank(c a b(d)) tank(c a b(d)) rock)");
    expect(valuesOf(world, copy)).toEqual(valuesOf(world, tank));
    world.set(copy, Health, { hp: 1 });
    expect(world.get(tank, Health)?.hp).toBe(7);
    expectSound(tree);
  });

  it("turns references inside to the copy and leaves those outside", () => {
    const tree = emptyTree();
    const { world } = tree;
    const outside = world.spawn();
    const tank = world.spawn(Aim({ at: outside }));
    const turret = tree.attachNew(tank, Aim({ at: tank, from: outside }));
    world.set(tank, Aim, { from: turret });
    const map = new Map<Entity, Entity>();
    const copy = clone(tree, tank, { map });
    expect(world.get(copy, Aim)).toEqual({ at: outside, from: map.get(turret) });
    expect(world.get(map.get(turret)!, Aim)).toEqual({ at: copy, from: outside });
    expect(world.get(tank, Aim)).toEqual({ at: outside, from: turret });
    expect(map.size).toBe(2);
  });

  it("is attached at the given parent and position", () => {
    const tree = emptyTree();
    const { world } = tree;
    const [a, b] = [world.spawn(), world.spawn()];
    const child = tree.attachNew(a);
    const first = clone(tree, child, { parent: b, name: "x" });
    const second = clone(tree, child, { parent: b, before: first });
    const third = clone(tree, a, { parent: a, at: 0 });
    expect(tree.childrenOf(b)).toEqual([second, first]);
    expect(tree.nameOf(first)).toBe("x");
    expect(tree.childrenOf(a)).toEqual([third, child]);
    expect(tree.childrenOf(clone(tree, a, { parent: null })).length).toBe(2);
    expectSound(tree);
  });

  it("numbers names where siblings must have different ones", () => {
    const tree = createHierarchy(strictWorld(), { uniqueNames: true });
    const tank = tree.world.spawn();
    tree.setName(tank, "tank");
    expect(tree.nameOf(clone(tree, tank))).toBe("tank 2");
    expect(tree.nameOf(clone(tree, tank))).toBe("tank 3");
  });

  it("copies plain objects, arrays, maps, sets, dates and buffers, and shares other instances", () => {
    class Texture {}
    const texture = new Texture();
    const shared = { n: 1 };
    const items: unknown[] = [
      shared,
      shared,
      new Map([["k", [1]]]),
      new Set([shared]),
      new Date(5),
      new Float32Array([1, 2]),
      new Uint8Array([3]).buffer,
      texture,
    ];
    items.push(items);
    const tree = emptyTree();
    const copy = clone(tree, tree.world.spawn(Bag({ items })));
    const copied = tree.world.get(copy, Bag)?.items as unknown[];
    expect(copied).not.toBe(items);
    expect(copied.slice(0, 7)).toEqual(items.slice(0, 7));
    copied.slice(0, 7).forEach((item, k) => {
      expect(item).not.toBe(items[k]);
    });
    expect(copied[0]).toBe(copied[1]);
    expect(copied[7]).toBe(texture);
    expect(copied[8]).toBe(copied);
  });

  it("copies values with the given function", () => {
    const tree = emptyTree();
    const bag = tree.world.spawn(Bag({ items: [1] }));
    const copy = clone(tree, bag, { copy: (value, { name }, field) => [name, field, value] });
    expect(tree.world.get(copy, Bag)).toEqual({ items: ["Bag", "items", [1]], owner: ["Bag", "owner", {}] });
  });

  it("follows references inside objects when a codec knows them", () => {
    const Party = component("Party", { members: object((): Entity[] => []), leader: entityRef() });
    const format = createSceneFormat({
      components: [
        withCodec(Party, {
          fields: {
            members: {
              references: true,
              write: (members, { idOf }) => members.map((member) => idOf(member)),
              read: (json, { entity }) => (json as string[]).map(entity),
            },
          },
        }),
      ],
    });
    const tree = emptyTree();
    const outside = tree.world.spawn();
    const lead = tree.world.spawn(Party);
    const second = tree.attachNew(lead);
    tree.world.set(lead, Party, { members: [lead, second, outside], leader: second });
    const map = new Map<Entity, Entity>();
    const copy = format.clone(tree, lead, { map });
    expect(tree.world.get(copy, Party)).toEqual({
      members: [copy, map.get(second), outside],
      leader: map.get(second),
    });
  });

  it("rolls everything back when the hierarchy refuses", () => {
    const tree = createHierarchy(strictWorld(), { limits: depthLimit({ max: 2 }) });
    const a = tree.world.spawn();
    const b = tree.attachNew(tree.attachNew(a));
    expect(() => clone(tree, a, { parent: b })).toThrow("[hierarchy/too-deep]");
    expect(tree.world.count).toBe(3);
    expectSound(tree);
  });
});
