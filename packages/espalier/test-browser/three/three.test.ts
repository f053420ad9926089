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

describe("three.js with a real WebGL", () => {
  it("draws driven objects and instances as it draws its own tree", async () => {
    const { drawn, objects, instances } = await run<Record<string, number>>("samePicture");
    expect(drawn).toBeGreaterThan(3000);
    expect({ objects, instances }).toEqual({ objects: 0, instances: 0 });
  });

  it("draws a skinned model that clips move by its entities as three.js alone does", async () => {
    const { drawn, different, moved, alive } = await run<Record<string, number>>("skinned");
    expect(drawn).toBeGreaterThan(3000);
    expect(different).toBe(0);
    expect(moved).toBeGreaterThan(8);
    expect(alive).toBe(4);
  });

  it("draws small changes as if everything had been uploaded", async () => {
    const { drawn, differences } = await run<Record<string, number>>("smallChanges");
    expect(drawn).toBeGreaterThan(3000);
    expect(differences).toBe(0);
  });

  it("frees the buffers of a mesh that grew and of one that was removed", async () => {
    const { small, large, count, end, geometries } = await run<Record<string, number>>("leaks");
    expect(small).toBeGreaterThan(0);
    expect({ large, count, end, geometries }).toEqual({ large: small, count: 0, end: 0, geometries: 0 });
  });

  it("draws the same after the context was lost and restored", async () => {
    const { drawn, different } = await run<Record<string, number>>("lostContext");
    expect(drawn).toBeGreaterThan(3000);
    expect(different).toBe(0);
  });

  it("prints no error but that the context was lost", () => {
    expect(errors.filter((text) => !text.includes("Context Lost"))).toEqual([]);
  });
});
