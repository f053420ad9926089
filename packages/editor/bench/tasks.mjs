/**
 * The longest task of the page with 100,100 entities, in a real Chromium, with the built editor (`npm run build`):
 *
 *     node packages/editor/bench/tasks.mjs [--rounds 3] [--json]
 *
 * - `drop`: a row is dragged to another place and dropped.
 * - `keep`: the pause after it, in which unsaved work is written to the storage of the browser.
 * - `undo`: the drop is taken back.
 * - `save`: Ctrl+S, until the file is written.
 * - `in one`: beside them, what saving would be in one piece: `JSON.stringify` of the same file with its indentation.
 *
 * In milliseconds on the processor, from a trace: other programs of the machine do not count. The median of the rounds; the first
 * drop of a page is by itself, because everything is cold then.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { importTypeScript, median, root } from "./page.mjs";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "3" }, json: { type: "boolean", default: false } },
});
const { startServer, appFolder } = await import(
  pathToFileURL(join(root, "packages/editor/dist/server.mjs")).href
);
const { launchChromium } = await importTypeScript("test/browser/chromium.ts");

const name = "large.scene.json";
const folder = mkdtempSync(join(tmpdir(), "espalier-tasks-"));
writeFileSync(join(folder, name), largeScene());
const server = await startServer({ folder, app: appFolder(), open: name });
const browser = await launchChromium(["--disable-gpu-compositing", "--disable-accelerated-2d-canvas"]);
try {
  const page = await open();
  const results = { drop: [], keep: [], undo: [], save: [], "in one": [] };
  const first = await longestTask(page, () => drop(page));
  for (let round = 0; round < Number(values.rounds); round++) {
    results.keep.push(await longestTask(page, () => page.waitForTimeout(4000)));
    results.undo.push(await longestTask(page, () => undo(page)));
    results.drop.push(await longestTask(page, () => drop(page)));
    results.save.push(await longestTask(page, () => save(page)));
    results["in one"].push(
      await longestTask(page, () => page.evaluate("JSON.stringify(scene, null, 2).length")),
    );
  }
  const medians = Object.entries(results).map(([what, all]) => [what, median(all)]);
  for (const [what, ms] of [["first drop", first], ...medians]) {
    if (values.json) console.log(JSON.stringify({ case: what, longest: ms }));
    else console.log(`${what.padEnd(10)} ${ms.toFixed(0).padStart(5)} ms`);
  }
} finally {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true });
}

/** A hundred groups of ten groups of ninety-nine. */
function largeScene() {
  const entities = [];
  const add = (id, label, parent, x, y) =>
    entities.push({ id, name: label, parent, components: { Transform2D: { x, y } } });
  for (let a = 0; a < 100; a++) {
    add(`a${a}`, `group ${a}`, undefined, (a % 10) * 200, Math.floor(a / 10) * 200);
    for (let b = 0; b < 10; b++) {
      add(`a${a}b${b}`, `part ${a}.${b}`, `a${a}`, 0, 0);
      for (let c = 0; c < 99; c++) add(`a${a}b${b}c${c}`, `leaf ${a}.${b}.${c}`, `a${a}b${b}`, c, b * 10);
    }
  }
  return JSON.stringify({ version: 1, entities });
}

async function open() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, bypassCSP: true });
  await context.addInitScript(`localStorage.setItem("espalier-editor-settings", '{"tourSeen":true}')`);
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(server.url);
  await row(page, "group 0").waitFor();
  await page.evaluate("espalierEditor.view.expandAll()");
  await row(page, "leaf 0.0.3").waitFor();
  await page.evaluate(`globalThis.scene = ${readFileSync(join(folder, name), "utf8")}; 0`);
  await settled(page);
  return page;
}

function row(page, label) {
  return page.locator(`.esp-row[data-name="${label}"]`).first();
}

/** Two frames: what was changed is drawn. */
async function settled(page) {
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}

function steps(page) {
  return page.evaluate("espalierEditor.document.history.undoLabels.length");
}

async function drop(page) {
  const before = await steps(page);
  const { x, y } = await row(page, "leaf 0.0.3").boundingBox();
  await page.mouse.move(x + 90, y + 10);
  await page.mouse.down();
  await page.mouse.move(x + 90, y - 40, { steps: 3 });
  await page.mouse.up();
  await settled(page);
  if ((await steps(page)) !== before + 1) throw new Error("The drop did not become a step.");
}

async function undo(page) {
  const before = await steps(page);
  await page.keyboard.press("Control+z");
  await settled(page);
  if ((await steps(page)) !== before - 1) throw new Error("Nothing was undone.");
}

async function save(page) {
  await page.keyboard.press("Control+s");
  await page.waitForFunction("!espalierEditor.document.isDirty");
  await settled(page);
}

/** The longest task of the page's main thread while something happens. */
async function longestTask(page, run) {
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline"] });
  let trace;
  try {
    await page.evaluate("console.timeStamp('espalier')");
    await run();
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(trace.toString());
  const stamp = traceEvents.find(
    ({ name: event, args }) =>
      event === "TimeStamp" && (args?.data?.message ?? args?.data?.name) === "espalier",
  );
  if (stamp === undefined) throw new Error("The trace does not say which thread the page runs in.");
  const tasks = traceEvents.filter(
    ({ name: event, ph, pid, tid }) =>
      event.endsWith("RunTask") && ph === "X" && pid === stamp.pid && tid === stamp.tid,
  );
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1000));
}
