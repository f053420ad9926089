import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closePages, sharedBrowser } from "../../../test/browser/shared-browser.ts";
import { openEditor, type ServedEditor, savedText, serveEditor, settled, smallScene } from "./editor-page.ts";

/** `ESPALIER_LONG=1` makes 900 gestures from each of five seeds. */
const isLong = process.env.ESPALIER_LONG === "1";
const seeds = isLong ? [1, 2, 3, 4, 5] : [1];
const gestures = isLong ? 900 : 120;

let browser: Browser;
let served: ServedEditor;

beforeAll(async () => {
  browser = await sharedBrowser();
  served = await serveEditor((folder) => {
    writeFileSync(join(folder, "level.scene.json"), smallScene);
    writeFileSync(
      join(folder, "cart.prefab.json"),
      `{ "entities": [{ "id": "cart", "name": "cart", "components": { "Transform2D": {}, "Shape": {} },
        "children": [{ "id": "wheel", "name": "wheel", "components": { "Transform2D": {} } }] }] }`,
    );
    return { open: "level.scene.json" };
  });
});
afterAll(async () => {
  await closePages();
  await served.close();
});

const keys = [
  "Delete",
  "Control+z",
  "Control+Shift+z",
  "Control+d",
  "Control+g",
  "Control+Shift+g",
  "Control+x",
  "Control+v",
  "Shift+A",
  "a",
  "h",
  "l",
  "ArrowDown",
  "ArrowUp",
  "ArrowRight",
  "ArrowLeft",
  "Shift+ArrowDown",
  "Alt+ArrowUp",
  "Alt+ArrowDown",
  "Alt+ArrowLeft",
  "Alt+ArrowRight",
  "Escape",
  "Control+a",
  "Control+Enter",
  "Control+Shift+Enter",
  "Shift+E",
];

/** Several keys without a pause, presses on rows and in the viewport, and keys in the middle of drags. */
async function gesture(page: Page, next: () => number): Promise<void> {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(next() * items.length)] as Item;
  const somewhere = () => ({ x: 20 + next() * 900, y: 80 + next() * 400 });
  const kind = Math.floor(next() * 4);
  if (kind === 0) {
    // In one task, faster than anything can be drawn.
    const pressed = Array.from({ length: 1 + Math.floor(next() * 4) }, () => pick(keys));
    await Promise.all(pressed.map((key) => page.keyboard.press(key)));
    return;
  }
  if (kind === 1) {
    const held = next() < 0.3 ? "Shift" : next() < 0.3 ? "Control" : undefined;
    if (held !== undefined) await page.keyboard.down(held);
    await page.mouse.click(20 + next() * 240, 110 + next() * 300);
    if (held !== undefined) await page.keyboard.up(held);
    return;
  }
  const [from, to] = [somewhere(), somewhere()];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 2 });
  if (next() < 0.5) await page.keyboard.press(pick(keys));
  await page.mouse.move(from.x + 30, to.y, { steps: 2 });
  if (next() < 0.3) await page.keyboard.press("Escape");
  await page.mouse.up();
}

describe("random gestures by mouse and keyboard", () => {
  it.each(seeds)("throw nothing, and undone to the start give the start file (seed %i)", async (seed) => {
    const { page, errors } = await openEditor(browser, served.url);
    await page.waitForFunction("espalierEditor.documents.origin.version !== undefined");
    await page.evaluate("espalierEditor.view.expandAll()");
    const start = await savedText(page);
    let state = seed;
    const next = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    for (let k = 0; k < gestures; k++) await gesture(page, next);
    await page.keyboard.press("Control+Shift+Enter");
    await settled(page);
    expect(errors).toEqual([]);
    await page.evaluate("{ let left = 10000; while (left-- > 0 && espalierEditor.document.undo()); }");
    expect(await savedText(page)).toBe(start);
    await page.context().close();
  });
});
