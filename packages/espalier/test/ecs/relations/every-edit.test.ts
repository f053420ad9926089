/** Every edit of a relation, from one list: it exists as a command, can be undone and redone, and reaches another world. */
import {
  addTarget,
  checkWorld,
  component,
  createCommands,
  type Entity,
  entityRefs,
  indexedRef,
  RelationError,
  relationCommands,
  removeTarget,
  setPair,
  setTarget,
  u32,
  type World,
} from "espalier";
import { applyPatch, createHistory, followChanges } from "espalier/history";
import { describe, expect, it } from "vitest";
import { strictWorld } from "../../testing.ts";

const Targets = component("Targets", { enemy: indexedRef() });
const Inventory = component("Inventory", { items: entityRefs({ data: { amount: u32(1) } }) });

const now = { addTarget, removeTarget, setPair, setTarget };
type Call = keyof typeof now;
type Cast = { readonly hero: Entity; readonly bow: Entity; readonly arrow: Entity };

const before = { enemy: "bow", items: [["bow", 1]] };
/** The arguments of each call behind the world, and what the hero holds after it. */
const edits: { readonly [Name in Call]: readonly [args: (cast: Cast) => unknown[], after: object] } = {
  setTarget: [({ hero, arrow }) => [hero, Targets, "enemy", arrow], { ...before, enemy: "arrow" }],
  addTarget: [
    ({ hero, arrow }) => [hero, Inventory, "items", arrow, { amount: 20 }],
    {
      ...before,
      items: [
        ["bow", 1],
        ["arrow", 20],
      ],
    },
  ],
  removeTarget: [({ hero, bow }) => [hero, Inventory, "items", bow], { ...before, items: [] }],
  setPair: [
    ({ hero, bow }) => [hero, Inventory, "items", bow, { amount: 3 }],
    { ...before, items: [["bow", 3]] },
  ],
};
const calls = Object.keys(edits) as Call[];

function start() {
  const world = strictWorld();
  const [bow, arrow] = world.spawnMany(2) as [Entity, Entity];
  const items = [{ target: bow, amount: 1 }];
  const hero = world.spawn(Targets({ enemy: bow }), Inventory({ items }));
  return { world, cast: { hero, bow, arrow } };
}

function held(world: World, { hero, bow }: Cast): unknown {
  const name = (entity: Entity | null | undefined) => (entity === bow ? "bow" : entity && "arrow");
  return {
    enemy: name(world.get(hero, Targets)?.enemy),
    items: world.get(hero, Inventory)?.items.map(({ target, amount }) => [name(target), amount]),
  };
}

function edit(world: World, name: Call, args: unknown[]): void {
  (now[name] as (...args: unknown[]) => unknown)(world, ...args);
}

describe("the edits of relations", () => {
  it.each(calls)("do the same at once and as a command: %s", (name) => {
    const [args, after] = edits[name];
    const { world, cast } = start();
    edit(world, name, args(cast));
    expect(held(world, cast)).toEqual(after);
    const later = start();
    const buffer = createCommands(later.world);
    const commands = relationCommands(later.world, buffer);
    (commands[name] as (...args: unknown[]) => unknown).apply(commands, args(later.cast));
    expect(held(later.world, later.cast)).toEqual(before);
    expect(buffer.flush()).toMatchObject({ applied: 1, skipped: [], refused: [] });
    expect(held(later.world, later.cast)).toEqual(after);
    expect([...checkWorld(world), ...checkWorld(later.world)]).toEqual([]);
  });

  it.each(calls)("are undone and redone in one step: %s", (name) => {
    const [args, after] = edits[name];
    const { world, cast } = start();
    const history = createHistory(world);
    edit(world, name, args(cast));
    history.commit();
    history.undo();
    expect(held(world, cast)).toEqual(before);
    expect(checkWorld(world)).toEqual([]);
    history.redo();
    expect(held(world, cast)).toEqual(after);
    expect(checkWorld(world)).toEqual([]);
  });

  it.each(calls)("reach a world that follows the changes: %s", (name) => {
    const [args, after] = edits[name];
    const { world, cast } = start();
    const other = start();
    const stream = followChanges(world);
    edit(world, name, args(cast));
    const { patch } = stream.read();
    expect(patch.length).toBeGreaterThan(0);
    applyPatch(other.world, JSON.parse(JSON.stringify(patch)), { components: [Targets, Inventory] });
    expect(held(other.world, other.cast)).toEqual(after);
    expect(checkWorld(other.world)).toEqual([]);
    stream.close();
  });
});

describe("commands of relations", () => {
  it("are skipped when the target died before the flush, and take entities that the buffer creates", () => {
    const { world, cast } = start();
    const buffer = createCommands(world);
    const later = relationCommands(world, buffer);
    const shield = buffer.spawn();
    later.addTarget(cast.hero, Inventory, "items", shield);
    later.setTarget(cast.hero, Targets, "enemy", cast.arrow);
    world.destroy(cast.arrow);
    expect(buffer.flush()).toMatchObject({ applied: 2, skipped: [{}], refused: [] });
    expect(world.get(cast.hero, Inventory)?.items[1]).toEqual({ target: shield, amount: 1 });
    expect(world.get(cast.hero, Targets)).toEqual({ enemy: cast.bow });
  });

  it("refuse fields and data that do not fit when they are recorded", () => {
    const { world, cast } = start();
    const buffer = createCommands(world);
    const later = relationCommands(world, buffer);
    expect(() => later.addTarget(cast.hero, Targets, "enemy" as never, cast.bow)).toThrow(RelationError);
    expect(() => later.setTarget(cast.hero, Inventory, "items" as never, cast.bow)).toThrow(RelationError);
    expect(() => later.setPair(cast.hero, Inventory, "items", cast.bow, { amount: -1 })).toThrow(/amount/);
    expect(() => relationCommands(world, {} as never)).toThrow(/createCommands/);
    expect(() => relationCommands(world, later as never)).toThrow(/createCommands/);
    expect(() => relationCommands(start().world, buffer)).toThrow(/createCommands/);
    expect(() => relationCommands({} as never, buffer)).toThrow(/it is an object, not a world/);
    expect(buffer.pending).toBe(0);
  });
});
