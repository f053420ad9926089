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

/** A module beside those of the game, so that a page and Node have it from the same library as the game. */
const worlds = `
import type { Game } from "espalier/game";
import { diff, takeSnapshot } from "espalier/history";

export const bytesOf = ({ world, tree }: Game) => Array.from(new Uint8Array(takeSnapshot(world, { trees: [tree] })));
export const differences = (bytes: number[], { world, tree }: Game) =>
  diff(new Uint8Array(bytes).buffer, { world, trees: [tree] });
`;

beforeAll(async () => {
  folder = mkdtempSync(join(root, "node_modules/.cache-complete-"));
  for (const layer of ["template", "template-complete"])
    cpSync(join(root, "packages/cli", layer), folder, { recursive: true });
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(ts|html)$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("{{name}}", "cave"));
  }
  writeFileSync(join(folder, "src/worlds.ts"), worlds);
  browser = await sharedBrowser();
  served = await serve(folder, config);
});
afterAll(async () => {
  await closePages();
  await served?.close();
  rmSync(folder, { recursive: true, force: true });
});

const state = (page: Page) => page.evaluate("cave.now()");

async function open(before?: (page: Page) => Promise<void>): Promise<{ page: Page; errors: string[] }> {
  const { page, errors } = await openPage(browser, "about:blank");
  await before?.(page);
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
  await page.waitForFunction("window.cave !== undefined", undefined, { timeout: 60_000 }).catch((error) => {
    throw new Error(`${errors.join("\n")}\n${error}`);
  });
  return { page, errors };
}

/** The world as a snapshot: every entity with all its components, and the tree. */
const worldOf = (page: Page) =>
  page.evaluate<number[]>("import('/src/worlds.ts').then(({ bytesOf }) => bytesOf(game))");

/** Holds a key until the game says so. */
async function hold(page: Page, key: string, until: string): Promise<void> {
  await page.keyboard.down(key);
  await page.waitForFunction(until);
  await page.keyboard.up(key);
}

/** Plays a recording in Node, without a screen and without loudspeakers: in what the world differs, and the level as a scene. */
async function replayInNode(recording: unknown, world: number[], saved?: string) {
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
    const { differences, bytesOf } = await node.ssrLoadModule("/src/worlds.ts");
    const cave = createCave({ saved });
    const scene = await cave.load();
    // So that the comparison means something.
    expect(differences(bytesOf(cave.game), cave.game)).toEqual([]);
    expect(differences(world, cave.game)).not.toEqual([]);
    cave.game.replay(recording);
    return { differences: differences(world, cave.game), level: scene.save() };
  } finally {
    await node.close();
  }
}

it("is played through: start, sound, animation, pause by key and pad, lost, again, and continues after a reload; in Node the same input leads to the same world", async () => {
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
  const frame = `/"frame": "(hero \\d)"/.exec(game.scenes[0].save())?.[1]`;
  await expect.poll(async () => frames.add(await page.evaluate(frame)).size).toBeGreaterThan(1);
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

  // A tab that is hidden pauses; what is kept then is where the game goes on after the page was loaded again.
  await page.evaluate(
    "Object.defineProperty(document, 'hidden', { value: true }); document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))",
  );
  await expect.poll(() => state(page)).toBe("paused");
  const first = await page.evaluate("game.stopRecording()");
  const left = await worldOf(page);
  const level = await page.evaluate("game.scenes[0].save()");
  await page.reload();
  await page.waitForFunction("window.cave !== undefined");
  const kept = (await page.evaluate("JSON.parse(localStorage.getItem('cave')).level")) as string;
  expect(kept).toBe(level);
  expect(await page.textContent("#go-on")).toBe("Go on");
  expect(await page.evaluate("cave.hero().x")).toBe(x);
  await page.evaluate("game.startRecording()");
  await page.click("#go-on");
  await expect.poll(() => state(page)).toBe("playing");

  // Along the passage, and into the way of the bat: lost, and begun again.
  await hold(page, "KeyS", "cave.hero().y < -68");
  await hold(page, "KeyD", "cave.hero().x > 150");
  const waitForTheBat = async () => {
    const y = (await page.evaluate("cave.hero().y")) as number;
    // It flies at -56. A slow page runs past that, and back.
    if (Math.abs(y + 56) > 5) await page.keyboard.press(y < -56 ? "KeyW" : "KeyS", { delay: 50 });
    return await state(page);
  };
  await expect.poll(waitForTheBat, { timeout: 60_000 }).toBe("over");
  await page.click("#again");
  await expect.poll(() => state(page)).toBe("playing");
  expect(await page.evaluate("cave.hero().x")).toBeLessThan(40);
  await hold(page, "KeyD", "cave.hero().x > 50");
  await page.keyboard.press("Escape");
  await expect.poll(() => state(page)).toBe("paused");
  const second = await page.evaluate("game.stopRecording()");
  const end = await worldOf(page);
  const levelAtEnd = await page.evaluate("game.scenes[0].save()");
  expect(errors).toEqual([]);
  await page.close();

  expect(await replayInNode(first, left)).toEqual({ differences: [], level });
  expect(await replayInNode(second, end, kept)).toEqual({ differences: [], level: levelAtEnd });
});

it("is steered by a finger on the stick, and started and paused by taps", async () => {
  const { page, errors } = await open();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...touchPoints: { x: number; y: number }[]) =>
    devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
  const middleOf = async (selector: string) => {
    const { x, y, width, height } = (await page.locator(selector).boundingBox())!;
    return { x: x + width / 2, y: y + height / 2 };
  };
  const tap = async (selector: string) => {
    await touch("touchStart", await middleOf(selector));
    await touch("touchEnd");
  };
  await tap("#go-on");
  await expect.poll(() => state(page)).toBe("playing");
  // The tap has unlocked the sound.
  await expect.poll(() => page.evaluate("loudest()")).toBeGreaterThan(0.01);

  const { x, y } = await middleOf("#stick");
  const before = (await page.evaluate("cave.hero().x")) as number;
  await touch("touchStart", { x, y });
  await touch("touchMove", { x: x + 20, y });
  await touch("touchMove", { x: x + 60, y });
  await page.waitForFunction(`cave.hero().x > ${before + 15}`);
  await touch("touchMove", { x, y: y + 60 });
  await page.waitForFunction("cave.hero().y < -30");
  await touch("touchEnd");
  await page.waitForFunction("game.input.vector('move').x === 0 && game.input.vector('move').y === 0");

  await tap("#pause");
  await expect.poll(() => state(page)).toBe("paused");
  await tap("#resume");
  await expect.poll(() => state(page)).toBe("playing");
  expect(errors).toEqual([]);
  await page.close();
});

it.each([
  [
    "a level that cannot be read",
    {
      version: 1,
      volume: 0.5,
      best: 3,
      level: '{ "entities": [{ "id": "x", "components": { "Nothing": {} } }] }',
    },
    3,
    0.5,
  ],
  ["settings that are none", { version: 1, volume: "loud", best: null, level: 7 }, 0, 1],
  ["settings of another version", { version: 7, volume: 0.5, best: 3 }, 0, 1],
])("starts over with %s", async (_, kept, best, volume) => {
  const { page } = await open(async (page) => {
    await page.goto(`${served.url}src/settings.ts`);
    await page.evaluate((text) => localStorage.setItem("cave", text), JSON.stringify(kept));
  });
  expect(await page.textContent("#go-on")).toBe("Start");
  expect(await page.textContent("#best")).toBe(String(best));
  expect(await page.inputValue("#volume")).toBe(String(volume));
  expect(await page.evaluate("cave.hero().x")).toBe(24);
  await page.close();
});
