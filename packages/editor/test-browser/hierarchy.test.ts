import type { Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  dragRow,
  dropFile,
  openSample,
  renameRow,
  row,
  savedEntry,
  savedText,
  settled,
  showScene,
  undoLabels,
  worldPosition,
} from "./editor-page.ts";
import { rowNames, shareEditor } from "./shared-editor.ts";

const shared = shareEditor();
let page: Page;
beforeAll(() => {
  ({ page } = shared);
});
beforeEach(async () => {
  await showScene(page);
});

const names = () => rowNames(page);
const expandAll = async () => {
  await page.getByRole("button", { name: "Expand all" }).click();
  await row(page, "door").waitFor();
};

describe("the tree panel", () => {
  it("drags a row into another: the saved parent changes, the position in the world does not", async () => {
    await expandAll();
    const before = await worldPosition(page, "door");
    await dragRow(page, "door", "tree", 0.5);
    await settled(page);
    expect((await savedEntry(page, "door"))?.parent).toBe("tree");
    const after = await worldPosition(page, "door");
    expect(after.x).toBeCloseTo(before.x, 2);
    expect(after.y).toBeCloseTo(before.y, 2);
    await page.keyboard.press("Control+z");
    expect((await savedEntry(page, "door"))?.parent).toBe("house");
  });

  it("with Alt a drag keeps the local values", async () => {
    await expandAll();
    const before = (await savedEntry(page, "door"))?.components?.Transform2D;
    await dragRow(page, "door", "tree", 0.5, { alt: true });
    await settled(page);
    expect(await savedEntry(page, "door")).toMatchObject({
      parent: "tree",
      components: { Transform2D: before },
    });
  });

  it("refuses a cycle visibly while hovering, with the reason, and drops nothing", async () => {
    await expandAll();
    const start = await savedText(page);
    await dragRow(page, "level", "door", 0.5, { drop: false });
    const label = page.locator(".esp-drag-label.bad");
    await label.waitFor();
    expect(await label.textContent()).toContain("its own ancestor");
    expect(await page.locator(".esp-drop-into.bad").count()).toBe(1);
    await page.mouse.up();
    await settled(page);
    expect(await savedText(page)).toBe(start);
  });

  it("reorders between rows, and several at once; undo brings all back in one step", async () => {
    const start = await savedText(page);
    await dragRow(page, "rock", "sky", 0.1);
    await expect.poll(names).toEqual(["level", "house", "tree", "rock", "sky"]);
    await page.keyboard.press("Control+z");
    await row(page, "sky").click();
    await row(page, "rock").click({ modifiers: ["Control"] });
    await dragRow(page, "rock", "house", 0.9);
    await settled(page);
    expect([(await savedEntry(page, "sky"))?.parent, (await savedEntry(page, "rock"))?.parent]).toEqual([
      "level",
      "level",
    ]);
    expect(await undoLabels(page)).toEqual(["Move 2 entities to level"]);
    await page.keyboard.press("Control+z");
    expect(await savedText(page)).toBe(start);
  });

  it("makes a root of what is dropped on empty space", async () => {
    const tree = await page.locator(".esp-tree").boundingBox();
    const from = await row(page, "house").boundingBox();
    await page.mouse.move(from!.x + 60, from!.y + 10);
    await page.mouse.down();
    await page.mouse.move(tree!.x + 80, tree!.y + tree!.height - 60, { steps: 5 });
    await page.mouse.up();
    await expect.poll(names).toEqual(["level", "tree", "sky", "rock", "house"]);
    expect((await savedEntry(page, "house"))?.parent).toBeUndefined();
  });

  it("is operated by keyboard alone: walk, expand, extend, rename, move, delete", async () => {
    await page.locator(".esp-tree").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await page.locator('.esp-row[data-focus="true"][data-name="house"]').waitFor();
    await page.keyboard.press("ArrowRight");
    await row(page, "door").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.locator('.esp-row[data-focus="true"][data-name="door"]').waitFor();
    await renameRow(page, "gate");
    expect((await savedEntry(page, "door"))?.name).toBe("gate");
    await page.keyboard.press("Alt+ArrowLeft");
    expect((await savedEntry(page, "door"))?.parent).toBe("level");
    await page.keyboard.press("Alt+ArrowUp");
    await expect.poll(async () => (await names()).slice(0, 3)).toEqual(["level", "gate", "house"]);
    await page.keyboard.press("Delete");
    expect(await savedEntry(page, "door")).toBeUndefined();
    await page.locator(".esp-tree[aria-activedescendant]").waitFor();
  });

  it("creates entities and children, renames by double click, and folds everything", async () => {
    await row(page, "sky").click();
    await page.getByRole("button", { name: "Create entity" }).click();
    await row(page, "entity").waitFor();
    await row(page, "tree").click();
    await page.keyboard.press("Shift+A");
    await expect.poll(() => row(page, "entity").count()).toBe(2);
    const { entities } = JSON.parse(await savedText(page)) as {
      entities: { name: string; parent?: string }[];
    };
    expect(entities.filter(({ name }) => name === "entity").map(({ parent }) => parent)).toContain("tree");
    await row(page, "sky").dblclick();
    await page.locator(".esp-row input.rename:focus").fill("dome");
    await page.keyboard.press("Enter");
    await row(page, "dome").waitFor();
    await page.getByRole("button", { name: "Collapse all" }).click();
    await row(page, "house").waitFor({ state: "detached" });
    await page.locator(".esp-tree").focus();
    await page.keyboard.press("Shift+E");
    await row(page, "door").waitFor();
  });

  it("marks instances of prefabs", async () => {
    await openSample(page, "tanks");
    await page.locator('.esp-row[data-name="bravo"][data-prefab="root"]').waitFor();
    await page.locator('.esp-row[data-name="road"]:not([data-prefab="root"])').waitFor();
  });

  it("drags by keyboard and announces what happens", async () => {
    await row(page, "sky").click();
    await page.keyboard.press("Shift+M");
    const live = page.locator('.esp-panel [aria-live="assertive"]');
    await page.waitForFunction(() =>
      document.querySelector('[aria-live="assertive"]')?.textContent?.includes("Moving sky"),
    );
    for (let k = 0; k < 2; k++) await page.keyboard.press("ArrowUp");
    await expect.poll(() => live.textContent()).toContain("tree");
    await page.keyboard.press("Enter");
    await expect.poll(() => live.textContent()).toContain("Moved sky");
    expect((await savedEntry(page, "sky"))?.parent).toBe("tree");
  });

  it("finds by name, component and path, and shows what is above", async () => {
    const search = page.getByRole("searchbox");
    await search.fill("door");
    await expect.poll(names).toEqual(["level", "house", "door"]);
    await search.fill("/level/*");
    await page.waitForFunction(() => document.querySelectorAll(".esp-row").length === 3);
    await search.fill("c:Shape r");
    await page.waitForFunction(() => document.querySelector("output")?.textContent?.startsWith("3"));
    await search.press("Escape");
    await row(page, "rock").waitFor();
  });

  it("duplicates, groups, ungroups, copies and pastes between windows", async () => {
    const start = await savedText(page);
    await row(page, "rock").click();
    await page.keyboard.press("Control+d");
    await page.waitForFunction(() => document.querySelectorAll('[data-name="rock"]').length === 2);
    await page.keyboard.press("Control+z");
    await page.waitForFunction(() => document.querySelectorAll('[data-name="rock"]').length === 1);
    await row(page, "rock").click();
    await row(page, "sky").click({ modifiers: ["Control"] });
    await page.keyboard.press("Control+g");
    await row(page, "group").waitFor();
    await page.keyboard.press("Control+Shift+G");
    await page.waitForFunction(() => document.querySelector('[data-name="group"]') === null);
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    expect(await savedText(page)).toBe(start);
    await row(page, "house").click();
    await page.keyboard.press("Control+c");
    // The clipboard is written a moment later.
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toContain('"house"');
    const other = await page.context().newPage();
    await other.goto(shared.served.url);
    await other.waitForSelector(".esp");
    await dropFile(other, "other.scene.json", `{ "entities": [{ "id": "a", "name": "a" }] }`);
    await other.locator(".esp-tree").focus();
    await other.keyboard.press("Control+v");
    await row(other, "house").waitFor();
    const { entities } = JSON.parse(await savedText(other));
    expect(entities.map(({ name }: { name: string }) => name)).toEqual(["a", "house", "door"]);
    await other.close();
    await page.bringToFront();
  });

  it("shows own and effective visibility and locks", async () => {
    await expandAll();
    await row(page, "house").hover();
    await row(page, "house").locator('[data-label="Hide"]').click();
    await row(page, "door").locator('[data-label="Hide"][data-effective="true"][data-own="false"]').waitFor();
    await row(page, "tree").click();
    await page.keyboard.press("Shift+L");
    await row(page, "tree").locator('[data-label="Unlock"][data-own="true"]').waitFor();
  });
});
