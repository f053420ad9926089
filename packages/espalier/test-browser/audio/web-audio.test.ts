import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../../../scripts/workspace.mjs";
import { launchBrowser } from "../../../../test/browser/chromium.ts";
import { openPage, type Served, serve } from "../../../../test/browser/serve.ts";
import { closePages, sharedBrowser } from "../../../../test/browser/shared-browser.ts";
import type { Harness } from "./page/main.ts";

type HarnessWindow = { harness: Harness };

let served: Served;
let browser: Browser;
let page: Page;

async function open(): Promise<Page> {
  const opened = await openPage(browser, served.url);
  await opened.page.waitForFunction(() => "harness" in window);
  return opened.page;
}

beforeAll(async () => {
  served = await serve(join(root, "packages/espalier/test-browser/audio/page"));
  browser = await sharedBrowser();
  page = await open();
});
afterAll(async () => {
  await closePages();
  await served?.close();
});

const stateOf = (of: Page) => of.evaluate(() => (window as unknown as HarnessWindow).harness.state());

describe("sounds through Web Audio", () => {
  it("have the loudness of the tree: own, volume above, moved by the parent, parent not active", async () => {
    const rows = await page.evaluate(() => (window as unknown as HarnessWindow).harness.table());
    expect(rows).toEqual([
      [0.5, 0.5],
      [0.25, 0.25],
      [0.06, 0.17],
      [0, 0],
    ]);
  });

  it("follow changes of volume, position, bus and activity while they sound", async () => {
    const rows = await page.evaluate(() => (window as unknown as HarnessWindow).harness.changes());
    expect(rows).toEqual([
      [0.5, 0.5],
      [0.25, 0.25],
      [0.06, 0.17],
      [0, 0],
      [0.06, 0.17],
      [0, 0],
    ]);
  });

  it("are panned as soon as distance matters to them, and centred when it no longer does", async () => {
    const rows = await page.evaluate(() => (window as unknown as HarnessWindow).harness.placed());
    expect(rows).toEqual([
      [0.71, 0.71],
      [0.13, 0.34],
      [0.71, 0.71],
    ]);
  });

  it("begin in their middle, loop, play faster and fade as their components say", async () => {
    const heard = await page.evaluate(() => (window as unknown as HarnessWindow).harness.offsets());
    expect(heard).toEqual({ start: 0.2, offset: 0.7, faster: 0.4, looped: 0.1, over: 0, fading: 0.35 });
  });

  it("leave no node behind after ten thousand of them", async () => {
    const left = await page.evaluate(() => (window as unknown as HarnessWindow).harness.oneShots());
    expect(left.most).toBeGreaterThan(30);
    expect(left).toMatchObject({ voices: 0, counted: 0 });
    // Each voice connects three nodes and disconnects three.
    expect(left.connected).toBe(0);
  });

  it("are loaded from files and parts of files, and all that fail are in one error", async () => {
    const found = await page.evaluate(() => (window as unknown as HarnessWindow).harness.files());
    expect(found.names).toEqual(["boom", "hit", "step", "gone", "page"]);
    expect(found.failed).toEqual(["gone", "page"]);
    expect(found.message).toContain("gone: ");
    expect(found.message).toContain("/index.html is not a sound that this browser can play");
    expect(found.seconds).toEqual([0.5, 0.1, 0.05, null]);
    expect(found.heard).toEqual([0.25, 0]);
  });
});

describe("the lock of browsers", () => {
  let strict: Browser;
  let fresh: Page;
  beforeAll(async () => {
    strict = await launchBrowser(["--autoplay-policy=document-user-activation-required"]);
  });
  afterAll(() => strict?.close());

  const openStrict = async () => {
    fresh = (await openPage(strict, served.url)).page;
    await fresh.waitForFunction(() => "harness" in window);
    return fresh;
  };
  const waitUnlocked = () =>
    fresh.waitForFunction(() => !(window as unknown as HarnessWindow).harness.state().isLocked);

  it.each(["tap", "key"])("ends with the first gesture: %s", async (gesture) => {
    await openStrict();
    // A call of a test counts as a gesture, so the page noted how it began.
    expect(await fresh.title()).toBe("suspended");
    if (gesture === "tap") await fresh.mouse.click(10, 10);
    else await fresh.keyboard.press("a");
    await waitUnlocked();
    expect(await stateOf(fresh)).toEqual({ isLocked: false, context: "running", unlocks: 1 });
    await fresh.close();
  });

  it("is asked to end by the first button of a gamepad", async () => {
    await openStrict();
    expect(await fresh.evaluate(() => (window as unknown as HarnessWindow).harness.pressPad())).toEqual([
      0, 1,
    ]);
    await fresh.close();
  });

  it("does not affect streamed music once it has ended", async () => {
    await openStrict();
    await fresh.mouse.click(10, 10);
    await waitUnlocked();
    const found = await fresh.evaluate(() => (window as unknown as HarnessWindow).harness.stream());
    expect(found).toEqual({ during: 1, playing: 1, after: 0, time: true });
    const broken = await fresh.evaluate(() => (window as unknown as HarnessWindow).harness.brokenStream());
    // A loop whose file is missing is asked for once, not in every step.
    expect(broken).toEqual({ elements: 1, keepsPitch: false, voices: 0 });
    await fresh.close();
  });
});
