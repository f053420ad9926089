import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import {
  dragRow,
  openEditor,
  openSample,
  row,
  runCommand,
  savedEntry,
  settled,
  showScene,
  undoLabels,
  worldPosition,
} from "./editor-page.ts";
import { shareEditor } from "./shared-editor.ts";
import { violations } from "./violations.ts";

const shared = shareEditor();
let page: Page;
beforeAll(() => {
  ({ page } = shared);
});

const field = (label: string) => page.getByLabel(label, { exact: true });
const type = async (label: string, text: string) => {
  await field(label).fill(text);
  await field(label).press("Enter");
};
const shape = async (id: string) => (await savedEntry(page, id))?.components?.Shape as unknown;

describe("the inspector", () => {
  it("accepts relative changes and functions, for each of several entities, as one step", async () => {
    await showScene(page);
    await row(page, "sky").click();
    await row(page, "rock").click({ modifiers: ["Control"] });
    await type("Shape height", "+=10");
    expect([await shape("sky"), await shape("rock")]).toMatchObject([{ height: 30 }, { height: 34 }]);
    expect(await undoLabels(page)).toHaveLength(1);
    await type("Shape height", "*2");
    await type("Local x", "-= 20");
    expect([await shape("sky"), await shape("rock")]).toMatchObject([{ height: 60 }, { height: 68 }]);
    expect((await savedEntry(page, "rock"))?.components?.Transform2D).toMatchObject({ x: 100 });
    await type("Shape width", "sqrt(16) + 1");
    expect([await shape("sky"), await shape("rock")]).toMatchObject([{ width: 5 }, { width: 5 }]);
  });

  it("moves a parent and its child by the same world offset, and changes nothing when one is refused", async () => {
    await showScene(page);
    await page.evaluate(
      "espalierEditor.view.expandAll(); espalierEditor.view.set({ inspectorSpace: 'world' })",
    );
    await row(page, "level").click();
    await row(page, "house").click({ modifiers: ["Control"] });
    const before = [await worldPosition(page, "level"), await worldPosition(page, "house")];
    await type("World x", "+=10");
    const after = [await worldPosition(page, "level"), await worldPosition(page, "house")];
    expect(after.map(({ x }, k) => Math.round(x - before[k]!.x))).toEqual([10, 10]);
    expect(await undoLabels(page)).toHaveLength(1);
    await type("World x", "*1e308");
    await page.getByRole("alert").first().waitFor();
    expect(await worldPosition(page, "level")).toEqual(after[0]);
    expect(await undoLabels(page)).toHaveLength(1);
    await page.evaluate("espalierEditor.view.set({ inspectorSpace: 'local' })");
  });

  it("reports at the field what is not a number, and keeps what was typed", async () => {
    await showScene(page);
    await row(page, "rock").click();
    await type("Shape width", "abc");
    await page.getByRole("alert").getByText("abc is not a number.").waitFor();
    expect(await field("Shape width").inputValue()).toBe("abc");
    await type("Shape width", "1e400");
    await page.getByRole("alert").getByText("1e400 is too large").waitFor();
    expect(await shape("rock")).toMatchObject({ width: 30 });
    await field("Shape width").press("Escape");
    expect(await field("Shape width").inputValue()).toBe("30");
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("hides fields that do not apply, and folds sections, even after a reload", async () => {
    await showScene(page);
    await row(page, "rock").click();
    await field("Shape width").waitFor();
    expect(await field("Shape radius").count()).toBe(0);
    await field("Shape kind").selectOption("circle");
    await field("Shape radius").waitFor();
    expect(await field("Shape width").count()).toBe(0);
    const fold = page.getByRole("button", { name: "Shape", exact: true });
    await fold.click();
    await field("Shape radius").waitFor({ state: "detached" });
    expect(await fold.getAttribute("aria-expanded")).toBe("false");
    expect(await page.evaluate("localStorage.getItem('espalier-editor-settings')")).toContain(
      '"folded":["Shape"]',
    );
    await fold.click();
    await field("Shape radius").waitFor();
  });

  it("shows the coordinates of one thing in one row, each with its own input", async () => {
    await showScene(page);
    await row(page, "rock").click();
    const pair = page.locator(".esp-field", { has: page.locator('[data-field="Shape.scaleX"]') });
    await expect.poll(() => pair.locator(".label").textContent()).toBe("scale");
    expect(await pair.locator("input").count()).toBe(2);
    await type("Shape scaleY", "*3");
    expect(await shape("rock")).toMatchObject({ scaleY: 3 });
    const letter = (await page.locator('[data-field="Shape.scaleX"] > .x').boundingBox())!;
    await page.mouse.move(letter.x + 3, letter.y + 5);
    await page.mouse.down();
    await page.mouse.move(letter.x + 53, letter.y + 5, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => shape("rock")).toMatchObject({ scaleX: expect.closeTo(1.5, 1) });
    expect(await undoLabels(page)).toEqual(["Set Shape.scaleX", "Set Shape.scaleY"]);
  });

  it("gives rows an icon and a colour by component, as the user chooses", async () => {
    await showScene(page);
    await row(page, "rock").click();
    await page.getByRole("button", { name: "Shape", exact: true }).click({ button: "right" });
    await page.getByRole("menuitem", { name: "Colour in the tree" }).hover();
    await page.getByRole("menuitem", { name: "violet" }).click();
    await expect
      .poll(() =>
        row(page, "rock")
          .locator(".esp-kind")
          .evaluate((kind) => getComputedStyle(kind).color),
      )
      .toBe("rgb(165, 107, 208)");
    await page.evaluate("espalierEditor.view.set({ marks: {} })");
  });
});

describe("the shell", () => {
  it("shows a prefab with a frame and the way back, and finds entities in the palette", async () => {
    await openSample(page, "tanks");
    await row(page, "bravo").click();
    await page.getByRole("button", { name: "Edit prefab" }).click();
    await page.locator('.esp[data-prefab="true"]').waitFor();
    expect(await violations(page)).toEqual([]);
    await page
      .locator('.esp[data-prefab="true"] .esp-behind')
      .getByRole("button", { name: "tanks.scene.json" })
      .click();
    await page.locator('.esp[data-prefab="false"]').waitFor();
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Type a command").fill("muzz");
    await page.locator('[cmdk-item][data-selected="true"]', { hasText: "gun emplacement" }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator('.esp-row[data-name="muzzle"][data-primary="true"]').waitFor();
  });

  it("does not move the play buttons when a scene plays", async () => {
    const play = page.locator('[data-tour="play"]');
    const before = await play.boundingBox();
    await page.getByRole("button", { name: "Play" }).click();
    await page.getByRole("button", { name: "Stop and keep changes" }).waitFor();
    expect(await play.boundingBox()).toEqual(before);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
  });

  it("shows messages without handles and codes, which appear on request", async () => {
    await page.evaluate(
      `espalierEditor.notes.fail(new Error("Cannot move tank#2 under gun#4: it would become its own ancestor. [hierarchy/cycle]"))`,
    );
    await page
      .getByText("Cannot move tank under gun: it would become its own ancestor.", { exact: true })
      .waitFor();
    await page.getByText("Details").click();
    await page.getByText("tank#2 under gun#4").waitFor();
    await page.getByRole("button", { name: "Dismiss" }).click();
  });

  it("sets what a drag snaps to", async () => {
    await page.getByRole("button", { name: "Snapping settings" }).click();
    await type("grid", "16");
    await type("angle", "30");
    expect(await page.evaluate("espalierEditor.view.settings.snap")).toEqual({
      grid: 16,
      angle: 30,
      edges: true,
    });
    await page.getByRole("button", { name: "Snapping settings" }).click();
  });

  it("shows a newcomer around in five steps, once", async () => {
    const first = await openEditor(shared.browser, shared.served.url, { tour: true });
    const tour = first.page.getByRole("complementary", { name: "A first look" });
    for (let k = 1; k < 5; k++) {
      await tour.getByText(`${k} of 5`).waitFor();
      await tour.getByRole("button", { name: "Next" }).click();
    }
    await tour.getByRole("button", { name: "Done" }).click();
    await tour.waitFor({ state: "detached" });
    await first.page.reload();
    await first.page.waitForSelector(".esp-row");
    expect(await tour.count()).toBe(0);
    expect(first.errors).toEqual([]);
    await first.page.context().close();
  });
});

describe("a scene in 3D", () => {
  const scene = `{ "entities": [
    { "id": "arm", "name": "arm", "components": { "Transform3D": { "x": 4, "qz": 0.38268343, "qw": 0.92387953, "scaleX": 2, "scaleY": 2, "scaleZ": 2 } },
      "children": [{ "id": "hand", "name": "hand", "components": { "Transform3D": { "y": 3 } } }] },
    { "id": "wide", "name": "wide", "components": { "Transform3D": { "z": 1, "scaleX": 3 } } },
    { "id": "plain", "name": "plain", "components": { "Transform3D": { "z": 7 } } }
  ] }`;
  const worldOf = async (id: string) =>
    (await page.evaluate(
      `[...espalierEditor.document.space3D.worldOf(espalierEditor.document.scene.entity("${id}"))]`,
    )) as number[];

  it("keeps the position in the world on a drag, in a group and on a cut", async () => {
    await showScene(page, scene);
    await page.getByRole("button", { name: "Expand all" }).click();
    await row(page, "hand").waitFor();
    const before = await worldOf("hand");
    const isKept = async () => {
      for (const [k, value] of (await worldOf("hand")).entries())
        expect(value).toBeCloseTo(before[k] as number, 5);
    };
    await dragRow(page, "hand", "plain", 0.5);
    await settled(page);
    expect((await savedEntry(page, "hand"))?.parent).toBe("plain");
    await isKept();
    await page.keyboard.press("Control+g");
    await row(page, "group").waitFor();
    await isKept();
    const { entities } = JSON.parse((await page.evaluate("espalierEditor.document.save()")) as string);
    expect(Object.keys(entities.find(({ name }: { name: string }) => name === "group").components)).toEqual([
      "Transform3D",
    ]);
    await row(page, "hand").click();
    await page.keyboard.press("Control+x");
    await row(page, "hand").waitFor({ state: "detached" });
    await row(page, "arm").click();
    await page.keyboard.press("Control+Shift+V");
    await expect.poll(async () => (await savedEntry(page, "hand"))?.parent).toBe("arm");
    await isKept();
  });

  it("refuses what would shear, with the residue, and changes nothing", async () => {
    await showScene(page, scene);
    await page.getByRole("button", { name: "Expand all" }).click();
    await row(page, "hand").waitFor();
    const before = (await page.evaluate("espalierEditor.document.save()")) as string;
    await dragRow(page, "hand", "wide", 0.5);
    await page.locator('.esp-message[data-kind="error"]', { hasText: /right angles \(off by/ }).waitFor();
    expect(await page.evaluate("espalierEditor.document.save()")).toBe(before);
    await page.getByRole("button", { name: "Dismiss" }).click();
  });

  it("shows Euler angles beside the quaternion, local or in the world, and disables F and nudges with a reason", async () => {
    await showScene(page, scene);
    await row(page, "arm").click();
    expect(await field("Local angleZ").inputValue()).toBe("45");
    await page.getByText("0, 0, 0.3827, 0.9239").waitFor();
    await type("Local angleZ", "90");
    expect((await savedEntry(page, "arm"))?.components?.Transform3D).toMatchObject({
      qz: expect.closeTo(Math.SQRT1_2, 5),
    });
    await page.getByRole("button", { name: "Expand all" }).click();
    await row(page, "hand").click();
    await page.getByRole("button", { name: "World", exact: true }).click();
    await expect.poll(() => field("World angleZ").inputValue()).toBe("90");
    expect(Number(await field("World x").inputValue())).toBeCloseTo(-2, 5);
    await page.getByRole("button", { name: "Local", exact: true }).click();
    await page.locator("[data-viewport]").focus();
    await page.keyboard.press("ArrowRight");
    await page.getByText("This is in 3D, and the viewport shows the plane").waitFor();
    expect((await savedEntry(page, "hand"))?.components?.Transform3D).toEqual({ y: 3 });
    await runCommand(page, "Deselect all");
  });
});

describe("the sample with images", () => {
  it("has all of them, and pictures of its prefabs", async () => {
    await openSample(page, "meadow");
    await expect
      .poll(() => page.evaluate("espalierEditor.document.textureSize('house.png')"))
      .toMatchObject({ width: 96, height: 96 });
    const used = (await page.evaluate(
      "JSON.parse(espalierEditor.document.save()).entities.flatMap((e) => e.components?.Sprite?.texture ?? [])",
    )) as string[];
    const there = (await page.evaluate("espalierEditor.project.images.map(({ name }) => name)")) as string[];
    expect(used.length).toBeGreaterThan(8);
    expect(used.filter((name) => !there.includes(name))).toEqual([]);
    // A tree has its trunk below its leaves, in the picture too: the lowest row that is drawn is brown, the highest green.
    await expect
      .poll(() =>
        page.locator('[data-asset="tree"] canvas').evaluate((canvas: HTMLCanvasElement) => {
          const { width, height } = canvas;
          const { data } = canvas.getContext("2d")!.getImageData(0, 0, width, height);
          const pixels = Array.from({ length: width * height }, (_, k) => data.subarray(k * 4, k * 4 + 4));
          const drawn = pixels.filter((pixel) => pixel[3] === 255);
          const isGreen = (pixel: Uint8ClampedArray | undefined) =>
            pixel !== undefined && pixel[1]! > pixel[0]!;
          return drawn.length > 100 && isGreen(drawn[0]);
        }),
      )
      .toBe(true);
    expect(await page.evaluate("espalierEditor.document.problems")).toEqual([]);
  });
});
