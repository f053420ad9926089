/** The examples are used as a visitor would. */
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../scripts/workspace.mjs";
import { openPage, type Served, serve } from "./serve.ts";
import { closePages, sharedBrowser } from "./shared-browser.ts";

let browser: Browser;
let served: Served;
beforeAll(async () => {
  [browser, served] = await Promise.all([sharedBrowser(), serve(join(root, "examples/browser"))]);
});
afterAll(async () => {
  await closePages();
  await served?.close();
});

async function open(name: string) {
  const { page, errors } = await openPage(browser, `${served.url}${name}`, { width: 800, height: 450 });
  await page.waitForFunction("window.ready === true");
  return { page, errors };
}

describe("the inspector panel", () => {
  it("writes values, shows what follows from them, and undoes", async () => {
    const { page, errors } = await open("inspector-panel/");
    await page.getByRole("button", { name: "tank", exact: true }).click();
    await page.getByLabel("x", { exact: true }).fill("40");
    await page.getByText("in level, at 40.0, 50.0").waitFor();
    await page.getByRole("button", { name: "turret" }).click();
    await page.getByText("in tank, at 40.0, 70.0").waitFor();
    await page.getByRole("button", { name: "Undo Transform2D.x" }).click();
    await page.getByText("in tank, at 100.0, 70.0").waitFor();

    await page.getByRole("button", { name: "tank", exact: true }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("gone").waitFor();
    expect(await page.locator("nav button").allTextContents()).toEqual(["level", "crate"]);
    await page.getByRole("button", { name: "Undo delete tank" }).click();
    await page.getByText("in level, at 100.0, 50.0").waitFor();
    const names = ["level", "tank", "turret", "barrel", "flag", "crate"];
    expect(await page.locator("nav button").allTextContents()).toEqual(names);
    expect(errors).toEqual([]);
    await page.close();
  });
});

describe("the fiber scene", () => {
  it("takes away the ball that is clicked", async () => {
    const { page, errors } = await open("fiber-scene/?time=3");
    const isOrange = async () => {
      const picture = await page.screenshot({ clip: { x: 285, y: 190, width: 10, height: 10 } });
      return picture.length;
    };
    const before = await isOrange();
    await page.mouse.move(292, 196);
    await page.mouse.click(292, 196);
    await expect.poll(isOrange, { timeout: 20_000 }).not.toBe(before);
    expect(errors).toEqual([]);
    await page.close();
  });
});
