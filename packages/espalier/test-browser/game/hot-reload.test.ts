/** The project of `espalier/vite`'s README, and the program of the guide to games, with the server of Vite that they need. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../../../scripts/workspace.mjs";
import { openPage, type Served, serve } from "../../../../test/browser/serve.ts";
import { closePages, sharedBrowser } from "../../../../test/browser/shared-browser.ts";
import { pageFile } from "../../../../test/docs/page-files.ts";

const scene = (hp: number, more = "") => `{
  "entities": [{ "id": "tank", "components": { "Transform2D": {}, "Props": { "values": { "hp": ${hp} } } } }${more}]
}`;
const level = (more = "") => `{ "entities": [{ "id": "tank", "prefab": "tank" }${more}] }`;

let browser: Browser;
let served: Served;
let folder: string;

/** A page with a program of a document, which goes on with what the test asks for. */
function writePage(name: string, program: string): void {
  const told = `
const tank = game.entity(game.scenes[0]!.entity("tank"));
tank.x = 42;
game.start();
Object.assign(window, { game, tank, ready: true });
`;
  writeFileSync(join(folder, `src/${name}.ts`), program + told);
  writeFileSync(
    join(folder, `${name}.html`),
    `<!doctype html><link rel="icon" href="data:,"><script type="module" src="/src/${name}.ts"></script>`,
  );
}

beforeAll(async () => {
  folder = mkdtempSync(join(root, "node_modules/.cache-page-"));
  for (const name of ["scenes", "src"]) mkdirSync(join(folder, name));
  writePage("readme", pageFile("packages/espalier/src/vite/README.md", "src/main.ts"));
  writePage("guide", pageFile("docs/guide/game.md", "src/main.ts"));
  writeFileSync(join(folder, "scenes/main.scene.json"), scene(1));
  writeFileSync(join(folder, "scenes/level.scene.json"), level());
  // Vite loads it, as in a project, and it imports the built library.
  const configFile = join(folder, "vite.config.ts");
  writeFileSync(configFile, pageFile("packages/espalier/src/vite/README.md", "vite.config.ts"));
  [browser, served] = await Promise.all([
    sharedBrowser(),
    serve(folder, {
      configFile,
      server: { hmr: true, watch: { ignored: ["!**/node_modules/**"], usePolling: true, interval: 50 } },
    }),
  ]);
});
afterAll(async () => {
  await closePages();
  await served?.close();
  rmSync(folder, { recursive: true });
});

async function open(name: string): Promise<{ tab: Page; errors: string[] }> {
  const { page: tab, errors } = await openPage(browser, `${served.url}${name}.html`);
  await tab.waitForFunction("window.ready === true").catch((error) => {
    throw new Error(`${errors.join("\n")}\n${error}`);
  });
  return { tab, errors };
}

/** Saves a file until that is so: watching by polling may take two saves for one. */
async function saveUntil(isSo: () => Promise<boolean>, name: string, text: string): Promise<void> {
  const file = join(folder, "scenes", name);
  for (let attempt = 0; attempt < 40; attempt++) {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
    const isDone = await expect
      .poll(isSo, { timeout: 1000 })
      .toBe(true)
      .then(
        () => true,
        () => false,
      );
    if (isDone) return;
  }
  throw new Error(`Never so, after ${name} was saved.`);
}

const says = (tab: Page, condition: string) => async () => (await tab.evaluate(condition)) === true;

describe("saving a scene file", () => {
  it("changes the running game and keeps its state", async () => {
    const { tab, errors } = await open("readme");
    await saveUntil(says(tab, "tank.props.hp === 7"), "main.scene.json", scene(7, `, { "id": "flag" }`));
    expect(await tab.evaluate("[tank.x, game.world.count, game.isRunning]")).toEqual([42, 2, true]);
    expect(errors).toEqual([]);

    await saveUntil(async () => errors.length > 0, "main.scene.json", "{ broken");
    expect(errors[0]).toContain("main.scene.json:1:3");
    expect(await tab.evaluate("[tank.x, tank.props.hp, game.isRunning]")).toEqual([42, 7, true]);
    await saveUntil(says(tab, "tank.props.hp === 9"), "main.scene.json", scene(9));
    expect(await tab.evaluate("[tank.x, game.world.count, ready]")).toEqual([42, 1, true]);
    await tab.close();
  });

  it("changes a game whose scenes come from elsewhere, by the name of the file", async () => {
    const { tab, errors } = await open("guide");
    await saveUntil(says(tab, "game.world.count === 2"), "level.scene.json", level(`, { "id": "flag" }`));
    expect(await tab.evaluate("[tank.x, game.isRunning]")).toEqual([42, true]);
    expect(errors).toEqual([]);
    await tab.close();
  });
});
