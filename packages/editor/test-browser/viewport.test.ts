import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { PNG } from "pngjs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { closePages, sharedBrowser } from "../../../test/browser/shared-browser.ts";
import {
  openEditor,
  openSample,
  row,
  type ServedEditor,
  savedEntry,
  savedText,
  screenPosition,
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
  browser = await sharedBrowser();
  served = await serveEditor((folder) => {
    const image = new PNG({ width: 16, height: 16 });
    for (let k = 0; k < image.data.length; k += 4) image.data.set([0x10, 0xf0, 0x20, 255], k);
    mkdirSync(join(folder, "art"));
    writeFileSync(join(folder, "art/leaf.png"), PNG.sync.write(image));
    return undefined;
  });
  ({ page, errors } = await openEditor(browser, served.url));
});
afterAll(async () => {
  await closePages();
  await served.close();
});
beforeEach(async () => {
  await showScene(page);
  await page.evaluate(
    "espalierEditor.view.set({ tool: 'move', snapOn: false, withoutChildren: false, orientation: 'world', pivot: 'origin' })",
  );
  await settled(page);
});
afterEach(() => {
  expect(errors).toEqual([]);
});

const selected = async () =>
  (await page.evaluate(
    "espalierEditor.document.selection.entities.map((e) => espalierEditor.document.label(e))",
  )) as string[];

async function drag(from: { x: number; y: number }, dx: number, dy: number): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + dx / 2, from.y + dy / 2, { steps: 3 });
  await page.mouse.move(from.x + dx, from.y + dy, { steps: 3 });
  await page.mouse.up();
  await settled(page);
}

/** How many pixels of the viewport have each colour, as seen on the screen. */
async function countPixels(of = page): Promise<ReadonlyMap<number, number>> {
  await settled(of);
  const { data } = PNG.sync.read(await of.locator(".esp-viewport").screenshot());
  const counts = new Map<number, number>();
  for (let k = 0; k < data.length; k += 4) {
    const color = (data[k]! << 16) | (data[k + 1]! << 8) | data[k + 2]!;
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  return counts;
}

/** How many pixels of the overlay are drawn at all. */
async function countOverlay(): Promise<number> {
  await settled(page);
  return await page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>("[data-viewport]")!;
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    return data.filter((alpha, k) => k % 4 === 3 && alpha !== 0).length;
  });
}

const zoom = async () => (await page.evaluate("espalierEditor.view.viewport.camera.zoom")) as number;

describe("the viewport", () => {
  it("selects by click, reveals the row, and selects the child on another click", async () => {
    const door = await screenPosition(page, "door");
    await page.mouse.click(door.x, door.y);
    await row(page, "door").waitFor();
    expect(await selected()).toEqual(["door"]);
    await page.mouse.click(door.x, door.y);
    await expect.poll(selected).toEqual(["house"]);
    const box = await page.locator("[data-viewport]").boundingBox();
    await page.mouse.click(box!.x + 6, box!.y + box!.height - 40);
    expect(await selected()).toEqual([]);
  });

  it("selects a text wherever it is drawn", async () => {
    const text = `{ "text": "WWWWWWWW", "size": 40 }`;
    await showScene(
      page,
      `{ "entities": [{ "id": "sign", "name": "sign", "components": { "Transform2D": {}, "TextBlock": ${text} } }] }`,
    );
    await settled(page);
    const { x, y } = await screenPosition(page, "sign");
    const zoom = (await page.evaluate("espalierEditor.view.viewport.camera.zoom")) as number;
    // Wide letters: a guess by their number would end well before.
    await page.mouse.click(x + 120 * zoom, y);
    await expect.poll(() => page.evaluate("espalierEditor.document.selection.size")).toBe(1);
    await page.mouse.click(x + 165 * zoom, y);
    await expect.poll(() => page.evaluate("espalierEditor.document.selection.size")).toBe(0);
  });

  it("selects in a rectangle", async () => {
    const [sky, rock] = [await screenPosition(page, "sky"), await screenPosition(page, "rock")];
    await drag({ x: sky.x - 60, y: sky.y - 50 }, rock.x - sky.x + 120, rock.y - sky.y + 100);
    expect((await selected()).sort()).toEqual(["door", "house", "level", "rock", "sky", "tree"]);
  });

  it("drags what is under the pointer: one step, exact in the world", async () => {
    const start = await savedText(page);
    const [before, at, scale] = [
      await worldPosition(page, "rock"),
      await screenPosition(page, "rock"),
      await zoom(),
    ];
    await drag(at, 60, -30);
    const after = await worldPosition(page, "rock");
    expect(after.x).toBeCloseTo(before.x + 60 / scale, 1);
    expect(after.y).toBeCloseTo(before.y - 30 / scale, 1);
    expect(await undoLabels(page)).toEqual(["Move"]);
    await page.keyboard.press("Control+z");
    expect(await savedText(page)).toBe(start);
  });

  it("moves along an axis, turns, scales and skews with the gizmos (W, E, R, T)", async () => {
    await row(page, "rock").click();
    await page.locator("[data-viewport]").focus();
    const at = await screenPosition(page, "rock");
    const before = await worldPosition(page, "rock");
    await drag({ x: at.x + 50, y: at.y }, 40, 25);
    const moved = await worldPosition(page, "rock");
    expect(moved.x).toBeGreaterThan(before.x + 5);
    expect(moved.y).toBeCloseTo(before.y, 3);
    const next = await screenPosition(page, "rock");
    await page.keyboard.press("e");
    await drag({ x: next.x + 58, y: next.y }, -58, 58);
    const { rotation } = (await savedEntry(page, "rock"))!.components!.Transform2D as unknown as {
      rotation: number;
    };
    expect(rotation).toBeCloseTo(Math.PI / 2, 1);
    await page.keyboard.press("r");
    await drag({ x: next.x + 50, y: next.y }, 50, 0);
    const transform = (await savedEntry(page, "rock"))!.components!.Transform2D as unknown as {
      scaleY?: number;
    };
    expect(transform.scaleY).toBeCloseTo(2, 1);
    await page.keyboard.press("t");
    await drag({ x: next.x, y: next.y + 50 }, 20, 0);
    expect(await undoLabels(page)).toEqual(["Skew", "Scale", "Rotate", "Move"]);
  });

  it("moves a parent without its children", async () => {
    await page.evaluate("espalierEditor.view.set({ withoutChildren: true })");
    await row(page, "house").click();
    const [house, door] = [await worldPosition(page, "house"), await worldPosition(page, "door")];
    const at = await screenPosition(page, "house");
    await drag({ x: at.x + 3, y: at.y + 3 }, 45, 0);
    expect((await worldPosition(page, "house")).x).toBeGreaterThan(house.x + 5);
    expect((await worldPosition(page, "door")).x).toBeCloseTo(door.x, 2);
  });

  it("snaps to the grid when snapping is on", async () => {
    await page.evaluate(
      "espalierEditor.view.set({ snapOn: true, snap: { grid: 16, angle: 15, edges: false } })",
    );
    const at = await screenPosition(page, "rock");
    await drag(at, 37, 21);
    const { x, y } = await worldPosition(page, "rock");
    expect([x % 16, y % 16].map(Math.abs)).toEqual([0, 0]);
  });

  it("turns in steps of an angle when snapping is on", async () => {
    await page.evaluate(
      "espalierEditor.view.set({ snapOn: true, snap: { grid: 0, angle: 15, edges: false } })",
    );
    await row(page, "rock").click();
    await page.locator("[data-viewport]").focus();
    await page.keyboard.press("e");
    const at = await screenPosition(page, "rock");
    await drag({ x: at.x + 58, y: at.y }, -20, 40);
    const { rotation } = (await savedEntry(page, "rock"))!.components!.Transform2D as unknown as {
      rotation: number;
    };
    const steps = (rotation * 180) / Math.PI / 15;
    expect(Math.abs(steps)).toBeGreaterThan(0.5);
    expect(steps).toBeCloseTo(Math.round(steps), 3);
  });

  it("moves along the axes of the entity after X, and turns several around their middle after P", async () => {
    await row(page, "house").click();
    await page.locator("[data-viewport]").focus();
    await page.keyboard.press("x");
    await settled(page);
    const at = await screenPosition(page, "house");
    const before = await worldPosition(page, "house");
    // Its x axis points 0.3 radians down from the right: a handle along it, dragged to the right.
    await drag({ x: at.x + 50 * Math.cos(0.3), y: at.y + 50 * Math.sin(0.3) }, 60, 0);
    const after = await worldPosition(page, "house");
    expect(Math.atan2(after.y - before.y, after.x - before.x)).toBeCloseTo(0.3, 2);

    await row(page, "sky").click();
    await row(page, "rock").click({ modifiers: ["Control"] });
    await page.locator("[data-viewport]").focus();
    await page.keyboard.press("p");
    await page.keyboard.press("e");
    await settled(page);
    const ends = async () => [await worldPosition(page, "sky"), await worldPosition(page, "rock")] as const;
    const [sky, rock] = await ends();
    const [a, b] = [await screenPosition(page, "sky"), await screenPosition(page, "rock")];
    const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    await drag({ x: middle.x + 58, y: middle.y }, -58, 58);
    const [turnedSky, turnedRock] = await ends();
    expect(turnedSky.x).not.toBeCloseTo(sky.x, 0);
    expect((turnedSky.x + turnedRock.x) / 2).toBeCloseTo((sky.x + rock.x) / 2, -1);
    expect((turnedSky.y + turnedRock.y) / 2).toBeCloseTo((sky.y + rock.y) / 2, -1);
  });

  it("nudges by arrow keys: a row of them is one step", async () => {
    await row(page, "rock").click();
    await page.locator("[data-viewport]").focus();
    const before = await worldPosition(page, "rock");
    await page.keyboard.down("ArrowRight");
    await page.keyboard.down("ArrowRight");
    await page.keyboard.up("ArrowRight");
    expect((await worldPosition(page, "rock")).x).toBe(before.x + 2);
    expect(await undoLabels(page)).toEqual(["Nudge"]);
    await page.keyboard.press("Shift+ArrowUp");
    expect((await worldPosition(page, "rock")).y).toBe(before.y - 10);
  });

  it("zooms around the pointer, pans with the middle button, and fits the selection with F", async () => {
    const box = (await page.locator("[data-viewport]").boundingBox())!;
    const before = await zoom();
    const sky = await screenPosition(page, "sky");
    await page.mouse.move(sky.x, sky.y);
    await page.mouse.wheel(0, -300);
    await expect.poll(zoom).toBeGreaterThan(before * 1.3);
    await expect.poll(async () => Math.abs((await screenPosition(page, "sky")).x - sky.x)).toBeLessThan(2);
    await page.mouse.down({ button: "middle" });
    await page.mouse.move(sky.x + 50, sky.y + 20, { steps: 3 });
    await page.mouse.up({ button: "middle" });
    expect(Math.abs((await screenPosition(page, "sky")).x - sky.x - 50)).toBeLessThan(3);
    await row(page, "rock").click();
    await page.keyboard.press("Shift+F");
    await expect
      .poll(async () => (await screenPosition(page, "rock")).x)
      .toBeCloseTo(box.x + box.width / 2, 0);
    expect((await screenPosition(page, "rock")).y).toBeCloseTo(box.y + box.height / 2, 0);
  });

  it("draws the scene: there are pixels of its colours", async () => {
    const pixels = await countPixels();
    for (const color of [0xb05a4a, 0x4a9a4a, 0x88aadd, 0x777777]) {
      expect(pixels.get(color)).toBeGreaterThan(20);
    }
  });

  it("draws the scene without WebGL too", async () => {
    const other = await page.context().newPage();
    await other.addInitScript(() => {
      const { getContext } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string) {
        return kind === "2d" ? (getContext as (kind: string) => unknown).call(this, kind) : null;
      } as never;
    });
    await other.goto(page.url());
    await other.waitForFunction("espalierEditor.view.viewport?.isReady === true");
    await showScene(other);
    const pixels = await countPixels(other);
    for (const color of [0xb05a4a, 0x777777]) expect(pixels.get(color)).toBeGreaterThan(20);
    await other.close();
  });

  it("snaps to edges of others by mouse, and shows where", async () => {
    await page.evaluate(
      "espalierEditor.view.set({ snapOn: true, snap: { grid: 0, angle: 0, edges: true } })",
    );
    const [at, sky, factor] = [
      await screenPosition(page, "rock"),
      await worldPosition(page, "sky"),
      await zoom(),
    ];
    const rock = await worldPosition(page, "rock");
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    // Both are 30 wide: 3 pixels beside the point where their edges meet, within the reach of snapping.
    await page.mouse.move(at.x + (sky.x - rock.x) * factor + 3, at.y - 10, { steps: 5 });
    await expect.poll(async () => (await countPixels()).get(0xe0b15c)).toBeGreaterThan(100);
    await page.mouse.up();
    expect((await worldPosition(page, "rock")).x).toBeCloseTo(sky.x, 4);
  });

  it("draws links between parents and children on demand", async () => {
    await expect.poll(countOverlay).toBe(0);
    await page.getByRole("button", { name: "Parent links" }).click();
    await expect.poll(countOverlay).toBeGreaterThan(50);
    await page.getByRole("button", { name: "Parent links" }).click();
    await expect.poll(countOverlay).toBe(0);
  });

  it("takes an image from the asset panel, where it is dropped", async () => {
    const box = (await page.locator("[data-viewport]").boundingBox())!;
    await page.locator('[data-asset="art/leaf.png"]').dragTo(page.locator("[data-viewport]"), {
      targetPosition: { x: box.width / 2, y: box.height / 2 },
    });
    await row(page, "leaf").waitFor();
    const { entities } = JSON.parse(await savedText(page));
    expect(entities.at(-1)).toMatchObject({ components: { Sprite: { texture: "art/leaf.png" } } });
    await page.keyboard.press("Escape");
    // Its own colour, so the picture itself was loaded and drawn.
    await expect.poll(async () => (await countPixels()).get(0x10f020)).toBeGreaterThan(20);
  });

  it("takes a prefab from the asset panel, where it is dropped", async () => {
    await openSample(page, "tanks");
    await row(page, "units").waitFor();
    const box = (await page.locator("[data-viewport]").boundingBox())!;
    await page.locator('[data-asset="crate"]').dragTo(page.locator("[data-viewport]"), {
      targetPosition: { x: box.width / 2, y: box.height / 2 },
    });
    await page.waitForFunction("espalierEditor.document.history.undoLabels.length === 1");
    const { entities } = JSON.parse(await savedText(page));
    expect(entities.at(-1)).toMatchObject({ prefab: "crate" });
  });
});
