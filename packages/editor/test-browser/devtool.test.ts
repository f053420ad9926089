import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import type { Browser, Page } from "playwright-core";
import { build, type PreviewServer, preview } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aliases } from "../../../scripts/public-names.mjs";
import { root } from "../../../scripts/workspace.mjs";
import { openPage } from "../../../test/browser/serve.ts";
import { closePages, sharedBrowser } from "../../../test/browser/shared-browser.ts";
import { dragRow, row, settled } from "./editor-page.ts";
import { violations } from "./violations.ts";

/** A game of 2,000 entities that moves all of them every frame, and the editor beside it. */
const game = `
import { component, createSchedule, createWorld, entityRefs, enumOf, f32, shared, string, tag, u32 } from "espalier";
import { constrain, createHierarchy, forbidOnChildren } from "espalier/hierarchy";
import { createTransforms2D } from "espalier/transform";
import { createSceneFormat } from "espalier/scene";
import { mountEditor } from ${JSON.stringify(join(root, "packages/editor/src/index.ts"))};

const Velocity = component("Velocity", { x: f32(), y: f32() });
const world = createWorld();
const tree = createHierarchy(world);
const space = createTransforms2D(tree);
const squad = world.spawn(space.at(0, 0));
tree.setName(squad, "squad");
for (let k = 0; k < 2000; k++) {
  const unit = tree.attachNew(squad, space.at(k % 50, Math.floor(k / 50)), Velocity({ x: 1 }));
  tree.setName(unit, "unit " + k);
}
// As every game that loads its scenes: their ids are noted on entities.
createSceneFormat({ components: [] }).load(tree, { entities: [{ id: "spot", name: "spot" }] }).destroy();
const Fixed = tag("Fixed");
constrain(tree, forbidOnChildren(world, Fixed));
// Two with one sign, which is kept once.
const Sign = component("Sign", { text: string("keep out") }, { storage: shared });
tree.setName(world.spawn(space.at(0, 0), Fixed(), Sign()), "gate");
world.add(squad, Sign());
// What the squad holds shut, with data for each.
const Locks = component("Locks", { with: entityRefs({ data: { turns: u32(1), state: enumOf("open", "shut"), angle: f32() } }) });
world.add(squad, Locks({ with: [{ target: tree.find("/gate"), turns: 2 }] }));
world.add(tree.find("/squad/unit 4"), Locks({ with: [{ target: squad }] }));
const schedule = createSchedule(world);
schedule.addSet({ name: "driving" });
schedule.addSet({ name: "empty" });
schedule.add({ name: "move", set: "driving", run: ({ dt }) => world.query(Velocity).each((entity, velocity) => space.translate(entity, velocity.x * dt, velocity.y * dt)) });
let isPaused = false;
let frames = 0;
const step = () => {
  schedule.run(1 / 60);
  space.propagate();
  frames++;
};
// How many callbacks the page asks for: the game one in each frame, the editor its own while it is open.
let asked = 0;
const nextFrame = requestAnimationFrame.bind(window);
window.requestAnimationFrame = (callback) => { asked++; return nextFrame(callback); };
const pausable = { get isPaused() { return isPaused; }, pause() { isPaused = true; }, resume() { isPaused = false; }, step };
const loop = () => { if (!isPaused) step(); requestAnimationFrame(loop); };
requestAnimationFrame(loop);
// And how many timers run.
const timers = new Set();
for (const [start, end] of [["setInterval", "clearInterval"], ["setTimeout", "clearTimeout"]]) {
  const [begin, stop] = [window[start].bind(window), window[end].bind(window)];
  window[start] = (run, ...given) => {
    const id = begin(() => { if (start === "setTimeout") timers.delete(id); run(); }, ...given);
    timers.add(id);
    return id;
  };
  window[end] = (id) => { timers.delete(id); stop(id); };
}
// Listeners to the world cost the game something. Those that the library itself has are there before the editor is.
const state = world[Symbol.for("espalier.state")];
let readers = 0;
const makeReader = tree.events.reader.bind(tree.events);
tree.events.reader = (...given) => {
  const reader = makeReader(...given);
  const close = reader.close.bind(reader);
  readers++;
  return Object.assign(reader, { close: () => { readers--; close(); } });
};
const countListeners = () => state.listeners + state.onSpawn.length + state.onDestroying.length + state.onDestroy.length + readers;
const others = countListeners();
const editor = mountEditor(document.getElementById("tool"), { world, tree, space, schedule, pausable, title: "My game" });
Object.assign(window, {
  world, tree, space, squad, editor, Velocity, Sign, Locks, pausable,
  /** How many callbacks the page asks for in 20 frames of the game. */
  askedIn20: () => new Promise((done) => {
    const [from, begin] = [frames, asked];
    const look = () => { if (frames - from < 20) nextFrame(look); else done(Math.round((asked - begin) / (frames - from) * 20)); };
    nextFrame(look);
  }),
  squadOf: (k) => tree.childrenOf(squad)[k],
  listeners: () => countListeners() - others,
  timers: () => timers.size,
  spawn: () => tree.setName(tree.attachNew(squad, space.at(1, 1)), "newcomer"),
});
`;

let browser: Browser;
let served: PreviewServer;
let page: Page;
let errors: string[];
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(root, "node_modules/.cache-devtool-"));
  writeFileSync(join(folder, "game.js"), game);
  writeFileSync(
    join(folder, "index.html"),
    `<link rel="icon" href="data:,"><div id="tool" style="position:fixed;inset:10px"></div><script type="module" src="./game.js"></script>`,
  );
  browser = await sharedBrowser();
  const target = process.env.ESPALIER_TARGET === "dist" ? "dist" : "source";
  const shared = { configFile: false, logLevel: "error", root: folder } as const;
  await build({
    ...shared,
    plugins: [react()],
    resolve: { alias: aliases(target) },
    build: { chunkSizeWarningLimit: 10_000 },
  });
  served = await preview({ ...shared, preview: { host: "127.0.0.1", port: 0 } });
  const { port } = served.httpServer.address() as AddressInfo;
  ({ page, errors } = await openPage(browser, `http://127.0.0.1:${port}/`));
  page.setDefaultTimeout(20_000);
  await row(page, "unit 0")
    .waitFor({ timeout: 30_000 })
    .catch((error) => {
      throw new Error(`${errors.join("\n")}\n${error}`);
    });
});
afterAll(async () => {
  await closePages();
  await served.close();
  rmSync(folder, { recursive: true });
});

interface Locked {
  readonly world: { get(...given: unknown[]): { with: object[] }; set(...given: unknown[]): void };
  readonly squad: unknown;
  readonly Locks: unknown;
}

interface Listening {
  listeners(): number;
}

describe("the editor in a running game", () => {
  it("shows the live tree, marks what changes, and writes live", async () => {
    await row(page, "unit 3").click();
    // Rows and the inspector are shown without a single listener.
    expect(await page.evaluate("listeners()")).toBe(0);
    const x = page.getByLabel("Local x", { exact: true });
    await x.waitFor();
    const before = await x.inputValue();
    await page.waitForFunction(
      (old) => (document.querySelector('[aria-label="Local x"]') as HTMLInputElement).value !== old,
      before,
    );
    await page.waitForFunction(() => document.querySelector('.esp-row[data-changed="true"]') !== null);
    // Only what changed is marked.
    await page.locator('[data-field="position"][data-changed="true"]').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.locator('[data-field="rotation"][data-changed="true"]').count()).toBe(0);
    await page.getByLabel("Velocity x", { exact: true }).fill("-7");
    await page.getByLabel("Velocity x", { exact: true }).press("Enter");
    const velocity = await page.evaluate("world.get(tree.find('/squad/unit 3'), Velocity).x");
    expect(velocity).toBe(-7);
    await page.getByRole("button", { name: "Undo" }).click();
    expect(await page.evaluate("world.get(tree.find('/squad/unit 3'), Velocity).x")).toBe(1);
  });

  it("says how many entities share values, even when a write of the game or of the editor parts them", async () => {
    await row(page, "squad").click();
    const note = page.locator('[data-component="Sign"] .esp-shared-note');
    await expect.poll(() => note.textContent()).toContain("2 entities share these values.");
    expect(await violations(page)).toEqual([]);
    await page.getByLabel("Sign text", { exact: true }).fill("open");
    await page.getByLabel("Sign text", { exact: true }).press("Enter");
    await expect.poll(() => note.textContent()).toContain("No other entity has these values");
    expect(await page.evaluate("world.get(tree.find('/gate'), Sign).text")).toBe("keep out");
    await page.evaluate("world.set(tree.find('/gate'), Sign, { text: 'open' })");
    await expect.poll(() => note.textContent()).toContain("2 entities share these values.");
  });

  it("changes the data of each pair of a relation, and undoes it", async () => {
    await row(page, "squad").click();
    const value = (name: string) => page.getByLabel(`Locks with 1 ${name}`, { exact: true });
    const type = async (name: string, text: string) => {
      await value(name).fill(text);
      await value(name).press("Enter");
    };
    const pairs =
      "JSON.stringify(world.get(squad, Locks).with.map(({ target, turns, state, angle }) => [target === tree.find('/gate'), turns, state, angle.toFixed(2)]))";
    expect(await value("turns").inputValue()).toBe("2");
    await type("turns", "5");
    await expect.poll(() => page.evaluate(pairs)).toBe('[[true,5,"open","0.00"]]');
    await value("state").selectOption({ label: "shut" });
    await expect.poll(() => page.evaluate(pairs)).toBe('[[true,5,"shut","0.00"]]');
    await type("angle", "180");
    await expect.poll(() => page.evaluate(pairs)).toBe('[[true,5,"shut","3.14"]]');
    await expect.poll(() => value("angle").inputValue()).toBe("180");
    expect(await violations(page)).toEqual([]);
    await type("turns", "-1");
    await expect.poll(() => page.locator('[data-component="Locks"] .error').textContent()).toContain("Locks");
    for (let k = 0; k < 3; k++) await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => page.evaluate(pairs)).toBe('[[true,2,"open","0.00"]]');
    // The game changes one value, and the user another one before the first is shown.
    await page.evaluate(() => {
      const { world, squad, Locks } = globalThis as never as Locked;
      const [pair] = world.get(squad, Locks).with;
      world.set(squad, Locks, { with: [{ ...pair, turns: 9 }] });
      const state = document.querySelector<HTMLSelectElement>('[aria-label="Locks with 1 state"]')!;
      state.value = [...state.options].find(({ label }) => label === "shut")!.value;
      state.dispatchEvent(new Event("change", { bubbles: true }));
    });
    await expect.poll(() => page.evaluate(pairs)).toBe('[[true,9,"shut","0.00"]]');
    // Two entities with different lists: an edit changes its part of each.
    await row(page, "unit 4").click({ modifiers: ["Control"] });
    await page.getByLabel("Locks with 1: mixed", { exact: true }).waitFor();
    expect(await value("turns").count()).toBe(0);
    await page.getByRole("button", { name: "Locks with 1: Pick" }).click();
    await row(page, "unit 5").click();
    const picked =
      "JSON.stringify([squad, tree.find('/squad/unit 4')].map((owner) => world.get(owner, Locks).with.map(({ target, turns, state }) => [tree.nameOf(target), turns, state])))";
    await expect.poll(() => page.evaluate(picked)).toBe('[[["unit 5",9,"shut"]],[["unit 5",1,"open"]]]');
  });

  it("refuses what a constraint of the game forbids, visibly while hovering, with the reason", async () => {
    await page.evaluate("editor.app.view.collapseAll()");
    await dragRow(page, "gate", "squad", 0.5, { drop: false });
    const label = page.locator(".esp-drag-label.bad");
    await label.waitFor();
    expect(await label.textContent()).toContain("Fixed");
    await page.mouse.up();
    expect(await page.evaluate("tree.parentOf(tree.find('/gate'))")).toBeNull();
    // The message would be over the check boxes of the next test.
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.evaluate("editor.app.view.setExpanded([squad], true)");
    await row(page, "unit 3").waitFor();
  });

  it("logs structural events, and pauses at a breakpoint", async () => {
    await page.getByLabel("Record events").check();
    await page.waitForFunction("editor.app.live.log !== undefined");
    await page.evaluate("spawn()");
    await page.locator("[data-log] li", { hasText: "newcomer" }).first().waitFor();
    await page.getByLabel("Record events").uncheck();
    // The log of before is gone and the next one there before anything happens.
    await page.waitForFunction("editor.app.live.log === undefined");
    await page.getByLabel("Pause on a structural event").check();
    await page.waitForFunction("editor.app.live.log !== undefined");
    await page.evaluate("spawn()");
    await page.waitForFunction("pausable.isPaused");
    await page.getByText(/^Paused: .* spawned/).waitFor();
    await page.getByLabel("Pause on a structural event").uncheck();
    const time = await page.evaluate("space.worldX(tree.find('/squad/unit 5'))");
    await page.getByRole("button", { name: "Step", exact: true }).click();
    expect(await page.evaluate("space.worldX(tree.find('/squad/unit 5'))")).toBeGreaterThan(time as number);
    await page.getByRole("button", { name: "Play", exact: true }).click();
  });

  it("pauses when a component changes", async () => {
    const before = (await page.evaluate("listeners()")) as number;
    await page.getByLabel("Pause when this changes").selectOption("Velocity");
    await page.waitForFunction((count) => (globalThis as never as Listening).listeners() > count, before);
    await settled(page);
    expect(await page.evaluate("pausable.isPaused")).toBe(false);
    await page.evaluate("world.set(squadOf(7), Velocity, { x: 2 })");
    await page.waitForFunction("pausable.isPaused");
    await page.getByLabel("Pause when this changes").selectOption("");
    await page.getByRole("button", { name: "Play", exact: true }).click();
  });

  it("lists what changed in a frame, on request and after each step", async () => {
    await page.getByRole("button", { name: "List the next frame" }).click();
    await page.locator("[data-changes] li", { hasText: "Transform2D changed" }).first().waitFor();
    expect(await page.evaluate("editor.app.live.watch.count")).toBeGreaterThanOrEqual(2000);
    await page.evaluate("pausable.pause(); editor.app.live.watch.entries = []; editor.app.changed()");
    await page.waitForFunction("document.querySelectorAll('[data-changes] li').length === 0");
    await page.getByRole("button", { name: "Step", exact: true }).click();
    await page.locator("[data-changes] li", { hasText: "Transform2D changed" }).first().waitFor();
    await page.getByRole("button", { name: "Play", exact: true }).click();
  });

  it("draws the world in the viewport on request", async () => {
    expect(await page.locator("[data-viewport]").count()).toBe(0);
    await page.getByRole("button", { name: "Viewport on or off" }).click();
    await page.locator("[data-viewport]").waitFor();
    await page.getByRole("button", { name: "Viewport on or off" }).click();
    await page.waitForFunction("document.querySelector('[data-viewport]') === null");
  });

  it("shows systems and sets with their timings, and queries with their matches", async () => {
    await page.getByRole("tab", { name: "Systems" }).click();
    await page.locator("td", { hasText: /^move$/ }).waitFor();
    await page.locator("td", { hasText: /^Set driving: move$/ }).waitFor();
    await page.locator("td", { hasText: /^Set empty: –$/ }).waitFor();
    await page.locator("td", { hasText: "query(Velocity)" }).waitFor();
    await page.getByRole("tab", { name: "Activity" }).click();
  });

  it("listens to nothing and requests no frame while closed, and leaves no trace", async () => {
    expect(await page.evaluate("timers()")).toBeGreaterThan(0);
    await page.evaluate("editor.close()");
    await settled(page);
    expect(await page.locator(".esp").count()).toBe(0);
    expect(await page.evaluate("askedIn20()")).toBe(20);
    await expect.poll(() => page.evaluate("timers()")).toBe(0);
    expect(await page.evaluate("listeners()")).toBe(0);
    await page.evaluate("editor.open()");
    await row(page, "unit 0").waitFor();
    await page.evaluate("editor.unmount()");
    expect(await page.locator(".esp").count()).toBe(0);
    expect(await page.evaluate("listeners()")).toBe(0);
    expect(await page.evaluate("world.count")).toBe(2004);
    expect(errors).toEqual([]);
  });
});
