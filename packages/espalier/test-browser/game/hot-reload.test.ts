import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { espalier } from "espalier/vite";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { root } from "../../../../scripts/workspace.mjs";
import { openPage, serve } from "../../../../test/browser/serve.ts";
import { closePages, sharedBrowser } from "../../../../test/browser/shared-browser.ts";

const scene = (hp: number, more = "") => `{
  "entities": [{ "id": "tank", "components": { "Transform2D": {}, "Props": { "values": { "hp": ${hp} } } } }${more}]
}`;

/** Saves a file until the page says so: watching by polling may take two saves for one. */
async function saveUntil(tab: Page, condition: string, file: string, text: string): Promise<void> {
  for (let attempt = 0; attempt < 40; attempt++) {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
    const isDone = await tab.waitForFunction(condition, undefined, { timeout: 1000 }).then(
      () => true,
      () => false,
    );
    if (isDone) return;
  }
  throw new Error(`Never: ${condition}`);
}

const page = `<!doctype html><script type="module" src="/main.ts"></script>`;

const main = `
import { createGame, hotReload } from "espalier/game";
const errors = [];
const game = createGame({
  scenes: import.meta.glob("./scenes/*.json", { query: "?raw", import: "default" }),
  onError: (error) => errors.push(error.message),
});
hotReload(game, import.meta.hot);
const scene = await game.load("level");
const tank = game.entity(scene.entity("tank"));
tank.x = 42;
Object.assign(window, { game, scene, tank, errors, ready: true });
game.start();
`;

it("saving a scene file changes the running game and keeps its state", async () => {
  const folder = mkdtempSync(join(root, "node_modules/.cache-page-"));
  mkdirSync(join(folder, "scenes"));
  const file = join(folder, "scenes/level.scene.json");
  writeFileSync(join(folder, "index.html"), page);
  writeFileSync(join(folder, "main.ts"), main);
  writeFileSync(file, scene(1));
  const served = await serve(folder, {
    plugins: [espalier()],
    server: { hmr: true, watch: { ignored: ["!**/node_modules/**"], usePolling: true, interval: 50 } },
  });
  const browser = await sharedBrowser();
  try {
    const { page: tab, errors } = await openPage(browser, served.url);
    await tab.waitForFunction("window.ready === true");
    await saveUntil(tab, "window.tank.props.hp === 7", file, scene(7, `, { "id": "flag" }`));
    expect(await tab.evaluate("[tank.x, game.world.count, game.isRunning]")).toEqual([42, 2, true]);

    await saveUntil(tab, "window.errors.length > 0", file, "{ broken");
    expect(await tab.evaluate("[tank.x, tank.props.hp, game.isRunning]")).toEqual([42, 7, true]);
    await saveUntil(tab, "window.tank.props.hp === 9", file, scene(9));
    expect(await tab.evaluate("[tank.x, game.world.count, window.ready]")).toEqual([42, 1, true]);
    expect(errors.filter((text) => !text.includes("favicon") && !text.includes("404"))).toEqual([]);
  } finally {
    await closePages();
    await served.close();
    rmSync(folder, { recursive: true });
  }
});
