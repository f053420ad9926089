import { checkWorld, component, createWorld, entityRef, f32, object, tag, type World } from "espalier";
import { createHierarchy, createUpHierarchy, type Hierarchy, sortChildren } from "espalier/hierarchy";
import {
  applyPatch,
  ChangesLostError,
  createHistory,
  followChanges,
  InvalidHistoryError,
  type PatchEntry,
  type StreamPatch,
  transaction,
} from "espalier/history";
import { stateOf as internals } from "espalier/internal";
import { createTransforms2D, Transform2D } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";
import { act, all, attempt, create, type Kind, kinds, perform } from "./acts.ts";

const Health = component("Health", { hp: f32(100) });

/** What a follower must agree on: which entities there are, with which values, in which order below which parents. */
function seen(world: World, tree: Hierarchy | undefined): unknown {
  const components = [...internals(world).byName.values()].filter(({ reserved }) => reserved === undefined);
  const valuesOf = (entity: never) =>
    components
      .filter(({ component }) => world.has(entity, component))
      .map(({ component }) => [component.name, world.get(entity, component as never)])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  const linksOf = (entity: never) => [tree?.parentOf(entity), tree?.childrenOf(entity), tree?.nameOf(entity)];
  return {
    roots: tree === undefined ? [] : [...tree.roots()],
    entities: world.entities().map((entity) => [entity, linksOf(entity as never), valuesOf(entity as never)]),
  };
}

/** A second world that follows the first one through JSON only. */
function createFollower({ tree, transforms = false }: Kind) {
  const world = createWorld();
  const own = tree === undefined ? undefined : createHierarchy(world);
  if (transforms) createTransforms2D(own as Hierarchy);
  const options = { trees: own === undefined ? [] : [own], components: [...all, Transform2D] };
  return {
    world,
    tree: own,
    follow: (patch: StreamPatch) => applyPatch(world, JSON.parse(JSON.stringify(patch)), options),
  };
}

describe("a second world that follows", () => {
  it.each(Object.keys(kinds))("is like the first one whenever it has read: %s", (name) => {
    const kind = kinds[name] as Kind;
    property(
      fc.array(act, { minLength: 5, maxLength: 40 }),
      (acts) => {
        const { scene, history } = create(kind);
        const { world, tree } = scene;
        const stream = followChanges(world, { trees: tree === undefined ? [] : [tree] });
        const follower = createFollower(kind);
        acts.forEach((each, k) => {
          const way = each[3] % 11;
          if (way === 0) history.undo();
          else if (way === 1) history.redo();
          else attempt(() => history.step(`step ${k}`, () => perform(scene, each)));
          if (each[1] % 3 !== 0) return;
          follower.follow(stream.read().patch);
          expect(seen(follower.world, follower.tree)).toEqual(seen(world, tree));
        });
        follower.follow(stream.read().patch);
        expect(seen(follower.world, follower.tree)).toEqual(seen(world, tree));
        expect(checkWorld(follower.world)).toEqual([]);
        expect(stream.read().patch).toEqual([]);
        stream.close();
      },
      25,
    );
  });

  it("gets references and parents that exist again because an entity came back", () => {
    const Link = component("Link", { to: entityRef() });
    const start = () => {
      const world = createWorld();
      return { world, up: createUpHierarchy(world, { name: "up" }) };
    };
    const { world, up } = start();
    const history = createHistory(world);
    const stream = followChanges(world, { trees: [up] });
    const target = world.spawn();
    const other = world.spawn(Link({ to: target }));
    up.attach(other, target);
    const copy = start();
    const options = { trees: [copy.up], components: [Link] };
    const follow = () => applyPatch(copy.world, JSON.parse(JSON.stringify(stream.read().patch)), options);
    const seen = () => [copy.world.get(other, Link)?.to, copy.up.parentOf(other)];
    follow();
    expect(seen()).toEqual([target, target]);
    history.step("destroy the target", () => world.destroy(target));
    history.step("destroy the other", () => world.destroy(other));
    follow();
    history.undo();
    follow();
    expect(seen()).toEqual([null, null]);
    history.undo();
    follow();
    expect(seen()).toEqual([target, target]);
    expect(stream.read().patch).toEqual([]);
  });

  it("is like the first one through 100,000 random edits of a tree", () => {
    const source = createWorld();
    const tree = createHierarchy(source);
    const stream = followChanges(source, { trees: [tree] });
    const follower = createFollower({ tree: "before" });
    let state = 12345;
    const random = (below: number) => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
      return (state >> 8) % below;
    };
    const options = { trees: [follower.tree as Hierarchy], components: [Health] };
    let entities = [source.spawn(Health)];
    for (let k = 0; k < 100_000; k++) {
      const one = entities[random(entities.length)];
      const other = entities[random(entities.length)];
      const edits = [
        () => entities.length < 300 && entities.push(tree.attachNew(one, Health({ hp: random(100) }))),
        () => source.has(one, Health) && source.set(one, Health, { hp: random(100) }),
        () => (source.has(one, Health) ? source.remove(one, Health) : source.add(one, Health)),
        () => tree.canAttach(one, other) && tree.attach(one, other, { at: "first" }),
        () => tree.detach(one),
        () => tree.setName(one, `n${random(20)}`),
        () => sortChildren(tree, one, (a, b) => b - a),
        () => {
          if (entities.length < 200) return;
          tree.destroy(one);
          entities = source.entities();
          if (entities.length === 0) entities.push(source.spawn(Health));
        },
      ];
      edits[random(edits.length)]?.();
      if (k % 100 !== 99) continue;
      applyPatch(follower.world, JSON.parse(JSON.stringify(stream.read().patch)), options);
      if (k % 2000 === 1999) expect(seen(follower.world, follower.tree)).toEqual(seen(source, tree));
    }
  });
});

describe("a stream of changes", () => {
  function createSource() {
    const world = createWorld();
    const tree = createHierarchy(world);
    return { world, tree, stream: followChanges(world, { trees: [tree] }) };
  }

  it("reports the final state, parents first, once", () => {
    const { world, tree, stream } = createSource();
    const gun = world.spawn(Health);
    const tank = world.spawn(Health({ hp: 5 }));
    tree.attach(gun, tank);
    world.set(gun, Health, { hp: 1 });
    world.set(gun, Health, { hp: 2 });
    world.destroy(world.spawn());
    expect(stream.read().patch).toEqual([
      {
        op: "add",
        id: tank,
        components: { Health: { hp: 5 } },
        positions: { tree: { parent: null, after: null } },
      },
      {
        op: "add",
        id: gun,
        components: { Health: { hp: 2 } },
        positions: { tree: { parent: tank, after: null } },
      },
    ]);
    tree.setName(gun, "gun");
    world.add(gun, tag("Hot"));
    world.remove(tank, Health);
    expect(stream.read().patch).toEqual(
      expect.arrayContaining([
        { op: "set", id: gun, tree: "tree", name: "gun" },
        { op: "set", id: gun, component: "Hot", values: {} },
        { op: "set", id: tank, component: "Health", values: null },
      ]),
    );
    world.destroy(tank);
    expect(stream.read().patch).toEqual([{ op: "remove", id: tank, tree: "tree" }]);
  });

  it("numbers its batches, each beginning where the one before it ended", () => {
    const { world, stream } = createSource();
    const start = stream.sequence;
    world.spawn();
    const first = stream.read();
    expect(first.from).toBe(start);
    expect(first.to).toBeGreaterThan(first.from);
    world.spawn();
    const second = stream.read();
    expect(second.from).toBe(first.to);
    expect(stream.sequence).toBe(second.to);
    expect(stream.read()).toEqual({ epoch: stream.epoch, from: second.to, to: second.to, patch: [] });
  });

  it("serves followers at different positions until it may forget", () => {
    const { world, stream } = createSource();
    const start = stream.sequence;
    const a = world.spawn();
    const middle = stream.since(start);
    const b = world.spawn();
    expect(
      stream
        .since(start)
        .patch.map((entry) => (entry as PatchEntry).id)
        .sort(),
    ).toEqual([a, b].sort());
    expect(stream.since(middle.to).patch.map((entry) => (entry as PatchEntry).id)).toEqual([b]);
    stream.forget(middle.to);
    expect(() => stream.since(start)).toThrow(ChangesLostError);
    expect(stream.since(middle.to).patch.map((entry) => (entry as PatchEntry).id)).toEqual([b]);
    expect(() => stream.since(middle.to + 0.5)).toThrow("no batch ended there");
  });

  it("throws when more changes were pending than it may keep, and continues from there", () => {
    const world = createWorld();
    const stream = followChanges(world, { maxBytes: 4096 });
    for (let k = 0; k < 10_000; k++) world.spawn(Health);
    expect(() => stream.read()).toThrow(ChangesLostError);
    stream.read();
    const last = world.spawn(Health);
    expect(stream.read().patch.map((entry) => (entry as PatchEntry).id)).toEqual([last]);
  });

  it("loses nothing when 100,000 entities are loaded between two reads", () => {
    const world = createWorld();
    const stream = followChanges(world);
    world.spawnMany(100_000, Health);
    expect(stream.read().patch).toHaveLength(100_000);
  });

  it("does not report what a transaction rolled back, and reports the reversal of what it had reported", () => {
    const { world, stream } = createSource();
    const one = world.spawn(Health);
    stream.read();
    const fail = (read: boolean) =>
      expect(() =>
        transaction(world, () => {
          world.set(one, Health, { hp: 1 });
          if (read) stream.read();
          throw new Error("taken back");
        }),
      ).toThrow("taken back");
    fail(false);
    expect(stream.read().patch).toEqual([]);
    fail(true);
    expect(stream.read().patch).toEqual([{ op: "set", id: one, component: "Health", values: { hp: 100 } }]);
  });

  it("reports undo and redo, loops and references", () => {
    const Target = component("Target", { to: entityRef(), notes: object(() => ({ a: 1 })) });
    const world = createWorld();
    const history = createHistory(world);
    const stream = followChanges(world);
    const [one, two] = [world.spawn(Health), world.spawn(Health)];
    world.add(one, Target({ to: two }));
    stream.read();
    history.step("hit", () =>
      world.query(Health).update((health) => {
        health.hp -= 1;
      }),
    );
    expect(stream.read().patch.map((entry) => "values" in entry && entry.values)).toEqual([
      { hp: 99 },
      { hp: 99 },
    ]);
    history.undo();
    expect(stream.read().patch.map((entry) => "values" in entry && entry.values)).toEqual([
      { hp: 100 },
      { hp: 100 },
    ]);
    world.set(one, Target, { to: null });
    expect(stream.read().patch).toEqual([{ op: "set", id: one, component: "Target", values: { to: null } }]);
  });

  it("follows hierarchies of parents only, and the chosen components", () => {
    const world = createWorld();
    const links = createUpHierarchy(world);
    const stream = followChanges(world, { trees: [links], components: (name) => name !== "Health" });
    const [one, two] = world.spawnMany(2, Health);
    links.attach(one, two);
    expect(stream.read().patch).toEqual(
      expect.arrayContaining([
        { op: "add", id: one, components: {}, positions: { links: { parent: two } } },
        { op: "add", id: two, components: {}, positions: {} },
      ]),
    );
  });

  it("costs nothing once it is closed, and refuses to be read", () => {
    const { world, stream } = createSource();
    expect(internals(world).recorder.wanted).toBe(true);
    stream.close();
    stream.close();
    expect(internals(world).recorder.wanted).toBe(false);
    expect(() => stream.read()).toThrow(InvalidHistoryError);
  });

  it("refuses what is not an option it has", () => {
    const world = createWorld();
    expect(() => followChanges({} as World)).toThrow("Expected a world");
    expect(() => followChanges(world, { maxBytes: -1 })).toThrow(InvalidHistoryError);
    expect(() => followChanges(world, { components: "Health" as never })).toThrow(InvalidHistoryError);
    expect(() => followChanges(world, { trees: [createHierarchy(createWorld())] })).toThrow("another world");
  });
});
