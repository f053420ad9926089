import { createWorld } from "espalier";
import { createEntityEvents, createHierarchy, entityEvent, spawnTree } from "espalier/hierarchy";
import { describe, expect, it } from "vitest";
import { strictWorld } from "../testing.ts";

const Hit = entityEvent<{ amount: number }>("hit");
const Boom = entityEvent("boom");
const Near = entityEvent("near", { bubbles: false });

function plant(onError?: (error: Error) => void) {
  const world = onError === undefined ? strictWorld() : createWorld({ onError });
  const tree = createHierarchy(world);
  const { named } = spawnTree(tree, {
    name: "level",
    children: [{ name: "tank", children: [{ name: "turret" }] }],
  });
  const said: string[] = [];
  return { world, tree, events: createEntityEvents(tree), said, ...named };
}

describe("entity events", () => {
  it("go down through capturing handlers, reach the target, and bubble up", () => {
    const { tree, events, said, level, tank, turret } = plant();
    for (const entity of [level, tank, turret]) {
      for (const capture of [false, true]) {
        events.on(
          entity,
          Hit,
          ({ current, phase, payload }) =>
            void said.push(`${tree.nameOf(current)} ${phase} ${payload.amount}`),
          {
            capture,
          },
        );
      }
    }
    const event = events.emit(turret, Hit, { amount: 5 });
    expect(said).toEqual([
      "level capture 5",
      "tank capture 5",
      "turret target 5",
      "turret target 5",
      "tank bubble 5",
      "level bubble 5",
    ]);
    expect([event.target, event.stopped, event.defaultPrevented]).toEqual([turret, false, false]);
  });

  it("do not bubble when their kind says so", () => {
    const { events, said, tank, turret } = plant();
    events.on(tank, Near, () => void said.push("tank"));
    events.on(turret, Near, () => void said.push("turret"));
    events.emit(turret, Near);
    expect(said).toEqual(["turret"]);
  });

  it("run all handlers of an entity, even after one stopped them there", () => {
    const { events, said, level, tank, turret } = plant();
    events.on(tank, Boom, (event) => {
      said.push("first");
      event.stop();
    });
    events.on(tank, Boom, () => void said.push("second"));
    events.on(level, Boom, () => void said.push("level"));
    expect(events.emit(turret, Boom).stopped).toBe(true);
    expect(said).toEqual(["first", "second"]);
  });

  it("can be stopped on the way down", () => {
    const { events, said, level, turret } = plant();
    events.on(level, Boom, (event) => event.stop(), { capture: true });
    events.on(turret, Boom, () => void said.push("turret"));
    events.emit(turret, Boom);
    expect(said).toEqual([]);
  });

  it("show the caller of emit that the default was prevented", () => {
    const { events, level, turret } = plant();
    events.on(level, Boom, (event) => event.preventDefault());
    expect(events.emit(turret, Boom).defaultPrevented).toBe(true);
  });

  it("end with their entity, and a new one with its index inherits nothing", () => {
    const { world, tree, events, said, tank, turret } = plant();
    events.on(turret, Boom, () => void said.push("turret"));
    world.destroy(turret);
    const next = tree.attachNew(tank);
    events.emit(next, Boom);
    expect(said).toEqual([]);
    expect(events.isHandled(Boom)).toBe(false);
  });

  it("skip entities that die on the way", () => {
    const { world, events, said, level, tank, turret } = plant();
    events.on(turret, Boom, () => void world.destroy(tank));
    events.on(tank, Boom, () => void said.push("tank"));
    events.on(level, Boom, () => void said.push("level"));
    events.emit(turret, Boom);
    expect(said).toEqual(["level"]);
  });

  it("keep the path they had at the start", () => {
    const { tree, events, said, level, tank, turret } = plant();
    events.on(turret, Boom, () => void tree.detach(turret));
    events.on(tank, Boom, () => void said.push("tank"));
    events.on(level, Boom, () => void said.push("level"));
    events.emit(turret, Boom);
    expect(said).toEqual(["tank", "level"]);
  });

  it("are handled once, or until the handler is ended", () => {
    const { events, said, turret } = plant();
    events.on(turret, Boom, () => void said.push("once"), { once: true });
    const handler = () => void said.push("again");
    events.on(turret, Boom, handler);
    const end = events.on(turret, Boom, () => void said.push("third"));
    events.emit(turret, Boom);
    end();
    expect(events.off(turret, Boom, handler)).toBe(true);
    expect(events.off(turret, Boom, handler)).toBe(false);
    events.emit(turret, Boom);
    expect(said).toEqual(["once", "again", "third"]);
  });

  it("report a handler that throws, and continue", () => {
    const errors: Error[] = [];
    const { events, said, tank, turret } = plant((error) => errors.push(error));
    events.on(turret, Boom, () => {
      throw new Error("no");
    });
    events.on(turret, Boom, () => void said.push("turret"));
    events.on(tank, Boom, () => void said.push("tank"));
    events.emit(turret, Boom);
    expect(said).toEqual(["turret", "tank"]);
    expect(errors.map(String)).toEqual([
      "EntityEventHandlerError: A handler of boom at turret#3 threw: no [hierarchy/event-handler]",
    ]);
  });

  it("refuse what was never described, two of one name, and dead entities", () => {
    const { world, events, turret } = plant();
    expect(() => entityEvent("")).toThrow('Cannot describe an entity event named ""');
    expect(() => events.emit(turret, "boom" as unknown as typeof Boom)).toThrow("it is not an entity event");
    events.emit(turret, Boom);
    expect(() => events.emit(turret, entityEvent("boom"))).toThrow("another entity event of that name");
    expect(() => events.on(turret, Boom, 5 as never)).toThrow("Cannot handle boom of turret#3 with 5");
    world.destroy(turret);
    expect(() => events.emit(turret, Boom)).toThrow("ecs/dead-entity");
    expect(() => events.on(turret, Boom, () => {})).toThrow("ecs/dead-entity");
  });

  it("work on chains of a hundred thousand levels", () => {
    const world = strictWorld();
    const tree = createHierarchy(world);
    const root = world.spawn();
    let leaf = root;
    for (let k = 0; k < 100_000; k++) leaf = tree.attachNew(leaf);
    const events = createEntityEvents(tree);
    let reached = 0;
    events.on(root, Boom, () => void reached++);
    events.emit(leaf, Boom);
    expect(reached).toBe(1);
  });
});
