import {
  addAll,
  any,
  component,
  createCommands,
  destroyAll,
  type Entity,
  entityRef,
  f32,
  not,
  object,
  observe,
  optional,
  tag,
  where,
} from "espalier";
import { createHistory, restoreSnapshot, takeSnapshot } from "espalier/history";
import { componentSignal, hasSignal, querySignal, type Signal } from "espalier/signals";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";
import { log, setUp } from "./set-up.ts";

const Health = component("Health", { hp: f32(100), target: entityRef() });
const Bag = component("Bag", { items: object((): string[] => []) });
const Frozen = tag("Frozen");
const Burning = tag("Burning");

describe("a component signal", () => {
  it("notifies once for all changes between two flushes, and never if the value is unchanged", () => {
    const { world, signals } = setUp();
    const tank = world.spawn(Health);
    const other = world.spawn(Health);
    const { told, end } = log(componentSignal(signals, tank, Health));
    world.set(tank, Health, { hp: 40 });
    world.set(tank, Health, { hp: 30 });
    world.set(other, Health, { hp: 1 });
    signals.flush();
    expect(told).toEqual([{ hp: 30, target: null }]);
    world.set(tank, Health, { hp: 1 });
    world.set(tank, Health, { hp: 30 });
    signals.flush();
    world.query(Health).update((health) => {
      health.hp -= 1;
    });
    signals.flush();
    expect(told.map((value) => value?.hp)).toEqual([30, 29]);
    end();
    world.set(tank, Health, { hp: 5 });
    signals.flush();
    expect(told).toHaveLength(2);
  });

  it("is right at once, before any flush, and gives the same object while nothing changed", () => {
    const { world, signals } = setUp();
    const tank = world.spawn(Health);
    const health = componentSignal(signals, tank, Health);
    const before = health.get();
    expect(health.get()).toBe(before);
    const { end } = log(health);
    expect(health.get()).toBe(before);
    world.set(tank, Health, { hp: 7 });
    expect(health.get()?.hp).toBe(7);
    expect(health.get()).toBe(health.get());
    end();
    world.set(tank, Health, { hp: 8 });
    expect(health.get()?.hp).toBe(8);
  });

  it("still notifies if its value was read between the change and the flush", () => {
    const { world, signals } = setUp();
    const tank = world.spawn(Health);
    const health = componentSignal(signals, tank, Health);
    const { told } = log(health);
    world.set(tank, Health, { hp: 7 });
    health.get();
    signals.flush();
    expect(told.map((value) => value?.hp)).toEqual([7]);
  });

  it("follows the component and the entity as they are added and removed", () => {
    const { world, signals } = setUp();
    const tank = world.spawn();
    const { told } = log(componentSignal(signals, tank, Health));
    const step = (change: () => unknown) => {
      change();
      signals.flush();
    };
    step(() => world.add(tank, Health({ hp: 1 })));
    step(() => world.remove(tank, Health));
    step(() => world.add(tank, Health({ hp: 2 })));
    step(() => world.destroy(tank));
    expect(told.map((value) => value?.hp)).toEqual([1, undefined, 2, undefined]);
  });

  it("is correct when it is read inside the observer of a removal", () => {
    const { world, signals } = setUp();
    const tank = world.spawn(Health);
    const health = componentSignal(signals, tank, Health);
    const { told } = log(health);
    observe(world, Health, { remove: () => void health.get(), order: 1 });
    world.remove(tank, Health);
    signals.flush();
    expect(told).toEqual([undefined]);
    expect(health.get()).toBe(undefined);
  });

  it("notifies of a change inside an object after world.touch", () => {
    const { world, signals } = setUp();
    const tank = world.spawn(Bag);
    const { told } = log(componentSignal(signals, tank, Bag));
    world.get(tank, Bag)!.items.push("rope");
    signals.flush();
    expect(told).toEqual([]);
    world.touch(tank, Bag);
    signals.flush();
    expect(told).toEqual([{ items: ["rope"] }]);
    signals.flush();
    expect(told).toHaveLength(1);
  });

  it("sees a reference to an entity that died", () => {
    const { world, signals } = setUp();
    const target = world.spawn();
    const tank = world.spawn(Health({ target }));
    expect(componentSignal(signals, tank, Health).get()?.target).toBe(target);
    world.destroy(target);
    expect(componentSignal(signals, tank, Health).get()?.target).toBe(null);
  });

  it("follows undo, redo, transactions that are taken back, commands and snapshots", () => {
    const { world, signals } = setUp();
    const tank = world.spawn(Health);
    const history = createHistory(world);
    const { told } = log(componentSignal(signals, tank, Health));
    const step = (change: () => unknown) => {
      change();
      signals.flush();
    };
    step(() => history.step("hit", () => world.set(tank, Health, { hp: 50 })));
    step(() => history.undo());
    step(() => history.redo());
    step(() => history.step("die", () => world.destroy(tank)));
    step(() => history.undo());
    const commands = createCommands(world);
    commands.set(tank, Health, { hp: 20 });
    step(() => commands.flush());
    expect(told.map((value) => value?.hp)).toEqual([50, 100, 50, undefined, 50, 20]);
    expect(() =>
      world.transaction(() => {
        world.set(tank, Health, { hp: 1 });
        throw new Error("no");
      }),
    ).toThrow("no");
    signals.flush();
    expect(told).toHaveLength(6);
    const kept = takeSnapshot(world);
    step(() => world.set(tank, Health, { hp: 3 }));
    step(() => restoreSnapshot(world, kept));
    expect(told.slice(6).map((value) => value?.hp)).toEqual([3, 20]);
  });
});

describe("a has signal", () => {
  it("is true while the entity is alive and has all components", () => {
    const { world, signals } = setUp();
    const tank = world.spawn(Health);
    const both = hasSignal(signals, tank, Health, Frozen);
    const alive = hasSignal(signals, tank);
    const [first, second] = [log(both), log(alive)];
    world.add(tank, Frozen);
    signals.flush();
    world.set(tank, Health, { hp: 1 });
    signals.flush();
    world.destroy(tank);
    signals.flush();
    expect(first.told).toEqual([true, false]);
    expect(second.told).toEqual([false]);
  });
});

describe("a query signal", () => {
  it("gives a new list only when it lists other entities", () => {
    const { world, signals } = setUp();
    const a = world.spawn(Health);
    const query = querySignal(signals, Health, not(Frozen), optional(Burning));
    const { told } = log(query);
    world.set(a, Health, { hp: 1 });
    world.add(a, Burning);
    signals.flush();
    world.spawn();
    signals.flush();
    world.remove(a, Burning);
    signals.flush();
    expect(told).toEqual([]);
    const b = world.spawn(Health);
    signals.flush();
    world.add(a, Frozen);
    signals.flush();
    world.destroy(b);
    signals.flush();
    expect(told.map((list) => list.length)).toEqual([2, 1, 0]);
  });

  it("follows any(), queries without a required component, and bulk calls", () => {
    const { world, signals } = setUp();
    const some = log(querySignal(signals, any(Frozen, Burning)));
    const free = log(querySignal(signals, not(Frozen)));
    const all = log(querySignal(signals));
    const [a, b] = world.spawnMany(2) as [Entity, Entity];
    signals.flush();
    addAll(world.query(), Frozen);
    signals.flush();
    destroyAll(world.query(Frozen));
    signals.flush();
    expect(some.told).toEqual([[a, b], []]);
    expect(free.told).toEqual([[a, b], []]);
    expect(all.told).toEqual([[a, b], []]);
  });

  it("evaluates terms with a function again at every flush", () => {
    const { world, signals } = setUp();
    const a = world.spawn(Health);
    let isOpen = false;
    const { told } = log(
      querySignal(
        signals,
        Health,
        where("open", () => isOpen),
      ),
    );
    signals.flush();
    isOpen = true;
    signals.flush();
    expect(told).toEqual([[a]]);
  });

  it("agrees with the query after any changes", () => {
    const steps = fc.array(fc.tuple(fc.nat(6), fc.nat(20)), { maxLength: 60 });
    property(steps, (list) => {
      const { world, signals } = setUp();
      const query = querySignal(signals, Health, not(Frozen), any(Burning, Bag));
      const health = new Map<Entity, Signal<unknown>>();
      let last: readonly Entity[] = [];
      query.subscribe((value) => {
        last = value;
      });
      const alive: Entity[] = [];
      for (const [kind, pick] of list) {
        const entity = alive[pick % Math.max(1, alive.length)];
        if (kind === 0 || entity === undefined) alive.push(world.spawn(Health, Burning));
        else if (kind === 1) world.add(entity, pick % 2 ? Frozen : Bag);
        else if (kind === 2) world.remove(entity, pick % 2 ? Frozen : Burning);
        else if (kind === 3) world.set(entity, Health, { hp: pick });
        else if (kind === 4) {
          world.destroy(entity);
          alive.splice(alive.indexOf(entity), 1);
        } else {
          signals.flush();
          expect(last).toEqual(world.query(Health, not(Frozen), any(Burning, Bag)).ids());
        }
        for (const one of alive) {
          if (!health.has(one)) {
            health.set(one, componentSignal(signals, one, Health));
            health.get(one)!.subscribe(() => {});
          }
          expect(health.get(one)!.get()).toEqual(world.get(one, Health));
        }
        expect(query.get()).toEqual(world.query(Health, not(Frozen), any(Burning, Bag)).ids());
      }
    });
  });
});
