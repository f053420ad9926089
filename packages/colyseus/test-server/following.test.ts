import type { WorldRoom } from "@espalier/colyseus/server";
import { type Entity, ForeignEntityError } from "espalier";
import type { Game } from "espalier/game";
import { Transform2D } from "espalier/transform";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  Aims,
  arenaRoom,
  Bag,
  drive,
  Flag,
  Health,
  joinArena,
  type Running,
  startServer,
  until,
} from "./testing.ts";

let running: Running;
beforeAll(async () => {
  running = await startServer({ arena: arenaRoom() as never });
});
afterAll(() => running.stop());

const gameOf = (id: string) => (running.room(id) as unknown as WorldRoom<Game>).plugins.world.game;

test("a client gets the entities, their components, parents, order, names and references", async () => {
  const { game, room, view, leave } = await joinArena(running.url, { interpolate: 0 });
  const there = gameOf(room.roomId);
  const base = there.spawn(there.space.at(10, 20), Health({ hp: 7, note: "base" }));
  const gun = there.world.spawn(Transform2D({ x: 1 }), Flag(), Aims({ at: base.id }));
  there.tree.attach(gun, base.id);
  there.tree.setName(gun, "gun");
  const first = there.world.spawn(Flag());
  there.tree.attach(first, base.id, { at: 0 });

  await until(() => view.entityOf(first) !== undefined, "all came");
  const here = view.entityOf(base.id)!;
  expect(game.world.get(here, Health)).toEqual({ hp: 7, note: "base" });
  expect(game.world.get(here, Transform2D)!.x).toBeCloseTo(10, 1);
  expect(game.tree.childrenOf(here)).toEqual([view.entityOf(first), view.entityOf(gun)]);
  expect(game.tree.nameOf(view.entityOf(gun)!)).toBe("gun");
  expect(game.world.get(view.entityOf(gun)!, Aims)).toEqual({ at: here });
  expect(view.idOf(here)).toBe(base.id);

  const smoke = game.world.spawn();
  game.tree.attach(smoke, here);
  there.tree.moveChild(first, 1);
  there.world.remove(gun, Flag);
  there.world.set(base.id, Health, { hp: 6 });
  await until(() => game.world.get(here, Health)!.hp === 6, "the value came");
  expect(game.world.has(view.entityOf(gun)!, Flag)).toBe(false);
  expect(game.tree.childrenOf(here).filter((child) => child !== smoke)).toEqual([
    view.entityOf(gun),
    view.entityOf(first),
  ]);
  expect(view.idOf(smoke)).toBeUndefined();

  there.tree.destroy(base.id);
  await until(() => !game.world.isAlive(here), "it went");
  expect(game.world.isAlive(smoke)).toBe(false);
  expect(view.entityOf(gun)).toBeUndefined();
  await leave();
});

test("what a client owns moves at its input, predicted here and decided there", async () => {
  const a = await joinArena(running.url, { predict: [drive] });
  const b = await joinArena(running.url, { interpolate: 50 });
  await until(() => a.view.owned.size === 1, "it owns its tank");
  const [own] = a.view.owned;
  const id = a.view.idOf(own!)!;
  a.view.input.throttle = 1;
  const pace = setInterval(() => {
    a.game.step();
    b.game.step();
  }, 1000 / 30);
  await until(() => a.game.world.get(own!, Transform2D)!.x > 30, "it moved here");
  const there = gameOf(a.room.roomId);
  await until(() => there.world.get(id as never, Transform2D)!.x > 30, "it moved there");
  await until(() => (b.game.world.get(b.view.entityOf(id)!, Transform2D)?.x ?? 0) > 30, "others see it");
  const shown = b.view.entityOf(id)!;
  expect(b.view.ownerOf(shown)).toBe(a.room.sessionId);
  expect(b.view.ownerOf({ id: shown, world: b.game.world })).toBe(a.room.sessionId);
  expect(() => b.view.idOf({ id: shown, world: a.game.world })).toThrow(ForeignEntityError);
  a.view.input.throttle = 0;
  await until(() => {
    const x = there.world.get(id as never, Transform2D)!.x;
    return [a, b].every(
      ({ game, view }) => Math.abs(game.world.get(view.entityOf(id)!, Transform2D)!.x - x) < 0.05,
    );
  }, "all agree");
  clearInterval(pace);
  await a.leave();
  await until(() => b.view.entityOf(id) === undefined, "its tank goes with it");
  await b.leave();
});

test("predicted entities have their lists too while inputs are in flight", async () => {
  const { game, room, view, leave } = await joinArena(running.url, { predict: [drive] });
  await until(() => view.owned.size === 1, "it owns its tank");
  const [own] = view.owned;
  const there = gameOf(room.roomId);
  const id = view.idOf(own!) as Entity;
  there.world.add(id, Bag());
  await until(() => game.world.has(own!, Bag), "it has a bag");
  view.input.throttle = -0;
  // More than the server keeps, so that some always wait.
  const send = () => {
    for (let k = 0; k < 3; k++) view.update();
  };
  const pace = setInterval(send, 1000 / 30);
  await until(() => view.waitingInputs > 2, "inputs are on their way");
  const stone = there.spawn(there.space.at(1, 1)).id;
  there.world.set(id, Bag, { items: [stone] });
  await until(() => game.world.get(own!, Bag)!.items.length === 1, "the list came");
  expect(game.world.get(own!, Bag)!.items).toEqual([view.entityOf(stone)]);
  clearInterval(pace);
  await leave();
});
