/** Two real threads: the worker is faster than the page, so that slots run out. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { mirrorWorld } from "espalier/worker";
import { rolldown } from "rolldown";
import { beforeAll, describe, expect, it } from "vitest";
import { createSide, shared, textOf } from "./pair.ts";

const sources = fileURLToPath(new URL("../../src/", import.meta.url));
const dir = fileURLToPath(
  new URL("../../../../node_modules/.cache/espalier/worker-threads/", import.meta.url),
);
const file = join(dir, "worker.mjs");

beforeAll(async () => {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const names = ["hierarchy", "transform", "worker"];
  const bundle = await rolldown({
    input: fileURLToPath(new URL("threads-program.ts", import.meta.url)),
    platform: "node",
    // The longest first: `espalier` is the beginning of all.
    resolve: {
      alias: {
        ...Object.fromEntries(names.map((name) => [`espalier/${name}`, `${sources}${name}/index.ts`])),
        espalier: `${sources}index.ts`,
      },
    },
  });
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
});

describe.each(["shared", "transferred"] as const)("a worker of its own thread with %s memory", (memory) => {
  it("is mirrored exactly, although it is faster than the page", async () => {
    const worker = new Worker(file, { workerData: { memory, ticks: 400 } });
    const page = createSide();
    const mirror = mirrorWorld(page.world, {
      components: shared,
      spaces: [page.space],
      port: worker,
      onError: () => {},
      // A page that draws: the worker gets ahead.
      onTick() {
        const until = performance.now() + 2;
        while (performance.now() < until);
      },
      ...(memory === "transferred" ? { memory } : {}),
    });
    await mirror.ready;
    expect(mirror.isShared).toBe(memory === "shared");
    const last = new Promise<{ text: string; answers: { [answer: string]: number } }>((resolve) => {
      worker.on("message", (data) => {
        if (data.text !== undefined) resolve(data);
      });
    });
    mirror.send("run");
    const { text, answers } = await last;
    expect(textOf(page)).toBe(text);
    expect(answers.behind).toBeGreaterThan(0);
    expect(answers.sent).toBeGreaterThan(3);
    await worker.terminate();
    expect(mirror.status).toBe("failed");
  });
});

it("reports a worker that throws before it hosts anything", async () => {
  const worker = new Worker("throw new TypeError('broken')", { eval: true });
  const errors: unknown[] = [];
  const { world } = createSide();
  const mirror = mirrorWorld(world, { components: [], port: worker, onError: (error) => errors.push(error) });
  await expect(mirror.ready).rejects.toMatchObject({ code: "worker/failed", reason: "threw" });
  expect(errors.length).toBe(1);
  expect(mirror.status).toBe("failed");
});
