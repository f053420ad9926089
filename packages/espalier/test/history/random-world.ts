/**
 * A world in which everything occurs, operations that change it at random, and its whole state as plain data.
 */

import {
  type AnyComponent,
  addAll,
  bool,
  checkWorld,
  component,
  createCommands,
  createWorld,
  type Entity,
  entityRef,
  f32,
  f64,
  flush,
  i16,
  object,
  removeAll,
  resource,
  string,
  tag,
  u32,
  type World,
  type WorldOptions,
} from "espalier";
import {
  attachMany,
  attachNewAt,
  checkTree,
  createHierarchy,
  createUpHierarchy,
  dissolve,
  type Hierarchy,
  inlineLinks,
  isolate,
  replaceChildren,
  sortChildren,
  swap,
  type UpHierarchy,
} from "espalier/hierarchy";
import { stateOf as internals } from "espalier/internal";
import fc from "fast-check";

export const Position = component("Position", { x: f32(), y: f32() });
export const Health = component("Health", { hp: i16(100), max: u32(100), precise: f64(0.1) });
export const Label = component("Label", { text: string("?"), bold: bool() });
export const Target = component("Target", { at: entityRef() });
export const Bag = component("Bag", { items: object((): unknown => []) }, { storage: "sparse" });
export const Rare = component("Rare", { n: f64(), why: string("") }, { storage: "sparse" });
export const Frozen = tag("Frozen");
export const Hidden = tag("Hidden", { storage: "sparse" });
export const components: readonly AnyComponent[] = [
  Position,
  Health,
  Label,
  Target,
  Bag,
  Rare,
  Frozen,
  Hidden,
];
export const Score = resource<number>("Score");

/** One hierarchy or several. */
export interface Grove {
  readonly world: World;
  readonly trees: readonly Hierarchy[];
  readonly up?: UpHierarchy;
}

export interface Forest extends Grove {
  readonly up: UpHierarchy;
}

/** Four hierarchies: one cascades, one adopts and wants unique names, one has room for four children, one only points up. */
export function plant(options: WorldOptions = {}): Forest {
  const world = createWorld({ capacity: 4, ...options });
  return {
    world,
    trees: [
      createHierarchy(world, { name: "tree" }),
      createHierarchy(world, { name: "groups", onDestroy: "adopt", uniqueNames: true }),
      createHierarchy(world, { name: "slots", onDestroy: "orphan", links: inlineLinks(4) }),
    ],
    up: createUpHierarchy(world, { name: "owner" }),
  };
}

/** One hierarchy that cascades: a world does much for whole lists at once then. */
export function plantOne(options: WorldOptions = {}): Grove {
  const world = createWorld({ capacity: 4, ...options });
  return { world, trees: [createHierarchy(world, { name: "tree" })] };
}

/** Everything that can be asked of a forest, and what decides about future ids. */
export function stateOf({ world, trees, up }: Grove): unknown {
  const { table } = internals(world);
  const alive = world.entities();
  return {
    entities: alive.map((entity) => ({
      entity,
      components: Object.fromEntries(
        components
          .filter((each) => world.has(entity, each))
          .map((each) => [each.name, rawValues(world, entity, each)]),
      ),
      owner: up?.parentOf(entity),
      names: trees.map((tree) => tree.nameOf(entity)),
    })),
    orders: components.map((each) => [each.name, world.query(each).ids()]),
    all: world.query().ids(),
    trees: trees.map((tree) => [tree.name, preorder(tree)]),
    used: table.used,
    free: table.freeIndices(),
    generations: Array.from({ length: table.used + 1 }, (_, index) => table.info[index << 2]),
    score: world.hasResource(Score) ? world.resource(Score) : undefined,
  };
}

/** As the columns hold them: a reference to a dead entity is not `null` here. */
function rawValues(world: World, entity: Entity, each: AnyComponent): unknown {
  const store = internals(world).store(each);
  const row = store.rowOf(entity & 0x3fffff);
  return store.names.map((name) => (store.columns[name] as unknown[])[row]);
}

function preorder(tree: Hierarchy): unknown[] {
  const found: unknown[] = [];
  for (const root of tree.childrenOf(null)) {
    for (const entity of tree.descendants(root, { includeSelf: true }))
      found.push([entity, tree.parentOf(entity)]);
  }
  return found;
}

/** What the rooms find wrong. */
export function violations({ world, trees }: Grove): string[] {
  return [...checkWorld(world).map(({ message }) => message), ...trees.flatMap((tree) => checkTree(tree))];
}

/** One operation: what to do, and three numbers to pick with. */
export type Operation = readonly [what: number, a: number, b: number, c: number];

export const operation: fc.Arbitrary<Operation> = fc.tuple(
  fc.nat(999),
  fc.nat(0xffff),
  fc.nat(0xffff),
  fc.nat(0xffff),
);

/** Carries out an operation. One that the world refuses changes nothing, which is just as well. */
export function perform(forest: Grove, operation: Operation): void {
  try {
    attempt(forest, operation);
  } catch (error) {
    if (!/\[(ecs|hierarchy)\//.test(String(error))) throw error;
  }
}

function attempt({ world, trees, up }: Grove, [what, a, b, c]: Operation): void {
  const alive = world.entities();
  const pick = (k: number) => alive[k % alive.length] as Entity;
  const tree = trees[c % trees.length] as Hierarchy;
  const which = components[b % components.length] as AnyComponent;
  const init = initOf(which, c, alive.length > 0 ? pick(c) : null);
  // Few entities die, or there would never be many.
  if (alive.length < 3 || what < 200) {
    if (what % 5 === 0) world.spawnMany((b % 3) + 1, init);
    else if (what % 5 === 1) world.spawn(init, Frozen === which ? Position : Frozen);
    else if (what % 5 === 2 && alive.length > 0) attachNewAt(tree, pick(a), { at: b % 4 }, init);
    else if (what % 5 === 3) {
      const commands = createCommands(world);
      const reserved = commands.spawn(init);
      commands.add(reserved, Position({ x: a }));
      flush(world);
      commands.close();
    } else world.spawn(init);
    return;
  }
  const e = pick(a);
  const other = pick(b);
  const actions: (() => void)[] = [
    () => world.add(e, init),
    () => world.add(e, init),
    () => void world.remove(e, which),
    () => void world.remove(e, which, Label),
    () => world.has(e, Position) && world.set(e, Position, { x: b, y: c }),
    () => world.has(e, Health) && world.set(e, Health, { hp: (b % 400) - 200, precise: c / 7 }),
    () => world.has(e, Label) && world.set(e, Label, { text: `label ${b}`, bold: c % 2 === 0 }),
    () => world.has(e, Target) && world.set(e, Target, { at: c % 3 === 0 ? null : other }),
    () => world.has(e, Bag) && world.set(e, Bag, { items: { b, list: [c] } }),
    () => world.query(Position).each((_, position) => void (position.x += b % 3)),
    () => world.query(Health).update((health) => void (health.precise *= 2)),
    () => world.setResource(Score, b),
    () => addAll(world.query(which), Hidden),
    () => removeAll(world.query(which), Hidden),
    () => void (c % 2 === 0 && world.destroy(e)),
    () => void world.destroy(e, other),
    () => void (c % 3 === 0 && world.query(Frozen, which).each((found) => void world.destroy(found))),
    () => void tree.destroy(e, { children: (["cascade", "orphan", "adopt"] as const)[b % 3] }),
    () => void tree.attach(e, other),
    () => void tree.attach(e, other, { at: c % 3 }),
    () => void tree.attach(e, other, { at: "first" }),
    () => void tree.detach(e),
    () => void tree.moveChild(e, b % 5),
    () => void swap(tree, e, other),
    () => void sortChildren(tree, b % 2 === 0 ? null : e, (x, y) => ((x * c) % 17) - ((y * c) % 17)),
    () => tree.setName(e, b % 4 === 0 ? undefined : `n${b % 7}`),
    () => tree.setName(e, `n${b % 7}`),
    () => attachMany(tree, [e, other], pick(c)),
    () => replaceChildren(tree, e, [other]),
    () => dissolve(tree, e),
    () => isolate(tree, e),
    () => void up?.attach(e, other),
    () => void up?.attach(e, other),
    () => void up?.detach(e),
  ];
  (actions[what % actions.length] as () => void)();
}

function initOf(which: AnyComponent, k: number, target: Entity | null) {
  switch (which) {
    case Position:
      return Position({ x: k / 3, y: -k });
    case Health:
      return Health({ hp: k % 1000, precise: k / 3 });
    case Label:
      return Label({ text: `text ${k}` });
    case Target:
      return Target({ at: target });
    case Bag:
      return Bag({ items: { k } });
    case Rare:
      return Rare({ n: k, why: `why ${k}` });
    default:
      return which;
  }
}
