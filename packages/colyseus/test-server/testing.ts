/** A real server with real sockets, and a small game to run on it. */
import type { AddressInfo } from "node:net";
import { LocalDriver, LocalPresence, matchMaker, type Room, Server } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { angle, fields, range, replicate } from "@espalier/colyseus";
import { type FollowOptions, follow, joinRoom } from "@espalier/colyseus/client";
import { type WorldOptions, worldRoom } from "@espalier/colyseus/server";
import { component, type Entity, entityRef, entityRefs, f32, string, tag } from "espalier";
import { createGame, type Game } from "espalier/game";
import { Transform2D } from "espalier/transform";

// The client of Colyseus reports every attempt to reconnect.
console.info = () => {};

export const Health = component("Health", { hp: f32(100), note: string() });
export const Aims = component("Aims", { at: entityRef() });
export const Bag = component("Bag", { items: entityRefs() });
export const Flag = tag("Flag");
export const Drive = component("Drive", { throttle: f32(), turn: f32() });

export const net = replicate({
  components: [
    fields(Transform2D, {
      x: range(-512, 512),
      y: range(-512, 512),
      rotation: angle(),
    }),
    Health,
    Aims,
    Flag,
    Bag,
  ],
  input: Drive,
  bounds: { throttle: range(-1, 1), turn: range(-1, 1) },
});

/** Moves what has an input: the server for everybody, a client for what it owns. */
export function drive({ world, dt }: { readonly world: Game["world"]; readonly dt: number }): void {
  world.query(Transform2D, Drive).update((transform, { throttle, turn }) => {
    transform.rotation += turn * 2 * dt;
    transform.x += Math.cos(transform.rotation) * throttle * 60 * dt;
    transform.y += Math.sin(transform.rotation) * throttle * 60 * dt;
  });
}

export function createArena(): Game {
  const game = createGame({ step: 1 / 30, errors: "throw" });
  game.system("drive", ({ dt }) => drive({ world: game.world, dt }));
  return game;
}

/** A game of a client: the same components, and nothing that moves. */
export function createClientGame(): Game {
  return createGame({ step: 1 / 30, errors: "throw", yAxis: "down" });
}

export interface Running {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /** The rooms of this process. */
  room(id: string): Room;
  stop(): Promise<void>;
}

export async function startServer(rooms: { [name: string]: new () => Room }): Promise<Running> {
  const transport = new WebSocketTransport();
  const server = new Server({
    transport,
    greet: false,
    gracefullyShutdown: false,
    presence: new LocalPresence(),
    driver: new LocalDriver(),
  });
  for (const [name, type] of Object.entries(rooms)) server.define(name, type);
  await server.listen(0, "127.0.0.1");
  const { port } = transport.server!.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    server,
    room: (id) => matchMaker.getLocalRoomById(id) as Room,
    stop: () => server.gracefullyShutdown(false).catch(() => {}) as Promise<void>,
  };
}

/** The usual room: one tank for each client. */
export function arenaRoom(options: Partial<WorldOptions<Game>> = {}) {
  return worldRoom(net, {
    game: createArena,
    join: ({ game }) => game.spawn(game.space.at(0, 0), Health(), Drive()).id as Entity,
    ...options,
  });
}

/** A client that has joined and follows; `live` waits for the first state. */
export async function joinArena(url: string, options: FollowOptions<Game> = {}, name = "arena") {
  const game = createClientGame();
  const room = await joinRoom(url, name, net);
  room.reconnection.minUptime = 0;
  const view = follow(net, room, game, options);
  await view.ready;
  return { game, room, view, leave: () => Promise.race([room.leave(), pause(2000)]) };
}

/** `leave()` does not resolve where the connection is lost already. */
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits until something holds; at most half a minute. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  const end = Date.now() + 30_000;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`It never came to this: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
