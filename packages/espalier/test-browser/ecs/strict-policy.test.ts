import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPage, serve } from "../../../../test/browser/serve.ts";
import { closePages, sharedBrowser } from "../../../../test/browser/shared-browser.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages();
});

/** What the page says when it is served with a content security policy. */
async function playUnder(policy: string) {
  const folder = fileURLToPath(new URL("./page", import.meta.url));
  const served = await serve(folder, { server: { headers: { "Content-Security-Policy": policy } } });
  try {
    const { page, errors } = await openPage(browser, served.url);
    // Playwright's own conditions are code from text; waiting for an element is not.
    const text = await page.locator("output").textContent({ timeout: 60_000 });
    return { ...JSON.parse(text ?? "{}"), errors };
  } finally {
    await served.close();
  }
}

describe("a page whose policy forbids code from text", () => {
  it("runs worlds, trees, transforms, queries and updates, and says nothing", async () => {
    const { noText, noWasm, game, failed, errors } = await playUnder("script-src 'self'; object-src 'none'");
    expect(failed).toBeUndefined();
    expect([noText, noWasm]).toEqual([true, true]);
    expect(game).toMatchObject({
      wasm: false,
      problems: [],
      turret: true,
      tank: { state: "moving", armored: true, name: "tank", target: null },
      local: { x: 20, y: 21 },
      placed: { x: 25, y: 21 },
      speeds: { x: 7, y: 2 },
    });
    expect(errors).toEqual([]);
  });

  it("gives the same results as a page where everything is allowed", async () => {
    const strict = await playUnder("script-src 'self'");
    const wasm = await playUnder("script-src 'self' 'wasm-unsafe-eval'");
    const free = await playUnder("script-src 'self' 'unsafe-eval'");
    expect([strict.noText, wasm.noText, free.noText]).toEqual([true, true, false]);
    expect([strict.game.wasm, wasm.game.wasm, free.game.wasm]).toEqual([false, true, true]);
    expect({ ...strict.game, wasm: true }).toEqual(free.game);
    expect(wasm.game).toEqual(free.game);
  });
});
