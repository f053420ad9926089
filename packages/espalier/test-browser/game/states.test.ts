import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../../../scripts/workspace.mjs";
import { type Served, serve } from "../../../../test/browser/serve.ts";
import { closePages, sharedBrowser } from "../../../../test/browser/shared-browser.ts";

const main = `
import { behaviour, Click, createGame, InState, inState, onCanvas, State } from "espalier/game";
import { f32 } from "espalier";
import { Camera, rect } from "espalier/render";
const Wheel = behaviour("Wheel", { speed: f32(1) }, {
  update: ({ entity, values }, dt) => void (entity.rotation += values.speed * dt),
});
const game = createGame({
  actions: { pause: ["Escape", "Pad9"], shoot: ["Mouse0"] },
  behaviours: [Wheel],
  renderer: onCanvas(document.querySelector("canvas"), { fit: "parent" }),
});
game.spawn(game.space.at(0, 0), Camera({ width: 400, height: 300 }));
const flow = game.spawn(State({ now: "playing" }));
const level = flow.spawn(InState({ present: ["playing", "paused"], running: ["playing"] }));
const wheel = level.spawn(game.space.at(0, 0), rect(20, 200, { fill: 0xff8800 }), Wheel);
const menu = flow.spawn(InState({ present: ["paused"] }));
const resume = menu.spawn(game.space.at(0, 0), rect(100, 100, { fill: 0x0088ff }));
resume.on(Click, () => flow.set(State, { now: "playing" }));
let shots = 0;
game.system("pause", () => {
  if (!game.input.pressed("pause")) return;
  flow.set(State, { now: flow.get(State).now === "paused" ? "playing" : "paused" });
});
game.system({ name: "shoot", runIf: inState(flow, "playing"), run: () => void (shots += game.input.pressed("shoot") ? 1 : 0) });
Object.assign(window, { game, wheel, now: () => flow.get(State).now, shots: () => shots });
game.start();
`;

let served: Served;
let folder: string;
let page: Page;
beforeAll(async () => {
  folder = mkdtempSync(join(root, "node_modules/.cache-page-"));
  writeFileSync(
    join(folder, "index.html"),
    `<!doctype html><style>html, body { margin: 0; height: 100%; }</style><canvas></canvas><script type="module" src="/main.ts"></script>`,
  );
  writeFileSync(join(folder, "main.ts"), main);
  served = await serve(folder);
  const browser = await sharedBrowser();
  page = await (await browser.newContext({ viewport: { width: 800, height: 600 } })).newPage();
  await page.goto(served.url);
  await page.waitForFunction("window.game?.tick > 3");
});
afterAll(async () => {
  await closePages();
  await served.close();
  rmSync(folder, { recursive: true });
});

/** Whether the wheel turns during some steps, all of which are made. */
async function turns(): Promise<boolean> {
  const [tick, before] = (await page.evaluate("[game.tick, wheel.rotation]")) as [number, number];
  await page.waitForFunction(`game.tick > ${tick + 5}`);
  return ((await page.evaluate("wheel.rotation")) as number) !== before;
}

/** Waits for the state, and for the end of the step that carries it over. */
async function expectState(state: "paused" | "playing"): Promise<void> {
  await page.waitForFunction(`now() === "${state}"`);
  const tick = (await page.evaluate("game.tick")) as number;
  await page.waitForFunction(`game.tick > ${tick + 1}`);
  expect(await turns()).toBe(state === "playing");
}

const pad = (button9: number) =>
  page.evaluate(`navigator.getGamepads = () => [
    { index: 0, axes: [], buttons: Array.from({ length: 10 }, (_, k) => ({ value: k === 9 ? ${button9} : 0 })) },
  ]`);

describe("a pause by states in a browser", () => {
  it("begins and ends by the same key", async () => {
    await expectState("playing");
    await page.keyboard.press("Escape", { delay: 50 });
    await expectState("paused");
    await page.keyboard.press("Escape", { delay: 50 });
    await expectState("playing");
  });

  it("begins and ends by the same button of a gamepad", async () => {
    for (const state of ["paused", "playing"] as const) {
      await pad(1);
      await page.waitForFunction(`now() === "${state}"`);
      await pad(0);
      await page.waitForFunction("!game.input.isButtonDown('Pad9')");
      await expectState(state);
    }
  });

  it("is ended by a click on its menu, which does not shoot", async () => {
    const clickMiddle = () => page.mouse.click(400, 300, { delay: 50 });
    await clickMiddle();
    await page.waitForFunction("shots() === 1");
    await page.keyboard.press("Escape", { delay: 50 });
    await expectState("paused");
    await clickMiddle();
    await expectState("playing");
    expect(await page.evaluate("shots()")).toBe(1);
  });
});
