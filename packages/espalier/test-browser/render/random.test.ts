/** Pixi and the canvas beside themselves: what they show does not depend on how the world came to be as it is. */
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../../../scripts/workspace.mjs";
import { openPage, type Served, serve } from "../../../../test/browser/serve.ts";
import { closePages, sharedBrowser } from "../../../../test/browser/shared-browser.ts";

let served: Served;
let browser: Browser;
let page: Page;
let errors: string[];

beforeAll(async () => {
  served = await serve(join(root, "packages/espalier/test-browser/render/page"));
  browser = await sharedBrowser();
  ({ page, errors } = await openPage(browser, served.url, { width: 320, height: 240 }));
  await page.waitForFunction(() => "harness" in window);
});
afterAll(async () => {
  await closePages();
  await served?.close();
});

describe("a world that is edited at random", () => {
  it.each([1, 2, 3])("is drawn by Pixi as a new renderer draws it (seed %i)", async (seed) => {
    const { found, lit } = await page.evaluate((given) => window.harness.compareWithNew(given, 160), seed);
    expect(found).toEqual([]);
    expect(lit).toBeGreaterThan(2000);
  });

  it.each(["canvas", "pixi"] as const)("never throws, whatever values it has: %s", async (kind) => {
    for (let seed = 1; seed <= 3; seed++) {
      const { wrong } = await page.evaluate(
        ([which, given]) => window.harness.drawExtremes(which, given, 150),
        [kind, seed] as const,
      );
      expect(wrong).toEqual([]);
    }
  });

  it("uploads what moved, and everything only when most of it moved", async () => {
    // Four corners of 24 bytes each.
    expect(await page.evaluate(() => window.harness.countUploads())).toEqual({
      three: 3 * 96,
      apart: 2 * 96,
      all: 1000 * 96,
    });
  });

  it("keeps nothing of a thousand renderers that came and went", async () => {
    const { before, after } = await page.evaluate(() => window.harness.comeAndGo(1000));
    expect(before.batchers).toBeGreaterThan(0);
    expect(after).toEqual(before);
  });

  it("prints no error in all this", () => {
    expect(errors).toEqual([]);
  });
});
