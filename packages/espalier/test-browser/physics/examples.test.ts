import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { build, preview } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aliases } from "../../../../scripts/public-names.mjs";
import { root } from "../../../../scripts/workspace.mjs";
import { openPage, serve } from "../../../../test/browser/serve.ts";
import { closePages, sharedBrowser } from "../../../../test/browser/shared-browser.ts";

const target = process.env.ESPALIER_TARGET === "dist" ? "dist" : "source";
const folder = (name: string) => join(root, "examples", name);

/** What is on the canvas: how many colours, roughly, which is one where nothing is drawn, and a sum of all pixels. */
async function lookAt(page: Page): Promise<{ readonly colors: number; readonly sum: number }> {
  return await page.evaluate(() => {
    const canvas = document.querySelector("canvas")!;
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Set<number>();
    let sum = 0;
    for (let k = 0; k < data.length; k += 4) {
      seen.add(((data[k]! >> 4) << 8) | ((data[k + 1]! >> 4) << 4) | (data[k + 2]! >> 4));
      sum = (Math.imul(sum, 31) + data[k]! + data[k + 1]! * 256) | 0;
    }
    return { colors: seen.size, sum };
  });
}

describe("examples of physics in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });
  afterAll(closePages);

  it.each(["physics-tank", "ragdoll", "car"])("%s moves and is drawn", async (name) => {
    const served = await serve(folder(name));
    try {
      const { page, errors } = await openPage(browser, served.url);
      await page.waitForFunction("window.steps >= 5");
      const picture = await lookAt(page);
      expect(picture.colors).toBeGreaterThan(4);
      await page.waitForFunction("window.steps >= 15");
      expect((await lookAt(page)).sum).not.toBe(picture.sum);
      expect(errors.filter((text) => !text.includes("favicon"))).toEqual([]);
      await page.close();
    } finally {
      await served.close();
    }
  });

  it("physics-vite is built as a user builds it, and comes to the same result as in Node", async () => {
    const outDir = mkdtempSync(join(tmpdir(), "espalier-physics-vite-"));
    const shared = {
      root: folder("physics-vite"),
      configFile: join(folder("physics-vite"), "vite.config.ts"),
      logLevel: "error",
      build: { outDir, emptyOutDir: true },
    } as const;
    let server: Awaited<ReturnType<typeof preview>> | undefined;
    try {
      await build({ ...shared, resolve: { alias: aliases(target) } });
      server = await preview({ ...shared, preview: { host: "127.0.0.1", port: 0 } });
      const { page, errors } = await openPage(browser, server.resolvedUrls!.local[0]!);
      await page.waitForFunction("window.hash !== undefined");
      const found = (await page.evaluate("[window.fallen, window.hash]")) as [number, number];
      const text = `${found[0]} of 8 crates have fallen; the world is ${found[1].toString(16)}`;
      expect(text).toBe(readFileSync(join(folder("physics-vite"), "expected.txt"), "utf8").trim());
      expect((await lookAt(page)).colors).toBeGreaterThan(4);
      expect(errors.filter((error) => !error.includes("favicon") && !error.includes("404"))).toEqual([]);
      await page.close();
    } finally {
      await server?.close();
      rmSync(outDir, { recursive: true, force: true });
    }
  });
});
