import type { Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { row, savedEntry, savedText, settled, showScene } from "./editor-page.ts";
import { rowNames, shareEditor } from "./shared-editor.ts";

const shared = shareEditor();
let page: Page;
beforeAll(() => {
  ({ page } = shared);
});

/** Each the child of the one before it. */
const chain = (length: number) =>
  JSON.stringify({
    entities: Array.from({ length }, (_, k) => ({
      id: `n${k}`,
      name: `node ${k}`,
      ...(k === 0 ? {} : { parent: `n${k - 1}` }),
    })),
  });

const names = () => rowNames(page);
/** How much of the names on the screen can be read: the least share of a name that is inside of the panel. */
const leastReadable = async () =>
  (await page.evaluate(() => {
    const panel = (document.querySelector(".esp-tree") as HTMLElement).getBoundingClientRect();
    return Math.min(
      ...[...document.querySelectorAll<HTMLElement>(".esp-row .name")].map((name) => {
        const box = name.getBoundingClientRect();
        const range = document.createRange();
        range.selectNodeContents(name);
        const text = range.getBoundingClientRect().width;
        return (Math.min(box.right, panel.right) - Math.max(box.left, panel.left)) / text;
      }),
    );
  })) as number;
const selectedName = () => page.locator('.esp-row[data-primary="true"]').getAttribute("data-name");
const scrollTo = async (rowIndex: number) => {
  await page.evaluate((index) => {
    (document.querySelector(".esp-tree") as HTMLElement).scrollTop = 22 * index;
  }, rowIndex);
  await settled(page);
};

describe("a chain of 10,000 in the tree panel", () => {
  beforeAll(async () => {
    await showScene(page, chain(10_000));
    await page.locator(".esp-tree").focus();
    await page.keyboard.press("Shift+E");
    await settled(page);
  });

  it("shows all names in full at every depth", async () => {
    for (const at of [0, 20, 100, 5000, 9970]) {
      await scrollTo(at);
      expect(await leastReadable()).toBeGreaterThanOrEqual(1);
    }
  });

  it("pins ancestors of the visible rows, and a click on one scrolls there", async () => {
    await scrollTo(5000);
    const pins = await page.locator(".esp-pin .name").allTextContents();
    expect(pins).toEqual(["node 0", "node 5001", "node 5002", "node 5003"]);
    await page.locator(".esp-pin", { hasText: "levels between" }).getByText("5,000 levels between").waitFor();
    await page.locator(".esp-pin", { hasText: "node 5002" }).click();
    await expect.poll(selectedName).toBe("node 5002");
    expect(await page.locator(".esp-trail li").allTextContents()).toEqual([
      "node 0",
      "…",
      "node 5000",
      "node 5001",
      "node 5002",
    ]);
    await page.locator(".esp-trail").getByRole("button", { name: "node 5000" }).click();
    await expect.poll(selectedName).toBe("node 5000");
  });

  it("shows the entity that a search finds, however deep it is", async () => {
    const search = page.getByRole("searchbox");
    await search.fill("node 9990");
    await page.getByText("1 found").waitFor();
    const found = page.locator('.esp-row[data-name="node 9990"] .match');
    await found.waitFor();
    const [box, panel] = [await found.boundingBox(), await page.locator(".esp-tree").boundingBox()];
    expect(box!.width).toBeGreaterThan(40);
    expect(box!.y).toBeGreaterThanOrEqual(panel!.y);
    expect(box!.y + box!.height).toBeLessThanOrEqual(panel!.y + panel!.height);
    expect(box!.x + box!.width).toBeLessThanOrEqual(panel!.x + panel!.width);
    await search.press("ArrowDown");
    await expect.poll(selectedName).toBe("node 9990");
    await page.getByRole("searchbox").fill("");
  });

  it("shows only a branch, and everything again", async () => {
    await page.evaluate(
      "espalierEditor.document.selection.replace([espalierEditor.document.scene.entity('n9995')])",
    );
    await row(page, "node 9995").waitFor();
    await page.locator(".esp-tree").focus();
    await page.keyboard.press("Shift+B");
    await expect.poll(names).toEqual(["node 9995", "node 9996", "node 9997", "node 9998", "node 9999"]);
    expect(await page.locator('.esp-row[data-name="node 9996"]').getAttribute("aria-level")).toBe("2");
    await page.getByRole("button", { name: "Show the whole tree" }).click();
    await expect.poll(async () => (await names()).length).toBeGreaterThan(20);
  });
});

describe("the tree panel", () => {
  beforeEach(async () => {
    await showScene(page);
  });

  it("finds rows by typing the beginning of a name, even in closed parents, and creates nothing", async () => {
    const start = await savedText(page);
    await row(page, "level").click();
    await page.keyboard.type("ro");
    await expect.poll(selectedName).toBe("rock");
    // A word ends with a pause, which is measured by the times of the keys.
    await page.waitForTimeout(1000);
    await page.keyboard.type("d");
    await expect.poll(selectedName).toBe("door");
    await row(page, "door").waitFor();
    expect(await savedText(page)).toBe(start);
  });

  it("sorts what it shows by name and leaves the order of the scene", async () => {
    const start = await savedText(page);
    await page.getByRole("button", { name: "Show by name" }).click();
    await expect.poll(names).toEqual(["level", "house", "tree", "rock", "sky"]);
    // Between sorted rows there is no drop target; on a row there is.
    const [from, to] = [await row(page, "sky").boundingBox(), await row(page, "rock").boundingBox()];
    await page.mouse.move(from!.x + 60, from!.y + 10);
    await page.mouse.down();
    await page.mouse.move(to!.x + 70, to!.y + 2, { steps: 4 });
    await page.locator(".esp-drag-label.bad", { hasText: "shown by name" }).waitFor();
    await page.mouse.up();
    expect(await savedText(page)).toBe(start);
    await page.getByRole("button", { name: "Show by name" }).click();
    await expect.poll(names).toEqual(["level", "house", "tree", "sky", "rock"]);
  });

  it("collapses siblings", async () => {
    await page.getByRole("button", { name: "Expand all" }).click();
    await row(page, "door").waitFor();
    await row(page, "tree").click();
    await page.evaluate("espalierEditor.run('collapse-siblings')");
    await row(page, "door").waitFor({ state: "detached" });
    expect(await names()).toEqual(["level", "house", "tree", "sky", "rock"]);
  });

  it("chooses the depth of a drop by moving sideways behind an open last child", async () => {
    await page.getByRole("button", { name: "Expand all" }).click();
    await row(page, "door").waitFor();
    // Behind "tree", the last child of "level": to the right it goes into "level", to the left behind it.
    const drag = async (x: number, drops: boolean) => {
      const [from, to] = [await row(page, "rock").boundingBox(), await row(page, "tree").boundingBox()];
      await page.mouse.move(from!.x + 60, from!.y + 10);
      await page.mouse.down();
      await page.mouse.move(to!.x + x, to!.y + 12, { steps: 3 });
      await page.mouse.move(to!.x + x, to!.y + 20);
      if (drops) await page.mouse.up();
    };
    await drag(90, false);
    await page.locator(".esp-drag-label", { hasText: "Move after tree" }).waitFor();
    await page.keyboard.press("Escape");
    await page.mouse.up();
    await drag(26, true);
    await expect.poll(names).toEqual(["level", "house", "door", "tree", "rock", "sky"]);
    expect((await savedEntry(page, "rock"))?.parent).toBeUndefined();
  });

  it("opens a closed parent under a drag that waits there, and closes it again when the drag leaves", async () => {
    const [from, to] = [await row(page, "rock").boundingBox(), await row(page, "house").boundingBox()];
    await page.mouse.move(from!.x + 60, from!.y + 10);
    await page.mouse.down();
    await page.mouse.move(to!.x + 70, to!.y + 11, { steps: 3 });
    await row(page, "door").waitFor();
    await page.keyboard.press("Escape");
    await row(page, "door").waitFor({ state: "detached" });
    await page.mouse.up();
  });

  it("holds a lock against deleting, dragging and nudging, and says so to screen readers", async () => {
    const start = await savedText(page);
    await row(page, "rock").click();
    await page.keyboard.press("Shift+L");
    await page.getByRole("treeitem", { name: "rock, locked" }).waitFor();
    await page.keyboard.press("Delete");
    await page.getByText("rock is locked. Unlock it first.").waitFor();
    await page.locator("[data-viewport]").focus();
    await page.keyboard.press("ArrowRight");
    await row(page, "rock").click();
    await page.keyboard.press("Alt+ArrowUp");
    expect(await savedText(page)).toBe(start);
    await page.keyboard.press("Shift+L");
    await page.keyboard.press("Shift+H");
    await page.getByRole("treeitem", { name: "rock, hidden" }).waitFor();
  });

  it("warns on the row, with the reason", async () => {
    await showScene(
      page,
      `{ "entities": [
        { "id": "flat", "name": "flat", "components": { "Transform2D": { "scaleX": 0 } } },
        { "id": "lost", "name": "lost", "components": { "Transform2D": {}, "Sprite": { "texture": "gone.png" } } },
        { "id": "fine", "name": "fine", "components": { "Transform2D": {} } }
      ] }`,
    );
    await page.getByRole("treeitem", { name: "flat, warning: Its scale is 0" }).waitFor();
    expect(await row(page, "lost").locator(".esp-warning").getAttribute("title")).toBe(
      "The project has no image gone.png.",
    );
    expect(await row(page, "fine").locator(".esp-warning").count()).toBe(0);
  });

  it("brings to the front with Shift+] and sends to the back with Shift+[", async () => {
    await row(page, "house").click();
    await page.keyboard.press("Shift+BracketRight");
    await expect.poll(names).toEqual(["level", "tree", "house", "sky", "rock"]);
    await page.keyboard.press("Shift+BracketLeft");
    await expect.poll(names).toEqual(["level", "house", "tree", "sky", "rock"]);
  });
});
