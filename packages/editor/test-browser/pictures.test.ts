import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pixelmatch from "pixelmatch";
import type { Browser, Page } from "playwright-core";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../../scripts/workspace.mjs";
import { closePages, sharedBrowser } from "../../../test/browser/shared-browser.ts";
import { openEditor, openSample, row, type ServedEditor, serveEditor, settled } from "./editor-page.ts";

/** What the editor should look like. `UPDATE_PICTURES=1` draws them anew. */
const pictures = join(root, "packages/editor/test-browser/pictures");

let browser: Browser;
let served: ServedEditor;

beforeAll(async () => {
  [browser, served] = await Promise.all([sharedBrowser(), serveEditor()]);
});
afterAll(async () => {
  await closePages();
  await served.close();
});

/** Compares a picture of the page. Fonts differ between machines, so some part may differ. */
async function compare(page: Page, name: string, tolerance: number): Promise<void> {
  const file = join(pictures, `${name}.png`);
  const shot = await page.screenshot({ animations: "disabled", caret: "hide" });
  if (process.env.UPDATE_PICTURES === "1" || !existsSync(file)) {
    mkdirSync(pictures, { recursive: true });
    writeFileSync(file, shot);
    return;
  }
  const [wanted, got] = [PNG.sync.read(readFileSync(file)), PNG.sync.read(shot)];
  expect([got.width, got.height]).toEqual([wanted.width, wanted.height]);
  const differing = pixelmatch(wanted.data, got.data, undefined, wanted.width, wanted.height, {
    threshold: 0.2,
  });
  expect(differing / (wanted.width * wanted.height)).toBeLessThan(tolerance);
}

describe("the editor looks as it should", () => {
  it.each(["dark", "light"] as const)("with the %s theme", async (theme) => {
    const { page } = await openEditor(browser, served.url, { theme });
    await openSample(page, "tanks");
    await row(page, "bravo").click();
    await page.getByLabel("Local x", { exact: true }).waitFor();
    await page.mouse.move(640, 700);
    await page.evaluate("espalierEditor.notes.messages = []; espalierEditor.changed()");
    await settled(page);
    await compare(page, `editor-${theme}`, 0.05);
    await page.context().close();
  });
});
