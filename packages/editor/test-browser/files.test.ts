import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Entity } from "espalier";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closePages, sharedBrowser } from "../../../test/browser/shared-browser.ts";
import { openDocument } from "../src/document/document.ts";
import { createEditorFormat } from "../src/document/format.ts";
import type { App } from "../src/shell/app.ts";
import {
  dropFile,
  openEditor,
  openSample,
  renameRow,
  row,
  runCommand,
  type ServedEditor,
  savedText,
  serveEditor,
  settled,
  smallScene,
  undoLabels,
  worldPosition,
} from "./editor-page.ts";
import { violations } from "./violations.ts";

let browser: Browser;
let served: ServedEditor;
const file = () => join(served.folder, "level.scene.json");

/** One grey pixel. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==",
  "base64",
);

/** Where the first rock is, when that was, and when work was kept last. */
interface Journal {
  readonly x: number;
  readonly time: number;
  readonly written: number;
}

function readJournal(): Journal {
  const { document, documents } = (globalThis as never as { espalierEditor: App }).espalierEditor;
  const rock = document.tree.find("/rocks/rock 0") as Entity;
  return { x: document.space.worldX(rock), time: Date.now(), written: documents.recovery?.written ?? 0 };
}

beforeAll(async () => {
  browser = await sharedBrowser();
  served = await serveEditor((folder) => {
    writeFileSync(join(folder, "level.scene.json"), smallScene);
    writeFileSync(join(folder, "other.scene.json"), `{ "entities": [{ "id": "o", "name": "other" }] }`);
    writeFileSync(
      join(folder, "cart.prefab.json"),
      `{ "entities": [{ "id": "cart", "name": "cart", "components": { "Transform2D": {} },
        "children": [{ "id": "wheel", "name": "wheel", "components": { "Transform2D": {} } }] }] }`,
    );
    writeFileSync(
      join(folder, "yard.scene.json"),
      `{ "entities": [{ "id": "first", "name": "first", "prefab": "cart" }, { "id": "second", "name": "second", "prefab": "cart" }] }`,
    );
    const rocks = Array.from({ length: 20_000 }, (_, k) => ({
      id: `r${k}`,
      name: `rock ${k}`,
      components: { Transform2D: { x: k, y: k % 100 } },
    }));
    const large = { entities: [{ id: "rocks", name: "rocks", children: rocks }] };
    writeFileSync(join(folder, "large.scene.json"), JSON.stringify(large));
    return { open: "level.scene.json" };
  });
});
afterAll(async () => {
  await closePages();
  await served.close();
});

describe("files", () => {
  it("opens what the server was started with, and saves it there", async () => {
    const { page, errors } = await openEditor(browser, served.url);
    await row(page, "rock").click();
    await renameRow(page, "boulder");
    await page.getByRole("img", { name: "Unsaved changes" }).waitFor();
    await page.keyboard.press("Control+s");
    await page.getByText("Saved level.scene.json.").waitFor();
    const text = readFileSync(file(), "utf8");
    // In the form of the file: nothing else of it changed.
    expect(text).toBe(smallScene.replace(`"name": "rock"`, `"name": "boulder"`));
    await page.getByRole("img", { name: "Unsaved changes" }).waitFor({ state: "detached" });
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it("reloads a file that changed on disk as a difference that can be undone", async () => {
    const { page, errors } = await openEditor(browser, served.url);
    await row(page, "sky").waitFor();
    await page.waitForFunction("espalierEditor.documents.origin.version !== undefined");
    await settled(page);
    const before = await savedText(page);
    writeFileSync(file(), before.replace(`"name": "sky"`, `"name": "cloud"`));
    await page.getByRole("button", { name: "Reload" }).click({ timeout: 30_000 });
    await row(page, "cloud").waitFor();
    await page.getByText("1 changed").waitFor();
    expect(await undoLabels(page)).toEqual(["Reload from disk"]);
    // It is what is in the file; without it, it is not.
    await page.getByRole("img", { name: "Unsaved changes" }).waitFor({ state: "detached" });
    await page.keyboard.press("Control+z");
    await page.getByRole("img", { name: "Unsaved changes" }).waitFor();
    expect(await savedText(page)).toBe(before);
    writeFileSync(file(), before);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it("opens a file that is chosen", async () => {
    const { page } = await openEditor(browser, served.url, { pickers: false });
    await row(page, "level").waitFor();
    await settled(page);
    const chooser = page.waitForEvent("filechooser");
    await page.keyboard.press("Control+o");
    await (await chooser).setFiles(join(served.folder, "other.scene.json"));
    await row(page, "other").waitFor();
    await page.context().close();
  });

  it("saves a prefab that is edited in place as the prefab, and never over the scene", async () => {
    const { page, errors } = await openEditor(browser, served.url);
    await page.locator(".esp-list button", { hasText: "yard.scene.json" }).click();
    await row(page, "first").click();
    const scene = readFileSync(join(served.folder, "yard.scene.json"), "utf8");
    await page.getByRole("button", { name: "Edit prefab" }).click();
    await row(page, "wheel").click();
    await page.getByLabel("Local x", { exact: true }).fill("64");
    await page.getByLabel("Local x", { exact: true }).press("Enter");
    await page.keyboard.press("Control+s");
    await page.getByText("Saved cart.prefab.json.").waitFor();
    await expect
      .poll(() => readFileSync(join(served.folder, "cart.prefab.json"), "utf8"))
      .toContain('"x": 64');
    await page.getByRole("img", { name: "Unsaved changes" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "yard.scene.json" }).first().click();
    await row(page, "second").waitFor();
    expect(await undoLabels(page)).toEqual(["Edit cart.prefab.json"]);
    expect(readFileSync(join(served.folder, "yard.scene.json"), "utf8")).toBe(scene);
    await page.keyboard.press("Control+z");
    await expect
      .poll(() => readFileSync(join(served.folder, "cart.prefab.json"), "utf8"))
      .not.toContain('"x": 64');

    // Somebody else changes the prefab: its instances follow on request, as one step.
    const cart = join(served.folder, "cart.prefab.json");
    writeFileSync(cart, readFileSync(cart, "utf8").replace('"name": "wheel"', '"name": "disc"'));
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("button", { name: "Expand all" }).click();
    await expect.poll(() => row(page, "disc").count()).toBe(2);
    expect(await undoLabels(page)).toEqual(["Reload from disk"]);
    await page.keyboard.press("Control+z");
    await expect.poll(() => row(page, "wheel").count()).toBe(2);
    await expect.poll(() => readFileSync(cart, "utf8")).toContain('"name": "wheel"');
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it("opens another scene of the project from the assets", async () => {
    const { page } = await openEditor(browser, served.url);
    await row(page, "level").waitFor();
    await page.locator(".esp-list button", { hasText: "other.scene.json" }).click();
    await row(page, "other").waitFor();
    await page.context().close();
  });

  it("lists scenes, prefabs and images as they come and go in the folder", async () => {
    const { page, errors } = await openEditor(browser, served.url);
    await row(page, "level").waitFor();
    const [scene, image] = ["late.scene.json", "leaf.png"].map((name) => join(served.folder, name)) as [
      string,
      string,
    ];
    writeFileSync(scene, `{ "entities": [{ "id": "late", "name": "late" }] }`);
    writeFileSync(image, png);
    writeFileSync(
      join(served.folder, "lamp.prefab.json"),
      `{ "entities": [{ "id": "lamp", "name": "lamp" }] }`,
    );
    await page.locator(".esp-list button", { hasText: "late.scene.json" }).waitFor();
    await page.locator('[data-asset="leaf.png"]').waitFor();
    await page.locator('[data-asset="lamp.prefab.json"]').dblclick();
    await row(page, "lamp").waitFor();
    await page.waitForFunction("espalierEditor.textures.find('leaf.png') !== undefined");
    for (const path of [scene, image, join(served.folder, "lamp.prefab.json")]) rmSync(path);
    await page.locator('[data-asset="leaf.png"]').waitFor({ state: "detached" });
    await page.locator(".esp-list button", { hasText: "late.scene.json" }).waitFor({ state: "detached" });
    expect(await page.evaluate("espalierEditor.textures.find('leaf.png')")).toBeUndefined();
    // An instance of it is open.
    await page.locator('[data-asset="lamp.prefab.json"]').waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it("restores unsaved work after the page was killed in the middle of a drag, even in a large scene", async () => {
    const { page } = await openEditor(browser, served.url);
    await page.locator(".esp-list button", { hasText: "large.scene.json" }).click();
    await row(page, "rock 0").click();
    await page.getByLabel("Local x", { exact: true }).fill("1");
    await page.getByLabel("Local x", { exact: true }).press("Enter");
    // The text of such a scene takes too long to write it during a drag.
    await page.waitForFunction("espalierEditor.documents.recovery.written > 0");
    const letter = await page.locator('[data-field="position"] .esp-axis .x').boundingBox();
    await page.mouse.move(letter!.x + 3, letter!.y + 3);
    await page.mouse.down();
    // Edits without a pause, each with its time, until work was kept some times on the way; the button is never let go.
    const edits: Journal[] = [];
    const written = new Set<number>();
    while (written.size < 4) {
      await page.mouse.move(letter!.x + 3 + edits.length, letter!.y + 3);
      edits.push(await page.evaluate(readJournal));
      written.add(edits.at(-1)!.written);
    }
    const kept = edits.at(-1)!.written;
    const context = page.context();
    const session = await context.newCDPSession(page);
    const crashed = page.waitForEvent("crash");
    void session.send("Page.crash").catch(() => {});
    await crashed;

    const next = await context.newPage();
    await next.goto(served.url);
    await next.getByRole("button", { name: "Restore" }).click();
    await next.waitForFunction("espalierEditor.document.isDirty");
    const { x } = await worldPosition(next, "r0");
    // Nothing is lost that was done before the work was kept; and that was before the drag ended.
    expect(x).toBeGreaterThanOrEqual(
      Math.max(...edits.filter(({ time }) => time < kept).map((one) => one.x)),
    );
    expect(x).toBeGreaterThan(edits[0]!.x);
    const saved = await savedText(next);
    await next.keyboard.press("Control+s");
    await next.getByText("Saved large.scene.json.").waitFor();
    // The file keeps its own form, which is nested and on one line.
    const text = readFileSync(join(served.folder, "large.scene.json"), "utf8");
    expect(text).not.toContain("\n");
    expect(openDocument(createEditorFormat([]), text).save()).toBe(saved);

    const last = await context.newPage();
    await last.goto(served.url);
    await row(last, "level").waitFor();
    await last.waitForFunction("espalierEditor.documents.recovery !== undefined");
    await settled(last);
    expect(await last.getByRole("button", { name: "Restore" }).count()).toBe(0);
    await context.close();
  });

  it("runs no code of a scene, and the policy of the page forbids it", async () => {
    writeFileSync(
      join(served.folder, "evil.scene.json"),
      JSON.stringify({
        entities: [
          {
            id: "x",
            name: "<img src=x onerror=window.pwned=1>",
            components: {
              Props: { values: { __proto__x: "javascript:alert(1)" } },
              Script: { code: "window.pwned = 1" },
            },
          },
        ],
      }),
    );
    const { page, errors } = await openEditor(browser, served.url, { policy: true });
    await page.locator(".esp-list button", { hasText: "evil.scene.json" }).click();
    await page.locator(".esp-row", { hasText: "<img" }).click();
    await settled(page);
    expect(await page.evaluate("window.pwned")).toBeUndefined();
    // In a task of the page itself: what a debugger evaluates may do anything.
    const isBlocked = await page.evaluate(
      () =>
        new Promise((done) =>
          setTimeout(() => {
            try {
              done(new Function("return false")());
            } catch {
              done(true);
            }
          }),
        ),
    );
    expect(isBlocked).toBe(true);
    await page.locator("section", { hasText: "Unknown component, kept as it is" }).first().waitFor();
    expect(errors.filter((text) => !text.includes("unsafe-eval"))).toEqual([]);
    await page.context().close();
  });

  it("saves a new scene into the project, under a name that no file has", async () => {
    const { page, errors } = await openEditor(browser, served.url);
    // A sample is not the project; what is made after it is.
    await openSample(page, "garden");
    await runCommand(page, "New scene");
    await page.getByText("Nothing here yet").waitFor();
    await runCommand(page, "Create: Rectangle");
    await row(page, "rectangle").waitFor();
    await page.keyboard.press("Control+s");
    const name = page.getByLabel("File name, from the folder of the project");
    expect(await name.inputValue()).toBe("untitled.scene.json");
    const before = readFileSync(file(), "utf8");
    await name.fill("level.scene.json");
    await name.press("Enter");
    await page.getByRole("alert").getByText("There is a file level.scene.json already").waitFor();
    expect(await violations(page)).toEqual([]);
    await name.fill("new");
    await name.press("Enter");
    await page.getByText("Saved new.scene.json.").waitFor();
    expect(readFileSync(file(), "utf8")).toBe(before);
    expect(readFileSync(join(served.folder, "new.scene.json"), "utf8")).toContain('"name": "rectangle"');
    // It has a file now: a prefab can be made beside it, and saving asks nothing.
    await row(page, "rectangle").click();
    await runCommand(page, "Make a prefab");
    await page.locator('[data-asset="rectangle.prefab.json"]').waitFor();
    await page.keyboard.press("Control+s");
    await page.waitForFunction("!espalierEditor.document.isDirty");
    expect(readFileSync(join(served.folder, "new.scene.json"), "utf8")).toContain("rectangle.prefab.json");
    expect(errors).toEqual([]);
    await page.context().close();
    for (const one of ["new.scene.json", "rectangle.prefab.json"]) rmSync(join(served.folder, one));
  });

  it("downloads where the browser cannot write files", async () => {
    const { page } = await openEditor(browser, served.url, { pickers: false });
    await row(page, "level").waitFor();
    await page.keyboard.press("Control+Shift+S");
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: "Elsewhere…" }).click();
    expect((await waiting).suggestedFilename()).toBe("level.scene.json");
    await page.context().close();
  });

  it("imports a .tscn and a glTF that are dropped on the window", async () => {
    const { page, errors } = await openEditor(browser, served.url);
    await row(page, "level").waitFor();
    const tscn = `[gd_scene format=3]\n\n[node name="Castle" type="Node2D"]\n\n[node name="Tower" type="Node2D" parent="."]\nposition = Vector2(12, 34)\n`;
    await dropFile(page, "castle.tscn", tscn, "castle.scene.json");
    await row(page, "Castle").waitFor();
    expect(await savedText(page)).toContain(`"x": 12`);
    const gltf = {
      asset: { version: "2.0" },
      scenes: [{ nodes: [0] }],
      nodes: [{ name: "Ship", children: [1] }, { name: "Sail" }],
    };
    await dropFile(page, "ship.gltf", JSON.stringify(gltf), "ship.scene.json");
    await row(page, "Ship").waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it("exports nested and flat, and lists recent files in the welcome", async () => {
    const { page } = await openEditor(browser, served.url, { pickers: false });
    await row(page, "level").waitFor();
    const exported = async (id: string) => {
      const waiting = page.waitForEvent("download");
      await page.evaluate(`espalierEditor.run("${id}")`);
      return readFileSync(await (await waiting).path(), "utf8");
    };
    const nested = JSON.parse(await exported("export-nested")) as { entities: { children?: object[] }[] };
    expect(nested.entities.some(({ children = [] }) => children.length > 0)).toBe(true);
    const flat = JSON.parse(await exported("export-flat")) as {
      entities: { children?: object[]; parent?: string }[];
    };
    expect(flat.entities.every(({ children }) => children === undefined)).toBe(true);
    expect(flat.entities.some(({ parent }) => parent !== undefined)).toBe(true);
    await page.locator(".esp-list button", { hasText: "other.scene.json" }).click();
    await row(page, "other").waitFor();
    await page.evaluate("espalierEditor.view.open('welcome')");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /level\.scene\.json/ })
      .click();
    await row(page, "level").waitFor();
    await page.context().close();
  });
});
