/**
 * A world with entities of its own that follows another one by keys, through JSON and bytes, compared after each batch.
 * `ESPALIER_OPERATIONS=100000 npx vitest run --project unit following` makes that many edits.
 */
import {
  bool,
  checkWorld,
  component,
  createWorld,
  type Entity,
  entityRef,
  enumOf,
  f32,
  object,
  string,
  tag,
  type World,
} from "espalier";
import { createHierarchy, type Hierarchy, sortChildren } from "espalier/hierarchy";
import {
  type ChangeBatch,
  createChangeFormat,
  createFollower,
  expandColumns,
  type Follower,
  followChanges,
  type Key,
} from "espalier/history";
import { createTransforms2D, Transform2D } from "espalier/transform";
import { describe, expect, it } from "vitest";

const OPERATIONS = Number(process.env.ESPALIER_OPERATIONS ?? 12_000);

const Health = component("Health", { hp: f32(100), max: f32(100) });
const Mood = component("Mood", { glad: bool(), kind: enumOf("calm", "cross") });
const Label = component("Label", { text: string(""), notes: object(() => ({ a: 1 })) });
const Target = component("Target", { at: entityRef() });
const Team = component("Team", { id: string("") });
const Seen = tag("Seen");
const all = [Health, Mood, Label, Target, Team, Seen, Transform2D];

function createScene() {
  const world = createWorld();
  const tree = createHierarchy(world);
  createTransforms2D(tree);
  return { world, tree };
}

/** What is in the part, in words that mean the same in both worlds. */
function described(
  { world, tree }: { world: World; tree: Hierarchy },
  keyOf: (entity: Entity) => Key | undefined,
  isWhole: boolean,
): unknown {
  const reference = (entity: Entity | null) => (entity === null ? null : (keyOf(entity) ?? null));
  const rows = world.entities().flatMap((entity) => {
    const key = keyOf(entity);
    if (key === undefined) return [];
    const values = all
      .filter((each) => world.has(entity, each))
      .map((each) => [each.name, { ...(world.get(entity, each as typeof Health) as object) }]);
    for (const [name, own] of values as [string, { at?: Entity | null }][])
      if (name === "Target") own.at = reference(own.at ?? null) as never;
    const children = tree.childrenOf(entity).flatMap((child) => keyOf(child) ?? []);
    return [[key, { values, parent: reference(tree.parentOf(entity)), children, name: tree.nameOf(entity) }]];
  });
  const roots = isWhole ? tree.childrenOf(null).flatMap((root) => keyOf(root) ?? []) : [];
  return { rows: Object.fromEntries(rows), roots };
}

function createRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

/** Edits of all kinds, loops among them. */
function createEdits({ world, tree }: ReturnType<typeof createScene>, random: (below: number) => number) {
  let count = 0;
  const team = () => Team({ id: `e${count++}` });
  const loops = { transforms: world.query(Transform2D), healths: world.query(Health) };
  return () => {
    const living = world.entities();
    if (living.length < 5) {
      world.spawn(team(), Health, Transform2D);
      return;
    }
    const one = living[random(living.length)] as Entity;
    const other = living[random(living.length)] as Entity;
    const edits = [
      () => living.length < 150 && tree.attachNew(one, team(), Health({ hp: random(100) / 10 }), Transform2D),
      () => living.length < 150 && world.spawn(team(), Transform2D({ x: random(100) }), Label),
      () =>
        living.length < 150 &&
        world.spawnMany(3, Health, Transform2D).forEach((each) => void world.add(each, team())),
      () => world.has(one, Health) && world.set(one, Health, { hp: random(1000) / 10 }),
      () => (world.has(one, Health) ? world.remove(one, Health) : world.add(one, Health)),
      () => (world.has(one, Seen) ? world.remove(one, Seen) : world.add(one, Seen)),
      () => world.add(one, Mood({ glad: random(2) === 0, kind: random(2) === 0 ? "calm" : "cross" })),
      () => world.add(one, Label({ text: `t${random(50)}`, notes: { a: random(9) } })),
      () => world.add(one, Target({ at: random(4) === 0 ? null : other })),
      () => loops.transforms.update((transform) => void (transform.x += 0.1)),
      () => loops.healths.update((health) => void (health.hp += random(2))),
      () => tree.canAttach(one, other) && tree.attach(one, other, { at: random(2) === 0 ? "first" : "last" }),
      () => tree.detach(one),
      () => tree.setName(one, random(3) === 0 ? undefined : `n${random(20)}`),
      () => sortChildren(tree, one, (a, b) => b - a),
      () =>
        random(3) === 0 &&
        tree.destroy(one, { children: (["cascade", "orphan", "adopt"] as const)[random(3)]! }),
    ];
    (edits[random(edits.length)] as () => unknown)();
  };
}

const format = createChangeFormat({ components: all });

const wires: { readonly [name: string]: (batch: ChangeBatch) => ChangeBatch } = {
  "as it is": (batch) => batch,
  JSON: (batch) => JSON.parse(JSON.stringify(batch)) as ChangeBatch,
  bytes: (batch) => {
    const decoded = format.decode(format.encode(batch));
    // Both forms say the same.
    expect(expanded(decoded)).toEqual(expanded(batch));
    return decoded;
  },
  "bytes of what was JSON": (batch) =>
    format.decode(format.encode(JSON.parse(JSON.stringify(batch)) as ChangeBatch)),
  "a copy": (batch) => structuredClone(batch),
};

function expanded(batch: ChangeBatch): unknown {
  const patch = JSON.parse(JSON.stringify(expandColumns(batch.patch)));
  // A format says nothing of components that it does not know.
  return {
    ...batch,
    patch,
    snapshot: batch.snapshot?.filter((name) => all.some((each) => each.name === name)),
  };
}

const parts = {
  handles: () => ({}),
  "keys of a component": ({ world }: ReturnType<typeof createScene>) => ({
    key: (entity: Entity) => world.get(entity, Team)?.id,
  }),
  "a query": ({ world }: ReturnType<typeof createScene>) => ({ where: world.query(Health) }),
  "a predicate over values": ({ world }: ReturnType<typeof createScene>) => ({
    where: (entity: Entity) => (world.get(entity, Health)?.hp ?? 0) > 20,
  }),
  "a root": ({ root }: { root: Entity }) => ({ root }),
} as const;

describe("a world that follows another one", () => {
  it.each(Object.keys(parts).flatMap((part) => Object.keys(wires).map((wire) => [part, wire] as const)))(
    "is like the part of it, by %s, through %s",
    (part, wire) => {
      const source = createScene();
      const root = source.world.spawn(Team({ id: "root" }), Health);
      const random = createRandom(7 + part.length * 31 + wire.length);
      const edit = createEdits(source, random);
      const options = parts[part as keyof typeof parts]({ ...source, root } as never) as {
        key?: (e: Entity) => Key;
      };
      const stream = followChanges(source.world, { trees: [source.tree], ...options });
      const copy = createScene();
      const own: Entity[] = [copy.world.spawn(), copy.world.spawn(Health)];
      const follower: Follower = createFollower(copy.world, { trees: [copy.tree], components: all });
      const send = wires[wire] as (batch: ChangeBatch) => ChangeBatch;
      follower.receive(send(stream.snapshot()));
      const isBelowRoot = (entity: Entity) => {
        for (let up: Entity | null = entity; up !== null; up = source.tree.parentOf(up))
          if (up === root) return true;
        return false;
      };
      /** Slow and obvious: which entities are in the part. */
      const keyOf = (entity: Entity): Key | undefined => {
        if (!source.world.isAlive(entity)) return undefined;
        if (part === "a root") return isBelowRoot(entity) ? entity : undefined;
        if (part === "a query") return source.world.has(entity, Health) ? entity : undefined;
        if (part === "a predicate over values")
          return (source.world.get(entity, Health)?.hp ?? 0) > 20 ? entity : undefined;
        return options.key === undefined ? entity : options.key(entity);
      };
      const isWhole = part === "handles" || part === "keys of a component";
      const compare = () => {
        const mirrored = (entity: Entity) => follower.ids.keyOf(entity);
        expect(described(copy, mirrored, isWhole)).toEqual(described(source, keyOf, isWhole));
        expect(follower.ids.size).toBe(
          source.world.entities().filter((each) => keyOf(each) !== undefined).length,
        );
      };
      compare();
      for (let k = 0; k < OPERATIONS / 25; k++) {
        edit();
        if (k % 7 === 0) own.push(copy.world.spawn(Health));
        if (random(4) !== 0) continue;
        const batch = send(stream.read());
        const way = random(12);
        if (way === 0) follower.receive(batch);
        if (way === 1 && batch.patch.length > 0) {
          // Lost on the way: what comes next does not fit, and a snapshot helps.
          edit();
          const next = send(stream.read());
          if (next.to > next.from) expect(follower.receive(next).status).toBe("gap");
          expect(follower.receive(send(stream.snapshot())).status).toBe("applied");
        } else follower.receive(batch);
        expect(follower.receive(batch).status).toBe("known");
        compare();
        for (const entity of own.slice(0, 2)) expect(copy.world.isAlive(entity)).toBe(true);
      }
      expect(checkWorld(copy.world)).toEqual([]);
      follower.receive(send(stream.read()));
      compare();
      expect(stream.read().patch).toEqual([]);
    },
  );
});
