import { join } from "node:path";
import pixelmatch from "pixelmatch";
import type { Browser, Page } from "playwright-core";
import { PNG as Png } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../../../scripts/workspace.mjs";
import { type Served, serve } from "../../../../test/browser/serve.ts";
import { closePages, sharedBrowser } from "../../../../test/browser/shared-browser.ts";
import type { Harness } from "./page/main.ts";
import type { Situation } from "./page/on-screen.ts";

declare global {
  interface Window {
    harness: Harness;
  }
}

/** Device pixels per pixel of the page. */
const RATIO = 2;
let served: Served;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  served = await serve(join(root, "packages/espalier/test-browser/render/page"));
  browser = await sharedBrowser();
  page = await browser.newPage({ viewport: { width: 320, height: 240 }, deviceScaleFactor: RATIO });
  await page.goto(served.url);
  await page.waitForFunction(() => "harness" in window);
});
afterAll(async () => {
  await page?.close();
  await closePages();
  await served?.close();
});

const colors: Readonly<Record<string, readonly [number, number, number]>> = {
  red: [255, 0, 0],
  blue: [0, 0, 255],
  yellow: [255, 255, 0],
  magenta: [255, 0, 255],
  green: [0, 255, 0],
};

/** Points of the screen, what is seen there, and all that is on the screen there. `first` is where the first viewport begins. */
const pointsOf = (first: number): readonly (readonly [number, number, string, readonly string[]])[] => [
  [271, 11, "red", ["red"]],
  [309, 20, "red", ["red", "blue"]],
  [312, 34, "blue", ["blue"]],
  [first + 1, 1, "yellow", ["yellow"]],
  [first + 19, 19, "yellow", ["yellow"]],
  [1, 229, "magenta", ["magenta"]],
  [318, 239, "magenta", ["magenta"]],
  [160 - 8, 120, "green", []],
];

async function draw(situation: Situation, points: readonly (readonly [number, number, ...unknown[]])[]) {
  const found = await page.evaluate(([given, at]) => window.harness.openOnScreen(given, at), [
    situation,
    points.map(([x, y]) => [x, y] as const),
  ] as const);
  return { found, image: Png.sync.read(await page.screenshot()) };
}

describe("what is on the screen", () => {
  for (const cameras of ["whole", "bars", "two"] as const)
    for (const yAxis of ["up", "down"] as const)
      it(`is drawn and found at the same pixels by both renderers: ${cameras}, y ${yAxis}`, async () => {
        const points = pointsOf(cameras === "bars" ? 40 : 0);
        const images: Png[] = [];
        for (const renderer of ["canvas", "pixi"] as const) {
          const { found, image } = await draw({ renderer, yAxis, cameras, resolution: RATIO }, points);
          expect([image.width, image.height]).toEqual([640, 480]);
          for (const [k, [x, y, color, all]] of points.entries()) {
            const at = (y * RATIO * image.width + x * RATIO) * 4;
            const seen = [...image.data.subarray(at, at + 3)];
            expect({ renderer, x, y, seen, found: found[k] }).toEqual({
              renderer,
              x,
              y,
              seen: colors[color],
              found: all,
            });
          }
          images.push(image);
        }
        const [canvas, pixi] = images as [Png, Png];
        const differing = pixelmatch(canvas.data, pixi.data, undefined, 640, 480, { threshold: 0.1 });
        expect(differing).toBe(0);
      });
});
