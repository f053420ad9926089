import type { Locator, Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  openSample,
  row,
  savedEntry,
  savedText,
  settled,
  showScene,
  undoLabels,
  worldPosition,
} from "./editor-page.ts";
import { shareEditor } from "./shared-editor.ts";

const shared = shareEditor();
let page: Page;
beforeAll(() => {
  ({ page } = shared);
});
beforeEach(async () => {
  await showScene(page);
  await page.evaluate("espalierEditor.view.set({ inspectorSpace: 'local' })");
});

const colliders = JSON.stringify({
  entities: [
    {
      id: "one",
      name: "one",
      components: {
        Transform2D: {},
        Shape: { kind: "polygon" },
        Collider: { shapes: [{ type: "box", width: 20, height: 10 }] },
        Props: { values: { hp: 3, scores: [1, 2] } },
      },
    },
    {
      id: "two",
      name: "two",
      components: {
        Transform2D: {},
        Collider: {
          shapes: [
            { type: "box", width: 25, height: 10 },
            { type: "circle", radius: 1 },
          ],
        },
      },
    },
  ],
});

/** Whether an element can be clicked where it is, and is not cut off or covered. */
const isReachable = (locator: Locator) =>
  locator.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
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

  it("shows where the state of several differs, and writes one part of what each inherits", async () => {
    const scene = `{ "entities": [
      { "id": "one", "name": "one", "components": { "Transform2D": {}, "InheritTransform": { "rotation": false }, "Visibility": { "mode": "hidden" } } },
      { "id": "two", "name": "two", "components": { "Transform2D": {}, "ZIndex": { "z": 4 } } } ] }`;
    await showScene(page, scene);
    await row(page, "one").click();
    await row(page, "two").click({ modifiers: ["Control"] });
    const state = (name: string) => page.locator(`[data-state="${name}"] small`).textContent();
    await expect.poll(() => state("visible")).toBe("mixed");
    expect(await state("active")).toBe("on");
    expect(await state("z")).toBe("mixed");
    const box = (name: string) => page.getByRole("checkbox", { name });
    const isMixed = (name: string) =>
      box(name).evaluate((input) => (input as HTMLInputElement).indeterminate);
    expect(await Promise.all(["pos", "rot", "scale"].map(isMixed))).toEqual([false, true, false]);
    await box("pos").uncheck();
    const maskOf = async (id: string) => (await savedEntry(page, id))?.components?.InheritTransform;
    expect(await maskOf("one")).toEqual({ position: false, rotation: false });
    expect(await maskOf("two")).toEqual({ position: false });
  });

  it("writes every one of many that are selected", async () => {
    const many = Array.from({ length: 700 }, (_, k) => ({
      id: `e${k}`,
      components: { Transform2D: { x: k }, Shape: { width: 5 } },
    }));
    await showScene(page, JSON.stringify({ entities: many }));
    await page.locator(".esp-tree").focus();
    await page.keyboard.press("Control+a");
    await field("Shape width").fill("8");
    await field("Shape width").press("Enter");
    await field("Local y").fill("3");
    await field("Local y").press("Enter");
    const { entities } = JSON.parse(await savedText(page)) as {
      entities: { components: { Shape: { width: number }; Transform2D: { y: number } } }[];
    };
    expect(
      entities.filter(({ components: { Shape, Transform2D } }) => Shape.width === 8 && Transform2D.y === 3),
    ).toHaveLength(700);
    expect(await undoLabels(page)).toHaveLength(2);
  });

  it("refuses a wrong value at its field and changes nothing", async () => {
    await row(page, "rock").click();
    await page.getByRole("button", { name: "Add component" }).click();
    await expect.poll(() => isReachable(page.getByLabel("Find a component"))).toBe(true);
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
    await field("Shape kind").selectOption("polygon");
    await page.getByRole("button", { name: "Add component" }).click();
    await page.getByLabel("Find a component").fill("LookAt");
    await page.getByLabel("Find a component").press("Enter");
    await page.getByRole("button", { name: "LookAt target: Pick in the tree or the viewport" }).click();
    await row(page, "sky").click();
    await page.getByRole("button", { name: "Edit Shape points as text" }).click();
    await field("Shape points").fill("[0, 0, 5, 5]");
    await field("Shape points").press("Tab");
    const { components } = (await savedEntry(page, "rock"))!;
    expect(components).toMatchObject({
      Shape: { kind: "polygon", fill: "#112233", points: [0, 0, 5, 5] },
      LookAt: { target: "sky" },
    });
    await row(page, "sky").click();
    await page.locator(".esp-list button", { hasText: "LookAt.target" }).waitFor();
  });

  it("fits the list of components into a window with hardly any room", async () => {
    await showScene(page, `{ "entities": [{ "id": "folder", "name": "folder" }] }`);
    await row(page, "folder").click();
    const add = page.getByRole("button", { name: "Add component" });
    await add.press("Enter");
    await expect.poll(() => isReachable(page.getByLabel("Find a component"))).toBe(true);
    expect(await add.getAttribute("aria-expanded")).toBe("true");
    await page.getByLabel("Find a component").press("Escape");
    expect(await add.evaluate((button) => button === document.activeElement)).toBe(true);
  });

  it("shows computed values, each once, integers in full, and the references to the entity", async () => {
    const scene = `{ "entities": [
      { "id": "lamp", "name": "lamp", "components": { "Transform2D": { "x": 0.1234567 }, "Shape": { "width": 4 } } },
      { "id": "eye", "name": "eye", "components": { "Transform2D": {}, "LookAt": { "target": "lamp" } } } ] }`;
    await showScene(page, scene);
    await row(page, "lamp").click();
    const lines = page.locator(".esp-facts > div");
    await lines.filter({ hasText: "tint: #ffffff" }).waitFor();
    const texts = await lines.allTextContents();
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts).toContain("visibility: yes");
    expect(texts.join()).toContain("x 0.123457");
    await page.locator(".esp-list button", { hasText: "LookAt.target" }).click();
    await page.locator('.esp-row[data-name="eye"][data-primary="true"]').waitFor();
  });

  it("edits the shapes of a collider: adds, changes the type, drags, removes, each as one step", async () => {
    await showScene(page, colliders);
    await row(page, "one").click();
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const shapes = async () => (await savedEntry(page, "one"))!.components!.Collider!.shapes as object[];
    await button("Add to Collider shapes").click();
    await field("Collider shapes[1].width").fill("7");
    await field("Collider shapes[1].width").press("Enter");
    await field("Collider shapes[1].type").selectOption("circle");
    await field("Collider shapes[1].radius").fill("4");
    await field("Collider shapes[1].radius").press("Enter");
    await field("Add a value to Collider shapes[1]").selectOption("density");
    expect(await shapes()).toEqual([
      { type: "box", width: 20, height: 10 },
      { type: "circle", radius: 4, density: 1 },
    ]);
    const steps = await undoLabels(page);
    expect(steps).toHaveLength(5);
    expect(steps.at(-1)).toBe("Add to Collider.shapes");

    // By the grip: with the mouse to the top, with the arrow keys back down; the focus goes along.
    const grip = (k: number) => button(`Move Collider shapes[${k}]: drag, or arrow keys`);
    const [from, to] = [(await grip(1).boundingBox())!, (await grip(0).boundingBox())!];
    await page.mouse.move(from.x + 5, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(to.x + 5, to.y + 4, { steps: 4 });
    await page.locator('.esp-item[data-drop="before"]').waitFor();
    await page.mouse.up();
    await expect
      .poll(async () => (await shapes()).map((one) => (one as { type: string }).type))
      .toEqual(["circle", "box"]);
    await grip(0).focus();
    await page.keyboard.press("ArrowDown");
    await page.locator('[data-grip="1"]:focus').waitFor();
    expect((await shapes())[0]).toMatchObject({ type: "box" });

    // What does not fit is refused at its input, and nothing has changed.
    const before = await savedText(page);
    await field("Collider shapes[1].radius").fill("-3");
    await field("Collider shapes[1].radius").press("Enter");
    const refusal = page.locator('[data-path="[1].radius"] .error');
    await refusal.waitFor();
    expect(await refusal.textContent()).toContain("radius must not be negative");
    expect(await savedText(page)).toBe(before);

    await button("Remove Collider shapes[1]").click();
    expect(await shapes()).toHaveLength(1);
    for (let k = 0; k < 8; k++) await page.keyboard.press("Control+z");
    expect(await shapes()).toEqual([{ type: "box", width: 20, height: 10 }]);
  });

  it("edits points, gradients and plain data by their own inputs", async () => {
    await showScene(page, colliders);
    await row(page, "one").click();
    await page.getByRole("button", { name: "Add to Shape points" }).click();
    await field("Shape points[0].y").fill("6");
    await field("Shape points[0].y").press("Enter");
    await page.getByRole("button", { name: "Add to Shape points" }).click();
    await page.getByRole("button", { name: "Create Shape gradient" }).click();
    await field("Shape gradient.kind").selectOption("radial");
    await page.getByRole("button", { name: "Add to Shape gradient.stops" }).click();
    await page.locator('[data-path="stops[2]"] .fold').click();
    await field("Shape gradient.stops[2].color").fill("#00ff00");
    await field("Name of a new value in Props values").fill("mood");
    await field("Name of a new value in Props values").press("Enter");
    await field("Kind of Props values.mood").selectOption("text");
    await field("Props values.mood").fill("calm");
    await field("Props values.mood").press("Enter");
    await page.getByRole("button", { name: "Add to Props values.scores" }).click();
    await field("Props values.scores[2]").fill("30");
    await field("Props values.scores[2]").press("Enter");
    await page.getByRole("button", { name: "Remove Props values.hp" }).click();
    const { Shape, Props } = (await savedEntry(page, "one"))!.components!;
    expect(Shape).toMatchObject({ points: [0, 6, 10, 6] });
    expect(Shape).toMatchObject({
      gradient: { kind: "radial", stops: [{}, {}, { offset: 1, color: 0x00ff00 }] },
    });
    expect(Props).toEqual({ values: { scores: [1, 2, 30], mood: "calm" } });
  });

  it("writes inside the values of several, at that path only", async () => {
    await showScene(page, colliders);
    await row(page, "one").click();
    await row(page, "two").click({ modifiers: ["Control"] });
    const width = field("Collider shapes[0].width");
    await expect.poll(() => width.getAttribute("placeholder")).toBe("mixed");
    await page.getByText("The lists differ in length").waitFor();
    await field("Collider shapes[0].height").fill("3");
    await field("Collider shapes[0].height").press("Enter");
    const shapes = async (id: string) =>
      (await savedEntry(page, id))!.components!.Collider!.shapes as object[];
    expect([await shapes("one"), await shapes("two")]).toEqual([
      [{ type: "box", width: 20, height: 3 }],
      [
        { type: "box", width: 25, height: 3 },
        { type: "circle", radius: 1 },
      ],
    ]);
    expect(await undoLabels(page)).toEqual(["Set Collider.shapes[0].height"]);
  });

  it("shows own and effective state side by side, and what is inherited", async () => {
    await row(page, "level").click();
    await page.locator('[data-state="visible"]').click();
    await row(page, "house").click();
    await page.waitForFunction(() =>
      document.querySelector('[data-state="visible"]')?.textContent?.includes("no, by a parent"),
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

  it("applies one change of an instance to its prefab, says so, and leaves its own name and transform alone", async () => {
    await openSample(page, "tanks");
    await row(page, "bravo").click();
    await page.locator(".esp-overrides summary").click();
    const own = page.locator('[data-override="bravo Transform2D.x"]');
    await own.getByText("its own").waitFor();
    expect(await own.getByRole("button", { name: /^Apply/ }).count()).toBe(0);
    const prefab = (await page.evaluate("espalierEditor.project.prefabs.tank")) as string;
    await page.getByRole("button", { name: "Apply to prefab: bravo Shape.fill" }).click();
    await page.getByText("The file is written, and other instances follow.").waitFor();
    const next = (await page.evaluate("espalierEditor.project.prefabs.tank")) as string;
    expect(next).toContain("#8a5a4a");
    expect(next).not.toContain("bravo");
    expect(await undoLabels(page)).toEqual(["Apply to tank"]);
    await page.keyboard.press("Control+z");
    expect(await page.evaluate("espalierEditor.project.prefabs.tank")).toBe(prefab);
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
