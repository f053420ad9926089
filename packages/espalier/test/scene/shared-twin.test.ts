/**
 * The same random session in two worlds, one in which a component is shared and one in which it is not. Whatever is done (prefabs,
 * overrides, loops, commands, undo, transactions, snapshots, files, streams), both say the same after every step.
 */
import { isDeepStrictEqual } from "node:util";
import {
  bool,
  changesOf,
  checkWorld,
  component,
  createCommands,
  type Entity,
  enumOf,
  f32,
  not,
  object,
  observe,
  optional,
  shared,
  string,
  tag,
  u8,
  type World,
} from "espalier";
import { createHierarchy, type Hierarchy } from "espalier/hierarchy";
import {
  applyPatch,
  createFollower,
  createHistory,
  createIdMap,
  diff,
  followChanges,
  restoreSnapshot,
  takeSnapshot,
  transaction,
} from "espalier/history";
import {
  clone,
  createSceneFormat,
  instancesIn,
  prefabOf,
  type SceneFile,
  sceneComponents,
  unpackInstance,
} from "espalier/scene";
import fc from "fast-check";
import { expect, it } from "vitest";
import { modes, property, strictWorld, valuesOf } from "../testing.ts";
import { type Random, randomFrom } from "./prefab-twin.ts";

const Position = component("Position", { x: f32(), y: f32() });
const Marked = tag("Marked");

interface Value {
  tint?: number;
  scale?: number;
  text?: string;
  kind?: "stone" | "wood";
  lit?: boolean;
  data?: unknown;
}

function lookOf(storage: "shared" | "dense") {
  return component(
    "Look",
    {
      tint: u8(1),
      scale: f32(1),
      text: string("none"),
      kind: enumOf(["stone", "wood"]),
      lit: bool(),
      data: object((): unknown => ({ parts: [1, 2] })),
    },
    { storage: storage === "shared" ? shared : storage },
  );
}

/** Numbers only: loops over it can be recorded as a copy of the columns. */
function sizeOf(storage: "shared" | "dense") {
  return component(
    "Size",
    { width: f32(1), height: f32(2) },
    { storage: storage === "shared" ? shared : storage },
  );
}

const datas: readonly (() => unknown)[] = [
  () => ({ parts: [1, 2] }),
  () => ({ parts: [1, 2], more: { deep: ["a", null, true] } }),
  () => ({ more: 1, parts: [] }),
  () => [],
  () => "text",
  () => null,
  () => 0,
  () => -0,
];

function lookFor(random: Random): Value {
  const value: Value = {};
  if (random(2) === 0) value.tint = random(3);
  if (random(2) === 0) value.scale = [0, -0, 1, 0.1, 2][random(5)] as number;
  if (random(2) === 0) value.text = ["none", "", "wall", "[]"][random(4)] as string;
  if (random(3) === 0) value.kind = random(2) === 0 ? "stone" : "wood";
  if (random(3) === 0) value.lit = random(2) === 0;
  if (random(3) === 0) value.data = (datas[random(datas.length)] as () => unknown)();
  return value;
}

function unlessSame(now: unknown, next: unknown): unknown {
  return isDeepStrictEqual(now, next) ? now : next;
}

function prefabText(tint: number, text: string): SceneFile {
  return {
    entities: [
      {
        id: "house",
        components: { Look: { tint, text }, Position: { x: 1 } },
        children: [
          {
            id: "door",
            components: { Look: { kind: "wood", data: { parts: [tint] } }, Size: { width: tint } },
          },
          { id: "roof", components: { Look: { lit: true } } },
        ],
      },
    ],
  };
}

interface Side {
  readonly world: World;
  readonly tree: Hierarchy;
  readonly act: (random: Random) => unknown;
  readonly state: () => unknown;
  readonly check: () => void;
}

function makeSide(storage: "shared" | "dense", generate: boolean, recorded: boolean): Side {
  const Look = lookOf(storage);
  const Size = sizeOf(storage);
  const components = [Look, Size, Position, Marked];
  const world = strictWorld({ generate });
  const tree = createHierarchy(world);
  const format = createSceneFormat({ components });
  let house = format.prefab(prefabText(1, "wall"), { file: "house" });
  const history = recorded ? createHistory(world) : undefined;
  const reader = changesOf(world, Look);
  const log: unknown[] = [];
  const stream = recorded ? followChanges(world, { trees: [tree] }) : undefined;
  const copy = strictWorld();
  const ids = createIdMap();
  const follower =
    stream &&
    createFollower(copy, {
      trees: [createHierarchy(copy)],
      components: [...components, ...sceneComponents],
      ids,
    });
  follower?.receive((stream as NonNullable<typeof stream>).snapshot());
  const queries = {
    all: world.query(Look),
    some: world.query(Look, Position),
    numbers: world.query(Size),
    none: world.query(not(Look)),
    perhaps: world.query(Position, optional(Look)),
  };
  let saved: ArrayBuffer | undefined;
  let base: ArrayBuffer | undefined;
  const one = (random: Random): Entity | undefined => {
    const all = world.entities();
    return all.length === 0 ? undefined : (all[random(all.length)] as Entity);
  };
  const oneWith = (random: Random): Entity | undefined => {
    const all = queries.all.ids();
    return all.length === 0 ? undefined : (all[random(all.length)] as Entity);
  };
  /** Two equal objects are two values where they are not shared, and one where they are. */
  const another = (entity: Entity, look: Value): Value =>
    "data" in look ? { ...look, data: unlessSame(world.get(entity, Look)?.data, look.data) } : look;
  const acts: readonly ((random: Random) => unknown)[] = [
    (random) => world.spawn(Look(lookFor(random))),
    (random) => world.spawnMany(1 + random(3), Look(lookFor(random)), Position),
    (random) => tree.attachNew(one(random) ?? null, Look(lookFor(random)), Size({ width: random(3) })),
    (random) => house.instantiate(tree, { parent: random(2) === 0 ? null : (one(random) ?? null) }).root,
    (random) =>
      house.instantiate(tree, {
        components: { Look: { tint: random(3) } },
        overrides: { door: { components: { Look: { text: "red" } } } },
      }).root,
    (random) => {
      const entity = oneWith(random);
      if (entity !== undefined) world.set(entity, Look, another(entity, lookFor(random)));
    },
    (random) => {
      const entity = one(random);
      if (entity === undefined) return;
      const look = { data: { parts: [1, 2] }, ...lookFor(random) };
      world.add(entity, Look(another(entity, look)));
    },
    (random) => {
      const entity = oneWith(random);
      if (entity !== undefined) world.remove(entity, Look);
    },
    (random) => {
      const entity = one(random);
      if (entity !== undefined) world.destroy(entity);
    },
    (random) => {
      const tint = random(4);
      const text = ["", "wall", "loop"][random(3)] as string;
      queries.all.each((entity, look) => {
        if (Number(entity) % 2 === 0) look.tint = tint;
        else look.text = text;
      });
    },
    (random) => {
      const by = random(2);
      queries.some.update((look, position) => {
        position.x += 1;
        look.scale = position.x + by;
        if (by === 0) look.data = unlessSame(look.data, { parts: [look.tint] });
      });
    },
    (random) => {
      const by = random(3);
      queries.numbers.update((size) => {
        size.width = size.height + by;
        size.height = by;
      });
    },
    (random) => {
      const entity = oneWith(random);
      const commands = createCommands(world);
      if (entity !== undefined) commands.set(entity, Look, another(entity, lookFor(random)));
      commands.spawn(Look(lookFor(random)));
      commands.flush();
    },
    (random) => {
      const entity = oneWith(random);
      try {
        transaction(world, () => {
          if (entity !== undefined) world.set(entity, Look, another(entity, lookFor(random)));
          world.spawn(Look(lookFor(random)));
          queries.all.update((look) => {
            look.tint = 9;
          });
          if (random(2) === 0) throw new Error("back");
        });
      } catch (error) {
        if ((error as Error).message !== "back") throw error;
      }
    },
    (random) => history?.step("named", () => world.spawn(Look(lookFor(random)))),
    () => history?.undo(),
    () => history?.undo(),
    () => history?.redo(),
    () => {
      saved = takeSnapshot(world, { trees: [tree] });
    },
    () => {
      if (saved !== undefined) restoreSnapshot(world, saved, { trees: [tree] });
    },
    (random) => {
      const next = format.prefab(prefabText(random(4), ["wall", "brick"][random(2)] as string), {
        file: "house",
      });
      house.replace(tree, next);
      house = next;
    },
    (random) => {
      const all = instancesIn(tree);
      const instance = all[random(Math.max(1, all.length))];
      if (instance === undefined) return undefined;
      const kind = random(3);
      if (kind === 0) house = prefabOf(instance).apply(instance, []);
      else if (kind === 1) instance.revert();
      else unpackInstance(tree, instance.root);
      return kind;
    },
    () => instancesIn(tree).map((instance) => instance.overrides()),
    (random) => {
      const entity = one(random);
      return entity === undefined ? undefined : clone(tree, entity);
    },
    () => {
      const now = takeSnapshot(world, { trees: [tree] });
      const patch = base === undefined ? [] : diff(base, now);
      base = now;
      return patch;
    },
    (random) => {
      const entity = oneWith(random);
      if (entity !== undefined) {
        applyPatch(world, [{ op: "set", id: entity, component: "Look", values: { tint: random(3) } }], {
          trees: [tree],
        });
      }
    },
    (random) => {
      const entity = one(random);
      if (entity !== undefined) world.add(entity, Marked);
    },
    () => {
      const text = format.save(tree);
      const other = createHierarchy(strictWorld());
      format.load(other, text, { prefabs: { house: house.toFile() } });
      expect(checkWorld(other.world)).toEqual([]);
      return [text, other.world.entities().map((entity) => valuesOf(other.world, entity))];
    },
  ];
  observe(world, Look, {
    add: (entity) => void log.push(["add", entity, structuredClone(world.get(entity, Look))]),
    set: (entity) => void log.push(["set", entity, structuredClone(world.get(entity, Look))]),
    remove: (entity, value) => void log.push(["remove", entity, structuredClone(value)]),
  });
  return {
    world,
    tree,
    act(random) {
      const k = random(acts.length);
      const result = (acts[k] as (random: Random) => unknown)(random);
      return [k, typeof result === "object" ? structuredClone(result) : result];
    },
    state() {
      if (stream && follower) {
        follower.receive(stream.read());
        expect(
          copy.entities().map((entity) => valuesOf(copy, entity)),
          "what the follower has",
        ).toHaveLength(world.count);
      }
      const seen: unknown[] = [];
      queries.perhaps.each((entity, position, look) =>
        seen.push([position.x, look?.text, look?.data, entity]),
      );
      return {
        values: world.entities().map((entity) => [entity, valuesOf(world, entity), tree.parentOf(entity)]),
        seen: structuredClone(seen),
        changes: reader.read(),
        log: log.splice(0),
        copy: follower && copy.entities().map((entity) => [ids.keyOf(entity), valuesOf(copy, entity)]),
        queries: Object.values(queries).map((query) => query.ids()),
      };
    },
    check() {
      expect(checkWorld(world)).toEqual([]);
      expect(checkWorld(copy)).toEqual([]);
    },
  };
}

for (const { mode, generate } of modes) {
  for (const recorded of [true, false]) {
    it(`a shared component behaves like an ordinary one, ${mode}, ${recorded ? "recorded" : "not recorded"}`, () => {
      property(
        fc.integer(),
        (seed) => {
          const sides = [
            makeSide("shared", generate, recorded),
            makeSide("dense", generate, recorded),
          ] as const;
          const randoms = [randomFrom(seed), randomFrom(seed)] as const;
          for (let step = 0; step < 40; step++) {
            const [shared, dense] = sides.map((side, k) => {
              let did: unknown;
              try {
                did = side.act(randoms[k] as Random);
              } catch (error) {
                did = String(error);
              }
              return { did, state: side.state() };
            });
            expect(shared?.did).toEqual(dense?.did);
            expect(shared?.state).toEqual(dense?.state);
            sides[0].check();
          }
        },
        60,
      );
    });
  }
}
