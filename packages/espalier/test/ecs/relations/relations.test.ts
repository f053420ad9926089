import {
  addTarget,
  any,
  checkWorld,
  component,
  createCommands,
  DEVELOPMENT,
  type Entity,
  entityRef,
  entityRefs,
  f32,
  hasTarget,
  indexedRef,
  inspect,
  type NarrowingTerm,
  not,
  object,
  observe,
  observeEntities,
  optional,
  pairOf,
  referredBy,
  referrerCount,
  referrersOf,
  refersTo,
  removeTarget,
  setPair,
  setTarget,
  string,
  tag,
  targetsOf,
  toTable,
  u32,
} from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { applyPatch, createHistory } from "espalier/history";
import { describe, expect, it } from "vitest";
import { modes, refused, strictWorld } from "../../testing.ts";

const Health = component("Health", { hp: f32(100) });
const Targets = component("Targets", { enemy: indexedRef(), range: f32(5) });
const Inventory = component("Inventory", { items: entityRefs({ data: { amount: u32(1) } }) });
const Likes = component("Likes", { people: entityRefs() });
const Wheel = component("Wheel", { of: indexedRef({ onTargetDestroyed: "destroyOwner" }) });
const Keeps = component("Keeps", { what: indexedRef({ onTargetDestroyed: "refuse" }) });
const Buff = component("Buff", { from: indexedRef({ onTargetDestroyed: "removeComponent" }) });
const Plain = component("Plain", { at: entityRef() });
const Elite = tag("Elite");

describe.each(modes)("an indexed reference ($mode)", ({ generate }) => {
  it("knows its referrers through spawn, set, a view, touch, remove and destroy", () => {
    const world = strictWorld({ generate });
    const [orc, wolf] = world.spawnMany(2) as [Entity, Entity];
    const [a, b] = world.spawnMany(2, Targets({ enemy: orc })) as [Entity, Entity];
    const ask = (target: Entity) => referrersOf(world, target, Targets, "enemy");
    expect(ask(orc)).toEqual([a, b]);
    world.set(a, Targets, { enemy: wolf });
    expect([ask(orc), ask(wolf)]).toEqual([[b], [a]]);
    world.query(Targets).update((targets) => {
      targets.enemy = wolf;
    });
    expect([ask(orc), ask(wolf)]).toEqual([[], [a, b]]);
    world.columns(Targets).enemy[a] = orc;
    world.touch(a, Targets);
    expect([ask(orc), ask(wolf)]).toEqual([[a], [b]]);
    world.remove(a, Targets);
    world.destroy(b);
    expect([ask(orc), ask(wolf)]).toEqual([[], []]);
    expect(referrerCount(world, orc, Targets, "enemy")).toBe(0);
    expect(checkWorld(world)).toEqual([]);
  });

  it("grows with its world", () => {
    const world = strictWorld({ generate, capacity: 2 });
    const hub = world.spawn();
    const owners = world.spawnMany(500, Targets({ enemy: hub }));
    expect(referrersOf(world, hub, Targets, "enemy")).toEqual(owners);
    expect(checkWorld(world)).toEqual([]);
  });

  it("becomes null when its target is destroyed, and observers are notified", () => {
    const world = strictWorld({ generate });
    const orc = world.spawn();
    const knight = world.spawn(Targets({ enemy: orc }));
    const seen: unknown[] = [];
    observe(world, Targets, { set: (entity) => seen.push([entity, world.get(entity, Targets)?.enemy]) });
    world.destroy(orc);
    expect(seen).toEqual([[knight, null]]);
    expect(world.spawn()).not.toBe(orc);
    expect(world.get(knight, Targets)?.enemy).toBe(null);
  });

  it("may lead to its owner and form cycles", () => {
    const world = strictWorld({ generate });
    const [a, b] = world.spawnMany(2, Targets) as [Entity, Entity];
    world.set(a, Targets, { enemy: b });
    world.set(b, Targets, { enemy: a });
    expect([a, b].map((e) => referrersOf(world, e, Targets, "enemy"))).toEqual([[b], [a]]);
    world.set(a, Targets, { enemy: a });
    expect(referrersOf(world, a, Targets, "enemy")).toEqual([a, b]);
    world.destroy(a);
    expect(checkWorld(world)).toEqual([]);
  });

  it("refuses targets that are dead or of no entity, wherever they are written", () => {
    const world = strictWorld({ generate });
    const orc = world.spawn();
    const knight = world.spawn(Targets, Inventory);
    world.destroy(orc);
    const codes = [
      () => world.spawn(Targets({ enemy: orc })),
      () => world.set(knight, Targets, { enemy: orc }),
      () => world.set(knight, Targets({ enemy: orc })),
      () => world.add(knight, Targets({ enemy: orc })),
      () =>
        world.query(Targets).update((targets) => {
          targets.enemy = orc;
        }),
      () => world.set(knight, Inventory, { items: [{ target: orc, amount: 1 }] }),
      () => addTarget(world, knight, Inventory, "items", orc),
      () => setTarget(world, knight, Targets, "enemy", orc),
      () => world.set(knight, Targets, { enemy: 999 as Entity }),
    ].map((edit) => (refused(world, edit) as Error & { code: string }).code);
    expect(codes).toEqual(codes.map(() => "ecs/dead-entity"));
    expect(() => world.set(knight, Targets, { enemy: "orc" as never })).toThrow("[ecs/invalid-value]");
  });
});

describe("a policy for destroyed targets", () => {
  it("destroys owners, and theirs, and ends in a cycle", () => {
    const world = strictWorld();
    const [a, b, c, other] = world.spawnMany(4, Wheel) as [Entity, Entity, Entity, Entity];
    world.set(a, Wheel, { of: b });
    world.set(b, Wheel, { of: c });
    world.set(c, Wheel, { of: a });
    world.destroy(b);
    expect(world.entities()).toEqual([other]);
    expect(checkWorld(world)).toEqual([]);
  });

  it("destroys a chain of 200,000 owners without recursion", () => {
    const world = strictWorld();
    const chain = world.spawnMany(200_000, Wheel);
    for (let k = 1; k < chain.length; k++)
      world.set(chain[k] as Entity, Wheel, { of: chain[k - 1] as Entity });
    world.destroy(chain[0] as Entity);
    expect(world.count).toBe(0);
  });

  it("takes owners along together with a subtree, and undo brings all back", () => {
    const world = strictWorld();
    const tree = createHierarchy(world);
    const history = createHistory(world);
    const car = world.spawn();
    const body = tree.attachNew(car);
    const wheel = world.spawn(Wheel({ of: body }));
    const cap = tree.attachNew(wheel);
    const fan = world.spawn(Likes({ people: [wheel, car] }));
    history.commit();
    history.step("crash", () => world.destroy(car));
    expect(world.entities()).toEqual([fan]);
    expect(targetsOf(world, fan, Likes, "people")).toEqual([]);
    history.undo();
    expect(world.count).toBe(5);
    expect(tree.parentOf(cap)).toBe(wheel);
    expect(referrersOf(world, body, Wheel, "of")).toEqual([wheel]);
    expect(targetsOf(world, fan, Likes, "people")).toEqual([wheel, car]);
    history.redo();
    expect(world.entities()).toEqual([fan]);
    expect(checkWorld(world)).toEqual([]);
  });

  it("refuses while an owner lives that does not go too", () => {
    const world = strictWorld();
    const chest = world.spawn();
    const keeper = world.spawn(Keeps({ what: chest }));
    const error = refused(world, () => world.destroy(chest)) as Error & { entities: Entity[]; field: string };
    expect(error.message).toContain(`Cannot destroy #1: #2 refers to it in Keeps.what, which refuses that.`);
    expect([error.entities, error.field]).toEqual([[chest, keeper], "what"]);
    world.destroy(chest, keeper);
    expect(world.count).toBe(0);
  });

  it("removes the component, with its observers", () => {
    const world = strictWorld();
    const priest = world.spawn();
    const knight = world.spawn(Buff({ from: priest }), Health);
    const seen: unknown[] = [];
    observe(world, Buff, {
      removing: (entity) => seen.push(["removing", entity, world.isAlive(priest)]),
      remove: (entity, values) => seen.push(["remove", entity, values.from]),
    });
    world.destroy(priest);
    expect(world.has(knight, Buff)).toBe(false);
    expect(seen).toEqual([
      ["removing", knight, true],
      ["remove", knight, null],
    ]);
    expect(checkWorld(world)).toEqual([]);
  });

  it("destroys an owner that an observer made refer to what is about to go", () => {
    const world = strictWorld();
    const car = world.spawn();
    const late = world.spawn(Wheel);
    observeEntities(world, {
      destroying: (entity) => {
        if (entity === car) world.set(late, Wheel, { of: car });
      },
    });
    world.destroy(car);
    expect(world.count).toBe(0);
    expect(checkWorld(world)).toEqual([]);
  });

  it("does not apply to a patch, which lists itself what is removed", () => {
    const world = strictWorld();
    const [chest, box] = world.spawnMany(2) as [Entity, Entity];
    const keeper = world.spawn(Keeps({ what: chest }));
    const wheel = world.spawn(Wheel({ of: chest }));
    applyPatch(world, [
      { op: "remove", id: chest },
      { op: "set", id: keeper, component: "Keeps", values: { what: box } },
      { op: "set", id: wheel, component: "Wheel", values: { of: box } },
    ]);
    expect(world.get(keeper, Keeps)).toEqual({ what: box });
    expect(world.get(wheel, Wheel)).toEqual({ of: box });
    expect(checkWorld(world)).toEqual([]);
  });
});

describe("several references", () => {
  it("keep their order, each once, with data for each pair", () => {
    const world = strictWorld();
    const [sword, arrow, bow] = world.spawnMany(3) as [Entity, Entity, Entity];
    const hero = world.spawn(Inventory({ items: [{ target: sword, amount: 1 }] }));
    expect(addTarget(world, hero, Inventory, "items", arrow, { amount: 20 })).toBe(true);
    expect(addTarget(world, hero, Inventory, "items", bow)).toBe(true);
    expect(addTarget(world, hero, Inventory, "items", arrow, { amount: 21 })).toBe(false);
    setPair(world, hero, Inventory, "items", bow, { amount: 2 });
    expect(world.get(hero, Inventory)).toEqual({
      items: [
        { target: sword, amount: 1 },
        { target: arrow, amount: 21 },
        { target: bow, amount: 2 },
      ],
    });
    expect(hasTarget(world, hero, Inventory, "items", bow)).toBe(true);
    expect(removeTarget(world, hero, Inventory, "items", sword)).toBe(true);
    expect(removeTarget(world, hero, Inventory, "items", sword)).toBe(false);
    expect(pairOf(world, hero, Inventory, "items", sword)).toBe(undefined);
    expect(referrersOf(world, arrow, Inventory, "items")).toEqual([hero]);
    world.destroy(arrow);
    expect(targetsOf(world, hero, Inventory, "items")).toEqual([bow]);
    expect(checkWorld(world)).toEqual([]);
  });

  it("keep the data of a pair that is not given, and are written only where some of it differs", () => {
    const Ties = component("Ties", {
      people: entityRefs({ data: { since: u32(1), close: f32(0.5), name: string() } }),
    });
    const world = strictWorld();
    const [ann, eve, owner] = [world.spawn(), world.spawn(), world.spawn(Ties)];
    const set: Entity[] = [];
    observe(world, Ties, { set: (entity) => set.push(entity) });
    addTarget(world, owner, Ties, "people", ann);
    addTarget(world, owner, Ties, "people", eve, { since: 7, name: "sister" });
    set.length = 0;
    const slow = new Map<Entity, { since: number; close: number; name: string }>([
      [ann, { since: 1, close: 0.5, name: "" }],
      [eve, { since: 7, close: 0.5, name: "sister" }],
    ]);
    const values = { since: [1, 7, 9], close: [0.5, 0.1], name: ["", "friend"] };
    const fields = ["since", "close", "name"] as const;
    // Every combination of what is given, for both: the values that are there, and others.
    for (let k = 0; k < 4 ** 3 * 2; k++) {
      const target = k % 2 === 0 ? ann : eve;
      const was = slow.get(target)!;
      const given = Object.fromEntries(
        fields.flatMap((field, f) => {
          const choice = (k >> (1 + f * 2)) & 3;
          return choice === 0 ? [] : [[field, values[field][choice % values[field].length]]];
        }),
      ) as Partial<typeof was>;
      const now = { ...was, ...given };
      now.close = Math.fround(now.close);
      setPair(world, owner, Ties, "people", target, given);
      expect(pairOf(world, owner, Ties, "people", target)).toEqual({ target, ...now });
      const differs = fields.some((field) => was[field] !== now[field]);
      expect(set).toEqual(differs ? [owner] : []);
      set.length = 0;
      slow.set(target, now);
    }
    expect(referrersOf(world, ann, Ties, "people")).toEqual([owner]);
    expect(checkWorld(world)).toEqual([]);
  });

  it("refuse a target twice, unknown data and values that do not fit", () => {
    const world = strictWorld();
    const sword = world.spawn();
    const hero = world.spawn(Inventory, Likes, Targets);
    for (const edit of [
      () => world.set(hero, Likes, { people: [sword, sword] }),
      () => world.set(hero, Likes, { people: sword as never }),
      () => world.set(hero, Inventory, { items: [{ target: sword, amount: -1 }] }),
      () => addTarget(world, hero, Inventory, "items", sword, { amount: 1.5 }),
      () => addTarget(world, hero, Inventory, "items", sword, { weight: 1 } as never),
      () => addTarget(world, hero, Likes, "people", sword, { amount: 1 } as never),
    ]) {
      expect(refused(world, edit)).toMatchObject({ code: "ecs/invalid-value" });
    }
    for (const edit of [
      () => setPair(world, hero, Inventory, "items", sword, { amount: 1 }),
      () => setTarget(world, hero, Likes, "people" as never, null),
      () => targetsOf(world, hero, Targets, "enemy" as never),
      () => targetsOf(world, hero, Targets, "range" as never),
      () => referrersOf(world, hero, Targets, "nothing" as never),
      () => world.query(referredBy(Plain, "at")),
    ]) {
      expect(refused(world, edit)).toMatchObject({ code: "ecs/relation" });
    }
    world.remove(hero, Likes);
    expect(refused(world, () => addTarget(world, hero, Likes, "people", sword))).toMatchObject({
      code: "ecs/missing-component",
    });
    expect(() => indexedRef({ onTargetDestroyed: "removePair" as never })).toThrow("[ecs/invalid-schema]");
    expect(() => entityRefs({ onTargetDestroyed: "null" as never })).toThrow("[ecs/invalid-schema]");
    expect(() => entityRefs({ data: { target: f32() } })).toThrow("[ecs/invalid-schema]");
    expect(() => entityRefs({ data: { on: object(() => 1) } })).toThrow("[ecs/invalid-schema]");
  });

  it("are not an option of entityRef(), which refuses options in every build", () => {
    const make = entityRef as (options?: unknown) => unknown;
    for (const options of [{ index: true }, { onTargetDestroyed: "refuse" }, {}, null]) {
      expect(() => make(options)).toThrow(DEVELOPMENT ? "Use indexedRef()" : "ecs/invalid-schema");
    }
    expect(make(undefined)).toEqual(entityRef());
  });

  it("are written by a command buffer, and shown by inspect and tables", () => {
    const world = strictWorld();
    const [ann, bob] = world.spawnMany(2) as [Entity, Entity];
    const commands = createCommands(world);
    const eve = commands.spawn(Likes({ people: [ann] }));
    commands.set(eve, Likes, { people: [ann, bob] });
    commands.flush();
    expect(inspect(world, bob).computed).toContainEqual({
      name: "referredBy",
      value: { "Likes.people": [eve] },
    });
    expect(toTable(world.query(Likes))).toEqual([{ Entity: "#3", "Likes.people": "#1, #2" }]);
  });

  it("do not report a write of what exists", () => {
    const world = strictWorld();
    const ann = world.spawn();
    const eve = world.spawn(Likes({ people: [ann] }));
    let count = 0;
    observe(world, Likes, { set: () => count++ });
    world.set(eve, Likes, { people: [ann] });
    addTarget(world, eve, Likes, "people", ann);
    expect(count).toBe(0);
  });
});

describe.each(modes)("terms of relations ($mode)", ({ generate }) => {
  function scene() {
    const world = strictWorld({ generate });
    const orc = world.spawn(Health({ hp: 10 }), Elite);
    const wolf = world.spawn(Health({ hp: 20 }));
    const rock = world.spawn();
    const a = world.spawn(Targets({ enemy: orc }));
    const b = world.spawn(Targets({ enemy: wolf }));
    const c = world.spawn(Targets({ enemy: rock }));
    const d = world.spawn(Targets);
    const fan = world.spawn(Likes({ people: [rock, wolf, orc] }));
    return { world, orc, wolf, rock, a, b, c, d, fan };
  }

  it("give the values of the target", () => {
    const { world, orc, wolf, fan } = scene();
    const seen: number[] = [];
    world.query(Targets, refersTo(Targets, "enemy", Health)).each((_, __, health) => {
      seen.push(health.hp);
      health.hp++;
    });
    expect(seen).toEqual([10, 20]);
    expect([orc, wolf].map((e) => world.get(e, Health)?.hp)).toEqual([11, 21]);
    const term = refersTo(Likes, "people", Health);
    const query = world.query(term);
    expect(query.ids()).toEqual([fan]);
    expect(query.sourceOf(fan, term)).toBe(wolf);
  });

  it("can be negated, optional and alternatives", () => {
    const { world, orc, rock, a, b, c, d } = scene();
    const of = (...terms: NarrowingTerm[]) => world.query(Targets, ...terms).ids();
    expect(of(refersTo(Targets, "enemy"))).toEqual([a, b, c]);
    expect(of(refersTo(Targets, "enemy", orc))).toEqual([a]);
    expect(of(not(refersTo(Targets, "enemy", Health)))).toEqual([c, d]);
    expect(of(any(refersTo(Targets, "enemy", rock), refersTo(Targets, "enemy", Elite)))).toEqual([a, c]);
    expect(of(refersTo(Targets, "enemy", not(Elite)))).toEqual([b, c]);
    expect(of(refersTo(Targets, "enemy", referredBy(Likes, "people")))).toEqual([a, b, c]);
    const seen: unknown[] = [];
    world
      .query(Targets, optional(refersTo(Targets, "enemy", Health)))
      .each((entity, _, health) => seen.push([entity, health?.hp]));
    expect(seen).toEqual([
      [a, 10],
      [b, 20],
      [c, undefined],
      [d, undefined],
    ]);
  });

  it("match in the reverse direction", () => {
    const { world, orc, wolf, rock, fan, a } = scene();
    world.set(a, Targets, { range: 7 });
    expect(world.query(referredBy(Targets, "enemy")).ids().sort()).toEqual([orc, wolf, rock].sort());
    expect(world.query(Health, referredBy(Likes, "people", fan)).ids()).toEqual([wolf, orc]);
    expect(world.query(Health, not(referredBy(Targets, "enemy", a))).ids()).toEqual([wolf]);
    const ranges: number[] = [];
    world
      .query(Health, Elite, referredBy(Targets, "enemy", Targets))
      .update((_, targets) => ranges.push(targets.range));
    expect(ranges).toEqual([7]);
  });

  it("match nothing once the entity they name is dead", () => {
    const { world, orc } = scene();
    const query = world.query(refersTo(Targets, "enemy", orc));
    expect(query.count()).toBe(1);
    world.destroy(orc);
    expect(query.count()).toBe(0);
    expect(refused(world, () => world.query(refersTo(Targets, "enemy", orc)))).toMatchObject({
      code: "ecs/dead-entity",
    });
  });
});
