/** The template `complete`, played through in Chromium, and the same input once more in Node. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { espalier } from "espalier/vite";
import type { Browser, Page } from "playwright-core";
import { createServer, type InlineConfig } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { aliases } from "../../../scripts/public-names.mjs";
import { root } from "../../../scripts/workspace.mjs";
import { openPage, type Served, serve } from "../../../test/browser/serve.ts";
import { closePages, sharedBrowser } from "../../../test/browser/shared-browser.ts";

let folder: string;
let served: Served;
let browser: Browser;
const config: InlineConfig = {
  plugins: [espalier({ maps: { prefabs: ["hero", "coin", "bat"], texture: () => "tiles" } })],
};

beforeAll(async () => {
  folder = mkdtempSync(join(root, "node_modules/.cache-complete-"));
  for (const layer of ["template", "template-complete"])
    cpSync(join(root, "packages/cli", layer), folder, { recursive: true });
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(ts|html)$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("{{name}}", "cave"));
  }
  browser = await sharedBrowser();
  served = await serve(folder, config);
});
afterAll(async () => {
  await closePages();
  await served?.close();
  rmSync(folder, { recursive: true, force: true });
});

const state = (page: Page) => page.evaluate("cave.now()");

async function open(): Promise<{ page: Page; errors: string[] }> {
  const { page, errors } = await openPage(browser, "about:blank");
  // Everything that goes to the loudspeakers also goes to an analyser.
  await page.addInitScript(() => {
    const connect = AudioNode.prototype.connect as (this: AudioNode, to: AudioNode) => AudioNode;
    const analysers: AnalyserNode[] = [];
    AudioNode.prototype.connect = function (this: AudioNode, to: AudioNode, ...rest: never[]) {
      if (to === this.context.destination) {
        const analyser = this.context.createAnalyser();
        analysers.push(analyser);
        connect.call(this, analyser);
      }
      return (connect as (...args: unknown[]) => AudioNode).call(this, to, ...rest);
    } as typeof AudioNode.prototype.connect;
    const loudest = () =>
      Math.max(
        0,
        ...analysers.map((analyser) => {
          const wave = new Float32Array(analyser.fftSize);
          analyser.getFloatTimeDomainData(wave);
          return Math.max(...wave.map(Math.abs));
        }),
      );
    Object.assign(window, { loudest });
  });
  await page.goto(served.url);
  await page.waitForFunction("window.cave !== undefined", undefined, { timeout: 12_000 }).catch((error) => {
    throw new Error(`${errors.join("\n")}\n${error}`);
  });
  return { page, errors };
}

it("is played through: start, sound, animation, pause by key and pad, lost, again, and goes on after a reload", async () => {
  const { page, errors } = await open();
  expect(await state(page)).toBe("menu");
  await page.evaluate("game.startRecording()");
  await page.click("#go-on");
  await expect.poll(() => state(page)).toBe("playing");
  await expect.poll(() => page.evaluate("loudest()")).toBeGreaterThan(0.01);

  // The level comes from Tiled.
  expect(await page.evaluate("cave.hero().x")).toBeLessThan(40);
  await page.keyboard.down("KeyD");
  await page.waitForFunction("cave.hero().x > 60");
  const frames = new Set<unknown>();
  for (let k = 0; k < 40; k++)
    frames.add(await page.evaluate(`/"frame": "(hero \\d)"/.exec(game.scenes[0].save())?.[1]`));
  expect(frames.size).toBeGreaterThan(1);
  await page.keyboard.up("KeyD");

  await page.keyboard.press("Escape");
  await expect.poll(() => state(page)).toBe("paused");
  const x = await page.evaluate("cave.hero().x");
  await page.evaluate(
    "game.input.feed({ type: 'gamepad', index: 0, axes: [], buttons: [0,0,0,0,0,0,0,0,0,1] })",
  );
  await expect.poll(() => state(page)).toBe("playing");
  await page.evaluate("game.input.feed({ type: 'gamepad', index: 0, axes: [], buttons: [] })");
  expect(await page.evaluate("cave.hero().x")).toBe(x);

  // Pause, and the page is loaded again: it goes on where it was.
  await page.keyboard.press("Escape");
  await expect.poll(() => state(page)).toBe("paused");
  const recording = await page.evaluate("game.stopRecording()");
  const left = (await page.evaluate("game.scenes[0].save()")) as string;
  await page.reload();
  await page.waitForFunction("window.cave !== undefined");
  expect(await page.textContent("#go-on")).toBe("Go on");
  expect(await page.evaluate("cave.hero().x")).toBe(x);
  await page.click("#go-on");
  await expect.poll(() => state(page)).toBe("playing");

  // Into the bat, and again.
  await page.evaluate("cave.hero().setPosition(11 * 16, -3 * 16 - 8)");
  await expect.poll(() => state(page)).toBe("over");
  await page.click("#again");
  await expect.poll(() => state(page)).toBe("playing");
  expect(await page.evaluate("cave.hero().x")).toBeLessThan(40);
  expect(errors).toEqual([]);

  // The same input in Node, without a screen: the same level, to the last bit.
  const node = await createServer({
    configFile: false,
    logLevel: "error",
    root: folder,
    ...config,
    resolve: { alias: aliases("source") },
    server: { middlewareMode: true, hmr: false, watch: null },
  });
  try {
    const { createCave } = await node.ssrLoadModule("/src/game.ts");
    const cave = createCave();
    const scene = await cave.load();
    cave.game.replay(recording);
    expect(scene.save()).toBe(left);
  } finally {
    await node.close();
  }
  await page.close();
});
