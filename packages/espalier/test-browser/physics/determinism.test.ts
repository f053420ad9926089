import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPage, serve } from "../../../../test/browser/serve.ts";
import { closePages, sharedBrowser } from "../../../../test/browser/shared-browser.ts";
import { expected } from "../../test/physics/determinism-expected.ts";

const folder = join(import.meta.dirname, "determinism");
const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

describe("the same scene and the same steps in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });
  afterAll(closePages);

  it.each([
    ["on an isolated page", isolation, true],
    ["on any other page, with the other build of the engine", {}, false],
  ])("lead to the same bits as in Node %s", async (_name, headers, isolated) => {
    const served = await serve(folder, { root: join(folder, "../../.."), server: { headers } });
    try {
      const { page, errors } = await openPage(browser, `${served.url}test-browser/physics/determinism/`);
      await page.waitForFunction("window.result !== undefined");
      expect(await page.evaluate("window.result")).toEqual({ isolated, ...expected });
      // The memory of the engine grew under the reader, as one buffer there and as another here.
      const growth = (await page.evaluate("window.growth")) as { grown: number; wrong: number };
      expect(growth.grown).toBeGreaterThan(16 * 2 ** 20);
      expect(growth.wrong).toBe(0);
      expect(errors.filter((text) => !text.includes("favicon"))).toEqual([]);
      await page.close();
    } finally {
      await served.close();
    }
  });
});
