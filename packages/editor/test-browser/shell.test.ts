import type { Entity } from "espalier";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { closePages, sharedBrowser } from "../../../test/browser/shared-browser.ts";
import type { App } from "../src/shell/app.ts";
import {
  type EditorPage,
  openEditor,
  openSample,
  renameRow,
  row,
  runCommand,
  type ServedEditor,
  savedText,
  serveEditor,
  settled,
  showScene,
  undoLabels,
} from "./editor-page.ts";
import { violations } from "./violations.ts";

let browser: Browser;
let served: ServedEditor;
let page: Page;
let errors: string[];
let questions: EditorPage["questions"];

beforeAll(async () => {
  [browser, served] = await Promise.all([sharedBrowser(), serveEditor()]);
  ({ page, errors, questions } = await openEditor(browser, served.url));
});
afterAll(async () => {
  await closePages();
  await served.close();
});
beforeEach(async () => {
  await showScene(page);
});
afterEach(() => {
  expect(errors).toEqual([]);
});

describe("the editor", () => {
  it("finds every action in the command palette, and runs it", async () => {
    await runCommand(page, "Expand all");
    await row(page, "door").waitFor();
    await runCommand(page, "Create entity");
    await row(page, "entity").waitFor();
    // Second shortcuts are no things to do of their own.
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Type a command").fill("Redo");
    await expect.poll(() => page.locator("[cmdk-item]").allTextContents()).toEqual(["RedoCtrl+Shift+Z"]);
    await page.keyboard.press("Escape");
  });

  it("lists the shortcuts and lets them be changed", async () => {
    await page.locator(".esp-tree").focus();
    await page.keyboard.press("?");
    await page.getByRole("button", { name: "Create entity: A" }).click();
    await page.keyboard.press("Control+Shift+N");
    await page.getByRole("button", { name: "Create entity: Ctrl+Shift+N" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".esp-tree").focus();
    await page.keyboard.press("Control+Shift+N");
    await row(page, "entity").waitFor();
    await page.evaluate("espalierEditor.view.set({ shortcuts: {} })");
  });

  it("takes a shortcut from the action that had it, and says so", async () => {
    await page.locator(".esp-tree").focus();
    await page.keyboard.press("?");
    await page.getByRole("button", { name: "Duplicate: Ctrl+D" }).click();
    await page.keyboard.press("a");
    await page.getByRole("button", { name: "Duplicate: A" }).waitFor();
    await page.getByRole("button", { name: "Create entity: none" }).waitFor();
    await page.getByText("A is no longer the shortcut of: Create entity").waitFor();
    await page.getByRole("button", { name: "Reset shortcuts" }).click();
    await page.getByRole("button", { name: "Create entity: A" }).waitFor();
    await page.keyboard.press("Escape");
  });

  it("asks before unsaved changes are discarded, and keeps them on request", async () => {
    await row(page, "rock").click();
    await page.keyboard.press("Control+d");
    const edited = await savedText(page);
    questions.texts.length = 0;
    questions.answer = false;
    await runCommand(page, "New scene");
    await expect.poll(() => questions.texts).toHaveLength(1);
    expect(questions.texts[0]).toContain("Discard unsaved changes");
    expect(await savedText(page)).toBe(edited);
    questions.answer = true;
    await runCommand(page, "New scene");
    await page.getByText("Nothing here yet").waitFor();
  });

  it("lists the history, marks unsaved steps, and jumps to a step by click", async () => {
    const start = await savedText(page);
    await row(page, "rock").click();
    for (let k = 0; k < 3; k++) await page.keyboard.press("Control+d");
    await page.getByRole("img", { name: "Unsaved changes" }).waitFor();
    await page.getByRole("tab", { name: "History" }).click();
    await page.locator("ol.esp-list li button", { hasText: "Start" }).click();
    await page.getByRole("img", { name: "Unsaved changes" }).waitFor({ state: "detached" });
    expect(await savedText(page)).toBe(start);
    await page.locator("ol.esp-list li button").last().click();
    await expect.poll(() => page.evaluate("espalierEditor.document.world.count")).toBe(9);
  });

  it("lists the problems of a file, and selects the entity of a problem", async () => {
    await showScene(
      page,
      `{ "entities": [{ "id": "a", "name": "a", "components": { "Shape": { "width": "wide" } } }, { "id": "b", "name": "b" }] }`,
    );
    await page.getByRole("tab", { name: /Problems/ }).click();
    await page.locator(".esp-list button", { hasText: "Shape.width" }).click();
    await page.waitForFunction(
      () => document.querySelector('.esp-row[aria-selected="true"]')?.getAttribute("data-name") === "a",
    );
    expect(await page.locator(".esp-count").textContent()).toBe("1");
    await page.getByRole("tab", { name: "Assets" }).click();
  });

  it("shows the zoom of what a click has just fitted into the viewport", async () => {
    const zoom = () => page.evaluate("Math.round(espalierEditor.view.viewport.camera.zoom * 100)");
    await page.locator("[data-viewport]").hover();
    const before = await zoom();
    await page.mouse.wheel(0, -600);
    await expect.poll(zoom).not.toBe(before);
    const near = await zoom();
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Type a command").fill("Show everything");
    await page.locator("[cmdk-item]", { hasText: "Show everything" }).click();
    await expect.poll(zoom).not.toBe(near);
    const status = () => page.locator(".esp-status").textContent();
    await expect.poll(status).toContain(` ${await zoom()} %`);
  });

  it("removes messages after a while, except those that ask for something", async () => {
    const own = await openEditor(browser, served.url);
    await own.page.clock.install();
    await own.page.evaluate("espalierEditor.notes.say('Done.')");
    await own.page.evaluate("espalierEditor.notes.say('Again?', 'info', { label: 'Again', run() {} })");
    await own.page.clock.runFor(200);
    expect(await own.page.locator(".esp-message").allTextContents()).toEqual(["Done.", "Again?Again"]);
    await own.page.clock.runFor(7000);
    expect(await own.page.locator(".esp-message").allTextContents()).toEqual(["Again?Again"]);
    await own.page.context().close();
  });

  it("does not open what is not a scene, says why, and keeps what is open", async () => {
    const start = await savedText(page);
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(["nonsense"], "bad.json"));
      document
        .querySelector(".esp")!
        .dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
    });
    await page.locator('.esp-message[data-kind="error"]').waitFor();
    expect(await savedText(page)).toBe(start);
  });

  it("plays, pauses, steps and stops: the file is the same byte by byte", async () => {
    await openSample(page, "tanks");
    await row(page, "units").waitFor();
    const start = await savedText(page);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.waitForFunction(
      "espalierEditor.documents.play?.frame > 40 && espalierEditor.document.world.count > 35",
    );
    await page.getByRole("tab", { name: "Systems" }).click();
    await page.locator("td", { hasText: /^behaviours$/ }).waitFor();
    await page.getByRole("tab", { name: "Activity" }).click();
    await page.locator("[data-log] li").first().waitFor();
    await page.locator("[data-changes] li").first().waitFor();
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    const frame = (await page.evaluate("espalierEditor.documents.play.frame")) as number;
    await page.getByRole("button", { name: "Step", exact: true }).click();
    expect(await page.evaluate("espalierEditor.documents.play.frame")).toBe(frame + 1);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await settled(page);
    expect(await savedText(page)).toBe(start);
    expect(await page.evaluate("espalierEditor.document.isDirty")).toBe(false);
    await page.getByRole("tab", { name: "Assets" }).click();
  });

  it("plays bodies with the engine, under the rules of the page, and stop puts them back", async () => {
    const strict = await openEditor(browser, served.url, { policy: true });
    await strict.page.evaluate(() => {
      const { espalierEditor } = globalThis as unknown as { espalierEditor: App };
      espalierEditor.view.open("welcome");
    });
    await strict.page.click('[data-sample="blocks"]');
    await row(strict.page, "ball").waitFor();
    const state = () =>
      strict.page.evaluate(() => {
        const { espalierEditor: app } = globalThis as unknown as { espalierEditor: App };
        const { document: shown, documents } = app;
        const ball = [...shown.tree.roots()].find((root) => shown.tree.nameOf(root) === "ball");
        const edited = (documents.play?.edited ?? shown).save();
        return { x: shown.space.localOf(ball as Entity).x, frame: documents.play?.frame ?? -1, edited };
      });
    const start = await state();
    await strict.page.getByRole("button", { name: "Play", exact: true }).click();
    await expect.poll(async () => (await state()).x, { timeout: 30_000 }).toBeGreaterThan(start.x + 50);
    expect((await state()).edited).toBe(start.edited);
    await strict.page.getByRole("button", { name: "Stop", exact: true }).click();
    await expect.poll(async () => (await state()).frame).toBe(-1);
    expect(await state()).toEqual(start);
    expect(strict.errors).toEqual([]);
    await strict.page.context().close();
  });

  it("stops at a breakpoint on a structural event, and when a component changes", async () => {
    await openSample(page, "tanks");
    await row(page, "units").waitFor();
    await page.getByRole("tab", { name: "Activity" }).click();
    await page.getByLabel("Pause on a structural event").check();
    await page.locator(".esp-tree").focus();
    await page.keyboard.press("Control+Enter");
    await page.waitForFunction("espalierEditor.documents.play?.state === 'paused'");
    await page.locator("[data-log] li", { hasText: "spawned" }).first().waitFor();
    await page.locator(".esp-plot").waitFor();
    await page.getByLabel("Pause on a structural event").uncheck();
    await page.getByLabel("Pause when this changes").selectOption("Transform2D");
    const frame = (await page.evaluate("espalierEditor.documents.play.frame")) as number;
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.waitForFunction((before) => {
      const { play } = (globalThis as unknown as { espalierEditor: App }).espalierEditor.documents;
      return play?.state === "paused" && play.frame > (before as number);
    }, frame);
    await page.getByLabel("Pause when this changes").selectOption("");
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByRole("tab", { name: "Assets" }).click();
  });

  it("keeps what was edited while playing on request, as one step", async () => {
    const start = await savedText(page);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.waitForFunction("espalierEditor.documents.play !== undefined");
    await row(page, "rock").click();
    await page.getByLabel("Shape width", { exact: true }).fill("77");
    await page.getByLabel("Shape width", { exact: true }).press("Enter");
    await page.getByRole("button", { name: "Stop and keep changes" }).click();
    await page.waitForFunction("espalierEditor.documents.play === undefined");
    expect(JSON.parse(await savedText(page)).entities).toContainEqual(
      expect.objectContaining({
        id: "rock",
        components: expect.objectContaining({ Shape: expect.objectContaining({ width: 77 }) }),
      }),
    );
    expect(await undoLabels(page)).toEqual(["Keep changes of play"]);
    await page.keyboard.press("Control+z");
    expect(await savedText(page)).toBe(start);
  });

  it("survives 500 random gestures with mouse and keys, and undo leads to the start file", async () => {
    const start = await savedText(page);
    let state = 7;
    const next = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const keys = [
      "Control+d",
      "Control+g",
      "Control+Shift+G",
      "Alt+ArrowUp",
      "Alt+ArrowDown",
      "Alt+ArrowLeft",
      "Alt+ArrowRight",
      "a",
      "Shift+A",
      "h",
      "l",
      "Delete",
      "Control+z",
      "Control+Shift+Z",
      "ArrowRight",
      "Shift+ArrowDown",
      "w",
      "e",
      "r",
      "x",
      "s",
    ];
    const box = (await page.locator("[data-viewport]").boundingBox())!;
    const began = Date.now();
    for (let k = 0; k < 500; k++) {
      const kind = next(10);
      if (kind < 2)
        await page.mouse.click(box.x + 40 + next(box.width - 80), box.y + 60 + next(box.height - 120));
      else if (kind < 4) {
        await page.mouse.move(box.x + 40 + next(box.width - 80), box.y + 60 + next(box.height - 120));
        await page.mouse.down();
        await page.mouse.move(box.x + 40 + next(box.width - 80), box.y + 60 + next(box.height - 120), {
          steps: 2,
        });
        await page.mouse.up();
      } else await page.keyboard.press(keys[next(keys.length)]!);
    }
    console.log(
      `500 gestures in ${Date.now() - began} ms, ${await page.evaluate("espalierEditor.document.world.count")} entities`,
    );
    expect(await page.evaluate("espalierEditor.document.history.undoLabels.length")).toBeGreaterThan(20);
    await page.evaluate("while (espalierEditor.document.undo());");
    expect(await savedText(page)).toBe(start);
    await page.evaluate("espalierEditor.view.set({ tool: 'move', snapOn: false })");
  }, 300_000);

  it("has no serious accessibility violation, in both themes and in its dialogs", async () => {
    const shapes = [
      { type: "box", width: 20, height: 10, density: 2 },
      {
        type: "polygon",
        points: [
          { x: 0, y: 0 },
          { x: 9, y: 0 },
          { x: 4, y: 8 },
        ],
      },
    ];
    const gradient = { kind: "linear", x0: 0, y0: 0, x1: 0, y1: 1, stops: [{ offset: 0, color: 255 }] };
    const components = {
      Transform2D: {},
      Shape: { points: [1, 2], gradient },
      Collider: { shapes },
      Props: { values: { hp: 3, tint: "#ff8800", tags: ["x"], nothing: null } },
    };
    const parent = { id: "a", name: "a", children: [{ id: "b", name: "b", components }] };
    await showScene(page, JSON.stringify({ entities: [parent] }));
    await row(page, "b").click();
    await page.getByLabel("Props values.hp", { exact: true }).waitFor();
    for (const theme of ["dark", "light"]) {
      await page.evaluate(`espalierEditor.view.set({ theme: "${theme}" })`);
      await page.waitForSelector(`.esp[data-theme="${theme}"]`);
      expect(await violations(page)).toEqual([]);
    }
    for (const overlay of ["palette", "help", "welcome"]) {
      await page.evaluate(`espalierEditor.view.open("${overlay}")`);
      await page.getByRole("dialog").waitFor();
      expect(await violations(page)).toEqual([]);
      await page.evaluate(`espalierEditor.view.open("none")`);
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    for (const theme of ["dark", "light"]) {
      await page.evaluate(
        `espalierEditor.view.set({ theme: "${theme}", tourSeen: false, sortByName: true })`,
      );
      await row(page, "a").click({ button: "right" });
      await page.getByRole("menuitem", { name: "Create" }).hover();
      await page.getByRole("menuitem", { name: "Sprite" }).waitFor();
      await page.evaluate(`espalierEditor.notes.fail(new Error("No: a#1 [hierarchy/cycle]"))`);
      await page.getByText("Details").waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await page.evaluate("espalierEditor.notes.clear()");
    }
    await page.evaluate(`espalierEditor.view.set({ theme: "system", tourSeen: true, sortByName: false })`);
    const deep = { id: "x", name: "x", components: { Transform3D: {}, Sprite: {} } };
    await showScene(page, JSON.stringify({ entities: [deep] }));
    await row(page, "x").click();
    await page.evaluate("espalierEditor.run('show-branch')");
    await page.getByRole("button", { name: "Snapping settings" }).click();
    await page.getByLabel("Local angleX").fill("abc");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Snapping settings" }).click();
  });

  it("has none with bundles to add, in the tabs below, while saving and while playing", async () => {
    await showScene(
      page,
      JSON.stringify({ entities: [{ id: "x", name: "x", components: { Transform2D: {} } }] }),
    );
    await page.evaluate(`{
      const { format } = espalierEditor.document;
      const parts = [format.component("Shape")({ width: 33 }), format.component("Transform2D")({ x: 5 })];
      espalierEditor.bundles = [{ name: "Crate", parts }];
    }`);
    await row(page, "x").click();
    await page.getByRole("button", { name: "Add component" }).click();
    await page.getByRole("button", { name: "Crate: Shape, Transform2D" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel("Find a component").fill("cra");
    await page.keyboard.press("Enter");
    await settled(page);
    const { entities } = JSON.parse(await savedText(page)) as { entities: { components: object }[] };
    expect(entities[0]?.components).toEqual({ Transform2D: {}, Shape: { width: 33 } });
    await page.evaluate("espalierEditor.bundles = []");
    for (const tab of ["History", "Edits", "Problems", "Activity", "Systems", "Assets"]) {
      await page.getByRole("tab", { name: tab }).click();
      expect(await violations(page), tab).toEqual([]);
    }
    await row(page, "x").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Create" }).hover();
    await page.getByRole("menuitem", { name: "Circle" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.evaluate("espalierEditor.documents.saving = 0.5; espalierEditor.changed()");
    await page.getByRole("progressbar", { name: "Saving" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.evaluate("espalierEditor.documents.saving = undefined; espalierEditor.changed()");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  });

  it("follows the theme of the system and works at 200 % zoom", async () => {
    const small = await openEditor(browser, served.url, {
      width: 640,
      height: 360,
      theme: "light",
      scale: 2,
    });
    await small.page.keyboard.press("Escape");
    await showScene(small.page);
    await small.page.waitForSelector('.esp[data-theme="light"]');
    await row(small.page, "rock").click();
    // Long names are wrapped, or cut and shown in full under the pointer.
    const long = "a-name-that-somebody-gave-without-a-thought-for-small-screens";
    await renameRow(small.page, long);
    await small.page.locator("[data-viewport]").hover();
    await row(small.page, long).locator(".name").hover();
    await small.page.waitForFunction(
      (name) => document.querySelector(`.esp-row .name[title="${name}"]`) !== null,
      long,
    );
    await small.page.evaluate(
      `espalierEditor.project = { ...espalierEditor.project, prefabs: { "folder/${long}.prefab.json": "{}" } }; espalierEditor.changed()`,
    );
    await small.page.locator(".esp-asset span", { hasText: long }).waitFor();
    const cut = await small.page.evaluate(() =>
      [
        ...document.querySelectorAll(
          ".esp-asset span, .esp-title .path, .esp-field > .label, .esp-section h3",
        ),
      ]
        .filter((one) => one.scrollWidth > one.clientWidth)
        .map((one) => one.textContent),
    );
    expect(cut).toEqual([]);
    const { width, height } = (await small.page.locator("[data-viewport]").boundingBox())!;
    expect(Math.min(width, height)).toBeGreaterThan(60);
    const scrolls = await small.page.evaluate("document.documentElement.scrollWidth > innerWidth");
    expect(scrolls).toBe(false);
    expect(small.errors).toEqual([]);
    await small.page.context().close();
  });
});
