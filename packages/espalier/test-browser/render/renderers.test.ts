import { join } from "node:path";
import pixelmatch from "pixelmatch";
import type { Browser, Page } from "playwright-core";
import { PNG as Png } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../../../scripts/workspace.mjs";
import { openPage, type Served, serve } from "../../../../test/browser/serve.ts";
import { closePages, sharedBrowser } from "../../../../test/browser/shared-browser.ts";
import type { Harness } from "./page/main.ts";

declare global {
  interface Window {
    harness: Harness;
    contextState: { lost: boolean; restored: boolean };
  }
}

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

const size = { width: 320, height: 240 };
let served: Served;
let browser: Browser;
let page: Page;
let errors: string[];

beforeAll(async () => {
  served = await serve(join(root, "packages/espalier/test-browser/render/page"));
  browser = await sharedBrowser();
  ({ page, errors } = await openPage(browser, served.url, size));
  await page.waitForFunction(() => "harness" in window);
});
afterAll(async () => {
  await closePages();
  await served?.close();
});

async function picture(): Promise<Picture> {
  return Png.sync.read(await page.screenshot());
}

/** Red, green and blue at a point of the screen. */
function colorAt({ data, width }: Picture, x: number, y: number): [number, number, number] {
  const at = (y * width + x) * 4;
  return [data[at]!, data[at + 1]!, data[at + 2]!];
}

/** Points of the screen, and the colour expected there. */
const expected: readonly [string, number, number, [number, number, number]][] = [
  ["the background", 5, 235, [0x20, 0x30, 0x40]],
  ["the rectangle", 30, 30, [255, 0, 0]],
  ["the rounded rectangle", 70, 30, [255, 136, 0]],
  ["its corner, which is cut", 58, 18, [0x20, 0x30, 0x40]],
  ["the circle", 110, 30, [0, 255, 0]],
  ["beside the circle, in its bounds", 100, 20, [0x20, 0x30, 0x40]],
  ["the ellipse", 150, 30, [255, 136, 0]],
  ["the broad side of the triangle, below", 184, 40, [0, 0, 255]],
  ["beside its tip, above", 182, 22, [0x20, 0x30, 0x40]],
  ["the line", 230, 30, [255, 255, 0]],
  ["the gradient, light above", 270, 19, [250, 250, 250]],
  ["the gradient, dark below", 270, 41, [5, 5, 5]],
  ["the picture, top left", 32, 72, [255, 64, 64]],
  ["the picture, top right", 48, 72, [128, 0, 0]],
  ["the picture, bottom left", 32, 88, [64, 64, 255]],
  ["flipped in x, top left", 72, 72, [128, 0, 0]],
  ["flipped in y, top left", 112, 72, [64, 64, 255]],
  ["turned to the left: its top is at the left", 152, 84, [255, 64, 64]],
  ["turned to the left, its right half is above", 152, 76, [128, 0, 0]],
  ["tinted red at half alpha, the blue part", 192, 88, [48, 24, 32]],
  ["the placeholder, black", 232, 72, [0, 0, 0]],
  ["the placeholder, magenta", 248, 72, [255, 0, 255]],
  ["the higher z, where both are", 284, 80, [0, 255, 0]],
  ["the lower z, where it is alone", 296, 92, [255, 0, 0]],
  ["the corner of the nine slice", 22, 122, [255, 255, 255]],
  ["its border, not stretched", 50, 126, [255, 255, 255]],
  ["its middle, stretched", 50, 140, [0, 128, 0]],
  ["tile 0", 108, 128, [255, 255, 0]],
  ["tile 1", 124, 128, [255, 0, 255]],
  ["an empty tile", 140, 128, [0x20, 0x30, 0x40]],
  ["tile 1 of the second row", 108, 144, [255, 0, 255]],
  // A picture that leans to the right: its top is further right than its bottom.
  ["leaning, the top right", 60, 186, [128, 0, 0]],
  ["leaning, beside the top left", 26, 186, [0x20, 0x30, 0x40]],
  ["leaning, the bottom left", 22, 214, [64, 64, 255]],
  // Turned to the left, then mirrored: what was at the top is at the right, and the left half below.
  ["mirrored by its parent, right and below", 108, 208, [255, 64, 64]],
  ["mirrored by its parent, right and above", 108, 192, [128, 0, 0]],
  ["mirrored by its parent, left and below", 92, 208, [64, 64, 255]],
  ["the particle", 280, 140, [0, 255, 255]],
];

function differences(image: Picture, tolerance: number): string[] {
  return expected.flatMap(([what, x, y, color]) => {
    const found = colorAt(image, x, y);
    const off = Math.max(...found.map((value, k) => Math.abs(value - color[k]!)));
    return off <= tolerance ? [] : [`${what} at ${x}, ${y}: ${found.join(",")} and not ${color.join(",")}`];
  });
}

describe("the canvas renderer in a browser", () => {
  it("draws everything where and as it should be", async () => {
    await page.evaluate(() => window.harness.openCanvas());
    expect(differences(await picture(), 14)).toEqual([]);
  });
});

describe("the Pixi renderer", () => {
  it("draws everything where and as it should be", async () => {
    await page.evaluate(() => window.harness.openPixi());
    expect(differences(await picture(), 14)).toEqual([]);
  });

  it.each(["up", "down"] as const)("draws the same picture as the canvas renderer, y %s", async (yAxis) => {
    await page.evaluate((axis) => window.harness.openCanvas(axis), yAxis);
    const canvas = await picture();
    await page.evaluate((axis) => window.harness.openPixi(axis), yAxis);
    const pixi = await picture();
    const { width, height } = canvas;
    const differing = pixelmatch(canvas.data, pixi.data, undefined, width, height, { threshold: 0.3 });
    // Edges are smoothed differently, and so is text.
    expect(differing / (width * height)).toBeLessThan(0.015);
  });

  it("reports the missing texture once, with the path of its entity", async () => {
    await page.evaluate(() => window.harness.openPixi());
    await page.evaluate(() => window.harness.render());
    const problems = await page.evaluate(() => window.harness.problems());
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toMatch(/^\/#\d+: the texture "missing" is missing\./);
  });

  it("draws what moved, and chunks whose tiles changed", async () => {
    await page.evaluate(() => window.harness.openPixi());
    await page.evaluate(() => window.harness.moveFlag(60, -80));
    await page.evaluate(() => window.harness.setTile(0, 0, 1));
    const image = await picture();
    expect(colorAt(image, 32, 72)).toEqual([0x20, 0x30, 0x40]);
    expect(colorAt(image, 212, 192)).toEqual([255, 64, 64]);
    expect(colorAt(image, 108, 128)).toEqual([255, 0, 255]);
    await page.evaluate(() => window.harness.setTile(1, 0, -1));
    expect(colorAt(await picture(), 124, 128)).toEqual([0x20, 0x30, 0x40]);
    await page.evaluate(() => window.harness.setTile(1, 0, 1));
    await page.evaluate(() => window.harness.growMap());
    const large = await picture();
    expect([108, 124].map((x) => colorAt(large, x, 128))).toEqual([
      [255, 0, 255],
      [255, 0, 255],
    ]);
  });

  it("redraws shapes when their tint or the contents of their points changed", async () => {
    const after = async (how: "tint" | "points") => {
      await page.evaluate(() => window.harness.openPixi());
      await page.evaluate((way) => window.harness.paintRectangle(way), how);
      return colorAt(await picture(), 24, 36);
    };
    expect(await after("tint")).toEqual([128, 0, 0]);
    expect(await after("points")).toEqual([0x20, 0x30, 0x40]);
  });

  it("lets any Pixi object follow an entity and be destroyed with it", async () => {
    await page.evaluate(() => window.harness.openPixi());
    const before = await page.evaluate(() => window.harness.resources());
    expect(await page.evaluate(() => window.harness.attachGraphics())).toBe(true);
    expect(colorAt(await picture(), 40, 80)).toEqual([255, 255, 255]);
    await page.evaluate(() => window.harness.moveFlag(-120, -100));
    expect(colorAt(await picture(), 40, 220)).toEqual([255, 255, 255]);
    await page.evaluate(() => window.harness.destroyFlag());
    expect(colorAt(await picture(), 40, 220)).toEqual([0x20, 0x30, 0x40]);
    const after = await page.evaluate(() => window.harness.resources());
    expect(after.drawings).toBe(before.drawings - 1);
    expect(after.containers).toBe(before.containers - 1);
  });

  it("keeps nothing of 10,000 sprites that were created and destroyed", async () => {
    await page.evaluate(() => window.harness.openPixi());
    const before = await page.evaluate(() => window.harness.resources());
    const during = await page.evaluate(() => window.harness.churn(10_000, 50));
    expect(during.drawings).toBe(before.drawings + 10_100);
    expect(during.textures).toBeGreaterThan(before.textures); // the texts have one each
    const after = await page.evaluate(() => window.harness.resources());
    expect({ ...after, textures: 0 }).toEqual({ ...before, textures: 0 });
    // Pixi keeps the textures of texts for later ones: a second round needs no more.
    await page.evaluate(() => window.harness.churn(10_000, 50));
    expect(await page.evaluate(() => window.harness.resources())).toEqual(after);
    await page.evaluate(() => window.harness.unloadUnused());
    expect(await page.evaluate(() => window.harness.resources())).toEqual(before);
    // And the heap does not grow with every round.
    const session = await page.context().newCDPSession(page);
    const heap = async () => {
      await session.send("HeapProfiler.collectGarbage");
      return (await session.send("Runtime.getHeapUsage")).usedSize;
    };
    const first = await heap();
    for (let round = 0; round < 2; round++) await page.evaluate(() => window.harness.churn(10_000, 50));
    expect(((await heap()) - first) / 1e6).toBeLessThan(4);
  });

  it("comes back after its WebGL context was lost", async () => {
    await page.evaluate(() => window.harness.openPixi());
    const before = await picture();
    await page.evaluate(() => window.harness.loseContext());
    await page.waitForFunction(() => window.contextState.lost);
    await page.evaluate(() => window.harness.render()); // must not throw
    await page.evaluate(() => window.harness.restoreContext());
    await page.waitForFunction(() => window.contextState.restored);
    await page.evaluate(() => window.harness.render());
    const after = await picture();
    expect(pixelmatch(before.data, after.data, undefined, size.width, size.height)).toBe(0);
  });

  it("loads textures by their name, finds frames in sheets, and marks what is missing", async () => {
    const image = new Png({ width: 8, height: 8 });
    for (let k = 0; k < image.data.length; k += 4) image.data.set([0, 200, 0, 255], k);
    const address = `data:image/png;base64,${Png.sync.write(image).toString("base64")}`;
    await page.evaluate((texture) => {
      return window.harness.openLoading([
        { texture },
        { texture: "sheet", frame: "pink" },
        { texture: "sheet", frame: "blue" },
        { texture: "/nothing-here.png" },
      ]);
    }, address);
    // What is missing is known after it was tried, and told in the frame after that.
    await page.waitForFunction(() => {
      window.harness.render();
      return window.harness.problems().length === 2;
    });
    const shown = await picture();
    expect(colorAt(shown, 40, 120)).toEqual([0, 200, 0]);
    expect(colorAt(shown, 100, 120)).toEqual([255, 0, 255]);
    expect([colorAt(shown, 150, 110), colorAt(shown, 170, 110)]).toEqual([
      [0, 0, 0],
      [255, 0, 255],
    ]);
    expect(colorAt(shown, 230, 110)).toEqual([255, 0, 255]);
    const problems = await page.evaluate(() => window.harness.problems());
    expect(problems.map(({ code }) => code).sort()).toEqual(["missing-texture", "unknown-frame"]);
    // Only what this renderer loaded is unloaded, and only when nobody uses it.
    expect(await page.evaluate(() => window.harness.unloadUnused())).toEqual([]);
    await page.evaluate(() => window.harness.destroySprites());
    expect(await page.evaluate(() => window.harness.unloadUnused())).toEqual([address]);
  });

  it("takes textures from a collection of the program's own", async () => {
    const opened = await page.evaluateHandle(() => window.harness.openOwnTextures());
    const [mine, later] = await page.evaluate(({ sizes }) => sizes, opened);
    expect(mine).toBeGreaterThan(0);
    expect(later).toBeUndefined();
    const codes = await page.evaluate(() => window.harness.problems().map(({ code }) => code));
    expect(codes.sort()).toEqual(["missing-texture", "unknown-frame"]);
    const before = await picture();
    // The texture begins with a yellow tile; nothing is drawn while it loads.
    expect(colorAt(before, 32, 120)).not.toEqual(colorAt(before, 112, 120));
    expect(await page.evaluate(({ arrive }) => arrive(), opened)).toBe(mine);
    const after = await picture();
    expect(colorAt(after, 112, 120)).toEqual(colorAt(after, 32, 120));
  });

  it("draws nothing on the bars of a letterbox", async () => {
    await page.evaluate(() => window.harness.openPixi());
    await page.evaluate(() => window.harness.openBars());
    const image = await picture();
    // 200 by 200 units on 320 by 240 pixels: 40 pixels of bar on each side.
    expect(colorAt(image, 160, 120)).toEqual([255, 255, 255]);
    expect(colorAt(image, 44, 120)).toEqual([255, 255, 255]);
    expect(colorAt(image, 30, 120)).toEqual([0, 0, 0]);
    expect(colorAt(image, 290, 120)).toEqual([0, 0, 0]);
  });

  it.each(["canvas", "pixi"] as const)(
    "draws several cameras, each on its part of the screen: %s",
    async (kind) => {
      await page.evaluate((which) => window.harness.openViewports(which), kind);
      const image = await picture();
      expect([
        colorAt(image, 80, 120),
        colorAt(image, 10, 10),
        colorAt(image, 240, 120),
        colorAt(image, 170, 230),
        colorAt(image, 280, 30),
        colorAt(image, 242, 2),
        colorAt(image, 318, 58),
        colorAt(image, 318, 62),
      ]).toEqual([
        [255, 0, 0],
        [0x40, 0x40, 0x40],
        [0, 255, 0],
        [0x80, 0x80, 0x80],
        [0, 0, 255],
        [0xc0, 0xc0, 0xc0],
        [0xc0, 0xc0, 0xc0],
        [0x80, 0x80, 0x80],
      ]);
    },
  );

  it("prints no error in all this", () => {
    expect(errors.filter((text) => !/CONTEXT_LOST_WEBGL|nothing-here|404/.test(text))).toEqual([]);
  });
});
