/** What connections and people do: late, lost, slow, wrong, many. */

import { Protocol, type Room, ServerError } from "@colyseus/core";
import { JoinRefusedError, ReplicationMismatchError, replicate } from "@espalier/colyseus";
import { follow, joinRoom } from "@espalier/colyseus/client";
import type { WorldRoom } from "@espalier/colyseus/server";
import type { Entity } from "espalier";
import type { Game } from "espalier/game";
import { Transform2D } from "espalier/transform";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  arenaRoom,
  createArena,
  createClientGame,
  Drive,
  Health,
  joinArena,
  net,
  type Running,
  startServer,
  until,
} from "./testing.ts";

/** What happened to the hooks of `Talking`. */
const said: string[] = [];
class Talking extends (arenaRoom({ reconnect: 0 }) as never as typeof Room) {
  override onCreate() {
    said.push("created");
  }
  override onJoin() {
    said.push("joined");
    if (said.length > 4) throw new Error("There is no place left.");
  }
  override onUncaughtException(_error: Error, where: string) {
    said.push(`failed: ${where}`);
  }
}

/** Extended before it is a room itself, and after. */
const createBase = vi.fn(createArena);
const Base = arenaRoom({ game: createBase }) as never as typeof Room;

class FieldHook extends (arenaRoom({ reconnect: 0 }) as never as typeof Room) {
  override onJoin = () => {};
}
class FieldHookAndHandler extends FieldHook {
  override onUncaughtException() {}
}
class FieldCreate extends (arenaRoom({ reconnect: 0 }) as never as typeof Room) {
  override onCreate = () => {};
}
/** What happened to `Careful`, whose fields are no hooks of plugins. */
const dropped: string[] = [];
class Careful extends (arenaRoom({ reconnect: 0 }) as never as typeof Room) {
  override onDrop = () => void dropped.push("dropped");
  override onLeave() {
    dropped.push("left");
  }
  override onUncaughtException() {}
}

let running: Running;
beforeAll(async () => {
  running = await startServer({
    arena: arenaRoom() as never,
    near: arenaRoom({ see: { distance: 100 } }) as never,
    // Who is gone is gone at once.
    strict: arenaRoom({ reconnect: 0 }) as never,
    keep: arenaRoom({ leave: "keep" }) as never,
    // The second one is given what the first one owns.
    guarded: arenaRoom({
      reconnect: 0,
      join: ({ game }) => {
        const [taken] = game.world.query(Drive);
        const own = game.spawn(game.space.at(0, 0), Health(), Drive());
        return taken === undefined ? own : [own, taken];
      },
    }) as never,
    talking: Talking as never,
    base: Base as never,
    extended: class extends Base {} as never,
    field: FieldHook as never,
    "field-handler": FieldHookAndHandler as never,
    "field-create": FieldCreate as never,
    careful: Careful as never,
    "no-game": arenaRoom({ game: (() => ({})) as never }) as never,
    "no-map": arenaRoom({
      game: () => {
        throw Object.assign(new Error("The map is missing."), { code: "ENOENT" });
      },
    }) as never,
    "own-code": arenaRoom({
      game: () => {
        throw new ServerError(4001, "The season is over.");
      },
    }) as never,
    forbidden: arenaRoom({
      game: () => {
        throw new ServerError(403, "Only for members.");
      },
    }) as never,
    // The second one only watches.
    watched: arenaRoom({
      see: { distance: 100 },
      join: ({ game }) =>
        [...game.world.query(Drive)].length > 0
          ? undefined
          : game.spawn(game.space.at(0, 0), Health(), Drive()),
    }) as never,
    full: class extends (arenaRoom() as never as new () => object) {
      maxClients = 1;
    } as never,
  });
});
afterAll(() => running.stop());

const socketOf = ({ roomId, sessionId }: { readonly roomId: string; readonly sessionId: string }) =>
  running.room(roomId).clients.getById(sessionId)!.ref as unknown as { terminate(): void };

const worldOf = (id: string) => (running.room(id) as unknown as WorldRoom<Game>).plugins.world;

test("a room that is full refuses with a typed error, and so does another version", async () => {
  const first = await joinRoom(running.url, "full", net);
  await expect(joinRoom(running.url, "full", net, { roomId: first.roomId })).rejects.toBeInstanceOf(
    JoinRefusedError,
  );
  await first.leave();
  const other = replicate({ components: [Health] });
  const refused = await joinRoom(running.url, "arena", other).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ReplicationMismatchError);
  expect((refused as ReplicationMismatchError).there.join()).toContain("Transform2D");
  // One that does not say its version at the door finds out from the state.
  const { Client } = await import("@colyseus/sdk");
  const room = await new Client(running.url).joinOrCreate("arena");
  const view = follow(other, room as never, createClientGame(), { onError: () => {} });
  await expect(view.ready).rejects.toBeInstanceOf(ReplicationMismatchError);
  await room.leave();
});

for (const name of ["arena", "near"]) {
  test(`a client whose connection is cut returns to its seat, and sees what happened meanwhile: ${name}`, async () => {
    const statuses: string[] = [];
    const onStatus = (status: string) => void statuses.push(status);
    const { game, room, view, leave } = await joinArena(running.url, { interpolate: 0, onStatus }, name);
    const world = worldOf(room.roomId);
    const base = world.game.spawn(world.game.space.at(1, 1), Health({ hp: 50 }));
    await until(() => view.entityOf(base.id) !== undefined && view.owned.size === 1, "all is here");
    const [own] = view.owned;
    const lost = new Promise<Entity>((resolve) => {
      room.onDrop(() => {
        const more = world.game.spawn(world.game.space.at(2, 2), Health({ hp: 9 }));
        world.game.tree.destroy(base.id);
        resolve(more.id);
      });
    });
    socketOf(room).terminate();
    const more = await lost;
    await until(() => view.status === "live" && view.entityOf(more) !== undefined, "it is back");
    await until(() => view.entityOf(base.id) === undefined, "what went has gone");
    expect([...view.owned]).toEqual([own]);
    expect(game.world.isAlive(own!)).toBe(true);
    const id = view.idOf(own!) as Entity;
    view.input.throttle = 1;
    await until(() => {
      game.step();
      return world.game.world.get(id, Drive)!.throttle === 1;
    }, "its input is taken again");
    expect(view.closeCode).toBeUndefined();
    await leave();
    expect(statuses).toEqual(["live", "lost", "live", "closed"]);
    expect(view.closeCode).toBe(4000);
  });
}

test("a server that does not answer is named, and one that refuses gives its reason only", async () => {
  await expect(joinRoom("http://127.0.0.1:1", "arena", net)).rejects.toThrow(
    /^Cannot join arena: .+\. Check that the server is running at http:\/\/127\.0\.0\.1:1\./,
  );
  await expect(joinRoom(running.url, "nowhere", net)).rejects.toThrow(
    /^Cannot join nowhere: provided room name "nowhere" not defined\.(?! Check)/,
  );
});

test("nothing that a client sends changes the world but its input, within its bounds", async () => {
  const { game, room, view, leave } = await joinArena(running.url, { interpolate: 0 }, "strict");
  const world = worldOf(room.roomId);
  await until(() => view.owned.size === 1, "it owns its tank");
  const id = view.idOf([...view.owned][0]!) as Entity;
  expect(() => {
    view.input.throttle = "far" as never;
  }).toThrowError(/throttle/);
  expect(() => {
    (view.input as { speed?: number }).speed = 1;
  }).toThrowError(/speed/);
  view.input.throttle = 1e9;
  await until(() => {
    game.step();
    return world.game.world.get(id, Drive)!.throttle > 0;
  }, "the input came");
  expect(world.game.world.get(id, Drive)!.throttle).toBe(1);
  for (const value of Object.values(world.game.world.get(id, Transform2D)!))
    expect(Number.isFinite(value)).toBe(true);
  expect(world.game.world.get(id, Health)!.hp).toBe(100);
  await leave();
});

test("broken frames change nothing, and the others play on", async () => {
  const { room, view, leave } = await joinArena(running.url, { interpolate: 0 }, "strict");
  const world = worldOf(room.roomId);
  await until(() => view.owned.size === 1, "it owns its tank");
  const id = view.idOf([...view.owned][0]!) as Entity;
  const bad = async (send: (room: Awaited<ReturnType<typeof joinRoom>>) => void) => {
    const other = await joinRoom(running.url, "strict", net, { roomId: room.roomId });
    other.reconnection.enabled = false;
    send(other);
    other.connection.close();
  };
  const { JOIN_ROOM, ROOM_DATA, ROOM_DATA_BYTES, ROOM_INPUT_RELIABLE, ROOM_INPUT_UNRELIABLE, ROOM_REQUEST } =
    Protocol;
  const codes = [
    JOIN_ROOM,
    ROOM_DATA,
    ROOM_DATA_BYTES,
    ROOM_INPUT_RELIABLE,
    ROOM_INPUT_UNRELIABLE,
    ROOM_REQUEST,
  ];
  const tails = [
    [],
    [255],
    // A length of -1, again and again.
    [255, 3, 0, 127, 127, 255, 255, 1],
    // Four thousand million times.
    [206, 255, 255, 255, 255, 206, 255, 255, 255, 255],
    // References to nothing.
    Array.from({ length: 1500 }, (_, k) => (k % 2 === 0 ? 255 : 7)),
  ];
  for (const code of codes)
    for (const modifiers of [0, 128])
      for (const tail of tails)
        await bad(({ connection }) => connection.send(new Uint8Array([code | modifiers, ...tail]) as never));
  for (const type of ["set", "constructor", "__proto__", "toString"]) {
    await bad((other) => other.send(type, { hp: 0 } as never));
  }
  await until(() => world.game.world.count === 1, "the sender is gone");
  expect([...world.players].length).toBe(1);
  expect(world.game.world.get(id, Health)!.hp).toBe(100);
  const more = world.game.spawn(world.game.space.at(2, 2), Health());
  await until(() => view.entityOf(more.id) !== undefined, "patches still come");
  await leave();
});

test("a flood of inputs makes no tank faster, and a flood of messages ends the connection", async () => {
  const { room, view } = await joinArena(running.url, { interpolate: 0 }, "strict");
  const world = worldOf(room.roomId);
  await until(() => view.owned.size === 1, "it owns its tank");
  const id = view.idOf([...view.owned][0]!) as Entity;
  let steps = 0;
  world.game.system("count", () => steps++);
  view.input.throttle = 1;
  room.reconnection.enabled = false;
  for (let k = 0; k < 60; k++) view.update();
  await until(() => steps >= 8, "some steps");
  // 60 units a second, at 30 steps.
  const { x } = world.game.world.get(id, Transform2D)!;
  expect(x).toBeGreaterThan(0);
  expect(x).toBeLessThanOrEqual(steps * 2 + 0.01);
  let taken = 0;
  running.room(room.roomId).onMessage("noise", () => taken++);
  for (let k = 0; k < 400; k++) room.send("noise", k as never);
  await until(() => view.status === "closed", "the connection is ended");
  expect(taken).toBeLessThan(400);
});

test("a client sees what is near, and what it owns", async () => {
  const { game, room, view, leave } = await joinArena(running.url, { interpolate: 0 }, "near");
  const world = worldOf(room.roomId);
  const near = world.game.spawn(world.game.space.at(50, 0), Health());
  const far = world.game.spawn(world.game.space.at(300, 0), Health());
  const gun = world.game.world.spawn(Transform2D({ x: 5 }));
  world.game.tree.attach(gun, far.id);
  await until(() => view.entityOf(near.id) !== undefined, "what is near came");
  expect(view.entityOf(far.id)).toBeUndefined();
  expect(view.owned.size).toBe(1);
  far.x = 80;
  await until(() => view.entityOf(gun) !== undefined, "it came near");
  expect(game.tree.parentOf(view.entityOf(gun)!)).toBe(view.entityOf(far.id));
  far.x = 105;
  const later = world.game.spawn(world.game.space.at(1, 0), Health());
  await until(() => view.entityOf(later.id) !== undefined, "a patch came after it went");
  expect(view.entityOf(far.id), "it is still within the margin").toBeDefined();
  far.x = 200;
  await until(() => view.entityOf(far.id) === undefined, "it is out of sight");
  await leave();
});

test("a join that fails leaves nothing behind", async () => {
  const { room, view, leave } = await joinArena(running.url, { interpolate: 0 }, "guarded");
  const world = worldOf(room.roomId);
  await until(() => view.owned.size === 1, "it owns its tank");
  await expect(joinRoom(running.url, "guarded", net, { roomId: room.roomId })).rejects.toBeInstanceOf(
    JoinRefusedError,
  );
  expect([...world.players].length).toBe(1);
  expect(world.game.world.count).toBe(1);
  expect(world.ownerOf(view.idOf([...view.owned][0]!) as Entity)).toBe(room.sessionId);
  await leave();
});

test("what a client leaves behind does not move", async () => {
  const first = await joinArena(running.url, { interpolate: 0 }, "keep");
  const second = await joinArena(running.url, { interpolate: 0 }, "keep");
  expect(second.room.roomId).toBe(first.room.roomId);
  const world = worldOf(first.room.roomId);
  await until(() => second.view.owned.size === 1, "it owns its tank");
  const id = second.view.idOf([...second.view.owned][0]!) as Entity;
  second.view.input.throttle = 1;
  await until(() => {
    second.game.step();
    return world.game.world.get(id, Drive)!.throttle === 1;
  }, "it drives");
  await second.leave();
  await until(() => [...world.players].length === 1, "it left");
  expect(world.ownerOf(id)).toBeUndefined();
  expect(world.game.world.get(id, Drive)!.throttle).toBe(0);
  await first.leave();
});

test("a game follows another room after one has ended, and errors of its functions stop nothing", async () => {
  const game = createClientGame();
  for (let k = 0; k < 2; k++) {
    const room = await joinRoom(running.url, "arena", net, { create: true });
    const errors: string[] = [];
    const fail = (what: string) => () => {
      throw new Error(what);
    };
    const view = follow(net, room, game, {
      onAdded: fail("added"),
      onRemoved: fail("removed"),
      onError: ({ message }) => errors.push(message),
    });
    await view.ready;
    expect(() => follow(net, room, game)).toThrowError(/follow room/);
    const world = worldOf(room.roomId);
    const made = world.game.spawn(world.game.space.at(3, 3), Health());
    await until(() => view.entityOf(made.id) !== undefined, "it came");
    world.game.tree.destroy(made.id);
    await until(() => view.entityOf(made.id) === undefined, "it went");
    expect(new Set(errors)).toEqual(new Set(["added", "removed"]));
    await room.leave();
    expect(view.status).toBe("closed");
    expect(game.schedule.list().filter(({ name }) => name.startsWith("follow"))).toEqual([]);
  }
});

test("rooms have worlds of their own, and go when the last client leaves", async () => {
  const a = await joinRoom(running.url, "arena", net, { create: true });
  const b = await joinRoom(running.url, "arena", net, { create: true });
  expect(worldOf(a.roomId).game).not.toBe(worldOf(b.roomId).game);
  const { game } = worldOf(a.roomId);
  const roomA = a.roomId;
  await a.leave();
  await until(() => running.room(roomA) === undefined, "it went");
  expect((game as unknown as { isStopped: boolean }).isStopped).toBe(true);
  await b.leave();
});

test("a room with hooks of its own and onUncaughtException runs its world from the first one on", async () => {
  for (let k = 0; k < 2; k++) {
    const player = await joinArena(running.url, {}, "talking");
    await until(() => player.view.owned.size === 1, "the plugin has given a tank");
    await player.leave();
    await until(() => running.room(player.room.roomId) === undefined, "the room is gone");
  }
  await expect(joinRoom(running.url, "talking", net)).rejects.toBeInstanceOf(JoinRefusedError);
  expect(said).toEqual(["created", "joined", "created", "joined", "created", "joined", "failed: onJoin"]);
});

test("a room class and one that extends it run their worlds, each once", async () => {
  for (const name of ["base", "extended", "base"]) {
    createBase.mockClear();
    const player = await joinArena(running.url, {}, name);
    expect(createBase).toHaveBeenCalledTimes(1);
    await until(() => player.view.owned.size === 1, "it has its tank");
    const { game } = worldOf(player.room.roomId);
    expect(game.world.query(Drive).count()).toBe(1);
    await player.leave();
    await until(() => running.room(player.room.roomId) === undefined, "the room is gone");
  }
});

test.each([
  ["field", "onJoin of the room is a class field"],
  ["field-handler", "onJoin of the room is a class field"],
  ["field-create", "If onCreate of the room is a class field"],
])(
  "a room with a hook as a class field is refused each time, instead of going without its world (%s)",
  async (name, message) => {
    // Colyseus prints what a hook throws on the server.
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    try {
      for (let k = 1; k <= 2; k++) {
        await expect(joinRoom(running.url, name, net)).rejects.toBeInstanceOf(JoinRefusedError);
        const found = printed.mock.calls.filter(([error]) => String(error).includes(message));
        expect(found).toHaveLength(k);
      }
    } finally {
      printed.mockRestore();
    }
  },
);

test.each([
  ["no-game", 523, "the option game returns a game, got an object. [colyseus/invalid-use]."],
  ["no-map", 523, "Cannot join no-map: The map is missing. [colyseus/join-refused]"],
  ["own-code", 523, "Cannot join own-code: The season is over. [colyseus/join-refused]"],
  ["forbidden", 403, "Cannot join forbidden: Only for members. [colyseus/join-refused]"],
])("a client reads why a room could not be created (%s)", async (name, status, message) => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  try {
    const refused = (await joinRoom(running.url, name, net).catch(
      (error: unknown) => error,
    )) as JoinRefusedError;
    expect(refused).toBeInstanceOf(JoinRefusedError);
    expect([refused.status, refused.message]).toEqual([status, expect.stringContaining(message)]);
    // The server prints where it was thrown, except for errors that are meant for clients.
    const stacks = printed.mock.calls.map(([error]) => String(error)).join();
    if (name === "no-map") expect(stacks).toMatch(/The map is missing\.\n +at .*connections\.test/);
    if (name === "forbidden") expect(stacks).toBe("");
  } finally {
    printed.mockRestore();
  }
});

test("other class fields of a room stay", async () => {
  for (let k = 0; k < 2; k++) {
    const player = await joinArena(running.url, {}, "careful");
    await until(() => player.view.owned.size === 1, "it has its tank");
    await player.leave();
    await until(() => running.room(player.room.roomId) === undefined, "the room is gone");
  }
  expect(dropped).toEqual(["left", "left"]);
});

test("a client that owns nothing and sees nothing is ready, and sees what it is given", async () => {
  const player = await joinArena(running.url, {}, "watched");
  const watcher = await joinArena(running.url, {}, "watched");
  expect(watcher.view.status).toBe("live");
  expect(watcher.game.world.query(Health).count()).toBe(0);
  const world = worldOf(watcher.room.roomId);
  world.give(world.game.spawn(world.game.space.at(0, 0), Health()), watcher.room.sessionId);
  await until(() => watcher.view.owned.size === 1, "it owns one");
  await until(() => watcher.game.world.query(Health).count() === 2, "it sees both");
  await Promise.all([player.leave(), watcher.leave()]);
});
