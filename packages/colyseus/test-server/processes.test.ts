/** Two server processes that share a Redis, and one of them is killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { follow, joinRoom } from "@espalier/colyseus/client";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aliases } from "../../../scripts/public-names.mjs";
import { pageFile } from "../../../test/docs/page-files.ts";
import { outputOf, type RunningRedis, startRedis } from "./redis.ts";
import { createClientGame, net, until } from "./testing.ts";

const here = dirname(fileURLToPath(import.meta.url));
const folder = join(here, `pages-processes-${process.pid}`);
const program = join(folder, "server.mjs");
const guide = join(folder, "processes.mjs");
const first = 20_000 + ((process.pid + 4001) % 12_000);
let redis: RunningRedis | undefined;

beforeAll(async () => {
  redis = await startRedis();
  if (redis === undefined) return;
  mkdirSync(folder, { recursive: true });
  const guideSource = join(folder, "processes.ts");
  writeFileSync(guideSource, pageFile("docs/guide/multiplayer.md", "processes.ts"));
  await bundleProgram(guideSource, guide);
  await bundleProgram(join(here, "server-process.ts"), program);
  // Debian may have to install Redis first.
}, 300_000);
afterAll(() => {
  redis?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function bundleProgram(input: string, file: string): Promise<void> {
  const names = [
    ...aliases("source"),
    ...["", "client", "server"].map((entry) => ({
      find: new RegExp(`^@espalier/colyseus${entry && `/${entry}`}$`),
      replacement: join(here, "../src", entry, "index.ts"),
    })),
  ];
  const bundle = await rolldown({
    input,
    platform: "node",
    external: [/^@colyseus\//],
    plugins: [
      { name: "public-names", resolveId: (id) => names.find(({ find }) => find.test(id))?.replacement },
    ],
  });
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
}

async function start(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, String(port), redis?.url ?? "", guide], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await outputOf(child, /listening/);
  return child;
}

type Joined = Awaited<ReturnType<typeof joinAt>>;

async function joinAt(port: number, name: string, create = false) {
  const game = createClientGame();
  const room = await joinRoom(`http://127.0.0.1:${port}`, name, net, { create });
  room.reconnection.enabled = false;
  const view = follow(net, room, game, { interpolate: 0 });
  await view.ready;
  const socket = (room.connection.transport as unknown as { ws: { url: string } }).ws;
  return { game, room, view, port: Number(new URL(socket.url).port) };
}

/** A client in a new room of that process. Colyseus decides where a room is created: where there are fewest, as far as the asked one knows. */
async function createIn(port: number, name: string): Promise<Joined> {
  const elsewhere: Joined[] = [];
  try {
    while (elsewhere.length < 8) {
      const client = await joinAt(first + (elsewhere.length % 2), name, true);
      if (client.port === port) return client;
      elsewhere.push(client);
    }
    throw new Error(`No new room was created in the process at port ${port}`);
  } finally {
    for (const { room } of elsewhere) await room.leave();
  }
}

test("rooms of one process continue when another one is killed, and the next client has a room within five seconds", async ({
  skip,
}) => {
  if (redis === undefined) skip("no Redis");
  const a = await start(first);
  const b = await start(first + 1);
  try {
    const staying = await createIn(first, "arena");
    const leaving = await createIn(first + 1, "duel");
    let last = performance.now();
    let longest = 0;
    let patches = 0;
    let drops = 0;
    staying.room.onStateChange(() => {
      patches++;
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    });
    staying.room.onDrop(() => drops++);
    const pace = setInterval(() => staying.game.step(), 1000 / 30);
    staying.view.input.throttle = 1;
    await until(() => patches > 0, "patches come");
    longest = 0;

    const killed = performance.now();
    b.kill("SIGKILL");
    await until(() => leaving.view.status === "closed", "its clients notice");
    // The only room of this kind that is listed was in the killed process.
    const next = await joinAt(first, "duel");
    // At most 3.8 seconds by the timers of Colyseus: the wait for the seat and the health check overlap, then it tries again.
    expect(performance.now() - killed).toBeLessThan(5000);
    expect(next.port).toBe(first);

    const before = patches;
    await until(() => patches > before + 20, "patches still come");
    await until(() => staying.view.waitingInputs < 10, "inputs are still taken");
    clearInterval(pace);
    // Waiting for the dead process takes two seconds or more.
    expect(longest).toBeLessThan(1500);
    expect(drops).toBe(0);
    expect(staying.view.status).toBe("live");
    await next.room.leave();
    await staying.room.leave();
  } finally {
    a.kill("SIGKILL");
    b.kill("SIGKILL");
  }
});

test("a client that comes later does not wait for a process that was killed", async ({ skip }) => {
  if (redis === undefined) skip("no Redis");
  const a = await start(first);
  const b = await start(first + 1);
  try {
    await createIn(first + 1, "duel");
    b.kill("SIGKILL");
    // Noticed within one second, and known to be dead two seconds later.
    await new Promise((resolve) => setTimeout(resolve, 4500));
    const started = performance.now();
    const next = await joinAt(first, "duel");
    expect(next.port).toBe(first);
    // A client that still is offered the dead room waits for at least four seconds.
    expect(performance.now() - started).toBeLessThan(2000);
    await next.room.leave();
  } finally {
    a.kill("SIGKILL");
    b.kill("SIGKILL");
  }
});
