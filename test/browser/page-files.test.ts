/**
 * The guide "Getting started", followed: its files, taken from the page as they stand there, in a folder of their own. The tank
 * is on the screen and drives. `UPDATE_SCREENSHOTS=1` writes the picture of the page anew.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pixelmatch from "pixelmatch";
import type { Browser } from "playwright-core";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../scripts/workspace.mjs";
import { openPage, type Served, serve } from "./serve.ts";
import { closePages, sharedBrowser } from "./shared-browser.ts";

const picture = join(root, "docs/images/getting-started.png");
let browser: Browser;
let served: Served;
let folder: string;

/** The first block of that language, with exactly these words behind the fence. */
function block(guide: string, info: string): string {
  const code = new RegExp(`^\`\`\`${info}\\n([\\s\\S]*?)^\`\`\``, "m").exec(guide)?.[1];
  if (code === undefined) throw new Error(`The guide has no block "${info}".`);
  return code;
}

beforeAll(async () => {
  const guide = readFileSync(join(root, "docs/guide/getting-started.md"), "utf8");
  // Inside of the repository, so that the page finds what the library imports.
  const cache = join(root, "node_modules/.cache/espalier");
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "getting-started-"));
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "index.html"), block(guide, "html"));
  writeFileSync(join(folder, "src/game.ts"), block(guide, "ts"));
  writeFileSync(join(folder, "src/main.ts"), block(guide, "ts no-run .*"));
  [browser, served] = await Promise.all([sharedBrowser(), serve(folder)]);
});
afterAll(async () => {
  await closePages();
  await served?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("the guide to getting started", () => {
  it("leads to a tank that drives on the screen", async () => {
    const { page, errors } = await openPage(browser, served.url, { width: 640, height: 360 });
    await page.waitForFunction("document.querySelector('canvas').width > 300");
    await expect
      .poll(() => drawn(page.screenshot.bind(page)), { message: "colours on the screen" })
      .toBeGreaterThan(0);

    await page.keyboard.down("KeyQ");
    await page.keyboard.down("KeyW");
    const before = PNG.sync.read(await page.screenshot());
    await expect
      .poll(async () => differences(before, PNG.sync.read(await page.screenshot())), { timeout: 20_000 })
      .toBeGreaterThan(2000);
    await page.keyboard.up("KeyW");
    await page.keyboard.up("KeyQ");
    if (process.env.UPDATE_SCREENSHOTS === "1") writeFileSync(picture, await page.screenshot());
    expect(errors.filter((text) => !text.includes("favicon") && !text.includes("404"))).toEqual([]);
    await page.close();
  });
});

/** How many pixels are green: the tank. */
async function drawn(screenshot: () => Promise<Buffer>): Promise<number> {
  const { data } = PNG.sync.read(await screenshot());
  let count = 0;
  for (let at = 0; at < data.length; at += 4) if (data[at + 1]! > 100 && data[at]! < 150) count++;
  return count;
}

function differences(a: PNG, b: PNG): number {
  return pixelmatch(a.data, b.data, undefined, a.width, a.height, { threshold: 0.1 });
}
