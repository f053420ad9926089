import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { closePages, sharedBrowser } from "../../../test/browser/shared-browser.ts";
import { openEditor, renameRow, row, type ServedEditor, serveEditor, settled } from "./editor-page.ts";
import { violations } from "./violations.ts";

const scene = `// The yard.
{
  "entities": [
    { "id": "rock", "name": "rock", "components": { "Transform2D": { "x": 10 } } }, // heavy
    { "id": "bush", "name": "bush", "components": { "Transform2D": { "x": 20 } } }
  ]
}
`;

let browser: Browser;
let served: ServedEditor;
const file = () => join(served.folder, "level.scene.json");
const onDisk = () => readFileSync(file(), "utf8");

beforeAll(async () => {
  browser = await sharedBrowser();
  served = await serveEditor((folder) => {
    writeFileSync(join(folder, "level.scene.json"), scene);
    return { open: "level.scene.json" };
  });
});
beforeEach(() => writeFileSync(file(), scene));
afterAll(async () => {
  await closePages();
  await served.close();
});

async function setX(page: Page, name: string, x: string): Promise<void> {
  await row(page, name).click();
  const input = page.getByLabel("Local x", { exact: true });
  await input.fill(x);
  await input.press("Enter");
}

describe("a file that changed on disk", () => {
  it("is merged with unsaved edits; conflicts are listed by entity and field, and resolved one by one", async () => {
    const { page, errors } = await openEditor(browser, served.url);
    await setX(page, "rock", "11");
    await setX(page, "bush", "21");
    writeFileSync(file(), scene.replace(`"x": 10`, `"x": 12`).replace(`"x": 20`, `"x": 20, "y": 5`));
    await page.getByText("level.scene.json changed on disk.").waitFor();
    await page.getByRole("button", { name: "Merge" }).click();
    const dialog = page.getByRole("dialog", { name: "Merge with the file on disk" });
    await dialog.getByText("1 value changed both here and on disk").waitFor();
    const conflict = dialog.getByRole("group", { name: "rock Transform2D.x" });
    await conflict.getByText("Before: 10").waitFor();
    expect(await conflict.getByLabel("Mine: 11").isChecked()).toBe(true);
    expect(await violations(page, ".esp-dialog")).toEqual([]);
    await conflict.getByLabel("On disk: 12").check();
    await dialog.getByRole("button", { name: "Merge" }).click();
    await page.getByText("Merged level.scene.json with the file on disk.").waitFor();
    await page.keyboard.press("Control+s");
    await page.getByText("Saved level.scene.json.").waitFor();
    // Both sides are in it, and so are the comments.
    expect(onDisk()).toBe(scene.replace(`"x": 10`, `"x": 12`).replace(`"x": 20`, `"x": 21, "y": 5`));
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it("is not overwritten by work that is restored after the browser was killed", async () => {
    const { page } = await openEditor(browser, served.url);
    const context = page.context();
    await row(page, "rock").click();
    await renameRow(page, "boulder");
    await page.waitForFunction("espalierEditor.documents.recovery.written > 0");
    const crashed = new Promise<void>((resolve) => page.once("crash", () => resolve()));
    const session = await context.newCDPSession(page);
    void session.send("Page.crash").catch(() => {});
    await crashed;
    writeFileSync(file(), scene.replace(`"name": "bush"`, `"name": "hedge"`));
    const next = await context.newPage();
    await next.goto(served.url);
    // The file as it is now is another than the one that was edited, so the other side of the difference shows, too.
    await next.getByText(/unsaved work on level.scene.json from .*, 2 changed \(/).waitFor();
    expect(await violations(next)).toEqual([]);
    await next.getByRole("button", { name: "Restore" }).click();
    await row(next, "boulder").waitFor();
    await next.keyboard.press("Control+s");
    await next.getByText("level.scene.json was not saved: it changed on disk meanwhile.").waitFor();
    expect(onDisk()).toContain("hedge");
    await next.getByRole("button", { name: "Merge" }).first().click();
    await row(next, "hedge").waitFor();
    await next.keyboard.press("Control+s");
    await next.getByText("Saved level.scene.json.").waitFor();
    expect(onDisk()).toBe(
      scene.replace(`"name": "rock"`, `"name": "boulder"`).replace(`"name": "bush"`, `"name": "hedge"`),
    );
    await context.close();
  });

  it("is reported when it is deleted, and work left behind can be declined for good", async () => {
    const { page, questions } = await openEditor(browser, served.url);
    const context = page.context();
    await row(page, "rock").click();
    await renameRow(page, "boulder");
    await page.waitForFunction("espalierEditor.documents.recovery.written > 0");
    await page.close({ runBeforeUnload: false });
    const next = await context.newPage();
    next.on("dialog", (dialog) => {
      questions.texts.push(dialog.message());
      void dialog.accept();
    });
    await next.goto(served.url);
    await next.getByRole("button", { name: "Discard" }).click();
    await next.getByRole("button", { name: "Discard" }).waitFor({ state: "detached" });
    expect(questions.texts.at(-1)).toMatch(
      /^Discard the unsaved work on level\.scene\.json from .* for good\?$/,
    );
    // Storage answers a little later; a page that goes before that keeps the work.
    await expect
      .poll(() =>
        next.evaluate("espalierEditor.documents.recovery.left().then((left) => left === undefined)"),
      )
      .toBe(true);
    await next.reload();
    await row(next, "rock").waitFor();
    await next.waitForFunction("espalierEditor.documents.recovery !== undefined");
    await settled(next);
    expect(await next.getByRole("button", { name: "Restore" }).count()).toBe(0);
    rmSync(file());
    await next.getByText("level.scene.json was deleted on disk. Saving writes it again.").waitFor();
    await context.close();
  });
});

describe("undo in a field", () => {
  it("undoes the value that was entered, and what is being typed before that", async () => {
    const { page, errors } = await openEditor(browser, served.url);
    await setX(page, "rock", "55");
    const input = page.getByLabel("Local x", { exact: true });
    const x = () =>
      page.evaluate("espalierEditor.document.space.localOf(espalierEditor.document.scene.entity('rock')).x");
    expect(await x()).toBe(55);
    await page.keyboard.press("Control+z");
    await expect.poll(x).toBe(10);
    await expect.poll(() => input.inputValue()).toBe("10");
    await page.keyboard.press("Control+Shift+z");
    await expect.poll(x).toBe(55);
    await expect.poll(() => input.inputValue()).toBe("55");
    // While something is typed, the keys belong to the text.
    await input.press("End");
    await page.keyboard.type("7");
    await page.keyboard.press("Control+z");
    expect(await x()).toBe(55);
    expect(errors).toEqual([]);
    await page.context().close();
  });
});

describe("deleting what others refer to", () => {
  it("reports the references to it, and offers undo", async () => {
    writeFileSync(
      file(),
      `{ "entities": [{ "id": "rock", "name": "rock" }, { "id": "eye", "name": "eye", "components": { "LookAt": { "target": "rock" } } }] }`,
    );
    const { page } = await openEditor(browser, served.url);
    await row(page, "rock").click();
    await page.keyboard.press("Delete");
    await page
      .getByText("Deleted rock. These referred to it and are empty now: eye (LookAt.target).")
      .waitFor();
    await page.locator(".esp-message").getByRole("button", { name: "Undo" }).click();
    await row(page, "rock").waitFor();
    await page.context().close();
  });
});
