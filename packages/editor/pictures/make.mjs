/**
 * The pictures of the editor in the documents, taken from the built editor (`npm run build`):
 *
 *     node packages/editor/pictures/make.mjs [--still] [--animated]
 *
 * writes `docs/images/editor.png` and `docs/images/editor-animated.png`, an animated PNG.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { importTypeScript, root } from "../bench/page.mjs";
import { animatedPng } from "./animated-png.mjs";

const { PNG } = createRequire(import.meta.url)("pngjs");
const { startServer, sampleFiles, appFolder } = await import(
  pathToFileURL(join(root, "packages/editor/dist/server.mjs")).href
);
const { launchChromium } = await importTypeScript("test/browser/chromium.ts");
const folder = mkdtempSync(join(tmpdir(), "espalier-pictures-"));
for (const [name, text] of Object.entries(sampleFiles())) writeFileSync(join(folder, name), text);
const server = await startServer({ folder, app: appFolder(), open: "yard.scene.json" });
const browser = await launchChromium();
const asked = process.argv.slice(2);
try {
  if (asked.length === 0 || asked.includes("--still")) await still();
  if (asked.length === 0 || asked.includes("--animated")) await animated();
} finally {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true });
}

async function open(width, height) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: "dark",
    bypassCSP: true,
  });
  await context.addInitScript(`localStorage.setItem("espalier-editor-settings", '{"tourSeen":true}')`);
  const page = await context.newPage();
  await page.goto(server.url);
  await row(page, "bravo").waitFor();
  return page;
}

function row(page, name) {
  return page.locator(`.esp-row[data-name="${name}"]`).first();
}

async function still() {
  const page = await open(1280, 720);
  await page.evaluate("espalierEditor.view.expandAll()");
  await row(page, "bravo").click();
  await settle(page);
  // One frame of 256 colours is a third of what the browser writes.
  const { width, height, data } = PNG.sync.read(await page.screenshot());
  writeFileSync(join(root, "docs/images/editor.png"), animatedPng([{ width, height, data, delay: 0 }]));
}

/** Drags a row into another, turns what is selected, takes both back, plays, stops. */
async function animated() {
  const page = await open(960, 600);
  const frames = [];
  const shoot = async (delay) => {
    await settle(page);
    const { width, height, data } = PNG.sync.read(await page.screenshot());
    frames.push({ width, height, data, delay });
  };
  const glide = async (from, to, count, press) => {
    await page.mouse.move(from.x, from.y);
    if (press) await page.mouse.down();
    for (let k = 1; k <= count; k++) {
      await page.mouse.move(from.x + ((to.x - from.x) * k) / count, from.y + ((to.y - from.y) * k) / count);
      await shoot(90);
    }
    if (press) await page.mouse.up();
  };
  const middle = async (name) => {
    const { x, y, height } = await row(page, name).boundingBox();
    return { x: x + 90, y: y + height / 2 };
  };
  await shoot(900);
  await row(page, "crate a").click();
  await shoot(500);
  await glide(await middle("crate a"), await middle("bravo"), 6, true);
  await shoot(900);
  await row(page, "bravo").click();
  await page.keyboard.press("e");
  await shoot(500);
  const ring = await page.evaluate(`(() => {
    const { document: scene, view: { viewport } } = espalierEditor;
    const at = scene.space.worldPosition(scene.selection.primary);
    const { matrix } = viewport.camera.view;
    const box = document.querySelector("[data-viewport]").getBoundingClientRect();
    return { x: box.left + matrix.a * at.x + matrix.x, y: box.top + matrix.d * at.y + matrix.y };
  })()`);
  const on = (angle) => ({ x: ring.x + 58 * Math.cos(angle), y: ring.y + 58 * Math.sin(angle) });
  await page.mouse.move(on(0).x, on(0).y);
  await page.mouse.down();
  for (let k = 1; k <= 8; k++) {
    await page.mouse.move(on(k * 0.14).x, on(k * 0.14).y);
    await shoot(90);
  }
  await page.mouse.up();
  await shoot(700);
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("w");
  await shoot(900);
  await page.keyboard.press("Escape");
  await page.evaluate("espalierEditor.run('play')");
  await page.waitForFunction("espalierEditor.documents.play !== undefined");
  await page.evaluate("espalierEditor.documents.play.pause()");
  for (let k = 0; k < 16; k++) {
    await page.evaluate("for (let n = 0; n < 6; n++) espalierEditor.documents.play.step()");
    await shoot(100);
  }
  await page.evaluate("espalierEditor.run('stop')");
  await shoot(1200);
  const bytes = animatedPng(frames);
  writeFileSync(join(root, "docs/images/editor-animated.png"), bytes);
  console.log(`docs/images/editor-animated.png: ${frames.length} frames, ${bytes.length} bytes`);
}

/** Two frames: what was changed is drawn. */
async function settle(page) {
  await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))",
  );
}
