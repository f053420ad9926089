/** Maps in Chromium: the picture beside plain `drawImage`, and a map that is saved while the game runs. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { espalier } from "espalier/vite";
import type { Browser } from "playwright-core";
import { PNG as Png } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../../../scripts/workspace.mjs";
import { openPage, type Served, serve } from "../../../../test/browser/serve.ts";
import { closePages, sharedBrowser } from "../../../../test/browser/shared-browser.ts";
import { pageFile } from "../../../../test/docs/page-files.ts";
import type { Harness } from "./page/main.ts";

type WithHarness = Window & { harness: Harness };

let browser: Browser;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages();
  for (const close of closing) await close();
});

async function served(folder: string, config: Parameters<typeof serve>[1] = {}): Promise<Served> {
  const server = await serve(folder, config);
  closing.push(() => server.close());
  return server;
}

describe("a map of Tiled", () => {
  it("draws the picture of plain drawImage: eight turns, margin, spacing, animation, groups, opacity", async () => {
    const { url } = await served(join(root, "packages/espalier/test-browser/maps/page"));
    const { page, errors } = await openPage(browser, url, { width: 320, height: 240 });
    await page.waitForFunction(() => "harness" in window);
    const picture = async () => Png.sync.read(await page.screenshot());
    await page.evaluate(() => (window as unknown as WithHarness).harness.plain());
    const plain = await picture();
    for (const yAxis of ["up", "down"] as const)
      for (const kind of ["canvas", "pixi"] as const) {
        await page.evaluate(
          ([renderer, axis]) => (window as unknown as WithHarness).harness.draw(renderer, axis),
          [kind, yAxis] as const,
        );
        const { data } = await picture();
        let differing = 0;
        for (let k = 0; k < data.length; k += 4)
          if ([0, 1, 2].some((c) => Math.abs(data[k + c]! - plain.data[k + c]!) > 2)) differing++;
        expect({ kind, yAxis, differing }).toEqual({ kind, yAxis, differing: 0 });
      }
    expect(errors).toEqual([]);
    await page.close();
  });
});

describe("saving a map", () => {
  const map = (tile: number, more: object[] = []) =>
    JSON.stringify({
      type: "map",
      width: 1,
      height: 1,
      tilewidth: 8,
      tileheight: 8,
      tilesets: [{ firstgid: 1, source: "set.tsj" }],
      layers: [
        { id: 1, name: "ground", type: "tilelayer", width: 1, height: 1, data: [tile] },
        {
          id: 2,
          name: "things",
          type: "objectgroup",
          objects: [{ id: 1, name: "hero", x: 1, y: 1 }, ...more],
        },
      ],
    });
  const set = (margin: number) =>
    JSON.stringify({
      name: "s",
      image: "s.png",
      tilewidth: 8,
      tileheight: 8,
      columns: 4,
      tilecount: 4,
      margin,
    });

  it("changes the running game and keeps its state; so does its tile set", async () => {
    const folder = mkdtempSync(join(root, "node_modules/.cache-map-"));
    closing.push(async () => rmSync(folder, { recursive: true }));
    for (const name of ["maps", "src"]) mkdirSync(join(folder, name));
    const save = (name: string, text: string) => {
      writeFileSync(join(folder, "maps", `${name}.new`), text);
      renameSync(join(folder, "maps", `${name}.new`), join(folder, "maps", name));
    };
    save("cave.tmj", map(1));
    save("set.tsj", set(0));
    writeFileSync(
      join(folder, "index.html"),
      `<!doctype html><link rel="icon" href="data:,"><script type="module" src="/src/main.ts"></script>`,
    );
    writeFileSync(
      join(folder, "src/main.ts"),
      `${pageFile("docs/guide/maps.md", "src/main.ts")}
import { Tilemap } from "espalier/render";
const hero = game.find("/things/hero")!;
hero.x = 42;
Object.assign(window, { game, hero, map: () => game.find("/ground")!.get(Tilemap), ready: true });
`,
    );
    const { url } = await served(folder, {
      plugins: [espalier({ maps: /\.tmj$/ })],
      server: { hmr: true, watch: { ignored: ["!**/node_modules/**"], usePolling: true, interval: 50 } },
    });
    const { page, errors } = await openPage(browser, url);
    await page.waitForFunction("window.ready === true");
    const until = async (condition: string, name: string, text: string) => {
      for (let attempt = 0; attempt < 40; attempt++) {
        save(name, text);
        for (let k = 0; k < 10; k++) {
          if ((await page.evaluate(condition)) === true) return;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }
      throw new Error(`Never so: ${condition}. ${errors.join("\n")}`);
    };
    await until("map().tiles[0] === 2", "cave.tmj", map(3, [{ id: 9, name: "coin", x: 0, y: 0 }]));
    expect(await page.evaluate("[hero.x, game.find('/things/coin') !== null, ready]")).toEqual([
      42,
      true,
      true,
    ]);
    await until("map().margin === 4", "set.tsj", set(4));
    expect(await page.evaluate("[hero.x, map().tiles[0]]")).toEqual([42, 2]);
    expect(errors).toEqual([]);
    await page.close();
  });
});
