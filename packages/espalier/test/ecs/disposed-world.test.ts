import {
  addAll,
  changesOf,
  component,
  createWorld,
  DisposedWorldError,
  destroyAll,
  f32,
  guard,
  InvalidEntityError,
  observe,
  observeEntities,
  removeAll,
  tag,
} from "espalier";
import {
  claim,
  createReserved,
  destroyAlone,
  extend,
  releaseReserved,
  reserveHandle,
  revive,
  stateOf,
} from "espalier/internal";
import { describe, expect, it } from "vitest";
import { refusal, strictWorld } from "../testing.ts";

const Position = component("Position", { x: f32(), y: f32() });
const Frozen = tag("Frozen");

describe("a disposed world", () => {
  it("refuses every call, or answers that nothing is there", () => {
    const world = strictWorld();
    const e = world.spawn(Position);
    const query = world.query(Position);
    const reader = changesOf(world, Position);
    const end = observe(world, Position, { add: () => {} });
    const owner = claim(stateOf(world), component("Owned", {}, { reserved: "nobody()" }));
    const reserved = reserveHandle(stateOf(world));
    world.dispose();
    world.dispose();
    const calls = [
      () => world.spawn(),
      () => world.spawn(Position),
      () => world.spawn(Position, Frozen),
      () => world.spawnMany(0),
      () => world.spawnMany(3, Position),
      () => world.reserve(1),
      () => world.destroy(e),
      () => world.destroy(e, e),
      () => world.add(e, Position),
      () => world.remove(e, Position),
      () => world.set(e, Position, { x: 1 }),
      () => world.get(e, Position),
      () => world.has(e, Position),
      () => world.touch(e, Position),
      () => world.columns(Position),
      () => world.query(Position),
      () => addAll(query, Frozen),
      () => removeAll(query, Position),
      () => destroyAll(query),
      () => changesOf(world, Position),
      () => observe(world, Position, {}),
      () => observeEntities(world, {}),
      () => guard(world, Position, () => {}),
      () => claim(stateOf(world), Position),
      () => extend(stateOf(world), {}),
      () => reserveHandle(stateOf(world)),
      () => revive(stateOf(world), e, []),
      () => destroyAlone(stateOf(world), e, true),
      () => owner.add(e),
      () => query.count(),
      () => query.first(),
      () => query.single(),
      () => query.ids(),
      () => [...query],
      () => query.each(() => {}),
      () => query.update(() => {}),
      () => query.run(() => {}),
      () => query.sync(),
      () => changesOf(query, Position),
    ];
    for (const call of calls) {
      expect(call, String(call)).toThrow(DisposedWorldError);
      expect(call).toThrow(
        /^Cannot .*: this world was disposed\. Create a new one with createWorld\(\)\. \[ecs\/disposed-world\]$/,
      );
    }
    expect(() => createReserved(stateOf(world), reserved, [])).toThrow(InvalidEntityError);
    releaseReserved(stateOf(world), reserved);
    end();
    reader.close();
    expect([world.isDisposed, world.isAlive(e), world.count, world.entities(), query.includes(e)]).toEqual([
      true,
      false,
      0,
      [],
      false,
    ]);
  });

  it("can be disposed by an observer in the middle of a change", () => {
    for (const change of ["spawn", "destroy", "add", "remove", "set"]) {
      const errors: Error[] = [];
      const world = createWorld({ onError: (error) => errors.push(error) });
      const e = world.spawn(Position);
      const dispose = () => world.dispose();
      observeEntities(world, { spawn: dispose, destroy: dispose });
      observe(world, Position, { add: dispose, remove: dispose, set: dispose });
      if (change === "spawn") world.spawn(Position, Frozen);
      if (change === "destroy") world.destroy(e);
      if (change === "add") world.add(e, Frozen, Position);
      if (change === "remove") world.remove(e, Position);
      if (change === "set") world.set(e, Position, { x: 1 });
      expect([change, world.isDisposed || change === "add", errors]).toEqual([change, true, []]);
    }
  });

  it("cannot be disposed while its columns are walked", () => {
    const world = strictWorld();
    world.spawn(Position);
    expect(refusal(world, () => world.query(Position).update(() => world.dispose()))).toContain(
      "StructureLockedError: Cannot dispose the world inside query.update() or query.run()",
    );
  });
});
