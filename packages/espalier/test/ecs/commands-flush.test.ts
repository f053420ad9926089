import {
  CommandError,
  component,
  createCommands,
  createWorld,
  type Entity,
  flush,
  guard,
  InvalidValueError,
  i8,
  MissingComponentError,
  observe,
  tag,
} from "espalier";
import { describe, expect, it, vi } from "vitest";

const Health = component("Health", { hp: i8(10) });
const Frozen = tag("Frozen");
const quiet = () => createWorld({ onError: () => {} });

describe("a flush", () => {
  it("skips commands on entities that died meanwhile, and lists them", () => {
    const world = createWorld();
    const other = createWorld();
    const a = world.spawn();
    const b = world.spawn();
    const foreign = other.spawnMany(20)[19] as Entity;
    const commands = createCommands(world);
    commands.add(a, Health);
    commands.remove(a, Health, Frozen);
    commands.set(a, Health, { hp: 1 });
    commands.add(foreign, Frozen);
    commands.record({ label: "attach", entities: [b, a], apply: () => expect.unreachable() });
    commands.add(b, Frozen);
    world.destroy(a);
    world.spawn(); // takes the index of a
    const result = commands.flush();
    expect(result.applied).toBe(1);
    expect(result.refused).toEqual([]);
    expect(result.skipped).toMatchObject([
      { label: "add Health", entity: a, reason: "was destroyed" },
      { label: "remove Health, Frozen", entity: a, reason: "was destroyed" },
      { label: "set Health", entity: a, reason: "was destroyed" },
      { label: "add Frozen", entity: foreign, reason: "was never created in this world" },
      { label: "attach", entity: a, reason: "was destroyed" },
    ]);
    expect(world.has(b, Frozen)).toBe(true);
  });

  it("lists what is refused, calls onError, and continues", () => {
    const errors: Error[] = [];
    const world = createWorld({ onError: (error) => errors.push(error) });
    const e = world.spawn();
    const commands = createCommands(world, { name: "ai" });
    commands.set(e, Health, { hp: 1 });
    commands.record({
      label: "attach",
      entities: [e],
      apply: () => {
        throw new RangeError("no room");
      },
    });
    commands.record({
      label: "shout",
      entities: [],
      apply: () => {
        throw "aaa";
      },
    });
    commands.add(e, Frozen);
    const { applied, refused } = commands.flush();
    expect(applied).toBe(1);
    expect(world.has(e, Frozen)).toBe(true);
    expect(refused.map(({ label, entity }) => [label, entity])).toEqual([
      ["set Health", e],
      ["attach", e],
      ["shout", undefined],
    ]);
    expect(refused[0]?.error).toBeInstanceOf(MissingComponentError);
    expect(refused[1]?.error).toBeInstanceOf(RangeError);
    expect(errors.map((error) => error.message)).toEqual([
      'Command "set Health" of #1, recorded on buffer ai, was refused: Cannot set Health of #1: the entity has no Health. Use add() to give it one. [ecs/missing-component] [ecs/command]',
      'Command "attach" of #1, recorded on buffer ai, was refused: no room [ecs/command]',
      'Command "shout", recorded on buffer ai, was refused: A command threw aaa. [ecs/command] [ecs/command]',
    ]);
    expect(errors[0]).toBeInstanceOf(CommandError);
    expect(errors[0]?.cause).toBe(refused[0]?.error);
  });

  it("releases the handle of a spawn that a guard refuses, and skips what follows on it", () => {
    const world = quiet();
    guard(world, Health, (_index, values) => {
      if ((values as { hp: number }).hp < 0) throw new InvalidValueError("Cannot start dead.");
    });
    const commands = createCommands(world);
    const bad = commands.spawn(Health({ hp: -1 }));
    commands.add(bad, Frozen);
    commands.destroy(bad);
    const good = commands.spawn(Health({ hp: 1 }));
    const result = commands.flush();
    expect(result.applied).toBe(1);
    expect(result.refused).toMatchObject([{ label: "spawn", entity: bad }]);
    const reason = "was never created: its spawn was refused";
    expect(result.skipped).toMatchObject([
      { label: "add Frozen", entity: bad, reason },
      { label: "destroy", entity: bad, reason },
    ]);
    expect(world.entities()).toEqual([good]);
    expect(world.spawn() & 0xff).toBe(bad & 0xff);
  });

  it("leaves the world consistent when onError throws", () => {
    const world = createWorld({
      onError: (error) => {
        throw error;
      },
    });
    const e = world.spawn();
    const commands = createCommands(world);
    commands.set(e, Health, { hp: 1 });
    commands.add(e, Frozen);
    expect(() => commands.flush()).toThrow(CommandError);
    expect(world.has(e, Frozen)).toBe(true);
    expect(commands.pending).toBe(0);
    commands.remove(e, Frozen);
    expect(commands.flush().applied).toBe(1);
  });

  it("applies what observers record meanwhile, after what was there", () => {
    const world = createWorld();
    const order: string[] = [];
    const note = (text: string) => ({ label: text, entities: [], apply: () => void order.push(text) });
    const commands = createCommands(world);
    const late = createCommands(world, { order: 1 });
    observe(world, Frozen, {
      add: () => {
        order.push("added");
        commands.record(note("caused"));
        createCommands(world, { order: -5 }).record(note("caused on a new buffer"));
      },
    });
    commands.spawn(Frozen);
    commands.record(note("first"));
    late.record(note("second"));
    expect(flush(world).applied).toBe(5);
    expect(order).toEqual(["added", "first", "second", "caused on a new buffer", "caused"]);
  });

  it("stops commands that trigger themselves endlessly", () => {
    const errors: Error[] = [];
    const world = createWorld({ onError: (error) => errors.push(error) });
    const commands = createCommands(world, { name: "loop" });
    const e = world.spawn();
    observe(world, Frozen, { add: () => commands.remove(e, Frozen), remove: () => commands.add(e, Frozen) });
    commands.add(e, Frozen);
    const result = commands.flush();
    expect(result.applied).toBe(1000);
    expect(result.refused).toHaveLength(1);
    expect(errors.map((error) => error.message)).toEqual([
      'Stopped the flush at "add Frozen", recorded on buffer loop: its commands cause further commands without end. The 1 that waited there are dropped. Look for observers that record what triggers them again. [ecs/command]',
    ]);
    expect(commands.pending).toBe(0);
  });

  it("stops commands that double endlessly, and releases their handles", () => {
    const world = quiet();
    const commands = createCommands(world);
    const off = observe(world, Frozen, {
      add: () => {
        commands.spawn(Frozen);
        commands.spawn(Frozen);
      },
    });
    commands.spawn(Frozen);
    const result = commands.flush();
    expect(result.applied).toBeLessThan(1_500_000);
    expect(result.refused.length).toBeGreaterThan(1000);
    expect(world.count).toBe(result.applied);
    off();
    const next = world.spawn();
    expect(result.refused.some(({ entity }) => ((entity as Entity) & 0x3fffff) === (next & 0x3fffff))).toBe(
      true,
    );
  });

  it("cannot be started inside a flush", () => {
    const errors: Error[] = [];
    const world = createWorld({ onError: (error) => errors.push(error) });
    const commands = createCommands(world);
    const other = createWorld();
    const otherCommands = createCommands(other);
    observe(world, Frozen, {
      name: "impatient",
      add: () => {
        otherCommands.spawn();
        otherCommands.flush(); // another world is no matter
        flush(world);
      },
    });
    commands.spawn(Frozen);
    expect(commands.flush().applied).toBe(1);
    expect(other.count).toBe(1);
    expect(errors.map((error) => error.message)).toEqual([
      "Observer impatient threw on add of #1: Cannot flush inside a flush: what is recorded now is applied by the flush under way. Record the command and leave it to that. [ecs/command] [ecs/observer]",
    ]);
  });

  it("survives a command that disposes the world", () => {
    const world = quiet();
    const e = world.spawn();
    const commands = createCommands(world);
    commands.record({ label: "end", entities: [], apply: (it) => it.dispose() });
    commands.add(e, Frozen);
    commands.spawn();
    const result = commands.flush();
    expect(result.applied).toBe(1);
    expect(result.skipped).toMatchObject([
      { label: "add Frozen", entity: e, reason: "went with its world, which was disposed" },
    ]);
    expect(result.refused).toHaveLength(1);
  });

  it("calls observers for commands as for direct changes", () => {
    const world = createWorld();
    const commands = createCommands(world);
    const seen = vi.fn();
    observe(world, Health, {
      add: (e) => seen("add", e),
      set: (e) => seen("set", e),
      remove: (e) => seen("remove", e),
    });
    const e = commands.spawn(Health);
    commands.set(e, Health, { hp: 2 });
    commands.destroy(e);
    commands.flush();
    expect(seen.mock.calls).toEqual([
      ["add", e],
      ["set", e],
      ["remove", e],
    ]);
  });
});
