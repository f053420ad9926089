/** A process that is killed at random moments, again and again, on one log. */
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkWorld } from "espalier";
import { checkTree } from "espalier/hierarchy";
import { openWorldLog } from "espalier/log";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleProgram } from "./bundle-program.ts";
import { components, createLife, lifeText, live } from "./random-life.ts";

const KILLS = process.env.ESPALIER_LONG === undefined ? 12 : 200;

let dir: string;
let program: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "espalier-killed-"));
  program = join(dir, "killed-program.mjs");
  await bundleProgram(fileURLToPath(new URL("./killed-program.ts", import.meta.url)), program);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Starts the program, waits until it lives, and kills it `delay` milliseconds later. */
function liveAndDie(folder: string, delay: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(program, [folder], { stdio: ["ignore", "ignore", "pipe", "ipc"] });
    let complaint = "";
    child.stderr?.on("data", (data) => {
      complaint += String(data);
    });
    child.once("message", () => setTimeout(() => child.kill("SIGKILL"), delay));
    child.once("exit", (_code, signal) => {
      if (signal === "SIGKILL") resolve();
      else reject(new Error(`The program ended by itself: ${complaint}`));
    });
  });
}

describe("a log whose process is killed at random moments", () => {
  it(`restores the last complete batch, equal to a twin that was never killed (${KILLS} times)`, async () => {
    const folder = join(dir, "log");
    const twin = createLife();
    let tick = 0;
    let torn = 0;
    let fromSnapshot = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      await liveAndDie(folder, (kill * 17.3) % 150);
      const life = createLife();
      const log = openWorldLog(folder, life.world, { components, trees: [life.tree] });
      expect(log.sequence).toBeGreaterThanOrEqual(tick);
      if (log.recovered.cutOff !== undefined) torn++;
      if (log.recovered.snapshot !== undefined) fromSnapshot++;
      while (tick < log.sequence) live(twin, ++tick);
      expect(lifeText(life)).toBe(lifeText(twin));
      expect([...checkWorld(life.world), ...checkTree(life.tree)]).toEqual([]);
      await log.close();
    }
    expect(tick).toBeGreaterThan(KILLS);
    if (process.env.ESPALIER_LONG !== undefined)
      console.log(`${tick} batches, ${torn} torn ends, ${fromSnapshot} openings from a snapshot`);
  }, 600_000);
});
