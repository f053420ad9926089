/**
 * Everything that changes a world, as random acts: inside of each other where that is allowed, with components of all kinds, in
 * worlds of several sorts.
 */

import {
  type AnyComponent,
  addAll,
  bool,
  type ComponentInit,
  component,
  createCommands,
  createWorld,
  destroyAll,
  type Entity,
  entityRef,
  f32,
  f64,
  flush,
  i16,
  i32,
  object,
  observe,
  type Query,
  removeAll,
  string,
  tag,
  u8,
  type World,
} from "espalier";
import { createHierarchy, type Hierarchy } from "espalier/hierarchy";
import {
  createHistory,
  createVersions,
  type HistoryOptions,
  restoreSnapshot,
  takeSnapshot,
  transaction,
} from "espalier/history";
import { INDEX_MASK, stateOf as internals } from "espalier/internal";
import { createTransforms2D, Transform2D } from "espalier/transform";
import fc from "fast-check";

const Spot = component("Spot", { x: f32(), y: f64(), on: bool() });
const Count = component("Count", { level: u8(3), kind: i16(-2), n: i32() });
const Link = component("Link", { to: entityRef(), n: f32() });
const Label = component("Label", { text: string("t"), n: f32() });
const Bag = component("Bag", { items: object((): unknown => ({})), n: i16() });
const Rare = component(
  "Rare",
  { n: f64(), level: u8(), to: entityRef(), text: string() },
  { storage: "sparse" },
);
const RareCount = component("RareCount", { n: i16(), level: u8() }, { storage: "sparse" });
const Frozen = tag("Frozen");
const Hidden = tag("Hidden", { storage: "sparse" });
export const all: readonly AnyComponent[] = [Spot, Count, Link, Label, Bag, Rare, RareCount, Frozen, Hidden];

type Values = { [field: string]: unknown };

export interface Scene {
  readonly world: World;
  readonly tree: Hierarchy | undefined;
  readonly components: readonly AnyComponent[];
  /** Kept: a query learns from its passes whether they write much. */
  readonly queries: Map<string, Query>;
  snapshot: ArrayBuffer | undefined;
}

function queryOf({ world, queries }: Scene, ...components: AnyComponent[]): Query {
  const terms = [...new Set(components)];
  const name = terms.map((each) => each.name).join();
  const query = queries.get(name) ?? (world.query(...terms) as Query);
  queries.set(name, query);
  return query;
}

/** Everything about the entities and the order in which queries give them; of values what the columns hold. */
export function stateOf({ world, tree, components }: Scene): unknown {
  const rawValues = (entity: Entity, each: AnyComponent) => {
    const store = internals(world).store(each);
    return store.names.map((name) => (store.columns[name] as unknown[])[store.rowOf(entity & INDEX_MASK)]);
  };
  return {
    entities: world.entities().map((entity) => {
      const own = components.filter((each) => world.has(entity, each));
      const links = [tree?.parentOf(entity), tree?.nextSibling(entity)];
      return [entity, ...links, ...own.map((each) => [each.name, ...rawValues(entity, each)])];
    }),
    lists: components.map((each) => world.query(each).ids()),
  };
}

/** Values for some of the fields of a component, by what their types allow. */
function valuesFor(each: AnyComponent, k: number, to: Entity | null): Values {
  const values: Values = {
    x: k % 7 === 0 ? Number.NaN : k / 3,
    y: k % 5 === 0 ? -0 : 1 / (k + 1),
    on: k % 2 === 0,
    level: k % 256,
    kind: -(k % 999),
    n: k % 1000,
    to,
    text: `t${k}`,
    items: { k },
    rotation: k,
  };
  return Object.fromEntries(
    Object.keys(each.schema).flatMap((name) => (name in values ? [[name, values[name]]] : [])),
  );
}

function initOf(each: AnyComponent, k: number, to: Entity | null): ComponentInit {
  const hasFields = Object.keys(each.schema).length > 0;
  return (
    hasFields ? (each as unknown as (values: Values) => ComponentInit)(valuesFor(each, k, to)) : each
  ) as ComponentInit;
}

/** Writes some fields through a view. */
function write(view: Values, each: AnyComponent, k: number, to: Entity | null): void {
  Object.entries(valuesFor(each, k, to)).forEach(([name, value], at) => {
    if ((k + at) % 3 !== 0) view[name] = value;
  });
}

export type Act = readonly [what: number, a: number, b: number, c: number];
export const act: fc.Arbitrary<Act> = fc.tuple(fc.nat(999), fc.nat(0xffff), fc.nat(0xffff), fc.nat(0xffff));

/** Runs `fn`; what the library refuses is fine, but for steps that cannot be undone. */
export function attempt(fn: () => void): void {
  try {
    fn();
  } catch (error) {
    const text = String(error);
    if (!/taken back|\[(ecs|hierarchy|history|transform)\//.test(text) || /history\/conflict/.test(text))
      throw error;
  }
}

export function perform(scene: Scene, [what, a, b, c]: Act, depth = 0): void {
  const { world, tree, components } = scene;
  const entities = world.entities();
  const [one, other] = [entities[a % entities.length], entities[b % entities.length]] as [Entity, Entity];
  const target = entities[c % entities.length] ?? null;
  const [first, second] = [components[b % components.length], components[c % components.length]] as [
    AnyComponent,
    AnyComponent,
  ];
  const inits = [...new Set([first, second])].map((each, k) => initOf(each, a + k, target));
  const query = queryOf(scene, first);
  const writeAll = (to: Query = query) => {
    let k = a;
    to.update((...views: never[]) => {
      k++;
      views.forEach((view, v) => {
        if (view !== undefined) write(view, v === 0 ? first : second, k, target);
      });
    });
  };
  const further = (...next: Act) => depth < 3 && attempt(() => perform(scene, next, depth + 1));
  const acts: readonly (() => unknown)[] = [
    () => world.spawn(...inits),
    () => world.spawnMany(1 + (a % 160), ...inits),
    () => {
      const own = components.filter((_, k) => (b >> k) & 1);
      for (let k = 0; k < a % 12; k++) world.spawn(...own.map((each) => initOf(each, a + k, target)));
    },
    () => world.add(one, inits[0] as ComponentInit),
    () => world.remove(one, first, second),
    () => {
      if (entities.length > 9)
        for (const each of entities.slice(a % 9, (a % 9) + (b % 6))) world.destroy(each);
    },
    () => world.destroy(one, other),
    () => writeAll(),
    () => writeAll(),
    () => writeAll(queryOf(scene, first, second)),
    () => {
      let k = 0;
      query.each(((entity: Entity, view: Values | undefined) => {
        if (++k % (1 + (c % 17)) === 3) further(a + k, b + k * 7, c + k, a * 3 + k);
        if (view !== undefined) write(view, first, a + k, world.isAlive(entity) ? entity : null);
      }) as never);
    },
    () => (entities.length > 200 || c % 4 === 0) && destroyAll(queryOf(scene, first, second)),
    () => removeAll(query, first, second),
    () => addAll(query, inits[0] as ComponentInit, inits.at(-1) as ComponentInit),
    () =>
      attempt(() =>
        transaction(world, () => {
          further(b, c, a, b);
          further(c, a, b, a);
          if (a % 2 === 0) throw new Error("taken back");
        }),
      ),
    () => {
      const commands = createCommands(world);
      try {
        commands.add(commands.spawn(...inits), Frozen);
        writeAll();
        commands.destroy(one);
        flush(world);
      } finally {
        // It holds reserved indices, which no step can come back to.
        commands.close();
      }
    },
    () => (tree === undefined ? world.remove(one, first) : tree.attach(one, other)),
    () => tree?.destroy(one, { children: "adopt" }),
    () => world.has(one, first) && world.set(one, first as never, valuesFor(first, c, target) as never),
    () => {
      // A listener begins and ends in the middle of a loop.
      let stop: (() => void) | undefined;
      let k = 0;
      query.each(((_: Entity, view: Values | undefined) => {
        if (++k === 5) stop = observe(world, first, { set: () => {}, remove: () => {} });
        if (k === 9) stop?.();
        if (view !== undefined) write(view, first, a + k, target);
      }) as never);
      stop?.();
    },
    () => {
      const versions = tree === undefined ? undefined : createVersions(tree);
      writeAll();
      versions?.close();
      writeAll();
    },
    () => {
      if (a % 40 === 0) internals(world).table.widen();
    },
    () => {
      scene.snapshot = takeSnapshot(world);
    },
    () => scene.snapshot !== undefined && c % 3 === 0 && restoreSnapshot(world, scene.snapshot),
  ];
  acts[entities.length < 3 ? what % 3 : what % acts.length]?.();
}

export interface Kind {
  readonly generate?: boolean;
  /** Hierarchy: none, or before or after the history. */
  readonly tree?: "before" | "after";
  readonly transforms?: boolean;
  readonly history?: HistoryOptions;
}

export const kinds: { readonly [name: string]: Kind } = {
  "nothing else": {},
  "a tree": { tree: "before" },
  "a tree that comes later": { tree: "after" },
  transforms: { tree: "before", transforms: true },
  "no generated code": { generate: false },
  "little memory": { history: { maxBytes: 20_000 } },
  "a tree and little memory": { tree: "before", history: { maxBytes: 20_000 } },
  "records only of steps": { history: { implicit: false } },
};

export function create({ generate = true, tree: when, transforms = false, history: options }: Kind) {
  const world = createWorld({ generate, capacity: 4 });
  let tree = when === "before" ? createHierarchy(world) : undefined;
  if (transforms) createTransforms2D(tree as Hierarchy);
  const history = createHistory(world, options);
  if (when === "after") tree = createHierarchy(world);
  const components = transforms ? [...all, Transform2D] : all;
  const scene: Scene = { world, tree, components, queries: new Map(), snapshot: undefined };
  return { scene, history };
}
