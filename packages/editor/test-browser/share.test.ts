/** Two people in two pages edit one scene, as `espalier edit --share` serves it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../../../scripts/workspace.mjs";
import { closePages, sharedBrowser } from "../../../test/browser/shared-browser.ts";
import { openRelay } from "../../collab/src/relay/index.ts";
import {
  openEditor,
  row,
  type ServedEditor,
  savedText,
  screenPosition,
  serveEditor,
  smallScene,
} from "./editor-page.ts";
import { violations } from "./violations.ts";

const folder = mkdtempSync(join(tmpdir(), "espalier-share-"));
const collab = join(root, "packages/collab");
let served: ServedEditor;

beforeAll(async () => {
  const module = process.env.ESPALIER_TARGET === "dist" ? join(collab, "dist/page.mjs") : await bundled();
  const engine = createRequire(join(collab, "package.json")).resolve("loro-crdt/base64");
  served = await serveEditor((project) => {
    writeFileSync(join(project, "main.scene.json"), smallScene);
    return { open: "main.scene.json", share: { module, engine, openRelay } };
  });
});

afterAll(async () => {
  await closePages();
  await served?.close();
  rmSync(folder, { recursive: true });
});

/** As the package builds it. */
async function bundled(): Promise<string> {
  await build({
    root,
    configFile: false,
    logLevel: "error",
    build: {
      outDir: folder,
      minify: false,
      target: "esnext",
      lib: { entry: join(collab, "src/index.ts"), formats: ["es"], fileName: () => "page.mjs" },
      rolldownOptions: { external: [/^espalier(\/|$)/, "loro-crdt"] },
    },
  });
  return join(folder, "page.mjs");
}

/** Opens the address as one of the people who have it. */
async function open(name: string): Promise<{ readonly page: Page; readonly errors: string[] }> {
  // With the rules of the page in force: the engine is WebAssembly, and the modules come from beside the page.
  const { page, errors } = await openEditor(await sharedBrowser(), served.url, { policy: true });
  await page.getByLabel("Your name, as others see it").fill(name);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  return { page, errors };
}

it("two people edit one scene, see each other, undo their own edits and save for both", async () => {
  const { page: ada, errors } = await open("Ada Lovelace");
  await ada.getByText("Shared: only you are here").waitFor();
  const { page: bob, errors: errorsOfBob } = await open("Bob");
  const people = (page: Page) => page.getByRole("list", { name: "Also editing this scene" });
  await people(ada).getByText("Bob", { exact: true }).waitFor();
  await people(bob).getByText("AL").waitFor();

  // What Bob selects and points at is seen by Ada, also by her screen reader.
  await bob.bringToFront();
  await row(bob, "tree").click();
  const { x, y } = await screenPosition(bob, "rock");
  await bob.mouse.move(x, y);
  await ada.bringToFront();
  await ada.getByRole("treeitem", { name: "tree, selected by Bob" }).waitFor();
  await expect
    .poll(() => ada.evaluate("espalierEditor.sharing.others[0].cursor"))
    .toEqual({ x: expect.closeTo(120, 0), y: expect.closeTo(100, 0) });
  const spot = await screenPosition(ada, "rock");
  const clip = { x: spot.x + 12, y: spot.y + 16, width: 40, height: 18 };
  const shown = await ada.screenshot({ clip });
  expect(await violations(ada)).toEqual([]);

  // Both edit.
  await row(ada, "rock").click();
  await ada.keyboard.press("Delete");
  await bob.bringToFront();
  await row(bob, "rock").waitFor({ state: "detached" });
  await row(bob, "sky").click();
  await bob.keyboard.press("Shift+A");
  await ada.bringToFront();
  const parent = ada.locator('.esp-row[data-name="sky"][aria-expanded]');
  await parent.waitFor();
  await ada.keyboard.press("Control+z");
  await row(ada, "rock").waitFor();
  await parent.waitFor();
  await bob.bringToFront();
  await row(bob, "rock").waitFor();
  await bob.keyboard.press("Control+z");
  await ada.bringToFront();
  await parent.waitFor({ state: "detached" });

  // One saves, and it is saved for both.
  await row(ada, "house").click();
  await ada.keyboard.press("Shift+H");
  await bob.bringToFront();
  await bob.getByRole("img", { name: "Unsaved changes" }).waitFor();
  await bob.keyboard.press("Control+s");
  await bob.getByText("Saved main.scene.json.").waitFor();
  await ada.bringToFront();
  await ada.getByRole("img", { name: "Unsaved changes" }).waitFor({ state: "detached" });
  expect(await savedText(ada)).toBe(await savedText(bob));
  expect(readFileSync(join(served.folder, "main.scene.json"), "utf8")).toContain(`"mode": "hidden"`);

  // A member that leaves is no longer shown to the other.
  expect([errors, errorsOfBob]).toEqual([[], []]);
  await bob.goto("about:blank");
  await ada.getByText("Shared: only you are here").waitFor();
  await expect.poll(async () => (await ada.screenshot({ clip })).equals(shown)).toBe(false);

  // A server that is gone is said to be gone, and nothing counts as saved.
  await row(ada, "house").click();
  await ada.keyboard.press("Shift+H");
  await ada.context().setOffline(true);
  await ada.keyboard.press("Control+s");
  await ada.getByText("The server does not answer.").waitFor();
  await ada.getByRole("img", { name: "Unsaved changes" }).waitFor();
  await ada.context().setOffline(false);
  await ada.keyboard.press("Control+s");
  await ada.getByText("Saved main.scene.json.").waitFor();
});
