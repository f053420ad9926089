/**
 * Pictures of the guides: each is what a program of the page shows after some frames, with a clock that a test turns. The pictures beside
 * them are compared, so that they cannot become old; `UPDATE_SCREENSHOTS=1` writes them anew. Look at them before you commit them.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pixelmatch from "pixelmatch";
import type { Browser, Page } from "playwright-core";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../scripts/workspace.mjs";
import { pageFile } from "../docs/page-files.ts";
import { type Served, serve } from "./serve.ts";
import { closePages, sharedBrowser } from "./shared-browser.ts";

interface Picture {
  readonly image: string;
  readonly program: string;
  /** How many frames of 1/60 second are shown before it is taken. */
  readonly frames: number;
  readonly before?: (page: Page) => Promise<void>;
}

const pictures: readonly Picture[] = [
  { image: "transforms-arm", program: pageFile("docs/guide/transforms.md", "arm.ts"), frames: 60 },
  { image: "physics-yard", program: pageFile("docs/guide/physics.md", "yard.ts"), frames: 126 },
  { image: "rendering-drawings", program: pageFile("docs/guide/rendering.md", "drawings.ts"), frames: 120 },
  { image: "rendering-cameras", program: pageFile("docs/guide/rendering.md", "cameras.ts"), frames: 100 },
  {
    image: "input-buttons",
    program: pageFile("docs/guide/input.md", "buttons.ts"),
    frames: 30,
    before: (page) => page.mouse.move(200, 125),
  },
  { image: "game-ball", program: pageFile("docs/guide/game.md", "ball.ts"), frames: 5 },
  { image: "animation-coins", program: pageFile("docs/guide/animation.md", "coins.ts"), frames: 75 },
  { image: "maps-garden", program: pageFile("docs/guide/maps.md", "garden.ts"), frames: 10 },
  { image: "inherited-carts", program: pageFile("docs/guide/inherited-values.md", "carts.ts"), frames: 5 },
  { image: "three-crane", program: pageFile("docs/guide/three.md", "crane.ts"), frames: 40 },
];

/** Share of the pixels that may differ: text and smoothed edges are drawn otherwise elsewhere. */
const tolerance = 0.03;

/** In the page, before its program: frames come when the test says so, at fixed times. */
const turnedClock = () => {
  const waiting = new Map<number, (time: number) => void>();
  let [last, frame] = [0, 0];
  const clock = {
    requestAnimationFrame(callback: (time: number) => void) {
      waiting.set(++last, callback);
      return last;
    },
    cancelAnimationFrame: (id: number) => void waiting.delete(id),
    turn(frames: number) {
      for (let k = 0; k < frames; k++) {
        const due = [...waiting.values()];
        waiting.clear();
        frame++;
        for (const callback of due) callback((frame * 1000) / 60);
      }
    },
  };
  Object.assign(globalThis, clock);
};

let browser: Browser;
let served: Served;
let folder: string;
beforeAll(async () => {
  // Inside of the repository, so that the page finds what the library imports.
  const cache = join(root, "node_modules/.cache/espalier");
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "guide-pictures-"));
  for (const { image, program } of pictures) {
    writeFileSync(join(folder, `${image}.ts`), `${program}\nObject.assign(globalThis, { ran: true });\n`);
    writeFileSync(join(folder, `${image}.html`), pageFor(image));
  }
  [browser, served] = await Promise.all([
    sharedBrowser(),
    serve(folder, { optimizeDeps: { noDiscovery: true } }),
  ]);
});
afterAll(async () => {
  await closePages();
  await served?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("the pictures of the guides", () => {
  it.for(pictures)("show what the program beside them draws: $image", async ({ image, frames, before }) => {
    const page = await browser.newPage({ viewport: { width: 640, height: 360 } });
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.addInitScript(turnedClock);
    await page.goto(`${served.url}${image}.html`);
    // Not by frames, which come when the test says so.
    await page.waitForFunction("globalThis.ran", undefined, { polling: 50 }).catch((error) => {
      throw new Error(`${errors.join("\n")}\n${error}`);
    });
    await page.evaluate("turn(2)");
    await before?.(page);
    await page.evaluate(`turn(${frames - 2})`);
    const taken = await page.locator("canvas").last().screenshot();
    await page.close();
    expect(errors).toEqual([]);
    const file = join(root, `docs/images/${image}.png`);
    if (process.env.UPDATE_SCREENSHOTS === "1") writeFileSync(file, taken);
    expect(existsSync(file), `${image}.png; UPDATE_SCREENSHOTS=1 makes it`).toBe(true);
    expect(differenceOf(taken, readFileSync(file))).toBeLessThan(tolerance);
  });
});

function pageFor(image: string): string {
  const style =
    "html, body { margin: 0; height: 100%; overflow: hidden; background: #16181d } canvas { display: block }";
  return `<!doctype html><link rel="icon" href="data:,"><style>${style}</style><canvas></canvas><script type="module" src="/${image}.ts"></script>`;
}

/** Share of the pixels in which two pictures differ. */
function differenceOf(actual: Buffer, expected: Buffer): number {
  const [a, b] = [PNG.sync.read(actual), PNG.sync.read(expected)];
  expect([a.width, a.height]).toEqual([b.width, b.height]);
  return pixelmatch(a.data, b.data, undefined, a.width, a.height, { threshold: 0.15 }) / (a.width * a.height);
}
