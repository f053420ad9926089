import { effect, signal as preactSignal } from "@preact/signals-core";
import { component, createWorld, type Entity, entityRef, f32, resource, tag } from "espalier";
import { treeOf } from "espalier/internal/hierarchy";
import {
  childrenSignal,
  componentSignal,
  createSignals,
  hasSignal,
  parentSignal,
  querySignal,
  resourceSignal,
} from "espalier/signals";
import { Transform2D } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { log, setUp } from "./set-up.ts";

const Health = component("Health", { hp: f32(100), target: entityRef() });
const Frozen = tag("Frozen");
const Gravity = resource("Gravity", () => -9.81);

describe("flushing", () => {
  it("happens by itself, as a microtask after the change", async () => {
    const world = createWorld();
    const signals = createSignals(world);
    const tank = world.spawn(Health);
    const { told } = log(componentSignal(signals, tank, Health));
    world.set(tank, Health, { hp: 1 });
    world.set(tank, Health, { hp: 2 });
    expect(told).toEqual([]);
    await Promise.resolve();
    expect(told.map((value) => value?.hp)).toEqual([2]);
  });

  it("reads sampled values once a frame while there are listeners, and requests no frame otherwise", () => {
    const world = createWorld();
    const frames: (() => void)[] = [];
    const signals = createSignals(world, { schedule: "manual", frame: (tick) => frames.push(tick) });
    const nextFrame = () => {
      for (const tick of frames.splice(0)) tick();
    };
    const gravity = resourceSignal(signals, Gravity);
    expect(frames).toHaveLength(0);
    const { told, end } = log(gravity);
    nextFrame();
    world.setResource(Gravity, 1);
    nextFrame();
    expect(told).toEqual([1]);
    end();
    nextFrame();
    expect(frames).toHaveLength(0);
  });

  it("reads everything before it notifies listeners, so that they see one moment", () => {
    const { world, signals } = setUp();
    const [a, b] = [world.spawn(Health), world.spawn(Health)];
    const [first, second] = [componentSignal(signals, a, Health), componentSignal(signals, b, Health)];
    const seen: unknown[] = [];
    first.subscribe(() => {
      world.set(b, Health, { hp: 99 });
    });
    second.subscribe((value) => seen.push(value?.hp));
    world.set(a, Health, { hp: 1 });
    world.set(b, Health, { hp: 2 });
    signals.flush();
    expect(seen).toEqual([2]);
    signals.flush();
    expect(seen).toEqual([2, 99]);
  });

  it("calls the other listeners when one throws, and then throws that", () => {
    const { world, signals } = setUp();
    const tank = world.spawn(Health);
    componentSignal(signals, tank, Health).subscribe(() => {
      throw new Error("first");
    });
    const { told } = log(componentSignal(signals, tank, Health));
    world.set(tank, Health, { hp: 1 });
    expect(() => signals.flush()).toThrow("first");
    expect(told).toHaveLength(1);
  });

  it("calls the other listeners of the same signal when one throws", () => {
    const { world, signals } = setUp();
    const tank = world.spawn(Health);
    const health = componentSignal(signals, tank, Health);
    health.subscribe(() => {
      throw new Error("first");
    });
    const { told } = log(health);
    world.set(tank, Health, { hp: 1 });
    expect(() => signals.flush()).toThrow("first");
    expect(told).toHaveLength(1);
  });

  it("notifies of the others when a value cannot be read", () => {
    const { world, signals } = setUp();
    const tank = world.spawn(Health);
    let isBroken = false;
    signals
      .derive(() => {
        if (isBroken) throw new Error("broken");
      })
      .subscribe(() => {});
    const { told } = log(componentSignal(signals, tank, Health));
    isBroken = true;
    world.set(tank, Health, { hp: 1 });
    expect(() => signals.flush()).toThrow("broken");
    expect(told).toHaveLength(1);
  });

  it("leaves no observer behind when the last listener has ended", () => {
    const { world, tree, signals } = setUp();
    const tank = world.spawn(Health);
    let listened = 0;
    const { notices, ecs: state } = treeOf(tree);
    const listen = notices.listen.bind(notices);
    notices.listen = (...args) => {
      const end = listen(...args);
      listened++;
      return () => {
        listened--;
        end();
      };
    };
    const open = () => state.listeners + state.onSpawn.length + listened;
    const logs = [
      log(componentSignal(signals, tank, Health)),
      log(hasSignal(signals, tank, Frozen)),
      log(querySignal(signals, Health)),
      log(childrenSignal(signals, tree, tank)),
      log(parentSignal(signals, tree, tank)),
    ];
    // Two components, entities, lists of children, and perhaps what the tree itself needs for these.
    expect(open()).toBeGreaterThanOrEqual(4);
    for (const { end } of logs) {
      end();
      end();
    }
    expect(open()).toBe(0);
  });

  it("survives the end of its world", () => {
    const { world, tree, signals } = setUp();
    const tank = world.spawn(Health);
    const logs = [
      log(componentSignal(signals, tank, Health)),
      log(querySignal(signals, Health)),
      log(childrenSignal(signals, tree, null)),
    ];
    world.dispose();
    signals.flush();
    expect(componentSignal(signals, tank, Health).get()).toBe(undefined);
    for (const { end } of logs) end();
  });
});

describe("as the guide shows it", () => {
  it("a signal drives one of Preact", () => {
    const { world, signals } = setUp();
    const tank = world.spawn(Health);
    const health = componentSignal(signals, tank, Health);
    const own = preactSignal(health.get());
    health.subscribe((value) => {
      own.value = value;
    });
    const seen: unknown[] = [];
    const stop = effect(() => void seen.push(own.value?.hp));
    world.set(tank, Health, { hp: 3 });
    signals.flush();
    expect(seen).toEqual([100, 3]);
    stop();
  });

  it("a signal is a store for Svelte: subscribe gives the value at once", () => {
    const { world, signals } = setUp();
    const tank = world.spawn(Transform2D);
    const count = querySignal(signals, Transform2D);
    const store = {
      subscribe(run: (value: readonly Entity[]) => void) {
        run(count.get());
        return count.subscribe(run);
      },
    };
    const seen: number[] = [];
    const stop = store.subscribe((list) => seen.push(list.length));
    world.destroy(tank);
    signals.flush();
    stop();
    expect(seen).toEqual([1, 0]);
  });
});
