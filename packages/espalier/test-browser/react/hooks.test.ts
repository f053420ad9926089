import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPage, type Served, serve } from "../../../../test/browser/serve.ts";
import { closePages, sharedBrowser } from "../../../../test/browser/shared-browser.ts";

let browser: Browser;
let served: Served;
let page: Page;
let errors: string[];

beforeAll(async () => {
  const folder = fileURLToPath(new URL("./page", import.meta.url));
  [browser, served] = await Promise.all([sharedBrowser(), serve(folder)]);
  ({ page, errors } = await openPage(browser, served.url));
  await page.waitForFunction("window.scenarios !== undefined");
});
afterAll(async () => {
  await closePages();
  await served?.close();
});

const run = <Result>(name: string) => page.evaluate<Result>(`window.scenarios.${name}()`);

describe("hooks in a real React", () => {
  it("follow their answers in strict mode, each of them", async () => {
    const { seen, tank, turret } = await run<{ seen: string[]; tank: number; turret: number }>("everyHook");
    expect(seen).toEqual([
      `${tank} ${tank} 100 true false ${turret} 1 ${tank} 11 10 nothing`,
      `${tank} ${tank} 40 true false ${turret} 1 ${tank} 11 10 hit`,
      expect.stringContaining(`none ${tank} 40 true true ${turret} 1`),
      expect.stringContaining(`none ${tank} 40 true true no child 2 root 10 10`),
      expect.stringContaining("root 10 3"),
      expect.stringContaining("root 7 3"),
      expect.stringContaining("none nobody no health true false no child 1 root 7 3"),
    ]);
  });

  it("render their components exactly when the answer changed", async () => {
    const after = await run<Record<string, number>[]>("renderCounts");
    const [first, ...rest] = after;
    expect(first).toEqual({ health: 1, query: 1, children: 1, parent: 1, has: 1 });
    expect(rest).toEqual([
      { health: 2, query: 1, children: 1, parent: 1, has: 1 },
      { health: 2, query: 2, children: 1, parent: 1, has: 1 },
      { health: 2, query: 2, children: 2, parent: 1, has: 1 },
      { health: 2, query: 3, children: 2, parent: 1, has: 2 },
      { health: 2, query: 3, children: 3, parent: 2, has: 2 },
    ]);
  });

  it.each([1, 2])("render as often as a model expects, whatever is edited (seed %i)", async (seed) => {
    expect(await page.evaluate(`window.scenarios.randomRenders(${seed})`)).toEqual([]);
  });

  it("commit no mixture of old and new when the world changes during a slow render", async () => {
    const { ticks, mixed, commits } = await run<{ ticks: number; mixed: number; commits: number }>("tearing");
    // The world did change while React was at work.
    expect(ticks).toBeGreaterThan(3);
    expect(commits).toBeGreaterThan(1);
    expect(mixed).toBe(0);
  });

  it("subscribe once and leave nothing behind", async () => {
    expect(await run("subscriptions")).toEqual({ mounted: 2, afterRenders: 2, begun: 0, unmounted: 0 });
  });

  it("follow another entity and another world", async () => {
    expect(await run("otherProps")).toEqual(["1", "2", "3"]);
  });

  it("print no warning", () => {
    expect(errors).toEqual([]);
  });
});
