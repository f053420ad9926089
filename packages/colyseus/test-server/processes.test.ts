/** Two server processes that share a Redis, and one of them is killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { follow, joinRoom } from "@espalier/colyseus/client";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aliases } from "../../../scripts/public-names.mjs";
import { outputOf, type RunningRedis, startRedis } from "./redis.ts";
import { createClientGame, net, until } from "./testing.ts";

const here = dirname(fileURLToPath(import.meta.url));
const folder = join(here, `pages-processes-${process.pid}`);
const program = join(folder, "server.mjs");
const first = 20_000 + ((process.pid + 4001) % 12_000);
let redis: RunningRedis | undefined;

beforeAll(async () => {
  redis = await startRedis();
  if (redis === undefined) return;
  const names = [
    ...aliases("source"),
    ...["", "client", "server"].map((entry) => ({
      find: new RegExp(`^@espalier/colyseus${entry && `/${entry}`}$`),
      replacement: join(here, "../src", entry, "index.ts"),
    })),
  ];
  const bundle = await rolldown({
    input: join(here, "server-process.ts"),
    platform: "node",
    external: [/^@colyseus\//],
    plugins: [
      { name: "public-names", resolveId: (id) => names.find(({ find }) => find.test(id))?.replacement },
    ],
  });
  await bundle.write({ file: program, format: "esm", codeSplitting: false });
  await bundle.close();
  // Debian may have to install Redis first.
}, 300_000);
afterAll(() => {
  redis?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, String(port), redis?.url ?? ""], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await outputOf(child, /listening/);
  return child;
}

async function joinAt(port: number, create: boolean) {
  const game = createClientGame();
  const room = await joinRoom(`http://127.0.0.1:${port}`, "arena", net, { create });
  room.reconnection.enabled = false;
  const view = follow(net, room, game, { interpolate: 0 });
  await view.ready;
  const socket = (room.connection.transport as unknown as { ws: { url: string } }).ws;
  return { game, room, view, port: Number(new URL(socket.url).port) };
}

test("rooms of one process continue when another one is killed, and the next client finds a room", async ({
  skip,
}) => {
  if (redis === undefined) skip("no Redis");
  const a = await start(first);
  const b = await start(first + 1);
  const clients: Awaited<ReturnType<typeof joinAt>>[] = [];
  try {
    // Colyseus spreads new rooms over the processes.
    for (let k = 0; k < 8 && new Set(clients.map(({ port }) => port)).size < 2; k++) {
      clients.push(await joinAt(first + (k % 2), true));
    }
    const staying = clients.find(({ port }) => port === first)!;
    const leaving = clients.find(({ port }) => port === first + 1)!;
    expect(staying, "a room in the first process").toBeDefined();
    expect(leaving, "a room in the second process").toBeDefined();

    let patches = 0;
    let drops = 0;
    staying.room.onStateChange(() => patches++);
    staying.room.onDrop(() => drops++);
    const pace = setInterval(() => staying.game.step(), 1000 / 30);
    staying.view.input.throttle = 1;
    b.kill("SIGKILL");
    await until(() => leaving.view.status === "closed", "its clients notice");
    const before = patches;
    const next = await joinAt(first, false);
    expect(next.port).toBe(first);
    await until(() => patches > before + 20, "patches still come");
    await until(() => staying.view.waitingInputs < 10, "inputs are still taken");
    clearInterval(pace);
    expect(drops).toBe(0);
    expect(staying.view.status).toBe("live");
    await next.room.leave();
    for (const { room, port } of clients) if (port === first) await room.leave();
  } finally {
    a.kill("SIGKILL");
    b.kill("SIGKILL");
  }
});
