/** The editor in a real browser, for tests. */
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printScene, toFlat } from "espalier/scene";
import type { Browser, Page } from "playwright-core";
import { build } from "vite";
import { root } from "../../../scripts/workspace.mjs";
import type { Served } from "../../../test/browser/serve.ts";
import { pageBuild } from "../page-build.ts";
import { type ServerOptions, startServer } from "../src/server/server.ts";

export interface ServedEditor extends Served {
  /** The project folder. */
  readonly folder: string;
}

/**
 * Builds the page, from the source or on the built library, and serves it as the command line does, with a project folder.
 *
 * @param prepare - Fills the folder.
 */
export async function serveEditor(
  prepare?: (folder: string) => Partial<ServerOptions> | undefined,
): Promise<ServedEditor> {
  const app = await builtPage();
  const folder = mkdtempSync(join(tmpdir(), "espalier-project-"));
  const server = await startServer({ folder, app, importFile, ...prepare?.(folder) });
  return {
    url: server.url,
    folder,
    async close() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The built page, kept until a source of it changes: all test files show the same one. */
async function builtPage(): Promise<string> {
  const target = process.env.ESPALIER_TARGET === "dist" ? "dist" : "source";
  const packages = join(root, "packages");
  const hash = createHash("sha256").update(`${target} ${pageBuild}`);
  for (const folder of ["editor/src", `espalier/${target === "dist" ? "dist" : "src"}`]) {
    for (const name of readdirSync(join(packages, folder), { recursive: true }).map(String).sort()) {
      const { mtimeMs, size } = statSync(join(packages, folder, name));
      hash.update(`${folder} ${name} ${mtimeMs} ${size}\n`);
    }
  }
  const cache = join(root, "node_modules/.cache/espalier-editor");
  const done = join(cache, hash.digest("hex").slice(0, 16));
  if (existsSync(done)) return done;
  mkdirSync(cache, { recursive: true });
  for (const old of readdirSync(cache)) rmSync(join(cache, old), { recursive: true, force: true });
  const app = mkdtempSync(join(cache, "making-"));
  const config = pageBuild(target);
  await build({
    ...config,
    configFile: false,
    logLevel: "error",
    build: { ...config.build, outDir: app, emptyOutDir: true, minify: false, chunkSizeWarningLimit: 10_000 },
  });
  renameSync(app, done);
  return done;
}

/** As the command line does it. */
async function importFile(name: string, bytes: Uint8Array): Promise<string> {
  const { importScene } = await import("../../cli/src/import/index.ts");
  const folder = mkdtempSync(join(tmpdir(), "espalier-import-"));
  try {
    writeFileSync(join(folder, name), bytes);
    return printScene(toFlat((await importScene(join(folder, name))).scene));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface EditorPage {
  readonly page: Page;
  readonly errors: string[];
  /** Questions of the page, such as whether unsaved changes may go, and what is answered. */
  readonly questions: { answer: boolean; readonly texts: string[] };
}

/** Opens a page of the editor and waits until it is there. */
export async function openEditor(
  browser: Browser,
  url: string,
  options: {
    readonly width?: number;
    readonly height?: number;
    readonly theme?: "dark" | "light";
    readonly scale?: number;
    /** With the rules of the page in force. Playwright waits by evaluating texts, which they forbid. */
    readonly policy?: boolean;
    /** Without: a browser that cannot write files. */
    readonly pickers?: boolean;
    /** With the tour of the first time. */
    readonly tour?: boolean;
  } = {},
): Promise<EditorPage> {
  const { width = 1280, height = 720, theme = "dark", scale = 1 } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    bypassCSP: options.policy !== true,
    colorScheme: theme,
    deviceScaleFactor: scale,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  if (options.pickers === false) {
    await context.addInitScript("delete window.showOpenFilePicker; delete window.showSaveFilePicker;");
  }
  if (options.tour !== true) {
    // Whoever opens it for the first time is shown around, which would stand in the way of tests.
    await context.addInitScript(
      `if (!localStorage.getItem("espalier-editor-settings")) localStorage.setItem("espalier-editor-settings", '{"tourSeen":true}');`,
    );
  }
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.setDefaultTimeout(60_000);
  const questions: EditorPage["questions"] = { answer: true, texts: [] };
  page.on("dialog", (dialog) => {
    questions.texts.push(dialog.message());
    void (questions.answer ? dialog.accept() : dialog.dismiss());
  });
  await page.goto(url);
  await page.waitForSelector(".esp");
  if (options.policy !== true) await page.waitForFunction("espalierEditor.view.viewport?.isReady !== false");
  return { page, errors, questions };
}

/** A scene of plain entities with names, nested as given: `a(b c(d))`. Each is a square of 20 at its place. */
export const smallScene = `{
  "entities": [
    { "id": "level", "name": "level", "components": { "Transform2D": { "x": 50, "rotation": 0.3, "scaleX": 1.5, "scaleY": 1.5 } },
      "children": [
        { "id": "house", "name": "house", "components": { "Transform2D": { "x": -60 }, "Shape": { "width": 40, "height": 40, "fill": "#b05a4a" } },
          "children": [{ "id": "door", "name": "door", "components": { "Transform2D": { "y": 12 }, "Shape": { "width": 10, "height": 14, "fill": "#3a2a20" } } }] },
        { "id": "tree", "name": "tree", "components": { "Transform2D": { "x": 60, "y": 20 }, "Shape": { "kind": "circle", "radius": 15, "fill": "#4a9a4a" } } }
      ] },
    { "id": "sky", "name": "sky", "components": { "Transform2D": { "x": -120, "y": -90 }, "Shape": { "width": 30, "height": 20, "fill": "#88aadd" } } },
    { "id": "rock", "name": "rock", "components": { "Transform2D": { "x": 120, "y": 100 }, "Shape": { "width": 30, "height": 24, "fill": "#777777" } } }
  ]
}`;

let files = 0;

/** Shows a scene, in place of what is open. */
export async function showScene(page: Page, text = smallScene): Promise<void> {
  // A page behind another gets no frames.
  await page.bringToFront();
  await page.keyboard.press("Escape");
  await page.evaluate("espalierEditor.notes.messages = []");
  await dropFile(page, `scene-${++files}.scene.json`, text);
  await page.waitForFunction("document.querySelectorAll('.esp-row').length > 0");
}

/** Drops a file on the window, as a user would. */
export async function dropFile(page: Page, name: string, text: string, shown = name): Promise<void> {
  await page.evaluate(
    ([fileName, content]) => {
      const data = new DataTransfer();
      data.items.add(new File([content as string], fileName as string, { type: "application/json" }));
      const root = document.querySelector(".esp") as HTMLElement;
      for (const type of ["dragover", "drop"]) {
        root.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
      }
    },
    [name, text],
  );
  await page.waitForFunction(
    (title) => document.querySelector(".esp-file")?.textContent?.includes(title as string),
    shown,
  );
}

/** The row of an entity by its name. */
export function row(page: Page, name: string): ReturnType<Page["locator"]> {
  return page.locator(`.esp-row[data-name="${name}"]`);
}

interface Entry {
  readonly id: string;
  readonly name?: string;
  readonly parent?: string;
  readonly components?: { readonly [name: string]: { readonly [field: string]: never } };
}

/** The file as it would be saved. */
export async function savedText(page: Page): Promise<string> {
  return (await page.evaluate("espalierEditor.document.save()")) as string;
}

export async function savedEntry(page: Page, id: string): Promise<Entry | undefined> {
  const { entities } = JSON.parse(await savedText(page)) as { entities: readonly Entry[] };
  return entities.find((entry) => entry.id === id);
}

/** Where an entity is in the world. */
export async function worldPosition(page: Page, id: string): Promise<{ x: number; y: number }> {
  return (await page.evaluate(
    `espalierEditor.document.space.worldPosition(espalierEditor.document.scene.entity(${JSON.stringify(id)}))`,
  )) as { x: number; y: number };
}

/** Where an entity is on the page. */
export async function screenPosition(page: Page, id: string): Promise<{ x: number; y: number }> {
  return (await page.evaluate(`(() => {
    const { document: scene, view: { viewport } } = espalierEditor;
    const at = scene.space.worldPosition(scene.scene.entity(${JSON.stringify(id)}));
    const { matrix } = viewport.camera.view;
    const box = document.querySelector("[data-viewport]").getBoundingClientRect();
    return {
      x: box.left + matrix.a * at.x + matrix.c * at.y + matrix.x,
      y: box.top + matrix.b * at.x + matrix.d * at.y + matrix.y,
    };
  })()`)) as { x: number; y: number };
}

/** Drags with the mouse, in steps, to a fraction of the height of a row: 0.1 before it, 0.5 into it, 0.9 after it. */
export async function dragRow(
  page: Page,
  from: string,
  to: string,
  fraction: number,
  options: { readonly alt?: boolean; readonly drop?: boolean } = {},
): Promise<void> {
  const start = await row(page, from).boundingBox();
  const end = await row(page, to).boundingBox();
  if (start === null || end === null) throw new Error(`There is no row ${from} or ${to}.`);
  await page.mouse.move(start.x + 60, start.y + 11);
  await page.mouse.down();
  if (options.alt === true) await page.keyboard.down("Alt");
  await page.mouse.move(end.x + 70, end.y + 8, { steps: 4 });
  await page.mouse.move(end.x + 70, end.y + end.height * fraction, { steps: 2 });
  if (options.drop === false) return;
  await page.mouse.up();
  if (options.alt === true) await page.keyboard.up("Alt");
}

/** Types another name for the selected row: keys are letters once the field has the focus. */
export async function renameRow(page: Page, name: string): Promise<void> {
  await page.keyboard.press("F2");
  await page.locator(".esp-row input.rename:focus").waitFor();
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await row(page, name).waitFor();
}

/** Runs an action by its name in the command palette. */
export async function runCommand(page: Page, name: string): Promise<void> {
  const input = page.getByPlaceholder("Type a command");
  await page.keyboard.press("Control+k");
  await input.fill(name);
  // Enter takes what is marked, which follows what is typed.
  await page.locator('[cmdk-item][data-selected="true"]', { hasText: name }).waitFor();
  await page.keyboard.press("Enter");
  // A question asked by the action keeps the palette on the page until it is answered; the next key must not meet it there.
  await input.waitFor({ state: "detached" });
}

/** Opens a sample from the welcome. */
export async function openSample(page: Page, id: string): Promise<void> {
  await page.evaluate("espalierEditor.view.open('welcome')");
  await page.click(`[data-sample="${id}"]`);
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

/** Waits until the editor has shown the last change. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))",
  );
}

export async function undoLabels(page: Page): Promise<readonly string[]> {
  return (await page.evaluate("espalierEditor.document.history.undoLabels")) as readonly string[];
}
