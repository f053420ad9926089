import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { closePages, sharedBrowser } from "../../../test/browser/shared-browser.ts";
import {
  openEditor,
  row,
  type ServedEditor,
  savedEntry,
  savedText,
  screenPosition,
  serveEditor,
  settled,
  smallScene,
  undoLabels,
  worldPosition,
} from "./editor-page.ts";

let browser: Browser;
let served: ServedEditor;
let page: Page;
let errors: string[];

/** A red pixel. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

beforeAll(async () => {
  [browser, served] = await Promise.all([
    sharedBrowser(),
    serveEditor((folder) => {
      mkdirSync(join(folder, "art"));
      writeFileSync(
        join(folder, "level.scene.json"),
        smallScene.replace('"#88aadd" }', '"#88aadd" }, "Note": { "text": "x" }'),
      );
      writeFileSync(join(folder, "art/dot.png"), png);
      writeFileSync(join(folder, "art/bark.wav"), "RIFF");
      writeFileSync(
        join(folder, "crate.prefab.json"),
        `{ "entities": [{ "id": "crate", "name": "crate", "components": { "Transform2D": {}, "Shape": {} } }] }`,
      );
      return { open: "level.scene.json" };
    }),
  ]);
});
afterAll(async () => {
  await closePages();
  await served.close();
});
beforeEach(async () => {
  await closePages();
  ({ page, errors } = await openEditor(browser, served.url));
  await page.getByRole("button", { name: "Expand all" }).click();
  await row(page, "door").waitFor();
});
afterEach(() => {
  expect(errors).toEqual([]);
});

const item = (name: string) => page.getByRole("menuitem", { name });
const clipboard = () => page.evaluate("navigator.clipboard.readText()") as Promise<string>;
const selectedNames = () =>
  page
    .locator('.esp-row[aria-selected="true"]')
    .evaluateAll((rows) => rows.map((one) => (one as HTMLElement).dataset.name));

describe("the context menu of rows", () => {
  it("creates by kind below the row, with the keyboard alone", async () => {
    await row(page, "house").click();
    await page.keyboard.press("Shift+F10");
    await page.locator("[role=menuitem]:focus", { hasText: "Create" }).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.locator("[role=menuitem]:focus", { hasText: "Empty" }).waitFor();
    await page.keyboard.press("c");
    await page.keyboard.press("Enter");
    await row(page, "circle").waitFor();
    const { entities } = JSON.parse(await savedText(page)) as {
      entities: { name: string; parent: string }[];
    };
    expect(entities.find(({ name }) => name === "circle")).toMatchObject({
      parent: "house",
      components: { Shape: { kind: "circle" } },
    });
    // The focus is where it was.
    await page.keyboard.press("Control+z");
    await row(page, "circle").waitFor({ state: "detached" });
  });

  it("wraps in a parent, selects children and what refers to an entity, copies path and JSON", async () => {
    await row(page, "tree").click({ button: "right" });
    await item("Wrap in a parent").click();
    await row(page, "group").waitFor();
    await row(page, "level").click({ button: "right" });
    await item("Select").first().hover();
    await item("Select children").click();
    await expect.poll(selectedNames).toEqual(["house", "group"]);
    await row(page, "door").click({ button: "right" });
    await item("Copy path").click();
    await expect.poll(clipboard).toBe("/level/house/door");
    await row(page, "door").click({ button: "right" });
    await item("Copy as JSON").click();
    await expect.poll(clipboard).toContain('"id": "door"');
    await row(page, "door").click({ button: "right" });
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("menu").count()).toBe(0);
  });

  it("makes a prefab of a row: a file, an instance instead of it, and undo brings the entities back", async () => {
    const start = await savedText(page);
    const before = await worldPosition(page, "door");
    await row(page, "house").click({ button: "right" });
    await item("Make a prefab").click();
    await page.locator('.esp-row[data-name="house"][data-prefab="root"]').waitFor();
    await page.locator('[data-asset="house.prefab.json"]').waitFor();
    expect(await savedEntry(page, "house")).toMatchObject({ parent: "level", prefab: "house.prefab.json" });
    const after = await worldPosition(page, "house/door");
    expect(after.x).toBeCloseTo(before.x, 3);
    expect(after.y).toBeCloseTo(before.y, 3);
    await expect
      .poll(() => JSON.parse(readFileSync(join(served.folder, "house.prefab.json"), "utf8")).entities[0].name)
      .toBe("house");
    expect(await undoLabels(page)).toEqual(["Make a prefab of house"]);
    await page.keyboard.press("Control+z");
    expect(await savedText(page)).toBe(start);
  });
});

describe("other context menus", () => {
  it("the viewport creates where it was clicked, and takes what is under the pointer", async () => {
    const rock = await screenPosition(page, "rock");
    await page.mouse.click(rock.x, rock.y, { button: "right" });
    await item("Duplicate").waitFor();
    expect(await selectedNames()).toEqual(["rock"]);
    await page.keyboard.press("Escape");
    await page.mouse.click(rock.x - 120, rock.y + 30, { button: "right" });
    await item("Create").hover();
    await item("Rectangle").click();
    await row(page, "rectangle").waitFor();
    const made = JSON.parse(await savedText(page)).entities.at(-1);
    const at = await screenPosition(page, made.id);
    expect(Math.hypot(at.x - rock.x + 120, at.y - rock.y - 30)).toBeLessThan(2);
  });

  it("fields copy, paste and reset their value", async () => {
    await row(page, "rock").click();
    const width = page.getByLabel("Shape width", { exact: true });
    await width.click({ button: "right" });
    await item("Copy value").click();
    await expect.poll(clipboard).toBe("30");
    const height = page.getByLabel("Shape height", { exact: true });
    await height.click({ button: "right" });
    await item("Paste value").click();
    await expect.poll(() => height.inputValue()).toBe("30");
    await height.click({ button: "right" });
    await item("Reset to the default").click();
    await expect
      .poll(async () => (await savedEntry(page, "rock"))?.components?.Shape)
      .not.toHaveProperty("height");
  });

  it("assets are added by keyboard and dropped on rows", async () => {
    const asset = page.locator('[data-asset="art/dot.png"]');
    await row(page, "sky").click();
    await asset.focus();
    await page.keyboard.press("Enter");
    await row(page, "dot").waitFor();
    const parents = async () => {
      const { entities } = JSON.parse(await savedText(page)) as {
        entities: { name?: string; parent?: string }[];
      };
      return entities.filter(({ name }) => name === "dot").map(({ parent }) => parent);
    };
    await page.keyboard.press("Enter");
    await expect.poll(parents).toEqual(["sky", "sky"]);
    await page.keyboard.press("Control+z");
    await expect.poll(parents).toEqual(["sky"]);
    expect(JSON.parse(await savedText(page)).entities).toContainEqual(
      expect.objectContaining({ name: "dot", parent: "sky" }),
    );
    await page.keyboard.press("Control+z");
    await asset.dragTo(row(page, "rock"), { targetPosition: { x: 60, y: 11 } });
    await row(page, "dot").waitFor();
    expect(JSON.parse(await savedText(page)).entities).toContainEqual(
      expect.objectContaining({
        name: "dot",
        parent: "rock",
        components: expect.objectContaining({ Sprite: { texture: "art/dot.png" } }),
      }),
    );
    await asset.click({ button: "right" });
    await item("Use as texture of the selection").waitFor();
    await page.keyboard.press("Escape");
  });

  it("sounds of the project are dropped on rows and added by keyboard", async () => {
    const asset = page.locator('[data-asset="art/bark.wav"]');
    await asset.dragTo(row(page, "rock"), { targetPosition: { x: 60, y: 11 } });
    await row(page, "bark").waitFor();
    await page.keyboard.press("Control+z");
    await row(page, "bark").waitFor({ state: "detached" });
    await row(page, "sky").click();
    await asset.focus();
    await page.keyboard.press("Enter");
    await row(page, "bark").waitFor();
    expect(JSON.parse(await savedText(page)).entities).toContainEqual(
      expect.objectContaining({
        name: "bark",
        parent: "sky",
        components: expect.objectContaining({ Sound: { sound: "art/bark.wav" } }),
      }),
    );
  });

  it("a prefab replaces the selection", async () => {
    await row(page, "rock").click();
    await page.locator('[data-asset="crate.prefab.json"]').click({ button: "right" });
    await item("Replace the selection with it").click();
    await expect
      .poll(() => savedEntry(page, "rock"))
      .toMatchObject({ name: "rock", prefab: "crate.prefab.json" });
    await page.keyboard.press("Control+z");
    await expect.poll(async () => (await savedEntry(page, "rock"))?.components?.Shape).toBeDefined();
  });

  it("images from the desktop become files of the project and sprites on the row", async () => {
    await page.evaluate(
      async ([bytes, at]) => {
        const target = document.querySelector(`.esp-row[data-name="${at}"]`) as HTMLElement;
        const box = target.getBoundingClientRect();
        const data = new DataTransfer();
        const content = Uint8Array.from(atob(bytes as string), (one) => one.charCodeAt(0));
        data.items.add(new File([content], "new dot.png", { type: "image/png" }));
        for (const type of ["dragover", "drop"]) {
          target.dispatchEvent(
            new DragEvent(type, {
              dataTransfer: data,
              bubbles: true,
              cancelable: true,
              clientX: box.left + 60,
              clientY: box.top + 11,
            }),
          );
        }
      },
      [png.toString("base64"), "sky"],
    );
    await row(page, "new-dot").waitFor();
    expect(readFileSync(join(served.folder, "art/new-dot.png")).equals(png)).toBe(true);
    expect(JSON.parse(await savedText(page)).entities).toContainEqual(
      expect.objectContaining({ name: "new-dot", parent: "sky" }),
    );
  });

  it("a row dragged into a reference field is referred to", async () => {
    await page.evaluate(`(() => {
      const { document: scene } = espalierEditor;
      const rock = scene.scene.entity("rock");
      scene.world.add(rock, scene.format.component("LookAt"));
      scene.selection.replace([rock]);
      scene.touch();
    })()`);
    const field = page.locator('[data-field="LookAt.target"] .esp-reference');
    await field.scrollIntoViewIfNeeded();
    const [from, to] = [await row(page, "door").boundingBox(), await field.boundingBox()];
    await page.mouse.move(from!.x + 60, from!.y + 10);
    await page.mouse.down();
    await page.mouse.move(to!.x + 20, to!.y + 10, { steps: 5 });
    await page.locator(".esp-drag-label", { hasText: "Refer to it here" }).waitFor();
    await page.mouse.up();
    await settled(page);
    expect(await savedEntry(page, "rock")).toMatchObject({ components: { LookAt: { target: "door" } } });
  });
});
