import {
  component,
  createWorld,
  type Entity,
  f32,
  InvalidValueError,
  not,
  optional,
  tag,
  where,
} from "espalier";
import { createSignals, type LiveList, liveListSignal } from "espalier/signals";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { randomFrom } from "../scene/prefab-twin.ts";
import { property } from "../testing.ts";

const Health = component("Health", { hp: f32(100) });
const Frozen = tag("Frozen");

describe("a live list", () => {
  it("reads the query itself, and is a new list exactly when entities came or left", () => {
    const world = createWorld();
    const signals = createSignals(world, { schedule: "manual", frame: "manual" });
    const units = liveListSignal(signals, Health, not(Frozen));
    const seen: LiveList[] = [];
    const end = units.subscribe((list) => seen.push(list));
    const [a, b, c] = world.spawnMany(3, Health) as [Entity, Entity, Entity];
    signals.flush();
    expect(seen).toHaveLength(1);
    expect([...(seen[0] as LiveList)]).toEqual([a, b, c]);
    expect([units.get().at(0), units.get().at(-1), units.get().at(3), units.get().at(-4)]).toEqual([
      a,
      c,
      undefined,
      undefined,
    ]);
    expect([units.get().slice(1), units.get().slice(-2, -1), units.get().slice(5)]).toEqual([
      [b, c],
      [b],
      [],
    ]);
    world.set(a, Health, { hp: 1 });
    signals.flush();
    expect([seen.length, units.get()]).toEqual([1, seen[0]]);
    world.add(b, Frozen);
    expect(units.get().length).toBe(2);
    expect(seen[0]).toHaveLength(2);
    signals.flush();
    expect(seen).toHaveLength(2);
    end();
    world.destroy(a);
    signals.flush();
    expect([seen.length, units.get().length]).toEqual([2, 1]);
    expect(() => units.get().slice("1" as never)).toThrow("a number");
    world.dispose();
    expect(units.get().length).toBe(0);
  });

  it("refuses terms that are evaluated per entity", () => {
    const world = createWorld();
    const signals = createSignals(world);
    expect(() =>
      liveListSignal(
        signals,
        Health,
        where("weak", () => true),
      ),
    ).toThrow(InvalidValueError);
    expect(() => liveListSignal({} as never, Health)).toThrow();
  });

  it("agrees with the query after random changes, and notifies when other entities match", () => {
    property(
      fc.integer(),
      (seed) => {
        const random = randomFrom(seed);
        const world = createWorld();
        const signals = createSignals(world, { schedule: "manual", frame: "manual" });
        const list = liveListSignal(signals, Health, optional(Frozen));
        const query = world.query(Health, optional(Frozen));
        let calls = 0;
        list.subscribe(() => calls++);
        for (let step = 0; step < 30; step++) {
          const all = world.entities();
          const one = all[random(Math.max(1, all.length))];
          const before = query.ids();
          const heard = calls;
          const act = random(5);
          if (act === 0 || one === undefined) world.spawn(Health);
          else if (act === 1) world.destroy(one);
          else if (act === 2) world.remove(one, Health);
          else if (act === 3) world.add(one, Health);
          else world.add(one, Frozen);
          signals.flush();
          expect([...list.get()]).toEqual(query.ids());
          expect(list.get().slice()).toEqual(query.ids());
          if (String(before.sort()) !== String(query.ids().sort())) expect(calls).toBe(heard + 1);
        }
      },
      60,
    );
  });
});
