/** What the self-test brought to light. */

import {
  addAll,
  changesOf,
  checkWorld,
  component,
  createWorld,
  DisposedWorldError,
  destroyAll,
  type Entity,
  f32,
  InvalidEntityError,
  InvalidValueError,
  observe,
  observeEntities,
  removeAll,
  tag,
  UnknownComponentError,
} from "espalier";
import { revive, stateOf } from "espalier/internal";
import { describe, expect, it } from "vitest";

const Position = component("Position", { x: f32() });
const Frozen = tag("Frozen");

describe("bulk changes", () => {
  it("refuse a component given twice, with and without listeners", () => {
    for (const listened of [false, true]) {
      const world = createWorld();
      if (listened) changesOf(world, Position);
      const e = world.spawn(Position);
      expect(() => addAll(world.query(Position), Frozen, Frozen)).toThrow(InvalidValueError);
      expect(world.has(e, Frozen)).toBe(false);
    }
  });

  it("leave the transitions between archetypes correct when a component is removed twice", () => {
    const world = createWorld();
    const e = world.spawn(Position);
    removeAll(world.query(Position), Position, Position);
    world.add(e, Position({ x: 3 }));
    expect(world.get(e, Position)).toEqual({ x: 3 });
    expect(checkWorld(world)).toEqual([]);
  });

  it("change the world of the query", () => {
    const [own, other] = [createWorld(), createWorld()];
    own.spawn(Position);
    other.spawn(Position);
    addAll(other.query(Position), Frozen);
    expect([own.query(Frozen).count(), other.query(Frozen).count()]).toEqual([0, 1]);
    destroyAll(other.query(Position));
    expect([...checkWorld(own), ...checkWorld(other), own.count, other.count]).toEqual([1, 0]);
    const kept = own.query(Position);
    own.dispose();
    expect(() => destroyAll(kept)).toThrow(DisposedWorldError);
  });

  it("destroy more entities than a call can have arguments", () => {
    const world = createWorld();
    world.spawnMany(300_000, Frozen);
    const reader = changesOf(world, Frozen);
    destroyAll(world.query(Frozen));
    expect(world.count).toBe(0);
    expect(reader.pending).toBe(300_000);
  });
});

describe("an onError that throws", () => {
  const strict = () =>
    createWorld({
      onError: (error) => {
        throw error;
      },
    });

  it("does not keep the entity from being destroyed, nor the other observers from running", () => {
    const world = strict();
    const seen: string[] = [];
    observeEntities(world, {
      destroy: () => {
        throw new Error("not now");
      },
    });
    observeEntities(world, { destroy: () => seen.push("second") });
    const e = world.spawn();
    expect(() => world.destroy(e)).toThrow("Observer destroy threw on destroy of #1: not now");
    expect([seen, world.isAlive(e), checkWorld(world)]).toEqual([["second"], false, []]);
  });

  it("does not count as observers that trigger each other", () => {
    const world = strict();
    observe(world, Frozen, {
      add: () => {
        throw new Error("no");
      },
    });
    for (let k = 0; k < 150; k++) {
      expect(() => world.spawn(Frozen)).toThrow("Observer add threw");
    }
    expect(world.count).toBe(150);
  });
});

describe("a fresh world", () => {
  it("does not take undefined for a component", () => {
    expect(() => createWorld().spawn(undefined as never)).toThrow(UnknownComponentError);
    expect(() => createWorld().add(createWorld().spawn(), undefined as never)).toThrow();
  });

  it("revives nothing that is not a handle, and nothing at all when it is disposed", () => {
    const world = createWorld();
    for (const entity of [0, Number.NaN, -1, 1.5] as Entity[]) {
      expect(() => revive(stateOf(world), entity, [])).toThrow(InvalidEntityError);
    }
    expect(world.count).toBe(0);
    expect(checkWorld(world)).toEqual([]);
    world.dispose();
    expect(() => revive(stateOf(world), 5 as Entity, [])).toThrow(DisposedWorldError);
  });
});
