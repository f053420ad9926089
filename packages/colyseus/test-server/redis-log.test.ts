/** The log in Redis that the guide shows. It is tested here, where a Redis is. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { component, f32, type World } from "espalier";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pageFile } from "../../../test/docs/page-files.ts";
import { type RunningRedis, startRedis } from "./redis.ts";

interface Guide {
  openRedisLog(
    redis: Redis,
    name: string,
    components: readonly unknown[],
  ): Promise<{
    readonly world: World;
    append(): Promise<unknown>;
    snapshot(): Promise<void>;
    close(): void;
  }>;
}

const Health = component("Health", { hp: f32(100) });
const folder = join(dirname(fileURLToPath(import.meta.url)), `pages-redis-${process.pid}`);
const name = `world-${process.pid}`;
let redis: RunningRedis | undefined;

beforeAll(async () => {
  redis = await startRedis();
}, 300_000);
afterAll(() => {
  redis?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("the log in Redis of the guide brings a world back, with and without a snapshot", async ({ skip }) => {
  if (redis === undefined) skip("no Redis");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "redis-log.ts"), pageFile("docs/guide/world-log.md", "redis-log.ts"));
  const { openRedisLog } = (await import(/* @vite-ignore */ join(folder, "redis-log.ts"))) as Guide;
  const client = new Redis((redis as RunningRedis).url);
  const lives: number[][] = [];
  try {
    for (let life = 0; life < 4; life++) {
      const log = await openRedisLog(client, name, [Health]);
      const { world } = log;
      lives.push([...world.query(Health)].map((entity) => world.get(entity, Health)?.hp ?? 0));
      world.spawn(Health({ hp: life }));
      void log.append();
      world.spawn(Health({ hp: life + 0.25 }));
      const snapshot = life === 1 ? log.snapshot() : log.append();
      world.spawn(Health({ hp: life + 0.5 }));
      await log.append();
      await snapshot;
      log.close();
    }
    expect(lives).toEqual([
      [],
      [0, 0.25, 0.5],
      [0, 0.25, 0.5, 1, 1.25, 1.5],
      [0, 0.25, 0.5, 1, 1.25, 1.5, 2, 2.25, 2.5],
    ]);
    // The batches before the snapshot are gone.
    expect(await client.xlen(name)).toBe(1 + 1 + 2 * 3);
  } finally {
    await client.del(name, `${name}:snapshot`);
    client.disconnect();
  }
});
