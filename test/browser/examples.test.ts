/**
 * The examples of examples/browser, each at one moment: it shows no error, and in Chromium the picture is the one beside it, within a
 * tolerance. `ESPALIER_BROWSER=firefox` or `webkit` runs them there. `UPDATE_SCREENSHOTS=1` writes the pictures anew; look at them before you commit them.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pixelmatch from "pixelmatch";
import type { Browser } from "playwright-core";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../scripts/workspace.mjs";
import { openPage, type Served, serve } from "./serve.ts";
import { closePages, sharedBrowser } from "./shared-browser.ts";

const folder = join(root, "examples/browser");
const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, "example.json")));
const viewport = { width: 800, height: 450 };
/** Share of the pixels that may differ: text and smoothed edges are drawn otherwise elsewhere. */
const tolerance = 0.03;

const isChromium = (process.env.ESPALIER_BROWSER || "chromium") === "chromium";

let browser: Browser;
let served: Served;
beforeAll(async () => {
  [browser, served] = await Promise.all([sharedBrowser(), serve(folder)]);
});
afterAll(async () => {
  await closePages();
  await served?.close();
});

describe("the examples in the browser", () => {
  it.for(names)("%s shows its picture without an error", async (name, context) => {
    const { page, errors } = await openPage(browser, `${served.url}${name}/?time=3`, viewport);
    if (!isChromium && usesThree(name) && !(await page.evaluate(hasWebGL))) {
      context.skip(`${process.env.ESPALIER_BROWSER} has no WebGL here`);
    }
    await page.waitForFunction("window.ready === true", undefined, { timeout: 60_000 });
    const picture = await page.screenshot();
    await page.close();
    expect(errors).toEqual([]);
    if (!isChromium) return;
    const file = join(folder, name, "screenshot.png");
    if (process.env.UPDATE_SCREENSHOTS === "1") writeFileSync(file, picture);
    expect(differenceOf(name, picture, readFileSync(file))).toBeLessThan(tolerance);
  });

  it("are all in the gallery", async () => {
    const { page, errors } = await openPage(browser, served.url, viewport);
    await page.waitForFunction(`document.querySelectorAll("figure").length === ${names.length}`);
    const links = await page.evaluate<string[]>(
      `[...document.querySelectorAll("#gallery a")].map((link) => link.pathname.split("/").at(-2))`,
    );
    expect(links.sort()).toEqual([...names].sort());
    const missing = await page.evaluate<number>(
      `Promise.all([...document.images].map((image) => image.decode())).then(() => 0, () => 1)`,
    );
    expect(missing).toBe(0);
    expect(errors).toEqual([]);
    await page.close();
  });
});

/** three.js draws with WebGL only, which a headless browser on a machine without a graphics card may not have. */
function usesThree(name: string): boolean {
  const [main] = readdirSync(join(folder, name)).filter((file) => file.startsWith("main."));
  return /from "three"|three-stage|@react-three/.test(readFileSync(join(folder, name, main!), "utf8"));
}

function hasWebGL(): boolean {
  return document.createElement("canvas").getContext("webgl2") !== null;
}

/** Share of the pixels in which two pictures differ. Keeps both and the difference aside when it is large. */
function differenceOf(name: string, actual: Buffer, expected: Buffer): number {
  const [a, b] = [PNG.sync.read(actual), PNG.sync.read(expected)];
  expect([a.width, a.height]).toEqual([b.width, b.height]);
  const marked = new PNG({ width: a.width, height: a.height });
  const count = pixelmatch(a.data, b.data, marked.data, a.width, a.height, { threshold: 0.15 });
  const share = count / (a.width * a.height);
  if (share >= tolerance) {
    const aside = join(root, "node_modules/.cache/espalier/screenshots");
    mkdirSync(aside, { recursive: true });
    writeFileSync(join(aside, `${name}.actual.png`), actual);
    writeFileSync(join(aside, `${name}.difference.png`), PNG.sync.write(marked));
  }
  return share;
}
