/**
 * Large scenes in a real Chromium, beside what cannot be avoided:
 *
 *     node packages/editor/bench/large.mjs [--case tree|sprites] [--json]
 *
 * - `tree`: the tree panel with 100,000 entities, all expanded, scrolled by 900 pixels in every frame, beside a bare virtual list
 *   (@tanstack/react-virtual, one text per row). Milliseconds of the page's main thread a frame.
 * - `sprites`: 10,000 moving sprites in the viewport beside the same sprites in bare PixiJS (WebGL). Milliseconds of script a
 *   frame. Without a graphics card Pixi's drawing itself happens elsewhere, and is not in these numbers.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { median, openBuilt, root } from "./page.mjs";

const { values } = parseArgs({
  options: { json: { type: "boolean", default: false }, case: { type: "string" } },
});
const at = (path) => JSON.stringify(join(root, path));

const source = `
import { createElement, useRef } from "react";
import { createRoot } from "react-dom/client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Application, Sprite as PixiSprite, Texture } from "pixi.js";
import { startEditor } from ${at("packages/editor/src/index.ts")};

const place = document.getElementById("place");
const entities = [];
for (let a = 0; a < 100; a++) {
  entities.push({ id: "a" + a, name: "group " + a, components: { Transform2D: {} } });
  for (let b = 0; b < 10; b++) {
    entities.push({ id: "a" + a + "b" + b, name: "part " + b, parent: "a" + a });
    for (let c = 0; c < 99; c++) entities.push({ id: "a" + a + "b" + b + "c" + c, name: "leaf " + c, parent: "a" + a + "b" + b });
  }
}
const drop = (name, scene) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([JSON.stringify(scene)], name));
  document.querySelector(".esp").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
};
const frames = (count, each) => new Promise((done) => {
  let left = count;
  const frame = () => { each(); if (--left > 0) requestAnimationFrame(frame); else done(count); };
  requestAnimationFrame(frame);
});
const sprites = Array.from({ length: 10000 }, (_, k) => ({
  id: "s" + k, components: { Transform2D: { x: (k % 125) * 6, y: Math.floor(k / 125) * 6 }, Shape: { width: 5, height: 5, fill: "#58b58b" } },
}));
function Bare() {
  const list = useRef(null);
  const virtual = useVirtualizer({ count: entities.length, getScrollElement: () => list.current, estimateSize: () => 22, overscan: 8 });
  return createElement("div", { ref: list, className: "list", style: { height: 600, overflow: "auto" } },
    createElement("div", { style: { height: virtual.getTotalSize(), position: "relative" } },
      virtual.getVirtualItems().map(({ index, start }) =>
        createElement("div", { key: index, style: { position: "absolute", top: start, height: 22 } }, entities[index].name))));
}
let app;
let pixi;
Object.assign(window, {
  async bareList() { createRoot(place).render(createElement(Bare)); },
  async editorTree() {
    app = await startEditor(place);
    app.open("none");
    drop("large.scene.json", { version: 1, entities });
  },
  expanded() { app.expandAll(); },
  async editorSprites() {
    app = await startEditor(place);
    app.open("none");
    drop("sprites.scene.json", { version: 1, entities: sprites });
  },
  count: () => app?.document.world.count ?? 0,
  scroll: (selector) => { const list = document.querySelector(selector); return frames(120, () => { list.scrollTop += 900; }); },
  moveEditor: () => {
    const { document: scene } = app;
    const all = scene.world.entities();
    // Not a step each: what is measured is the drawing.
    return frames(60, () => { for (const one of all) scene.space.translate(one, 0.1, 0); scene.touch(); });
  },
  async pixiSprites() {
    pixi = new Application();
    await pixi.init({ width: 680, height: 500, preference: "webgl", autoStart: false });
    place.append(pixi.canvas);
    for (let k = 0; k < 10000; k++) {
      const sprite = new PixiSprite(Texture.WHITE);
      sprite.setSize(5);
      sprite.tint = 0x58b58b;
      sprite.position.set((k % 125) * 5, Math.floor(k / 125) * 5);
      pixi.stage.addChild(sprite);
    }
  },
  movePixi: () => frames(60, () => { for (const sprite of pixi.stage.children) sprite.x += 0.1; pixi.render(); }),
});
`;

const folder = mkdtempSync(join(root, "node_modules/.cache-bench-"));
try {
  writeFileSync(join(folder, "page.js"), source);
  writeFileSync(
    join(folder, "index.html"),
    `<link rel="icon" href="data:,"><div id="place" style="position:fixed;inset:0"></div><script type="module" src="./page.js"></script>`,
  );
  await measure("tree", "bare list", "bareList()", undefined, `scroll(".list")`, "page");
  await measure("tree", "editor", "editorTree()", 100_100, `scroll(".esp-tree")`, "page", "expanded()");
  await measure("sprites", "bare Pixi", "pixiSprites()", undefined, "movePixi()", "script");
  await measure("sprites", "editor", "editorSprites()", 10_000, "moveEditor()", "script");
} finally {
  rmSync(folder, { recursive: true });
}

/** Times of the main thread on the processor, the median of five runs. */
async function measure(name, subject, begin, count, run, kind, then) {
  if (values.case !== undefined && values.case !== name) return;
  const { page, errors, close } = await openBuilt(folder);
  try {
    await page.waitForFunction("typeof bareList === 'function'");
    await page.evaluate(begin);
    if (count !== undefined)
      await page.waitForFunction(`count() === ${count}`, undefined, { timeout: 60_000 });
    if (then !== undefined) await page.evaluate(then);
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const spent = async () => {
      const { metrics } = await session.send("Performance.getMetrics");
      const wanted = kind === "page" ? "TaskDuration" : "ScriptDuration";
      return (metrics.find((metric) => metric.name === wanted)?.value ?? 0) * 1000;
    };
    await page.evaluate(run);
    const times = [];
    for (let round = 0; round < 5; round++) {
      const before = await spent();
      const frames = await page.evaluate(run);
      times.push(((await spent()) - before) / frames);
    }
    if (errors.length > 0) throw new Error(errors.join("\n"));
    const ms = median(times);
    if (values.json) console.log(JSON.stringify({ case: name, subject, kind, ms }));
    else console.log(`${name.padEnd(8)} ${subject.padEnd(10)} ${ms.toFixed(2)} ms a frame (${kind})`);
  } finally {
    await close();
  }
}
