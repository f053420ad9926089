/**
 * Clients behind a bad network: a proxy delays what passes and cuts connections at random. When it is quiet again, each world is what the server's
 * is. `ESPALIER_LONG=1` does that for five minutes.
 */
import net from "node:net";
import type { WorldRoom } from "@espalier/colyseus/server";
import type { Entity } from "espalier";
import type { Game } from "espalier/game";
import { Transform2D } from "espalier/transform";
import { afterAll, beforeAll, expect, test } from "vitest";
import { arenaRoom, Health, joinArena, type Running, startServer, until } from "./testing.ts";

const SECONDS = process.env.ESPALIER_LONG === "1" ? 300 : 6;

let running: Running;
beforeAll(async () => {
  running = await startServer({ arena: arenaRoom({ reconnect: 30 }) as never });
});
afterAll(() => running.stop());

/** Passes bytes on in their order, each piece up to `delay` ms later, and cuts connections on request. */
function createProxy(target: number, delay: () => number) {
  const open = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const upstream = net.connect(target, "127.0.0.1");
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      let ready = Promise.resolve();
      from.on("data", (bytes) => {
        const wait = new Promise((resolve) => setTimeout(resolve, delay()));
        ready = ready.then(async () => {
          await wait;
          if (!to.destroyed) to.write(bytes);
        });
      });
      from.on("error", () => {});
      from.on("close", () => ready.then(() => to.destroy()));
    }
    open.add(client);
    client.on("close", () => open.delete(client));
  });
  return {
    listen: () =>
      new Promise<number>((resolve) =>
        server.listen(0, "127.0.0.1", () => resolve((server.address() as net.AddressInfo).port)),
      ),
    cut(random: number): void {
      [...open][Math.floor(random * open.size)]?.destroy();
    },
    close(): void {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** The same numbers in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

test(
  "no client differs from the server once the network is quiet",
  async () => {
    const random = numbers(7);
    let isBad = true;
    const proxy = createProxy(running.port, () => (isBad ? random() * 120 : 0));
    const url = `http://127.0.0.1:${await proxy.listen()}`;
    const clients: Awaited<ReturnType<typeof joinArena>>[] = [];
    const join = async (k: number) => {
      const client = await joinArena(url, { interpolate: 0 });
      Object.assign(client.room.reconnection, { maxRetries: 60, delay: 50, minDelay: 50, maxDelay: 200 });
      clients[k] = client;
    };
    for (let k = 0; k < 4; k++) await join(k);
    /** A connection that is cut between the new token of the server and its arrival cannot come back: as the guide says, the client joins again. */
    const joinClosed = async () => {
      for (const [k, { view }] of clients.entries()) {
        // It may be cut again on its way.
        if (view.status === "closed") await join(k).catch(() => {});
      }
    };
    const { game } = (running.room(clients[0]!.room.roomId) as unknown as WorldRoom<Game>).plugins.world;
    const mine: Entity[] = [];
    const end = Date.now() + SECONDS * 1000;
    const pace = setInterval(() => {
      for (const { game, view } of clients) {
        if (view.status === "live") view.input.throttle = random() * 2 - 1;
        game.step();
      }
      const one = mine[Math.floor(random() * mine.length)];
      const dice = random();
      if (one === undefined || dice < 0.3) {
        const made = game.spawn(
          game.space.at(random() * 100, 0),
          Health({ hp: Math.floor(random() * 100) }),
        ).id;
        if (one !== undefined && random() < 0.5) game.tree.attach(made, one);
        mine.push(made);
      } else if (dice < 0.5) {
        game.tree.destroy(one);
        for (let k = mine.length - 1; k >= 0; k--) if (!game.world.isAlive(mine[k]!)) mine.splice(k, 1);
      } else game.world.set(one, Health, { hp: Math.floor(random() * 100) });
    }, 33);
    while (Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 150 + random() * 500));
      proxy.cut(random());
      await joinClosed();
    }
    isBad = false;
    await until(() => clients.every(({ view }) => ["live", "closed"].includes(view.status)), "none is lost");
    await joinClosed();
    expect(clients.map(({ view }) => view.status)).toEqual(clients.map(() => "live"));
    clearInterval(pace);
    for (const { view } of clients) view.input.throttle = 0;
    const problems = () =>
      clients.flatMap(({ game: copy, view }, k) => [
        ...(copy.world.count === game.world.count ? [] : [`client ${k} has ${copy.world.count} entities`]),
        ...game.world.entities().flatMap((entity) => {
          const here = view.entityOf(entity);
          if (here === undefined) return [`client ${k} lacks ${entity}`];
          const there = game.world.get(entity, Transform2D)!;
          const shown = copy.world.get(here, Transform2D);
          const parent = game.tree.parentOf(entity);
          const isSame =
            shown !== undefined &&
            Math.abs(shown.x - there.x) < 0.1 &&
            copy.world.get(here, Health)?.hp === game.world.get(entity, Health)?.hp &&
            copy.tree.parentOf(here) === (parent === null ? null : view.entityOf(parent));
          return isSame ? [] : [`client ${k} differs in ${entity}`];
        }),
      ]);
    await until(() => {
      // A step lets go of what was pressed.
      for (const { game } of clients) game.step();
      return problems().length === 0;
    }, "all are the same").catch(() => {});
    expect(problems()).toEqual([]);
    for (const { leave } of clients) await leave();
    proxy.close();
  },
  (SECONDS + 60) * 1000,
);
