import { effect, signal as preactSignal } from "@preact/signals-core";
import {
  any,
  component,
  createCommands,
  createWorld,
  type Entity,
  entityRef,
  f32,
  not,
  object,
  optional,
  resource,
  tag,
  where,
} from "espalier";
import { createHierarchy, spawnTree } from "espalier/hierarchy";
import { createHistory, restoreSnapshot, takeSnapshot } from "espalier/history";
import { createInherited, HIDDEN, Visibility, visibility } from "espalier/inherit";
import {
  childrenSignal,
  componentSignal,
  createSignals,
  hasSignal,
  historySignal,
  inheritedSignal,
  parentSignal,
  querySignal,
  resourceSignal,
  type Signal,
  worldTransformSignal,
} from "espalier/signals";
import { createTransforms2D, createTransforms3D, Transform2D } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property, strictWorld } from "../testing.ts";

const Health = component("Health", { hp: f32(100), target: entityRef() });
const Bag = component("Bag", { items: object((): string[] => []) });
const Frozen = tag("Frozen");
const Burning = tag("Burning");
const Gravity = resource("Gravity", () => -9.81);

const manual = { schedule: "manual", frame: "manual" } as const;

/** Everything a signal tells. */
function log<Value>(signal: Signal<Value>): { told: Value[]; end: () => void } {
  const told: Value[] = [];
  return { told, end: signal.subscribe((value) => told.push(value)) };
}

function setUp() {
  const world = strictWorld();
  const tree = createHierarchy(world);
  const signals = createSignals(world, manual);
  return { world, tree, signals };
}

describe("a component signal", () => {
  it("tells once for all changes between two flushes, and never of what is as before", () => {
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

  it("still tells when its value was read between the change and the flush", () => {
    const { world, signals } = setUp();
    const tank = world.spawn(Health);
    const health = componentSignal(signals, tank, Health);
    const { told } = log(health);
    world.set(tank, Health, { hp: 7 });
    health.get();
    signals.flush();
    expect(told.map((value) => value?.hp)).toEqual([7]);
  });

  it("follows the component and the entity coming and going", () => {
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

  it("is not misled when it is read inside the observer of a removal", () => {
    const { world, signals } = setUp();
    const tank = world.spawn(Health);
    const health = componentSignal(signals, tank, Health);
    const { told } = log(health);
    world.observe(Health, { remove: () => void health.get(), order: 1 });
    world.remove(tank, Health);
    signals.flush();
    expect(told).toEqual([undefined]);
    expect(health.get()).toBe(undefined);
  });

  it("tells of the inside of an object when the world is told of it", () => {
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
  it("gives another list only when it lists others", () => {
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
    world.addAll(world.query(), Frozen);
    signals.flush();
    world.destroyAll(world.query(Frozen));
    signals.flush();
    expect(some.told).toEqual([[a, b], []]);
    expect(free.told).toEqual([[a, b], []]);
    expect(all.told).toEqual([[a, b], []]);
  });

  it("asks terms with a function again at every flush", () => {
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

describe("tree signals", () => {
  it("tell of children that come, go and change places, and of the parent", () => {
    const { world, tree, signals } = setUp();
    const { tank, turret, hatch } = spawnTree(tree, {
      name: "tank",
      children: [{ name: "turret" }, { name: "hatch" }],
    }).named as Record<string, Entity>;
    const children = log(childrenSignal(signals, tree, tank!));
    const roots = log(childrenSignal(signals, tree, null));
    const parent = log(parentSignal(signals, tree, hatch!));
    const step = (change: () => unknown) => {
      change();
      signals.flush();
    };
    step(() => tree.swap(turret!, hatch!));
    step(() => tree.attach(turret!, hatch!));
    step(() => tree.detach(hatch!));
    step(() => world.destroy(tank!));
    expect(children.told).toEqual([[hatch, turret], [hatch], []]);
    expect(roots.told).toEqual([[tank, hatch], [hatch]]);
    expect(parent.told).toEqual([null]);
    step(() => tree.attach(tree.attachNew(null), turret!));
    step(() => world.destroy(hatch!));
    expect(parent.told).toEqual([null]);
    expect(roots.told.at(-1)).toEqual([]);
  });

  it("give the empty list and null for the dead, also when they were subscribed to before", () => {
    const { world, tree, signals } = setUp();
    const tank = world.spawn();
    const turret = tree.attachNew(tank);
    const children = log(childrenSignal(signals, tree, tank));
    const parent = log(parentSignal(signals, tree, turret));
    world.destroy(tank);
    signals.flush();
    expect(children.told).toEqual([[]]);
    expect(parent.told).toEqual([null]);
  });

  it("go on for others when one of several listeners to parents leaves", () => {
    const { tree, signals } = setUp();
    const [a, b] = [tree.attachNew(null), tree.attachNew(null)];
    const first = log(parentSignal(signals, tree, a));
    const second = log(parentSignal(signals, tree, b));
    first.end();
    tree.attach(b, a);
    signals.flush();
    expect(second.told).toEqual([a]);
  });
});

describe("sampled signals", () => {
  it("tell of world transforms that an ancestor moved, in the plane and in space", () => {
    const { world, tree, signals } = setUp();
    const space = createTransforms2D(tree);
    const tank = world.spawn(space.at(1, 0));
    const turret = tree.attachNew(tank, space.at(1, 0));
    const place = worldTransformSignal(signals, space, turret);
    const { told } = log(place);
    signals.flush();
    space.setPosition(tank, 5, 0);
    expect(place.get()?.x).toBe(6);
    signals.flush();
    signals.flush();
    expect(told.map((matrix) => matrix?.x)).toEqual([6]);
    world.destroy(turret);
    signals.flush();
    expect(told).toHaveLength(2);
    expect(told[1]).toBe(undefined);

    const space3 = createTransforms3D(tree, { name: "space" });
    const crane = world.spawn(space3.at(1, 2, 3));
    const hook = log(worldTransformSignal(signals, space3, crane));
    signals.flush();
    space3.setPosition(crane, 4, 5, 6);
    signals.flush();
    expect(hook.told.map((m) => [...m!.subarray(9)])).toEqual([[4, 5, 6]]);
  });

  it("tell of inherited values, resources, histories and values of your own", () => {
    const { world, tree, signals } = setUp();
    const shown = createInherited(tree, visibility);
    const history = createHistory(world);
    const tank = world.spawn();
    const turret = tree.attachNew(tank);
    history.clear();
    const logs = {
      shown: log(inheritedSignal(signals, shown, turret)),
      gravity: log(resourceSignal(signals, Gravity)),
      undo: log(historySignal(signals, history)),
      count: log(signals.derive(() => world.count)),
    };
    history.step("hide", () => world.add(tank, Visibility({ mode: HIDDEN })));
    signals.flush();
    world.setResource(Gravity, 0);
    signals.flush();
    world.spawn();
    signals.flush();
    expect(logs.shown.told).toEqual([false]);
    expect(logs.gravity.told).toEqual([0]);
    expect(logs.undo.told.map(({ undoLabels }) => undoLabels)).toEqual([["hide"], ["", "hide"]]);
    expect(logs.count.told).toEqual([3]);
  });
});

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

  it("reads sampled values once a frame while somebody listens, and asks for no frame otherwise", () => {
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

  it("reads everything before it tells anybody, so that listeners see one moment", () => {
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

  it("tells of the others when a value cannot be read", () => {
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

  it("leaves no observer behind when the last listener is gone", () => {
    const { world, tree, signals } = setUp();
    const tank = world.spawn(Health);
    let open = 0;
    const counted =
      <Args extends unknown[]>(begin: (...args: Args) => () => void) =>
      (...args: Args) => {
        const end = begin(...args);
        open++;
        return () => {
          open--;
          end();
        };
      };
    world.observe = counted(world.observe.bind(world));
    world.observeEntities = counted(world.observeEntities.bind(world));
    tree.onChildrenChanged = counted(tree.onChildrenChanged.bind(tree));
    const logs = [
      log(componentSignal(signals, tank, Health)),
      log(hasSignal(signals, tank, Frozen)),
      log(querySignal(signals, Health)),
      log(childrenSignal(signals, tree, tank)),
      log(parentSignal(signals, tree, tank)),
    ];
    // Two components, entities, lists of children, and perhaps what the tree itself needs for these.
    expect(open).toBeGreaterThanOrEqual(4);
    for (const { end } of logs) {
      end();
      end();
    }
    expect(open).toBe(0);
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
