/** The programs of the guide and of error pages that need a server. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { InvalidInputError, type Replication, ReplicationMismatchError } from "@espalier/colyseus";
import { type FollowedRoom, joinRoom } from "@espalier/colyseus/client";
import type { WorldRoom } from "@espalier/colyseus/server";
import { not } from "espalier";
import type { Game } from "espalier/game";
import { Transform2D } from "espalier/transform";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pageFile } from "../../../test/docs/page-files.ts";
import type * as testing from "./testing.ts";
import { startServer, until } from "./testing.ts";

/** Inside the package, where its dependencies are found. */
const folder = join(dirname(fileURLToPath(import.meta.url)), `pages-${process.pid}`);
const port = 20_000 + ((process.pid + 2003) % 12_000);
const url = `http://127.0.0.1:${port}`;

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "arena.ts"), pageFile("docs/guide/multiplayer.md", "arena.ts"));
  writeFileSync(join(folder, "server.ts"), pageFile("docs/guide/multiplayer.md", "server.ts"));
  writeFileSync(join(folder, "client.ts"), pageFile("docs/guide/multiplayer.md", "client.ts"));
  writeFileSync(join(folder, "lasting.ts"), pageFile("docs/guide/multiplayer.md", "lasting.ts"));
  writeFileSync(join(folder, "mismatch.ts"), pageFile("docs/errors/colyseus-mismatch.md", "mismatch.ts"));
  writeFileSync(
    join(folder, "invalid-input.ts"),
    pageFile("docs/errors/colyseus-invalid-input.md", "invalid-input.ts"),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const load = (name: string): Promise<unknown> => import(/* @vite-ignore */ join(folder, name));

test("the server and the client of the guide play together, and the error pages throw what they say", async () => {
  type Guide = { serve(port: number): Promise<{ gracefullyShutdown(exit: boolean): Promise<void> }> };
  type Client = {
    play(url: string): Promise<{
      game: { step(): void; world: { get(entity: unknown, component: typeof Transform2D): { x: number } } };
      room: { leave(): Promise<number> };
      view: FollowedRoom;
    }>;
  };
  const server = await ((await load("server.ts")) as Guide).serve(port);
  try {
    const { game, room, view } = await ((await load("client.ts")) as Client).play(url);
    const pace = setInterval(() => game.step(), 1000 / 30);
    await until(
      () => [...view.owned].some((entity) => game.world.get(entity, Transform2D).x > 20),
      "it drives",
    );
    clearInterval(pace);
    await room.leave();
    const { join: joinOther } = (await load("mismatch.ts")) as { join(url: string): Promise<unknown> };
    await expect(joinOther(url)).rejects.toBeInstanceOf(ReplicationMismatchError);
    const { steer } = (await load("invalid-input.ts")) as {
      steer(url: string, net: Replication): Promise<void>;
    };
    const { arena } = (await load("arena.ts")) as { arena: Replication };
    await expect(steer(url, arena)).rejects.toBeInstanceOf(InvalidInputError);
  } finally {
    await server.gracefullyShutdown(false);
  }
});

test("the room of the guide that keeps its world in a folder is restored with it, without the tanks of clients that left", async () => {
  const { lastingArena } = (await load("lasting.ts")) as {
    lastingArena(folder: string): new () => WorldRoom<Game>;
  };
  const { arena, Drive, Health } = (await load("arena.ts")) as {
    arena: Replication;
    Drive: typeof testing.Drive;
    Health: typeof testing.Health;
  };
  const kept = join(folder, "kept");
  const { room: roomOf, url: lastingUrl, stop } = await startServer({ lasting: lastingArena(kept) });
  const livingIn = async (work: (game: Game) => void): Promise<void> => {
    const client = await joinRoom(lastingUrl, "lasting", arena);
    const room = roomOf(client.roomId) as unknown as WorldRoom<Game>;
    const { game } = room.plugins.world;
    expect(game.world.query(Drive).count()).toBe(1);
    work(game);
    const { tick } = game;
    await until(() => game.tick > tick + 1, "a step was made");
    await client.leave();
    await until(() => roomOf(client.roomId) === undefined, "the room is gone");
  };
  try {
    await livingIn((game) => void game.spawn(game.space.at(5, 0), Health({ hp: 7 })));
    // As after a crash: a tank whose client is gone.
    await livingIn((game) => {
      const crates = [...game.world.query(Health, not(Drive))];
      expect(crates.map((crate) => game.world.get(crate, Health)?.hp)).toEqual([7]);
      game.spawn(game.space.at(0, 0), Health(), Drive());
    });
    await livingIn((game) => expect(game.world.query(Health).count()).toBe(2));
  } finally {
    await stop();
  }
});
