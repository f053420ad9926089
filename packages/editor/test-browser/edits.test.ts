/** Edits of agents and branches in the editor, with the journal and the verbs of the command line. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { closePages, sharedBrowser } from "../../../test/browser/shared-browser.ts";
import { type Config, loadConfig } from "../../cli/src/config.ts";
import { createBranch } from "../../cli/src/scene-files/branches.ts";
import { editKeeper } from "../../cli/src/scene-files/edit-keeper.ts";
import { runOnFile } from "../../cli/src/scene-files/run-on-file.ts";
import { openEditor, renameRow, row, type ServedEditor, serveEditor } from "./editor-page.ts";
import { violations } from "./violations.ts";

const scene = `{
  "entities": [
    { "id": "rock", "name": "rock", "components": { "Transform2D": { "x": 10 } } },
    { "id": "bush", "name": "bush", "components": { "Transform2D": { "x": 20 } } }
  ]
}
`;

let browser: Browser;
let served: ServedEditor;
let config: Config;
const file = () => join(served.folder, "level.scene.json");

beforeAll(async () => {
  browser = await sharedBrowser();
  config = await loadConfig({});
  served = await serveEditor((folder) => {
    writeFileSync(join(folder, "level.scene.json"), scene);
    return { open: "level.scene.json", edits: editKeeper(config) };
  });
});
beforeEach(() => {
  rmSync(`${file()}.journal`, { force: true });
  writeFileSync(file(), scene);
});
afterAll(async () => {
  await closePages();
  await served.close();
});

function agent(verb: string, parameters: object, path = file()): void {
  runOnFile(path, { verb, parameters: parameters as never }, config, {
    author: "Claude",
    reason: `to ${verb}`,
    journal: true,
  });
}

describe("edits of an agent", () => {
  it("are followed in the editor, listed with author and reason, and undone alone", async () => {
    agent("rename", { entity: "rock", name: "stone" });
    const { page, errors } = await openEditor(browser, served.url);
    await row(page, "stone").waitFor();
    await page.getByRole("tab", { name: "Edits" }).click();
    await page.getByText("to rename").waitFor();
    agent("set", { entity: "bush", values: { Transform2D: { x: 33 } } });
    await page.getByText("to set").waitFor();
    await expect
      .poll(() =>
        page.evaluate(
          "espalierEditor.document.space.localOf(espalierEditor.document.scene.entity('bush')).x",
        ),
      )
      .toBe(33);
    expect(await page.evaluate("espalierEditor.document.isDirty")).toBe(false);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Undo edit-1" }).click();
    await row(page, "rock").waitFor();
    expect(readFileSync(file(), "utf8")).toContain(`"x": 33`);
    expect(readFileSync(file(), "utf8")).toContain(`"name": "rock"`);
    agent("delete", { entities: ["bush"] });
    await row(page, "bush").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo edit-2" }).click();
    // What depends on it is named, and nothing changed.
    await page
      .getByText(/edit-4/)
      .first()
      .waitFor();
    expect(readFileSync(file(), "utf8")).not.toContain("bush");
    // Own edits that do not touch the same stay.
    await row(page, "rock").click();
    await renameRow(page, "boulder");
    agent("create", { name: "tree" });
    await row(page, "tree").waitFor();
    await row(page, "boulder").waitFor();
    expect(errors.filter((error) => !error.includes("422"))).toEqual([]);
    await page.context().close();
  });
});

describe("a branch", () => {
  it("is shown in tree and viewport, and accepted by entity and whole", async () => {
    const branch = createBranch(file(), "idea");
    agent("set", { entity: "bush", values: { Transform2D: { x: 50 } } }, branch);
    agent("rename", { entity: "rock", name: "stone" }, branch);
    const { page, errors } = await openEditor(browser, served.url);
    await page.getByRole("tab", { name: "Edits" }).click();
    await page.getByRole("button", { name: "Show what idea changes" }).click();
    await page.getByText("Transform2D.x: 20 → 50").waitFor();
    for (const each of ["rock", "bush"])
      expect(await row(page, each).getAttribute("data-changed")).toBe("true");
    const isDrawn = `(() => {
      const overlay = document.querySelector("canvas[data-viewport]");
      return overlay.getContext("2d").getImageData(0, 0, overlay.width, overlay.height).data.some((value) => value > 0);
    })()`;
    await expect.poll(() => page.evaluate(isDrawn)).toBe(true);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Accept /bush" }).click();
    await expect
      .poll(() =>
        page.evaluate(
          "espalierEditor.document.space.localOf(espalierEditor.document.scene.entity('bush')).x",
        ),
      )
      .toBe(50);
    expect(readFileSync(file(), "utf8")).toContain(`"name": "rock"`);
    await page.getByRole("button", { name: "Accept all of idea" }).click();
    await row(page, "stone").waitFor();
    await page.getByRole("button", { name: "Accept all of idea" }).waitFor({ state: "detached" });
    expect(readFileSync(file(), "utf8")).toContain(`"name": "stone"`);
    expect(errors).toEqual([]);
    await page.context().close();
  });
});
