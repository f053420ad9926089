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
import { closePages, sharedBrowser } from "../../../test/browser/shared-browser.ts";
import { playOf } from "../../cli/src/play-modules.ts";
import type { App } from "../src/shell/app.ts";
import { dropFile, openEditor, row, type ServedEditor, serveEditor } from "./editor-page.ts";

/** A project's code: a behaviour, a component with its own input, a system. */
const code = `
import { component, f32 } from "espalier";
import { behaviour } from "espalier/game";
import { factor } from "./factor.mjs";

export const Walker = behaviour("Walker", { speed: f32(10) }, {
  update({ entity, values }, dt) { entity.x += values.speed * factor * dt; },
});
export const Score = component("Score", { points: f32() });
export const own = {
  behaviours: [Walker],
  components: [Score],
  start(game) {
    const scored = game.world.query(Score);
    game.schedule.add({ name: "count", run: () => scored.update((score) => { score.points += 1; }) });
  },
  widgets: {
    Score(place, { document, entities, component }) {
      const button = place.appendChild(globalThis.document.createElement("button"));
      button.textContent = "Ten points";
      button.onclick = () => document.world.set(entities[0], component, { points: 10 });
      return () => button.remove();
    },
  },
};
export default own;
`;
const factor = "export const factor = 2;\n";
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
    const { document: shown, play } = (globalThis as unknown as { espalierEditor: App }).espalierEditor;
    const hero = shown.tree.firstChild(null) as Entity;
    const score = shown.format.component("Score") as never;
    return {
      x: shown.space.localOf(hero).x,
      points: (shown.world.get(hero, score) as { points: number }).points,
      edited: (play?.edited ?? shown).save(),
      isPlaying: play !== undefined,
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
      writeFileSync(join(folder, "game/play.mjs"), code);
      writeFileSync(join(folder, "game/factor.mjs"), factor);
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
          () => (globalThis as unknown as { espalierEditor: App }).espalierEditor.settings.yUp,
        ),
      ).toBe(true);
      await expectToPlay(page);
      await page.getByRole("button", { name: "Ten points" }).click();
      expect((await stateOf(page)).points).toBe(10);
      expect(errors).toEqual([]);
      expect((await fetch(`${served.url}own/game/other.mjs`)).status).toBe(404);
      expect((await fetch(`${served.url}own/../level.scene.json`)).status).toBe(404);
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

  beforeAll(async () => {
    writeFileSync(join(folder, "play.mjs"), code);
    writeFileSync(join(folder, "factor.mjs"), factor);
    writeFileSync(
      join(folder, "page.js"),
      `import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createTransforms2D } from "espalier/transform";
import { broadcastChannel, shareWorld, startEditor } from ${JSON.stringify(join(root, "packages/editor/src/index.ts"))};
import { own } from "./play.mjs";

if (location.hash === "#game") {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const ship = world.spawn(space.at(3, 4));
  tree.setName(ship, "ship");
  shareWorld(broadcastChannel("my-game"), { world, tree });
  Object.assign(window, { xOfShip: () => space.localOf(ship).x });
} else {
  const { components, widgets, ...play } = own;
  await startEditor(document.getElementById("editor"), { components, widgets, play });
}
`,
    );
    writeFileSync(
      join(folder, "index.html"),
      `<link rel="icon" href="data:,"><div id="editor" style="position:fixed;inset:0"></div><script type="module" src="./page.js"></script>`,
    );
    const target = process.env.ESPALIER_TARGET === "dist" ? "dist" : "source";
    const shared = { configFile: false, logLevel: "error", root: folder } as const;
    await build({
      ...shared,
      plugins: [react()],
      resolve: { alias: aliases(target) },
      build: { chunkSizeWarningLimit: 10_000, target: "es2022", minify: false },
    });
    server = await preview({ ...shared, preview: { host: "127.0.0.1", port: 0 } });
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

  it("watches a game in another tab at ?watch=name, and its edits arrive there", async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    const game = await context.newPage();
    await game.goto(`${url}#game`);
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
