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
  writePage(
    "menu",
    `document.body.append(document.createElement("canvas"));\n${pageFile("docs/guide/user-interfaces.md", "menu.ts")}\nObject.assign(window, { game, flow, level, Score });`,
  );
  writePage(
    "stick",
    `document.body.append(document.createElement("canvas"));\n${pageFile("docs/guide/touch-stick.md", "stick.ts")}\nObject.assign(window, { ball });`,
  );
  write("phone.html", pageFile("docs/guide/deploy.md", "phone.html"));
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

describe("the guide to publishing on phones", () => {
  it("asks for a turn in portrait, where fingers play", async () => {
    const context = await browser.newContext({
      viewport: { width: 400, height: 800 },
      hasTouch: true,
      isMobile: true,
    });
    const page = await context.newPage();
    await page.goto(`${served.url}phone.html`);
    expect(await page.isVisible("#turn")).toBe(true);
    await page.setViewportSize({ width: 800, height: 400 });
    expect([await page.isVisible("#turn"), await page.isVisible("#pause")]).toEqual([false, true]);
    await context.close();
  });
});

describe("the guide to user interfaces", () => {
  it("has a menu that keys, clicks and gamepads use alike, and a score that is written when it changes", async () => {
    const { page, errors } = await open("menu");
    const state = () => page.evaluate("game.stateOf(flow)");
    const focused = () => page.evaluate("document.activeElement.id || document.activeElement.textContent");
    await expect.poll(focused).toBe("Play");
    await page.keyboard.press("Enter");
    await expect.poll(state).toBe("playing");
    await page.keyboard.press("Escape");
    await expect.poll(state).toBe("paused");
    await expect.poll(focused).toBe("Go on");
    const pad = (button: number) =>
      page.evaluate((pressed) => {
        const { input } = (window as unknown as { game: { input: { feed(event: object): void } } }).game;
        const buttons = Array.from({ length: 16 }, (_, k) => Number(k === pressed));
        input.feed({ type: "gamepad", index: 0, axes: [], buttons });
      }, button);
    await pad(13);
    await expect.poll(focused).toBe("volume");
    await pad(-1);
    await page.click("button[data-press=Escape]");
    await expect.poll(state).toBe("playing");
    expect(await page.textContent("#score")).toBe("0 points");
    await page.evaluate("level.set(Score, { points: 3 })");
    await expect.poll(() => page.textContent("#score")).toBe("3 points");
    expect(errors).toEqual([]);
    await page.close();
  });
});

describe("the guide to a touch stick", () => {
  it("moves the ball as far as the stick leans, and lets it go", async () => {
    const { page, errors } = await open("stick");
    const { x, y } = (await page.locator("#stick").boundingBox())!;
    await page.mouse.move(x + 60, y + 60);
    await page.mouse.down();
    await page.mouse.move(x + 110, y + 60, { steps: 3 });
    await page.waitForFunction("ball.x > 215 && Math.abs(ball.y - 120) < 8");
    await page.mouse.move(x + 60, y + 10, { steps: 3 });
    await page.waitForFunction("ball.y > 130");
    await page.mouse.up();
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 100))");
    const before = await page.evaluate("ball.x + ball.y");
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 100))");
    expect(await page.evaluate("ball.x + ball.y")).toBe(before);
    expect(errors).toEqual([]);
    await page.close();
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
