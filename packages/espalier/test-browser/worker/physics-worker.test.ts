/** The example with physics in a worker, on pages with and without shared memory. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../../../scripts/workspace.mjs";
import { openPage, serve } from "../../../../test/browser/serve.ts";
import { closePages, sharedBrowser } from "../../../../test/browser/shared-browser.ts";
import { pageFile } from "../../../../test/docs/page-files.ts";

const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterAll(closePages);

describe("a game in a worker", () => {
  it.each([
    ["an isolated page, in shared memory", isolation, true],
    ["any other page, in transferred blocks", {}, false],
  ])("is drawn, picked and played on %s", async (_name, headers, isShared) => {
    const served = await serve(join(root, "examples/browser"), { server: { headers } });
    try {
      const { page, errors } = await openPage(browser, `${served.url}physics-worker/`, {
        width: 800,
        height: 450,
      });
      await page.waitForFunction("window.ready === true");
      expect(await page.evaluate("isShared()")).toBe(isShared);
      const ticks = async () => Number(await page.evaluate("mirror.tick"));
      const before = await ticks();
      await expect.poll(ticks).toBeGreaterThan(before + 30);
      await page.waitForFunction("highest().height < 5");
      // The air: another crate, with the child it has. The page's own mark is not one of the worker.
      const count = Number(await page.evaluate("entities()"));
      await page.mouse.click(400, 20);
      await expect.poll(async () => Number(await page.evaluate("entities()"))).toBe(count + 2);
      expect(errors).toEqual([]);
      await page.close();
    } finally {
      await served.close();
    }
  });

  it("throws the crate that is clicked: picked on the page, pushed in the worker", async () => {
    const served = await serve(join(root, "examples/browser"));
    try {
      const { page, errors } = await openPage(browser, `${served.url}physics-worker/`, {
        width: 800,
        height: 450,
      });
      await page.waitForFunction("window.ready === true");
      // At rest: one that falls is only slowed down.
      const isAtRest = `(() => {
        const before = window.before;
        window.before = highest().height;
        return Math.abs(window.before - before) < 0.01;
      })()`;
      await page.waitForFunction(isAtRest, undefined, { polling: 300 });
      // In one turn of the page: a moment later the crate is elsewhere.
      const crate = (await page.evaluate(`(() => {
        const crate = highest();
        dispatchEvent(new MouseEvent("click", { clientX: crate.x, clientY: crate.y }));
        return crate;
      })()`)) as { height: number; id: number };
      // In the page, at every frame: it is down again after two seconds.
      await page.waitForFunction(`heightOf(${crate.id}) > ${crate.height + 0.5}`);
      expect(errors).toEqual([]);
      await page.close();
    } finally {
      await served.close();
    }
  });

  it("drives the tank of the guide by keys that the page sends", async () => {
    // Inside of the repository, so that the page finds what the library imports.
    const cache = join(root, "node_modules/.cache/espalier");
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(join(cache, "worker-guide-"));
    writeFileSync(join(folder, "shared.ts"), pageFile("docs/guide/worker.md", "shared.ts"));
    writeFileSync(join(folder, "game.ts"), pageFile("docs/guide/worker.md", "game.ts"));
    const page = pageFile("docs/guide/worker.md", "page.ts");
    const look = `
import { Shape } from "espalier/render";
Object.assign(window, { ready: true, xOfTank: () => space.worldX([...world.query(Shape)][0]!) });
`;
    writeFileSync(join(folder, "page.ts"), `${page}${look}`);
    const html = pageFile("docs/guide/worker.md", "index.html");
    writeFileSync(join(folder, "index.html"), `${html}<link rel="icon" href="data:,">`);
    const served = await serve(folder);
    try {
      const { page, errors } = await openPage(browser, served.url);
      await page.waitForFunction("window.ready === true");
      const x = async () => Number(await page.evaluate("xOfTank()"));
      expect(await x()).toBe(0);
      await page.keyboard.down("ArrowRight");
      await expect.poll(x).toBeGreaterThan(2);
      await page.keyboard.up("ArrowRight");
      expect(errors).toEqual([]);
      await page.close();
    } finally {
      await served.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("reports a worker that cannot be loaded as a typed error", async () => {
    const served = await serve(join(import.meta.dirname, "failing"), {
      root: join(import.meta.dirname, "../.."),
    });
    try {
      const { page } = await openPage(browser, `${served.url}test-browser/worker/failing/`);
      await page.waitForFunction("window.result !== undefined");
      expect(await page.evaluate("window.result")).toEqual({
        code: "worker/failed",
        reason: "threw",
        status: "failed",
      });
      await page.close();
    } finally {
      await served.close();
    }
  });
});
