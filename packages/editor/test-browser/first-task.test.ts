/** The first task of the guide to the editor, done as it says there, in a project as `espalier new` makes it. */
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../../scripts/workspace.mjs";
import { closePages, sharedBrowser } from "../../../test/browser/shared-browser.ts";
import { dragRow, openEditor, renameRow, row, serveEditor, settled, worldPosition } from "./editor-page.ts";

interface Entry {
  readonly id: string;
  readonly components: unknown;
  readonly children?: readonly Entry[];
}

it("the first task of the guide puts a flag on a tank, in the file and on the screen", async () => {
  const template = join(root, "packages/cli/template/scenes");
  const served = await serveEditor((folder) => {
    cpSync(template, join(folder, "scenes"), { recursive: true });
    return { open: "scenes/main.scene.json" };
  });
  const { page, errors } = await openEditor(await sharedBrowser(), served.url);
  const type = async (label: string, text: string) => {
    const field = page.getByLabel(label, { exact: true }).first();
    await field.fill(text);
    await field.press("Enter");
    await settled(page);
  };

  // A child of the tank.
  await row(page, "rusty").click();
  await page.keyboard.press("Shift+A");
  await settled(page);
  await renameRow(page, "flag");

  // Something to see.
  await page.getByRole("button", { name: "Add component" }).click();
  await page.getByLabel("Find a component").fill("Shape");
  await page.getByLabel("Find a component").press("Enter");
  await type("Shape width", "6");
  await type("Shape height", "40");
  await type("Local y", "30");
  const before = await worldPosition(page, "flag");

  // It follows the tank.
  await row(page, "rusty").click();
  await type("Local x", "100");
  const after = await worldPosition(page, "flag");
  expect(after.x - before.x).toBeCloseTo(100 - 260, 2);

  // Another parent, the same world position; and back.
  await dragRow(page, "flag", "player", 0.5);
  await settled(page);
  expect((await worldPosition(page, "flag")).x).toBeCloseTo(after.x, 2);
  await page.keyboard.press("Control+z");
  await settled(page);

  // The file.
  await page.keyboard.press("Control+s");
  const entities = (): readonly Entry[] =>
    JSON.parse(readFileSync(join(served.folder, "scenes/main.scene.json"), "utf8")).entities;
  await expect
    .poll(() => entities().find(({ id }) => id === "rusty")?.children)
    .toMatchObject([{ id: "flag", components: { Transform2D: { y: 30 }, Shape: { width: 6, height: 40 } } }]);

  // Play, and back to what was saved.
  await page.keyboard.press("Control+Enter");
  await page.waitForFunction("espalierEditor.documents.play !== undefined");
  await page.keyboard.press("Control+Shift+Enter");
  await page.waitForFunction("espalierEditor.documents.play === undefined");
  expect((await worldPosition(page, "flag")).x).toBeCloseTo(after.x, 2);
  expect(errors).toEqual([]);
  await closePages();
  await served.close();
});
