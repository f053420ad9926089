/** A client that takes less than it is sent: what waits for it is memory of the server. */
import net from "node:net";
import type { WorldRoom } from "@espalier/colyseus/server";
import type { Game } from "espalier/game";
import { afterAll, beforeAll, expect, test } from "vitest";
import { arenaRoom, Health, joinArena, type Running, startServer, until } from "./testing.ts";

let running: Running;
beforeAll(async () => {
  running = await startServer({ arena: arenaRoom({ maxWaitingBytes: 100_000 }) as never });
});
afterAll(() => running.stop());

/** Passes bytes on; after `stop` it takes none from the server. */
async function createTap(target: number) {
  const toServer: net.Socket[] = [];
  const server = net.createServer((client) => {
    const upstream = net.connect(target, "127.0.0.1");
    toServer.push(upstream);
    client.pipe(upstream);
    upstream.pipe(client);
    for (const socket of [client, upstream]) socket.on("error", () => client.destroy());
    upstream.on("close", () => client.destroy());
    client.on("close", () => upstream.destroy());
  });
  const port = await new Promise<number>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve((server.address() as net.AddressInfo).port)),
  );
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      for (const upstream of toServer) {
        upstream.unpipe();
        upstream.pause();
      }
    },
    close() {
      server.close();
      for (const upstream of toServer) upstream.destroy();
    },
  };
}

test("is cut off, and the others play on", async () => {
  const tap = await createTap(running.port);
  const slow = await joinArena(tap.url, { interpolate: 0 });
  const { roomId, sessionId } = slow.room;
  const other = await joinArena(running.url, { interpolate: 0 });
  expect(other.room.roomId).toBe(roomId);
  const { game } = (running.room(roomId) as unknown as WorldRoom<Game>).plugins.world;
  const made = Array.from({ length: 30 }, () => game.spawn(game.space.at(0, 0), Health()).id);
  slow.room.reconnection.enabled = false;
  tap.stop();
  let turn = 0;
  // Some megabytes are in the buffers of the system before any wait in the server.
  const talk = setInterval(() => {
    const note = String(turn++ % 10).repeat(30_000);
    for (const entity of made) game.world.set(entity, Health, { note });
  }, 40);
  await until(() => running.room(roomId).clients.getById(sessionId) === undefined, "it is cut off");
  clearInterval(talk);
  for (const entity of made) game.world.set(entity, Health, { note: "quiet" });
  const last = () => other.game.world.get(other.view.entityOf(made[29]!)!, Health)!.note;
  await until(() => last() === "quiet", "the other one is up to date");
  await other.leave();
  tap.close();
});
