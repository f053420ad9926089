import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { closePages, sharedBrowser } from "../../../test/browser/shared-browser.ts";
import {
  openEditor,
  openSample,
  row,
  type ServedEditor,
  savedEntry,
  savedText,
  serveEditor,
  settled,
  showScene,
  undoLabels,
  worldPosition,
} from "./editor-page.ts";

let browser: Browser;
let served: ServedEditor;
let page: Page;
let errors: string[];

beforeAll(async () => {
  [browser, served] = await Promise.all([sharedBrowser(), serveEditor()]);
  ({ page, errors } = await openEditor(browser, served.url));
});
afterAll(async () => {
  await closePages();
  await served.close();
});
beforeEach(async () => {
  await showScene(page);
  await page.evaluate("espalierEditor.set({ inspectorSpace: 'local' })");
});
afterEach(() => {
  expect(errors).toEqual([]);
});

const field = (name: string) => page.getByLabel(name, { exact: true });

describe("the inspector", () => {
  it("edits numbers by typing, also as a sum, and angles in degrees", async () => {
    await row(page, "rock").click();
    await field("Local x").fill("100 + 2*5");
    await field("Local x").press("Enter");
    expect((await worldPosition(page, "rock")).x).toBe(110);
    await field("Local rotation").fill("90");
    await field("Local rotation").press("Enter");
    const { rotation } = (await savedEntry(page, "rock"))!.components!.Transform2D as unknown as {
      rotation: number;
    };
    expect(rotation).toBeCloseTo(Math.PI / 2, 4);
    expect(await undoLabels(page)).toEqual(["Set Transform2D.rotation", "Set Transform2D.x"]);
  });

  it("switches between local and world, and both can be edited", async () => {
    await row(page, "tree").click();
    await page.getByRole("button", { name: "World", exact: true }).click();
    await field("World x").fill("77");
    await field("World x").press("Enter");
    expect((await worldPosition(page, "tree")).x).toBeCloseTo(77, 3);
    await field("World rotation").fill("0");
    await field("World rotation").press("Enter");
    const turn = await page.evaluate(
      "espalierEditor.document.space.worldRotation(espalierEditor.document.scene.entity('tree'))",
    );
    expect(turn).toBeCloseTo(0, 5);
  });

  it("scrubs a label: one step for one gesture", async () => {
    await row(page, "rock").click();
    const label = await page.locator('[data-field="Shape.width"] .label').boundingBox();
    await page.mouse.move(label!.x + 5, label!.y + 8);
    await page.mouse.down();
    for (const dx of [10, 20, 40]) await page.mouse.move(label!.x + 5 + dx, label!.y + 8);
    await page.mouse.up();
    expect((await savedEntry(page, "rock"))!.components!.Shape).toMatchObject({ width: 50 });
    expect(await undoLabels(page)).toEqual(["Set Shape.width"]);
  });

  it("shows mixed values of several and writes all of them", async () => {
    await row(page, "rock").click();
    await row(page, "sky").click({ modifiers: ["Control"] });
    await expect.poll(() => field("Shape height").getAttribute("placeholder")).toBe("mixed");
    await field("Shape height").fill("12");
    await field("Shape height").press("Enter");
    for (const id of ["rock", "sky"])
      expect((await savedEntry(page, id))!.components!.Shape).toMatchObject({ height: 12 });
    expect(await undoLabels(page)).toHaveLength(1);
  });

  it("refuses a wrong value at its field and changes nothing", async () => {
    await row(page, "rock").click();
    await page.getByRole("button", { name: "Add component" }).click();
    await page.getByLabel("Find a component").fill("Camera");
    await page.getByLabel("Find a component").press("Enter");
    await field("Camera priority").fill("99999");
    await field("Camera priority").press("Enter");
    const error = page.locator('[data-field="Camera.priority"] .error');
    await error.waitFor();
    expect(await error.textContent()).toContain("integer from -32768 to 32767");
    await page.getByRole("button", { name: "Remove Camera" }).click();
    await page.locator('[data-component="Camera"]').waitFor({ state: "detached" });
  });

  it("edits colours, enums, flags, references and lists", async () => {
    await row(page, "rock").click();
    await field("Shape fill").fill("#112233");
    await field("Shape kind").selectOption("ellipse");
    await page.getByRole("button", { name: "Add component" }).click();
    await page.getByLabel("Find a component").fill("LookAt");
    await page.getByLabel("Find a component").press("Enter");
    await page.getByRole("button", { name: "LookAt target: Pick in the tree or the viewport" }).click();
    await row(page, "sky").click();
    await field("Shape points").fill("[0, 0, 5, 5]");
    await field("Shape points").press("Tab");
    const { components } = (await savedEntry(page, "rock"))!;
    expect(components).toMatchObject({
      Shape: { kind: "ellipse", fill: "#112233", points: [0, 0, 5, 5] },
      LookAt: { target: "sky" },
    });
    await row(page, "sky").click();
    await page.locator(".esp-list button", { hasText: "LookAt.target" }).waitFor();
  });

  it("shows own and effective state side by side, and what is inherited", async () => {
    await row(page, "level").click();
    await page.locator('[data-state="visible"]').click();
    await row(page, "house").click();
    await page.waitForFunction(() =>
      document.querySelector('[data-state="visible"]')?.textContent?.includes("own inherit · effective no"),
    );
    await page.getByRole("checkbox", { name: "rot" }).uncheck();
    expect((await savedEntry(page, "house"))!.components!.InheritTransform).toMatchObject({
      rotation: false,
    });
  });

  it("marks what differs from a prefab, reverts one field, applies to all instances, unpacks", async () => {
    await openSample(page, "tanks");
    await row(page, "bravo").waitFor();
    const start = await savedText(page);
    await row(page, "bravo").click();
    const fill = page.locator('[data-field="Shape.fill"]');
    await fill.waitFor();
    await expect.poll(() => fill.getAttribute("data-override")).toBe("true");
    await page.getByRole("button", { name: "Revert to the prefab: fill" }).click();
    await settled(page);
    expect((await savedEntry(page, "bravo"))?.components?.Shape).toBeUndefined();
    await page.keyboard.press("Control+z");
    expect(await savedText(page)).toBe(start);
    await page.getByRole("button", { name: "Revert to the prefab: rotation" }).click();
    expect((await savedEntry(page, "bravo"))?.components?.Transform2D).not.toHaveProperty("rotation");
    await page.keyboard.press("Control+z");
    const prefab = await page.evaluate("espalierEditor.project.prefabs.tank");
    await page.getByRole("button", { name: "Apply to prefab" }).click();
    await page.waitForFunction(`espalierEditor.project.prefabs.tank.includes("#8a5a4a")`);
    const color = await page.evaluate(`(() => {
      const { document } = espalierEditor;
      return document.world.get(document.scene.entity("charlie"), document.format.component("Shape")).fill;
    })()`);
    expect(color).toBe(0x8a5a4a);
    const applied = await savedText(page);
    // Undo takes back the text of the prefab, too, and redo brings it again.
    await page.keyboard.press("Control+z");
    expect(await page.evaluate("espalierEditor.project.prefabs.tank")).toBe(prefab);
    expect(await savedText(page)).toBe(start);
    await expect.poll(() => fill.getAttribute("data-override")).toBe("true");
    await page.keyboard.press("Control+Shift+Z");
    await page.waitForFunction(`espalierEditor.project.prefabs.tank.includes("#8a5a4a")`);
    expect(await savedText(page)).toBe(applied);
    await page.getByRole("button", { name: "Unpack" }).click();
    await settled(page);
    expect((await savedEntry(page, "bravo")) as object).not.toHaveProperty("prefab");
  });

  it("edits a prefab in place: the scene follows as one step", async () => {
    await openSample(page, "tanks");
    await row(page, "alpha").click();
    await page.getByRole("button", { name: "Edit prefab" }).click();
    await row(page, "tank").click();
    await field("Shape width").fill("90");
    await field("Shape width").press("Enter");
    await page.getByRole("button", { name: "tanks.scene.json" }).click();
    await row(page, "alpha").waitFor();
    const width = await page.evaluate(`(() => {
      const { document } = espalierEditor;
      return document.world.get(document.scene.entity("charlie"), document.format.component("Shape")).width;
    })()`);
    expect(width).toBe(90);
    expect(await undoLabels(page)).toEqual(["Edit tank"]);
    await page.keyboard.press("Control+z");
    expect(await page.evaluate(`espalierEditor.project.prefabs.tank.includes("90")`)).toBe(false);
  });
});
