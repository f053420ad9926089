import { checkWorld, component, type Entity, f32, indexOf, object, tag } from "espalier";
import { createReserved, releaseReserved, reserveHandle, stateOf } from "espalier/internal";
import { describe, expect, it } from "vitest";
import { refusal, strictWorld } from "../testing.ts";

const Position = component("Position", { x: f32(), y: f32() });
const Frozen = tag("Frozen");

describe("a reserved handle", () => {
  it("holds a handle that is alive once it is created", () => {
    const world = strictWorld();
    const e = reserveHandle(stateOf(world));
    expect([world.isAlive(e), world.count, world.entities()]).toEqual([false, 0, []]);
    expect(refusal(world, () => world.add(e, Position))).toBe(
      "DeadEntityError: Cannot add a component: #1 is reserved by a command buffer and does not exist before flush(). Record the change on the buffer instead. [ecs/dead-entity]",
    );
    expect(world.spawn()).not.toBe(e);
    createReserved(stateOf(world), e, [Position({ x: 1 }), Frozen]);
    expect([world.isAlive(e), world.get(e, Position), world.has(e, Frozen)]).toEqual([
      true,
      { x: 1, y: 0 },
      true,
    ]);
    expect(checkWorld(world)).toEqual([]);
  });

  it("can be released; the handle is stale then", () => {
    const world = strictWorld();
    const e = reserveHandle(stateOf(world));
    releaseReserved(stateOf(world), e);
    releaseReserved(stateOf(world), e);
    const next = world.spawn();
    expect([indexOf(next), next === e, world.isAlive(e)]).toEqual([indexOf(e), false, false]);
  });

  it("can be created once, and only in the world that reserved it", () => {
    const world = strictWorld();
    const e = reserveHandle(stateOf(world));
    createReserved(stateOf(world), e, []);
    const text =
      "InvalidEntityError: Cannot create #1: no reserveHandle() gave this handle. [ecs/invalid-entity]";
    expect(refusal(world, () => createReserved(stateOf(world), e, []))).toBe(text);
    world.destroy(e);
    expect(refusal(world, () => createReserved(stateOf(world), e, []))).toBe(text);
    expect(refusal(world, () => createReserved(stateOf(world), Number.NaN as Entity, []))).toContain(
      "Cannot create NaN",
    );
  });

  it("does not make an older handle of its index one that is reserved", () => {
    const world = strictWorld();
    const old = world.spawn();
    world.destroy(old);
    const e = reserveHandle(stateOf(world));
    expect(indexOf(e)).toBe(indexOf(old));
    expect(refusal(world, () => world.add(old, Position))).toContain("#1 was destroyed.");
    expect(refusal(world, () => createReserved(stateOf(world), old, []))).toContain(
      "no reserveHandle() gave",
    );
    releaseReserved(stateOf(world), old);
    createReserved(stateOf(world), e, [Frozen]);
    expect([world.isAlive(old), world.has(e, Frozen)]).toEqual([false, true]);
    expect(checkWorld(world)).toEqual([]);
  });

  it("stays reserved when its components are refused", () => {
    const world = strictWorld();
    const Broken = component("Broken", {
      it: object(() => {
        throw new Error("no default");
      }),
    });
    const e = reserveHandle(stateOf(world));
    expect(
      refusal(world, () => createReserved(stateOf(world), e, [Position({ x: "1" as never })])),
    ).toContain("takes a number");
    expect(refusal(world, () => createReserved(stateOf(world), e, [Frozen, Broken]))).toBe(
      "Error: no default",
    );
    createReserved(stateOf(world), e, [Frozen]);
    expect(world.has(e, Frozen)).toBe(true);
  });

  it("may be made where structure is locked, even when the world must grow", () => {
    const world = strictWorld({ capacity: 2 });
    world.spawnMany(2, Position({ x: 1 }));
    const reserved: Entity[] = [];
    world.query(Position).update((position) => {
      reserved.push(reserveHandle(stateOf(world)));
      position.x++;
    });
    for (const e of reserved) createReserved(stateOf(world), e, [Position({ x: 5 })]);
    expect(
      world
        .query(Position)
        .ids()
        .map((e) => world.get(e, Position)?.x),
    ).toEqual([2, 2, 5, 5]);
    expect(checkWorld(world)).toEqual([]);
  });
});
