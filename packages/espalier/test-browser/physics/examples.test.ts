import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PNG } from "pngjs";
import { build, preview } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aliases } from "../../../../scripts/public-names.mjs";
import { root } from "../../../../scripts/workspace.mjs";
import { launchChromium } from "../../../../test/browser/chromium.ts";
import { openPage, serve } from "../../../../test/browser/serve.ts";

const target = process.env.ESPALIER_TARGET === "dist" ? "dist" : "source";
const folder = (name: string) => join(root, "examples", name);

/** How many colours, roughly, a picture shows: more than its background when something is drawn. */
function colorsIn(picture: Buffer): number {
  const { data } = PNG.sync.read(picture);
  const seen = new Set<number>();
  for (let k = 0; k < data.length; k += 4)
    seen.add(((data[k]! >> 4) << 8) | ((data[k + 1]! >> 4) << 4) | (data[k + 2]! >> 4));
  return seen.size;
}

describe("examples of physics in a browser", () => {
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  it.each(["physics-tank", "ragdoll", "car"])("%s moves and is drawn", async (name) => {
    const served = await serve(folder(name));
    try {
      const { page, errors } = await openPage(browser, served.url);
      await page.waitForFunction("window.steps >= 5");
      const picture = await page.locator("canvas").screenshot();
      expect(colorsIn(picture)).toBeGreaterThan(4);
      await page.waitForFunction("window.steps >= 15");
      expect((await page.locator("canvas").screenshot()).equals(picture)).toBe(false);
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
      expect(colorsIn(await page.locator("canvas").screenshot())).toBeGreaterThan(4);
      expect(errors.filter((error) => !error.includes("favicon") && !error.includes("404"))).toEqual([]);
      await page.close();
    } finally {
      await server?.close();
      rmSync(outDir, { recursive: true, force: true });
    }
  });
});
