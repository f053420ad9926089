import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Entity } from "espalier";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { closePages, sharedBrowser } from "../../../test/browser/shared-browser.ts";
import type { App } from "../src/shell/app.ts";
import { openEditor, serveEditor } from "./editor-page.ts";

const scene = `{ "entities": [{ "id": "ball", "name": "ball", "components": { "Transform2D": {}, "RigidBody": {}, "Collider": { "shapes": [{ "type": "circle", "radius": 5 }] } } }] }`;

let browser: Browser;

beforeAll(async () => {
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages();
});

/** Where the ball is in the scene that is shown. */
function heightOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { document: shown } = (globalThis as unknown as { espalierEditor: App }).espalierEditor;
    return shown.space.localOf(shown.tree.firstChild(null) as Entity).y;
  });
}

it("a body falls in Play, by the engine of the page, and is back after Stop", async () => {
  const served = await serveEditor((folder) => {
    writeFileSync(join(folder, "level.scene.json"), scene);
    return { open: "level.scene.json" };
  });
  try {
    const { page, errors } = await openEditor(browser, served.url, { policy: true });
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await expect.poll(async () => Math.abs(await heightOf(page)), { timeout: 20_000 }).toBeGreaterThan(1);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await expect.poll(() => heightOf(page)).toBe(0);
    expect(errors).toEqual([]);
    await page.context().close();
  } finally {
    await served.close();
  }
});
