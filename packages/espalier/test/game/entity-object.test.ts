import { inspect } from "node:util";
import { component, DEVELOPMENT, type Entity, f32 } from "espalier";
import { createGame, type EntityObject, UnknownPropertyError } from "espalier/game";
import { createHistory } from "espalier/history";
import { HIDDEN, Visibility } from "espalier/inherit";
import { describe, expect, it, vi } from "vitest";
import { dangerousKeys } from "../dangerous-keys.ts";

const Health = component("Health", { hp: f32(100) });

function tankGame() {
  const game = createGame({
    onError: (error) => {
      throw error;
    },
  });
  const tank = game.spawn(game.space.at(100, 100), Health);
  const turret = tank.spawn(game.space.at(0, 20));
  tank.name = "tank";
  turret.name = "turret";
  return { game, tank, turret };
}

describe("an entity object", () => {
  it("reads and writes the position, and the parents carry it", () => {
    const { tank, turret } = tankGame();
    tank.rotation = Math.PI / 2;
    expect(turret.absolutePosition.x).toBeCloseTo(80, 4);
    expect(turret.absoluteRotation).toBeCloseTo(Math.PI / 2, 5);
    turret.x = 5;
    turret.y += 1;
    turret.scaleX = 2;
    expect([turret.x, turret.y, turret.rotation, turret.scaleX, turret.scaleY]).toEqual([5, 21, 0, 2, 1]);
    turret.setWorldPosition(0, 0);
    expect(turret.absolutePosition.x).toBeCloseTo(0, 3);
  });

  it("is the same object every time, and has its parent and its children", () => {
    const { game, tank, turret } = tankGame();
    expect(game.entity(tank.id)).toBe(tank);
    expect(turret.parent).toBe(tank);
    expect(tank.parent).toBeNull();
    expect(tank.children).toEqual([turret]);
    turret.parent = null;
    expect(tank.children).toEqual([]);
    turret.parent = tank.id;
    expect(turret.parent).toBe(tank);
  });

  it("prints its label, not a number", () => {
    const { tank, turret } = tankGame();
    expect(`${tank}`).toBe("tank#1");
    expect(inspect([turret])).toBe("[ turret#2 ]");
    expect(JSON.stringify({ tank })).toBe('{"tank":"tank#1"}');
  });

  it("gives components with their types, and says when one is missing", () => {
    const { tank, turret } = tankGame();
    tank.set(Health, { hp: 7 });
    const hp: number = tank.get(Health).hp;
    expect(hp).toBe(7);
    expect(turret.find(Health)).toBeUndefined();
    expect(() => turret.get(Health)).toThrow("Cannot read Health of turret#2: it has none.");
    expect(turret.add(Health({ hp: 3 })).get(Health)).toEqual({ hp: 3 });
    expect([turret.has(Health), turret.remove(Health), turret.has(Health)]).toEqual([true, true, false]);
  });

  it("hides and deactivates with everything below it", () => {
    const { game, tank, turret } = tankGame();
    tank.hidden = true;
    expect([tank.hidden, turret.hidden, turret.isVisible]).toEqual([true, false, false]);
    expect(game.world.get(tank.id, Visibility)?.mode).toBe(HIDDEN);
    tank.hidden = false;
    expect(turret.isVisible).toBe(true);
    tank.isActive = false;
    expect([tank.isActive, turret.isActive, turret.isActiveInTree]).toEqual([false, true, false]);
  });

  it("refuses a property that it does not have, and says which one was meant", () => {
    const { tank, turret } = tankGame();
    const loose = tank as unknown as Record<string | symbol, unknown>;
    expect(() => (loose.rotaton = 1)).toThrow(
      'Cannot set rotaton of tank#1: entity objects have no such property. Did you mean "rotation"? Values of your own go into a component or into props. [game/unknown-property]',
    );
    expect(() => (loose.Health = { hp: 5 })).toThrow("Use set(Health, { … }) for the component.");
    tank.props.gold = 5;
    expect(() => (loose.gold = 6)).toThrow("Use props.gold.");
    expect(() => (loose[Symbol("mine")] = 6)).toThrow(UnknownPropertyError);
    expect(() => Object.assign(tank, { x: 1, xx: 2 })).toThrow(UnknownPropertyError);
    expect(() => Object.defineProperty(tank, "mine", { value: 1 })).toThrow(TypeError);
    for (const inside of ["host", "world", "tree", "space", "handle", "lastParent"])
      expect(() => (loose[inside] = turret), inside).toThrow();
    expect([tank.props.gold, tank.rotation, tank.name, loose.xx]).toEqual([5, 0, "tank", undefined]);
  });

  it("refuses another id", () => {
    const { game, tank, turret } = tankGame();
    expect(() => Object.assign(tank, { id: turret.id })).toThrow(
      "Cannot set id of tank#1: it is the handle of its entity. Keep the other object instead. [game/read-only]",
    );
    expect(() => Object.assign(tank, { isAlive: false })).toThrow("Use destroy(). [game/read-only]");
    expect([tank.id, `${tank}`, game.entity(tank.id) === tank]).toEqual([1, "tank#1", true]);
    expect(tank).not.toEqual(turret);
  });

  it("takes no writes by any of its property names when its entity is destroyed", () => {
    const { tank } = tankGame();
    tank.props.gold = 5;
    const { props } = tank;
    const names = tank.propertyNames();
    tank.destroy();
    for (const name of names)
      expect(() => Object.assign(tank, { [name]: 1 }), name).toThrow(/\[game\/(dead-entity|read-only)\]/);
    const plain = { value: 1, writable: true, enumerable: true, configurable: true };
    for (const write of [
      () => (props.gold = 6),
      () => (tank.props.silver = 6),
      () => delete props.gold,
      () => Object.assign(props, { gold: 6 }),
      () => Object.defineProperty(props, "gold", plain),
    ])
      expect(write).toThrow("Cannot use the props of tank#1: it was destroyed.");
  });

  it("keeps free-form values, which the history can undo", () => {
    const game = createGame({ history: ({ world }) => createHistory(world) });
    const tank = game.spawn();
    game.history?.step("paint", () => {
      tank.props.color = "red";
      tank.props.wheels = 8;
    });
    expect({ ...tank.props }).toEqual({ color: "red", wheels: 8 });
    expect("color" in tank.props).toBe(true);
    delete tank.props.wheels;
    expect(Object.keys(tank.props)).toEqual(["color"]);
    game.history?.undo();
    game.history?.undo();
    expect(Object.keys(tank.props)).toEqual([]);
  });

  it.each(dangerousKeys)("has no free-form value %s before it was given one", (key) => {
    const { tank } = tankGame();
    expect(tank.props[key]).toBeUndefined();
    tank.props[key] = 5;
    expect([tank.props[key], Object.keys(tank.props)]).toEqual([5, [key]]);
    delete tank.props[key];
    expect([tank.props[key], Object.keys(tank.props)]).toEqual([undefined, []]);
  });

  it("lists all its properties by name", () => {
    const { tank } = tankGame();
    tank.props.color = "red";
    const names = tank.propertyNames();
    expect(names).toEqual(
      expect.arrayContaining(["x", "parent", "absolutePosition", "Health", "Transform2D", "color"]),
    );
  });

  it.each([
    "absolutePosition",
    "absoluteRotation",
    "absoluteTransform",
    "children",
    "isVisible",
    "isActiveInTree",
    "props",
  ])("refuses to set %s and says what to use", (property) => {
    const { tank } = tankGame();
    expect(() => Object.assign(tank, { [property]: 1 })).toThrow(
      new RegExp(`Cannot set ${property} of tank#1: it follows from other values. .*\\[game/read-only\\]`),
    );
  });

  it.runIf(DEVELOPMENT)("gives its former label after its entity was destroyed", () => {
    const { game, tank, turret } = tankGame();
    game.destroyEntity(tank);
    expect([tank.isAlive, turret.isAlive, `${turret}`]).toEqual([false, false, "turret#2 (destroyed)"]);
    expect(() => turret.x).toThrow("Cannot read the position of turret#2: it was destroyed.");
    expect(() => {
      tank.x = 5;
    }).toThrow("game/dead-entity");
    expect(() => tank.props.color).toThrow("Cannot use the props of tank#1");
    expect(tank.destroy()).toBe(false);
    const next = game.spawn();
    expect(next === tank).toBe(false);
    expect(tank.isAlive).toBe(false);
  });

  it("is the same object again when an undo brings its entity back", () => {
    const game = createGame({ history: ({ world }) => createHistory(world) });
    const tank = game.spawn(game.space.at(3, 4));
    const turret = tank.spawn(game.space.at(1, 0));
    game.history?.step("destroy", () => tank.destroy());
    expect(() => turret.x).toThrow("game/dead-entity");
    game.history?.undo();
    expect([turret.isAlive, turret.x, turret.absolutePosition.x]).toEqual([true, 1, 4]);
    expect(game.entity(turret.id) === turret).toBe(true);
    expect(turret.parent === tank).toBe(true);
  });

  it("refuses entity objects of another game", () => {
    const { game, tank } = tankGame();
    const stranger = createGame().spawn();
    expect(() => {
      tank.parent = stranger;
    }).toThrow("Cannot use #1 here: it belongs to another world.");
    expect(() => game.getWorldPosition(stranger)).toThrow("ecs/foreign-entity");
  });
});

describe("explicit positions", () => {
  it("say local or world", () => {
    const { game, tank, turret } = tankGame();
    game.setLocalRotation(tank, Math.PI / 2);
    game.setLocalScale(tank, 2);
    game.setWorldPosition(turret, 0, 0);
    expect(game.getWorldPosition(turret).x).toBeCloseTo(0, 3);
    expect(game.getLocalPosition(turret).x).toBeCloseTo(-50, 3);
    expect(game.getLocalPosition(turret).y).toBeCloseTo(50, 3);
    expect(game.getWorldScale(turret).x).toBeCloseTo(2, 5);
    game.setWorldScale(turret, 1);
    expect(game.getLocalScale(turret).x).toBeCloseTo(0.5, 5);
    game.setWorldRotation(turret, 0);
    expect(game.getLocalRotation(turret)).toBeCloseTo(-Math.PI / 2, 5);
    game.setWorldTransform(turret, { a: 1, b: 0, c: 0, d: 1, x: 9, y: 8 });
    expect(game.getWorldTransform(turret).x).toBeCloseTo(9, 3);
    game.setLocalTransform(turret, { x: 1, y: 2 });
    expect(game.getLocalTransform(turret)).toMatchObject({ x: 1, y: 2 });
  });

  it("are the same for roots", () => {
    const { game, tank } = tankGame();
    expect(game.getLocalPosition(tank)).toEqual(game.getWorldPosition(tank));
  });

  it("move between parents, keeping the world transform on request", () => {
    const { game, tank, turret } = tankGame();
    game.removeParent(turret, { keep: "world" });
    expect(game.getParent(turret)).toBeNull();
    expect(game.getLocalPosition(turret)).toEqual({ x: 100, y: 120 });
    game.setParent(turret, tank);
    expect(game.getParent(turret)).toBe(tank.id);
    expect(game.getChildren(tank)).toEqual([turret.id]);
    expect(game.getWorldPosition(turret)).toEqual({ x: 200, y: 220 });
    expect(() => game.setParent(tank, turret)).toThrow("it would become its own ancestor");
  });

  it("destroy everything below, or let the children live", () => {
    const { game, tank, turret } = tankGame();
    const gun = turret.spawn();
    game.destroyEntity(turret, { children: "adopt" });
    expect(gun.parent).toBe(tank);
    game.destroyEntity(tank, { children: "orphan" });
    expect([gun.isAlive, gun.parent]).toEqual([true, null]);
    expect(game.destroyEntity(gun)).toBe(true);
    expect(game.destroyEntity(gun.id as Entity)).toBe(false);
  });

  it.runIf(DEVELOPMENT)("warn once about names that say neither", () => {
    const onWarn = vi.fn();
    const game = createGame({ onWarn });
    const tank: EntityObject = game.spawn();
    game.setPosition(tank, 1, 2);
    game.setPosition(tank, 3, 4);
    expect(game.getPosition(tank)).toEqual({ x: 3, y: 4 });
    expect(onWarn.mock.calls.flat()).toEqual([
      "setPosition() is deprecated: it says neither local nor world. Use setLocalPosition (what it does now) or setWorldPosition.",
      "getPosition() is deprecated: it says neither local nor world. Use getLocalPosition (what it does now) or getWorldPosition.",
    ]);
  });
});
