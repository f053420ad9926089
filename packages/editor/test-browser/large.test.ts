import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closePages, sharedBrowser } from "../../../test/browser/shared-browser.ts";
import { openEditor, row, type ServedEditor, savedEntry, serveEditor, settled } from "./editor-page.ts";

let browser: Browser;
let served: ServedEditor;
let page: Page;

/** A hundred groups of ten groups of ninety-nine: 101,000 entities. */
function largeScene(): string {
  const entities: object[] = [];
  for (let a = 0; a < 100; a++) {
    entities.push({
      id: `a${a}`,
      name: `group ${a}`,
      components: { Transform2D: { x: (a % 10) * 200, y: Math.floor(a / 10) * 200 } },
    });
    for (let b = 0; b < 10; b++) {
      entities.push({ id: `a${a}b${b}`, name: `part ${a}.${b}`, parent: `a${a}` });
      for (let c = 0; c < 99; c++) {
        entities.push({
          id: `a${a}b${b}c${c}`,
          name: `leaf ${a}.${b}.${c}`,
          parent: `a${a}b${b}`,
          components: { Transform2D: { x: c, y: b * 10 } },
        });
      }
    }
  }
  return JSON.stringify({ version: 1, entities });
}

beforeAll(async () => {
  browser = await sharedBrowser();
  served = await serveEditor((folder) => {
    writeFileSync(join(folder, "large.scene.json"), largeScene());
    return { open: "large.scene.json" };
  });
  ({ page } = await openEditor(browser, served.url));
  await row(page, "group 0").waitFor({ timeout: 60_000 });
});
afterAll(async () => {
  await closePages();
  await served.close();
});

const rowCount = () => page.locator(".esp-row").count();

/** Scrolls by many rows in each of 60 frames. Gives how many rows the page got, and which it shows at the end. */
const scrollFar = () =>
  page.evaluate(
    () =>
      new Promise<{ made: number; shown: number; names: number }>((done) => {
        const list = document.querySelector(".esp-tree")!;
        const space = list.querySelector("[data-space]")!;
        const before = new Set(space.children);
        let made = 0;
        const observer = new MutationObserver((records) => {
          for (const { addedNodes } of records)
            for (const node of addedNodes) if (!before.has(node as Element)) made++;
        });
        observer.observe(space, { childList: true });
        let left = 60;
        const frame = () => {
          list.scrollTop += 900;
          if (--left > 0) requestAnimationFrame(frame);
          else
            requestAnimationFrame(() => {
              observer.disconnect();
              const rows = [...space.querySelectorAll<HTMLElement>(".esp-row")];
              const names = new Set(rows.map((row) => row.dataset.name)).size;
              done({ made, shown: rows.length, names });
            });
        };
        requestAnimationFrame(frame);
      }),
  );

/** The names of the rows on the screen from top to bottom, and the same in the order of the page. */
const shownRows = () =>
  page.evaluate(() => {
    const rows = [...document.querySelectorAll<HTMLElement>(".esp-row")];
    const names = (list: readonly HTMLElement[]) => list.map((row) => row.dataset.name ?? "");
    const byPosition = [...rows].sort(
      (a, b) => Number.parseInt(a.style.top, 10) - Number.parseInt(b.style.top, 10),
    );
    return { inPage: names(rows), onScreen: names(byPosition) };
  });

describe("100,000 entities", () => {
  it("are shown by some rows, however many are expanded or found", async () => {
    expect(await page.evaluate("espalierEditor.document.world.count")).toBe(100_100);
    await page.evaluate("espalierEditor.view.expandAll()");
    await settled(page);
    expect(await page.evaluate("espalierEditor.view.shown.rows.entities.length")).toBe(100_100);
    expect(await rowCount()).toBeLessThan(80);
    await page.evaluate("espalierEditor.view.searchFor('leaf 57.3.8')");
    await row(page, "leaf 57.3.8").waitFor();
    // It and what is above it, and those whose names begin in the same way.
    expect((await shownRows()).onScreen.slice(0, 3)).toEqual(["group 57", "part 57.3", "leaf 57.3.8"]);
    await page.evaluate("espalierEditor.view.searchFor('')");
    await settled(page);
    expect(await rowCount()).toBeLessThan(80);
  });

  it("scroll with hardly a new element: rows that leave come back with other entities, at rest in their order", async () => {
    const { made, shown, names } = await scrollFar();
    expect(shown).toBeLessThan(80);
    expect(names).toBe(shown);
    // 41 rows leave in each of 60 frames. One more or less fits on the screen from frame to frame.
    expect(made).toBeLessThan(2 * 60);
    await page.waitForFunction(() => {
      const tops = [...document.querySelectorAll<HTMLElement>(".esp-row")].map((one) => one.offsetTop);
      return tops.every((top, k) => k === 0 || top > tops[k - 1]!);
    });
    const { inPage, onScreen } = await shownRows();
    expect(inPage).toEqual(onScreen);
    const all = (await page.evaluate(
      "espalierEditor.view.shown.rows.entities.map((e) => espalierEditor.document.label(e))",
    )) as string[];
    const from = all.indexOf(onScreen[0]!);
    expect(onScreen).toEqual(all.slice(from, from + onScreen.length));
  });

  it("are dragged and put back", async () => {
    await page.evaluate(`document.querySelector(".esp-tree").scrollTop = 0`);
    await row(page, "part 0.0").waitFor();
    const [from, to] = [
      (await row(page, "leaf 0.0.3").boundingBox())!,
      (await row(page, "leaf 0.0.1").boundingBox())!,
    ];
    await page.mouse.move(from.x + 90, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(to.x + 90, to.y + 14, { steps: 3 });
    await page.mouse.move(to.x + 90, to.y + 11);
    await page.mouse.up();
    await settled(page);
    expect((await savedEntry(page, "a0b0c3"))?.parent).toBe("a0b0c1");
    await page.keyboard.press("Control+z");
    await settled(page);
    expect((await savedEntry(page, "a0b0c3"))?.parent).toBe("a0b0");
  });

  it("are moved and saved, with progress while they are saved", async () => {
    await page.evaluate(`espalierEditor.view.expandAll(); document.querySelector(".esp-tree").scrollTop = 0`);
    await row(page, "leaf 0.0.3").waitFor();
    const start = (await row(page, "leaf 0.0.3").boundingBox())!;
    await page.mouse.move(start.x + 90, start.y + 10);
    await page.mouse.down();
    await page.mouse.move(start.x + 90, start.y - 40, { steps: 3 });
    await page.mouse.up();
    await settled(page);
    await page.evaluate(`
      globalThis.shares = [];
      new MutationObserver(() => {
        const shown = document.querySelector(".esp-progress");
        if (shown !== null) shares.push(shown.value);
      }).observe(document.querySelector(".esp-top"), { subtree: true, childList: true, attributes: true });
    `);
    await page.keyboard.press("Control+s");
    await page.getByText("Saved large.scene.json").waitFor({ timeout: 25_000 });
    const shares = (await page.evaluate("shares")) as number[];
    // How often it moves depends on the machine: a quick one saves in few slices.
    expect(shares.length).toBeGreaterThan(0);
    expect([...shares].sort((a, b) => a - b)).toEqual(shares);
    const saved = JSON.parse(readFileSync(join(served.folder, "large.scene.json"), "utf8")) as {
      entities: readonly object[];
    };
    expect(saved.entities).toHaveLength(100_100);
  });
});
