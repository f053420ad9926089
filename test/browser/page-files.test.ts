/**
 * Files of projects that documents show, taken from the page as they stand there, in a folder that is served. Getting started is
 * followed: the tank is on the screen and drives. `UPDATE_SCREENSHOTS=1` writes the picture of that guide anew.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import pixelmatch from "pixelmatch";
import type { Browser, Page } from "playwright-core";
import { PNG } from "pngjs";
import { build, preview } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aliases } from "../../scripts/public-names.mjs";
import { root } from "../../scripts/workspace.mjs";
import { pageFile } from "../docs/page-files.ts";
import { openPage, type Served, serve } from "./serve.ts";
import { closePages, sharedBrowser } from "./shared-browser.ts";

const picture = join(root, "docs/images/getting-started.png");
let browser: Browser;
let served: Served;
let folder: string;

function write(name: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}

/** A page with nothing but this program. It says when it has run, which may be after a wait for something. */
function writePage(name: string, program: string): void {
  write(`${name}.ts`, `${program}\nObject.assign(window, { ran: true });\n`);
  write(
    `${name}.html`,
    `<!doctype html><link rel="icon" href="data:,"><style>body { margin: 0 }</style><script type="module" src="/${name}.ts"></script>`,
  );
}

beforeAll(async () => {
  // Inside of the repository, so that the page finds what the library imports.
  const cache = join(root, "node_modules/.cache/espalier");
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "page-files-"));
  write("index.html", pageFile("docs/guide/getting-started.md", "index.html"));
  write("src/game.ts", pageFile("docs/guide/getting-started.md", "src/game.ts"));
  write("src/main.ts", pageFile("docs/guide/getting-started.md", "src/main.ts"));
  writePage(
    "saving",
    `${pageFile("docs/guide/saving.md", "store.ts")}\nObject.assign(window, { store, restore, world: tomorrow.world, again, Health });`,
  );
  writePage("readme", pageFile("packages/espalier/src/pixi/README.md", "main.ts"));
  const red = new PNG({ width: 32, height: 32 });
  for (let at = 0; at < red.data.length; at += 4) red.data.writeUInt32BE(0xff0000ff, at);
  write("tank.png", PNG.sync.write(red));
  [browser, served] = await Promise.all([sharedBrowser(), serve(folder)]);
});
afterAll(async () => {
  await closePages();
  await served?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(name: string): Promise<{ page: Page; errors: string[] }> {
  const opened = await openPage(browser, `${served.url}${name}.html`, { width: 800, height: 600 });
  await opened.page.waitForFunction("window.ran").catch((error) => {
    throw new Error(`${opened.errors.join("\n")}\n${error}`);
  });
  return opened;
}

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

describe("the guide to publishing", () => {
  it("builds a game that runs from a sub-folder of a server", async () => {
    const outDir = join(folder, "host/games/tank");
    await build({
      root: folder,
      base: "./",
      configFile: false,
      logLevel: "error",
      resolve: { alias: aliases(process.env.ESPALIER_TARGET === "dist" ? "dist" : "source") },
      build: { outDir, target: "es2022" },
    });
    const host = await preview({
      root: folder,
      configFile: false,
      logLevel: "error",
      build: { outDir: "host" },
      preview: { host: "127.0.0.1", port: 0 },
    });
    const { port } = host.httpServer.address() as AddressInfo;
    const address = `http://127.0.0.1:${port}/games/tank/`;
    const { page, errors } = await openPage(browser, address, { width: 640, height: 360 });
    await expect
      .poll(() => drawn(page.screenshot.bind(page)), { message: "colours on the screen" })
      .toBeGreaterThan(0);
    expect(errors.filter((text) => !text.includes("favicon") && !text.includes("404"))).toEqual([]);
    await page.close();
    await host.close();
  });
});

describe("the guide to saving", () => {
  it("keeps a game in the storage of the browser, and a broken text for later", async () => {
    const { page, errors } = await open("saving");
    // What the game is when it is stored comes back, in place of what it became.
    await page.evaluate("world.set(again, Health, { hp: 12 }); store(); world.set(again, Health, { hp: 5 })");
    expect(await page.evaluate("world.get(restore().entity('hero'), Health).hp")).toBe(12);
    await page.evaluate("localStorage.setItem('save', '{ broken'); window.count = world.count");
    expect(await page.evaluate("restore()")).toContain('The key broken needs quotes: "broken".');
    expect(await page.evaluate("[localStorage.getItem('save-broken'), world.count === count]")).toEqual([
      "{ broken",
      true,
    ]);
    // A program that has stored nothing yet begins with its own text.
    await page.evaluate("localStorage.clear()");
    expect(await page.evaluate("world.get(restore().entity('hero'), Health).hp")).toBe(70);
    expect(errors).toEqual([]);
    await page.close();
  });
});

describe("the program of espalier/pixi", () => {
  it("draws a sprite once its picture is there", async () => {
    const { page, errors } = await open("readme");
    const color = async () => {
      const { data, width } = PNG.sync.read(await page.screenshot());
      // y points up.
      return data.readUInt32BE((550 * width + 100) * 4);
    };
    await expect.poll(color).toBe(0xff0000ff);
    expect(errors).toEqual([]);
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
