import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import type { Entity } from "espalier";
import type { Browser, Page } from "playwright-core";
import { build, type PreviewServer, preview } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aliases } from "../../../scripts/public-names.mjs";
import { root } from "../../../scripts/workspace.mjs";
import { openPage } from "../../../test/browser/serve.ts";
import { closePages, sharedBrowser } from "../../../test/browser/shared-browser.ts";
import { pageFile } from "../../../test/docs/page-files.ts";
import { playOf } from "../../cli/src/play-modules.ts";
import type { App } from "../src/shell/app.ts";
import { dropFile, openEditor, row, type ServedEditor, serveEditor } from "./editor-page.ts";

/** The code of the project in the guide to the editor: a behaviour, a component with its own input, a system. */
const playCode = pageFile("docs/guide/editor.md", "game/play.mjs");
const walkerCode = pageFile("docs/guide/editor.md", "game/walker.mjs");
const scene = `{ "entities": [{ "id": "hero", "name": "hero", "components": { "Transform2D": {}, "Walker": { "speed": 100 }, "Score": {} } }] }`;

let browser: Browser;

beforeAll(async () => {
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages();
});

interface State {
  readonly x: number;
  readonly points: number;
  readonly edited: string;
  readonly isPlaying: boolean;
}

/** Without a text to evaluate: the page may forbid that. */
function stateOf(page: Page): Promise<State> {
  return page.evaluate(() => {
    const { document: shown, documents } = (globalThis as unknown as { espalierEditor: App }).espalierEditor;
    const hero = shown.tree.firstChild(null) as Entity;
    const score = shown.format.component("Score") as never;
    return {
      x: shown.space.localOf(hero).x,
      points: (shown.world.get(hero, score) as { points: number }).points,
      edited: (documents.play?.edited ?? shown).save(),
      isPlaying: documents.play !== undefined,
    };
  });
}

/** Plays until the behaviour and the system have done something, and stops. */
async function expectToPlay(page: Page): Promise<void> {
  const start = await stateOf(page);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect.poll(async () => (await stateOf(page)).x, { timeout: 20_000 }).toBeGreaterThan(20);
  expect((await stateOf(page)).points).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect.poll(async () => (await stateOf(page)).isPlaying).toBe(false);
  expect(await stateOf(page)).toEqual(start);
}

describe("code of a project", () => {
  let served: ServedEditor;

  it("runs in Play when the config names it, under the rules of the page; nothing else of the project is served", async () => {
    served = await serveEditor((folder) => {
      mkdirSync(join(folder, "game"));
      writeFileSync(join(folder, "game/play.mjs"), playCode);
      writeFileSync(join(folder, "game/walker.mjs"), walkerCode);
      writeFileSync(join(folder, "game/other.mjs"), "throw new Error('not me');");
      writeFileSync(join(folder, "level.scene.json"), scene);
      const play = { module: "./game/play.mjs", step: 1 / 120, yAxis: "up" };
      const { modules, data } = playOf({ folder, play });
      return { open: "level.scene.json", modules, play: data as { step: number; yAxis: "up" } };
    });
    try {
      const { page, errors } = await openEditor(browser, served.url, { policy: true });
      await row(page, "hero").click();
      expect(
        await page.evaluate(
          () => (globalThis as unknown as { espalierEditor: App }).espalierEditor.view.settings.yUp,
        ),
      ).toBe(true);
      await expectToPlay(page);
      await page.getByRole("button", { name: "Ten points" }).click();
      expect((await stateOf(page)).points).toBe(10);
      expect(errors).toEqual([]);
      expect(
        (await fetch(new URL(`/own/game/other.mjs${new URL(served.url).search}`, served.url))).status,
      ).toBe(404);
      expect((await fetch(new URL("/own/../level.scene.json", served.url))).status).toBe(404);
      await page.context().close();
    } finally {
      await served.close();
    }
  });
});

describe("a page of the project's own", () => {
  const folder = mkdtempSync(join(root, "node_modules/.cache-own-"));
  let server: PreviewServer;
  let url: string;

  /** A page with the element that its program asks for. */
  function writePage(name: string, host: string, program: string): void {
    writeFileSync(join(folder, `${name}.ts`), program);
    writeFileSync(
      join(folder, `${name}.html`),
      `<link rel="icon" href="data:,"><div id="${host}" style="position:fixed;inset:0"></div><script type="module" src="./${name}.ts"></script>`,
    );
  }

  beforeAll(async () => {
    mkdirSync(join(folder, "game"));
    writeFileSync(join(folder, "game/play.mjs"), playCode);
    writeFileSync(join(folder, "game/walker.mjs"), walkerCode);
    writePage("index", "editor", pageFile("docs/guide/editor.md", "editor.ts"));
    const shared = `Object.assign(window, { xOfShip: () => space.localOf(ship).x });`;
    writePage("shared", "none", `${pageFile("docs/guide/editor.md", "shared.ts")}\n${shared}`);
    writePage("tool", "tool", pageFile("docs/guide/editor.md", "game.ts"));
    const target = process.env.ESPALIER_TARGET === "dist" ? "dist" : "source";
    const config = { configFile: false, logLevel: "error", root: folder } as const;
    const editor = { find: "@espalier/editor", replacement: join(root, "packages/editor/src/index.ts") };
    await build({
      ...config,
      plugins: [react()],
      resolve: { alias: [...aliases(target), editor] },
      build: {
        chunkSizeWarningLimit: 10_000,
        target: "es2022",
        minify: false,
        rolldownOptions: { input: ["index", "shared", "tool"].map((name) => join(folder, `${name}.html`)) },
      },
    });
    server = await preview({ ...config, preview: { host: "127.0.0.1", port: 0 } });
    url = `http://127.0.0.1:${(server.httpServer.address() as AddressInfo).port}/`;
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("gives its code to Play by startEditor", async () => {
    const { page, errors } = await openEditor(browser, url);
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await dropFile(page, "level.scene.json", scene);
    await row(page, "hero").click();
    await page.getByRole("button", { name: "Ten points" }).waitFor();
    await expectToPlay(page);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it("has the editor over its own world by mountEditor, and closes it with a key", async () => {
    const { page, errors } = await openPage(browser, `${url}tool.html`);
    await row(page, "ship").click();
    await expect.poll(() => page.getByLabel("Local x", { exact: true }).inputValue()).toBe("3");
    await page.keyboard.press("F12");
    await expect.poll(() => page.locator(".esp").count()).toBe(0);
    await page.keyboard.press("F12");
    await row(page, "ship").waitFor();
    expect(errors).toEqual([]);
    await page.close();
  });

  it("watches a game in another tab at ?watch=name, and its edits arrive there", async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    const game = await context.newPage();
    await game.goto(`${url}shared.html`);
    await game.waitForFunction("typeof xOfShip === 'function'");
    const tab = await context.newPage();
    await tab.goto(`${url}?watch=my-game`);
    await row(tab, "ship").click();
    const x = tab.getByLabel("Local x", { exact: true });
    await x.fill("77");
    await x.press("Enter");
    await expect.poll(() => game.evaluate("xOfShip()"), { timeout: 30_000 }).toBe(77);
    await context.close();
  });
});
