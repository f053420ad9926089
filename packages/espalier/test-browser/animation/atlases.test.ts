import { join } from "node:path";
import pixelmatch from "pixelmatch";
import type { Page } from "playwright-core";
import { PNG as Png } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../../../scripts/workspace.mjs";
import { openPage, type Served, serve } from "../../../../test/browser/serve.ts";
import { closePages, sharedBrowser } from "../../../../test/browser/shared-browser.ts";
import type { Harness } from "./page/main.ts";

const size = { width: 320, height: 240 };
let served: Served;
let page: Page;
let errors: string[];

beforeAll(async () => {
  served = await serve(join(root, "packages/espalier/test-browser/animation/page"));
  ({ page, errors } = await openPage(await sharedBrowser(), served.url, size));
  await page.waitForFunction(() => "harness" in window);
});
afterAll(async () => {
  await closePages();
  await served?.close();
});

/** The page's own type would clash with that of the other harness. */
const draw = async (renderer: "canvas" | "pixi", frame: string, slices = false) => {
  await page.evaluate(
    async ([how, name, nine]) => {
      const { harness } = window as unknown as { harness: Harness };
      await harness[how as "canvas"](name as string, nine as boolean);
    },
    [renderer, frame, slices] as const,
  );
  return Png.sync.read(await page.screenshot());
};

const differing = (a: Png, b: Png, threshold: number) =>
  pixelmatch(a.data, b.data, undefined, size.width, size.height, { threshold });

const packed = ["trimmed", "rotated", "both"];

describe("frames of packed sheets", () => {
  it("are read alike from objects and arrays", async () => {
    expect(await page.evaluate(() => (window as unknown as { harness: Harness }).harness.isSameAtlas())).toBe(
      true,
    );
  });

  it.each(packed)("are drawn by the canvas renderer as the plain frame is: %s", async (frame) => {
    const plain = await draw("canvas", "plain", true);
    expect(differing(plain, await draw("canvas", frame, true), 0.05)).toBe(0);
  });

  it.each(packed)("are drawn by the Pixi renderer as the plain frame is: %s", async (frame) => {
    const plain = await draw("pixi", "plain");
    expect(differing(plain, await draw("pixi", frame), 0.05)).toBe(0);
  });

  it.each(["plain", ...packed])("are drawn alike by both renderers: %s", async (frame) => {
    const canvas = await draw("canvas", frame);
    expect(canvas.data.some((value, k) => k % 4 === 0 && value > 200)).toBe(true);
    expect(differing(canvas, await draw("pixi", frame), 0.1)).toBeLessThan(8);
  });

  it("play in the Pixi renderer, and may be replaced and removed", async () => {
    const { shown } = await page.evaluate(() =>
      (window as unknown as { harness: Harness }).harness.playPixi(),
    );
    expect(shown).toEqual(["trimmed", "rotated", "both", "plain", "trimmed"]);
    expect(errors).toEqual([]);
  });
});
