/** A world that lives by itself: what happens in tick k depends on k and on the world alone, not on handles. Twins agree tick by tick. */
import { component, createWorld, type Entity, entityRef, f32, string, u32, type World } from "espalier";
import { createHierarchy, type Hierarchy } from "espalier/hierarchy";

const Key = component("Key", { value: u32() });
const Health = component("Health", { hp: f32(100), note: string("") });
const Position = component("Position", { x: f32(), y: f32() });
const Target = component("Target", { at: entityRef() });

export const components = [Key, Health, Position, Target];

export interface Life {
  readonly world: World;
  readonly tree: Hierarchy;
}

export function createLife(): Life {
  const world = createWorld();
  return { world, tree: createHierarchy(world) };
}

/** Everything in it, by keys, as text: the same for two worlds exactly when they are the same. */
export function lifeText({ world, tree }: Life): string {
  const keyOf = (entity: Entity | null) => (entity === null ? null : (world.get(entity, Key)?.value ?? null));
  const lines = [...world.query(Key)].map((entity) => [
    keyOf(entity),
    keyOf(tree.parentOf(entity)),
    tree.parentOf(entity) === null ? 0 : tree.indexOf(entity),
    tree.nameOf(entity) ?? null,
    world.get(entity, Health) ?? null,
    world.get(entity, Position) ?? null,
    world.has(entity, Target) ? keyOf(world.get(entity, Target)?.at ?? null) : "none",
  ]);
  lines.sort((a, b) => (a[0] as number) - (b[0] as number));
  return JSON.stringify([lines, world.count]);
}

/** One tick: some births, moves, changes, deaths, and a loop over all. */
export function live({ world, tree }: Life, tick: number): void {
  const random = generator(tick);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const all = () =>
    [...world.query(Key)].sort(
      (a, b) => (world.get(a, Key)?.value as number) - (world.get(b, Key)?.value as number),
    );
  for (let k = 0; k < 6; k++) {
    const list = all();
    const [one, other] = [pick(list), pick(list)];
    const what = random();
    if (one === undefined || other === undefined || what < 0.4) {
      const born = world.spawn(Key({ value: tick * 10 + k + 1 }), Position({ x: random() }));
      if (one !== undefined && random() < 0.7) tree.attach(born, one);
      if (random() < 0.3) tree.setName(born, `n${tick}`);
    } else if (what < 0.55) {
      if (tree.canAttach(one, other)) tree.attach(one, other, { at: 0 });
    } else if (what < 0.65) tree.detach(one);
    else if (what < 0.75) world.set(one, Position, { x: random(), y: random() });
    else if (what < 0.8) world.add(one, Health({ hp: random(), note: `tick ${tick}` }));
    else if (what < 0.85) world.remove(one, Health);
    else if (what < 0.93) world.add(one, Target({ at: other }));
    else if (list.length > 30) world.destroy(one);
  }
  world.query(Position).update((position) => {
    position.x += 1;
  });
  // So that every tick changes something.
  world.spawn(Key({ value: tick * 10 }), Position);
}

function generator(seed: number): () => number {
  let state = (seed + 1) * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
