import {
  component,
  createCommands,
  createWorld,
  type Entity,
  f32,
  flush,
  InvalidEntityError,
  i8,
  object,
  resource,
  StructureLockedError,
  tag,
} from "espalier";
import { createReserved, stateOf } from "espalier/internal";
import { describe, expect, it } from "vitest";

const Position = component("Position", { x: f32(), y: f32() });
const Health = component("Health", { hp: i8(10) });
const Frozen = tag("Frozen");

describe("a command buffer", () => {
  it("changes nothing before the flush and everything at it", () => {
    const world = createWorld();
    const kept = world.spawn(Position({ x: 1 }), Frozen);
    const gone = world.spawn();
    const commands = createCommands(world);
    commands.add(kept, Health({ hp: 3 }));
    commands.remove(kept, Frozen);
    commands.set(kept, Position, { y: 2 });
    commands.destroy(gone);
    const made = commands.spawn(Position({ x: 9 }));
    expect(world.has(kept, Health)).toBe(false);
    expect(world.has(kept, Frozen)).toBe(true);
    expect(world.isAlive(gone)).toBe(true);
    expect(world.isAlive(made)).toBe(false);
    expect(commands.pending).toBe(5);

    expect(commands.flush()).toMatchObject({ applied: 5, skipped: [], refused: [] });
    expect(world.get(kept, Health)).toEqual({ hp: 3 });
    expect(world.has(kept, Frozen)).toBe(false);
    expect(world.get(kept, Position)).toEqual({ x: 1, y: 2 });
    expect(world.isAlive(gone)).toBe(false);
    expect(world.get(made, Position)).toEqual({ x: 9, y: 0 });
    expect(commands.pending).toBe(0);
    expect(commands.flush().applied).toBe(0);
  });

  it("gives a handle that further commands, references and maps can use at once", () => {
    const world = createWorld();
    const commands = createCommands(world);
    const parent = commands.spawn();
    const child = commands.spawn();
    expect(parent).not.toBe(child);
    commands.add(child, Health);
    commands.destroy(parent);
    commands.flush();
    expect(world.isAlive(parent)).toBe(false);
    expect(world.get(child, Health)).toEqual({ hp: 10 });
  });

  it("lets no direct call use a reserved entity", () => {
    const world = createWorld();
    const commands = createCommands(world);
    const e = commands.spawn();
    expect(() => world.add(e, Frozen)).toThrow(
      "#1 is reserved by a command buffer and does not exist before flush(). Record the change on the buffer instead.",
    );
  });

  it("applies in recorded order, so the last one wins", () => {
    const world = createWorld();
    const e = world.spawn();
    const commands = createCommands(world);
    commands.add(e, Health({ hp: 1 }));
    commands.set(e, Health, { hp: 2 });
    commands.remove(e, Health);
    commands.add(e, Health({ hp: 3 }));
    commands.flush();
    expect(world.get(e, Health)).toEqual({ hp: 3 });
  });

  it("takes several components and entities at once", () => {
    const world = createWorld();
    const [a, b] = [world.spawn(), world.spawn()];
    const commands = createCommands(world);
    commands.add(a, Position({ x: 1 }), Frozen);
    commands.set(a, Position({ y: 2 }));
    commands.set(a, Frozen(), Position({ x: 1 }));
    commands.remove(a, Frozen, Health);
    commands.destroy(b, b);
    expect(commands.flush()).toMatchObject({
      applied: 5,
      skipped: [{ label: "destroy", entity: b, reason: "was destroyed" }],
    });
    expect(world.get(a, Position)).toEqual({ x: 1, y: 2 });
    expect(world.has(a, Frozen)).toBe(false);
  });

  it("copies values when they are recorded", () => {
    const world = createWorld();
    const e = world.spawn(Position);
    const commands = createCommands(world);
    const values = { x: 1, y: 1 };
    const init = Position(values);
    commands.add(e, init);
    const spawned = commands.spawn(init, Health);
    const several = commands.spawn();
    commands.add(several, init, Health);
    const set = commands.spawn(Position);
    commands.set(set, Position, values);
    values.x = 99;
    commands.flush();
    for (const entity of [e, spawned, several, set])
      expect(world.get(entity, Position)).toEqual({ x: 1, y: 1 });
  });

  it("changes all matches of a query as they are at the flush", () => {
    const world = createWorld();
    const [a, b, c] = [world.spawn(Position), world.spawn(Position, Health), world.spawn(Health)];
    const commands = createCommands(world);
    commands.addAll(world.query(Position), Frozen, Health({ hp: 7 }));
    commands.remove(b, Position);
    commands.removeAll(world.query(Position), Position);
    commands.destroyAll(world.query(Frozen));
    const late = commands.spawn(Position, Frozen);
    expect(commands.flush().applied).toBe(5);
    expect([a, b, c, late].map((entity) => world.isAlive(entity))).toEqual([false, false, true, true]);
  });

  it("sets resources, which it keeps as they are", () => {
    const world = createWorld();
    const Score = resource<{ points: number }>("Score");
    const score = { points: 5 };
    const commands = createCommands(world);
    commands.setResource(Score, score);
    expect(world.hasResource(Score)).toBe(false);
    commands.flush();
    expect(world.resource(Score)).toBe(score);
  });

  it("works inside update() and run(), even when the reserved entities need more room", () => {
    const world = createWorld({ capacity: 4 });
    for (let k = 0; k < 4; k++) world.spawn(Position({ x: k }));
    const commands = createCommands(world);
    const made: Entity[] = [];
    const query = world.query(Position);
    query.run((ids, count, { x }) => {
      for (let k = 0; k < count; k++) {
        for (let n = 0; n < 5; n++) made.push(commands.spawn(Position({ x: 100 + made.length })));
        // The column must still be the one the world reads, although the world has outgrown it.
        x[ids[k] as number]! += 10;
      }
      expect(() => commands.flush()).toThrow(StructureLockedError);
    });
    query.update((position) => {
      position.y = position.x;
      made.push(commands.spawn(Position({ x: 100 + made.length })));
    });
    commands.flush();
    expect(query.ids().map((e) => world.get(e, Position))).toEqual([
      ...[10, 11, 12, 13].map((x) => ({ x, y: x })),
      ...made.map((_, k) => ({ x: 100 + k, y: 0 })),
    ]);
  });

  it("refuses to flush where structure is locked, and keeps its commands", () => {
    const world = createWorld();
    const e = world.spawn(Position);
    const commands = createCommands(world);
    commands.destroy(e);
    expect(() => world.query(Position).update(() => void commands.flush())).toThrow(
      "Cannot flush commands inside query.update() or query.run()",
    );
    expect(commands.pending).toBe(1);
    expect(commands.flush().applied).toBe(1);
  });

  it("may be flushed while a query is walked with each()", () => {
    const world = createWorld();
    for (let k = 0; k < 3; k++) world.spawn(Health);
    const commands = createCommands(world);
    let visits = 0;
    world.query(Health).each((entity) => {
      visits++;
      commands.destroy(entity);
      commands.spawn(Health);
      commands.flush();
    });
    expect(visits).toBe(3);
    expect(world.count).toBe(3);
  });

  it("can be kept for thousands of commands and used again", () => {
    const world = createWorld();
    const commands = createCommands(world);
    for (const size of [3, 5000, 10]) {
      const made = Array.from({ length: size }, (_, k) => commands.spawn(Health({ hp: k % 100 })));
      expect(commands.flush().applied).toBe(size);
      expect(made.every((e, k) => world.get(e, Health)?.hp === k % 100)).toBe(true);
    }
  });
});

describe("several buffers", () => {
  it("merge by order, then by when they were made", () => {
    const world = createWorld();
    const made: string[] = [];
    const buffer = (name: string, order?: number) => {
      const commands = createCommands(world, order === undefined ? { name } : { name, order });
      return () => commands.record({ label: name, entities: [], apply: () => void made.push(name) });
    };
    const all = [buffer("b"), buffer("z", 9), buffer("c"), buffer("a", -1), buffer("y", 9)];
    for (const record of all.reverse()) record();
    flush(world);
    expect(made).toEqual(["a", "b", "c", "z", "y"]);
  });

  it("are flushed one by one with their own flush()", () => {
    const world = createWorld();
    const first = createCommands(world);
    const second = createCommands(world);
    const a = first.spawn();
    const b = second.spawn();
    second.add(a, Frozen);
    expect(second.flush().skipped).toMatchObject([
      { label: "add Frozen", entity: a, reason: "is reserved by a buffer and not created yet" },
    ]);
    expect([world.isAlive(a), world.isAlive(b)]).toEqual([false, true]);
    flush(world);
    expect(world.isAlive(a)).toBe(true);
  });

  it("leave the merge when they are closed, and release their handles when discarded", () => {
    const world = createWorld();
    const closed = createCommands(world);
    const discarded = createCommands(world);
    const [a, b] = [closed.spawn(), discarded.spawn()];
    closed.close();
    discarded.discard();
    expect(discarded.pending).toBe(0);
    expect(flush(world).applied).toBe(0);
    expect([a, b].map((e) => world.isAlive(e))).toEqual([false, false]);
    expect(
      world
        .spawnMany(2)
        .map((e) => e & 0xff)
        .sort(),
    ).toEqual([1, 2]);
    expect(() => world.add(a, Frozen)).toThrow("#1 was destroyed");
  });

  it("of two worlds are not merged", () => {
    const [one, two] = [createWorld(), createWorld()];
    createCommands(one).spawn();
    createCommands(two).spawn();
    flush(one);
    expect([one.count, two.count]).toEqual([1, 0]);
  });
});

describe("object fields", () => {
  it("are kept by reference: only the fields are copied", () => {
    const Bag = component("Bag", { items: object((): string[] => []) });
    const world = createWorld();
    const items = ["sword"];
    const commands = createCommands(world);
    const e = commands.spawn(Bag({ items }));
    items.push("shield");
    commands.flush();
    expect(world.get(e, Bag)?.items).toBe(items);
  });
});

describe("createReserved", () => {
  it("refuses handles that were not reserved", () => {
    const world = createWorld();
    const e = world.spawn();
    for (const entity of [e, 0, Number.NaN, 99] as Entity[]) {
      expect(() => createReserved(stateOf(world), entity, [])).toThrow(InvalidEntityError);
    }
    expect(() => createReserved(stateOf(world), e, [])).toThrow(
      "Cannot create #1: no reserveHandle() gave this handle.",
    );
    expect(world.count).toBe(1);
  });
});
