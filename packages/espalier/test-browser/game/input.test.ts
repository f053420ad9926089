import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../../../scripts/workspace.mjs";
import { type Served, serve } from "../../../../test/browser/serve.ts";
import { closePages, sharedBrowser } from "../../../../test/browser/shared-browser.ts";

const main = `
import { Click, createGame, Drag, Gesture, onCanvas, Pinch, Tap } from "espalier/game";
import { createGestures } from "espalier/game/gestures";
import { Camera, rect } from "espalier/render";
const canvas = document.querySelector("canvas");
const game = createGame({
  actions: { jump: ["Space", "Pad0"], move: { left: ["KeyA"], right: ["KeyD"], sticks: [0] } },
  renderer: onCanvas(canvas, { fit: "parent" }),
});
const gestures = createGestures(game, canvas);
game.spawn(game.space.at(0, 0), Camera({ width: 400, height: 300 }));
const box = game.spawn(game.space.at(0, 0), rect(100, 100, { fill: 0xff8800 }));
const said = [];
box.on(Tap, () => said.push("tap"));
box.on(Click, () => said.push("click"));
box.on(Drag, ({ payload }) => box.setPosition(box.x + payload.dx, box.y + payload.dy));
game.listenFor(Gesture, ({ kind, phase }) => { if (phase !== "move") said.push(kind + " " + phase); });
Object.assign(window, { game, box, said, gestures });
game.start();
`;

let browser: Browser;
let served: Served;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(root, "node_modules/.cache-page-"));
  writeFileSync(
    join(folder, "index.html"),
    `<!doctype html><style>html, body { margin: 0; height: 100%; }</style><canvas></canvas><script type="module" src="/main.ts"></script>`,
  );
  writeFileSync(join(folder, "main.ts"), main);
  served = await serve(folder);
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages();
  await served.close();
  rmSync(folder, { recursive: true });
});

async function open(hasTouch = false): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 800, height: 600 }, hasTouch });
  const page = await context.newPage();
  await page.goto(served.url);
  await page.waitForFunction("window.game?.tick > 3");
  return page;
}

describe("input of a browser", () => {
  it("gives the mouse in game coordinates, through camera and page", async () => {
    const page = await open();
    await page.mouse.move(600, 150);
    await page.waitForFunction("game.getMousePosition()?.x === 100");
    expect(await page.evaluate("[game.getMousePosition(), game.getInput().getMousePosition()]")).toEqual([
      { x: 100, y: 75 },
      { x: 600, y: 150 },
    ]);
    await page.setViewportSize({ width: 400, height: 300 });
    await page.waitForFunction("game.input.size.width === 400");
    await page.mouse.move(300, 75);
    await page.waitForFunction("game.getInput().getMousePosition().x === 300");
    expect(await page.evaluate("game.getMousePosition()")).toEqual({ x: 100, y: 75 });
    await page.context().close();
  });

  it("releases keys when the window loses the focus, and ignores text fields", async () => {
    const page = await open();
    await page.keyboard.down("Space");
    await page.waitForFunction("game.input.isDown('jump')");
    await page.evaluate("window.dispatchEvent(new Event('blur'))");
    await page.waitForFunction("!game.input.isDown('jump')");
    await page.keyboard.up("Space");
    await page.evaluate(
      "document.body.append(Object.assign(document.createElement('input'), { id: 'field' }))",
    );
    await page.focus("#field");
    const before = (await page.evaluate("game.tick")) as number;
    await page.keyboard.down("Space");
    await page.waitForFunction(
      (tick) => (window as never as { game: { tick: number } }).game.tick > tick + 3,
      before,
    );
    expect(await page.evaluate("game.input.isDown('jump')")).toBe(false);
    await page.context().close();
  });

  it("receives the keys that a focused slider does not use", async () => {
    const page = await open();
    await page.evaluate(
      "document.body.append(Object.assign(document.createElement('input'), { id: 'volume', type: 'range' }))",
    );
    await page.evaluate("game.input.bind('jump', ['KeyJ', 'Space'])");
    await page.focus("#volume");
    await page.keyboard.down("KeyJ");
    await page.waitForFunction("game.input.isDown('jump')");
    await page.keyboard.up("KeyJ");
    await page.waitForFunction("!game.input.isDown('jump')");
    const value = await page.inputValue("#volume");
    await page.keyboard.down("Space");
    await page.keyboard.press("ArrowRight");
    const before = (await page.evaluate("game.tick")) as number;
    await page.waitForFunction(`game.tick > ${before + 3}`);
    expect(await page.evaluate("game.input.isDown('jump')")).toBe(false);
    expect(await page.inputValue("#volume")).not.toBe(value);
    await page.context().close();
  });

  it("tracks several buttons of the mouse at once", async () => {
    const page = await open();
    await page.mouse.move(10, 10);
    const states: unknown[] = [];
    const look = async (left: boolean, right: boolean) => {
      const state = "[game.input.isButtonDown('Mouse0'), game.input.isButtonDown('Mouse2')].join()";
      await page.waitForFunction(`${state} === "${left},${right}"`);
      states.push(await page.evaluate(state));
    };
    await page.mouse.down();
    await look(true, false);
    await page.mouse.down({ button: "right" });
    await look(true, true);
    await page.mouse.up();
    await look(false, true);
    await page.mouse.up({ button: "right" });
    await look(false, false);
    await page.context().close();
  });

  it("releases a key of the game in a text field", async () => {
    const page = await open();
    await page.keyboard.down("Space");
    await page.waitForFunction("game.input.isDown('jump')");
    await page.evaluate(
      "document.body.append(Object.assign(document.createElement('input'), { id: 'field' }))",
    );
    await page.focus("#field");
    await page.keyboard.up("Space");
    await page.waitForFunction("!game.input.isDown('jump')");
    await page.context().close();
  });

  it("polls gamepads in every frame", async () => {
    const page = await open();
    await page.evaluate(`navigator.getGamepads = () => [
      null,
      { index: 1, axes: [0.5, -0.5], buttons: [{ value: 1 }, { value: 0 }] },
    ]`);
    await page.waitForFunction("game.input.isDown('jump')");
    expect(await page.evaluate("game.input.vector('move')")).toEqual({ x: 0.5, y: 0.5 });
    await page.evaluate("navigator.getGamepads = () => [null, null]");
    await page.waitForFunction("!game.input.isDown('jump') && game.input.vector('move').x === 0");
    await page.context().close();
  });

  it("recognises taps and drags of the mouse on entities", async () => {
    const page = await open();
    await page.mouse.click(400, 300);
    await page.waitForFunction("said.includes('tap') && said.includes('click')");
    await page.mouse.move(410, 310);
    await page.mouse.down();
    await page.mouse.move(610, 210, { steps: 10 });
    await page.mouse.up();
    await page.waitForFunction("said.includes('drag end')");
    expect(await page.evaluate("[Math.round(box.x), Math.round(box.y)]")).toEqual([100, 50]);
    await page.context().close();
  });

  it("recognises fingers: touches, taps, pinches and turns", async () => {
    const page = await open(true);
    await page.touchscreen.tap(400, 300);
    await page.waitForFunction("said.includes('tap')");
    const session = await page.context().newCDPSession(page);
    const touch = (
      type: "touchStart" | "touchMove" | "touchEnd",
      points: readonly (readonly [number, number])[],
    ) =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: points.map(([x, y], id) => ({ x, y, id })),
      });
    await touch("touchStart", [[380, 300]]);
    await touch("touchStart", [
      [380, 300],
      [420, 300],
    ]);
    await page.waitForFunction("game.input.touchCount === 2");
    expect(await page.evaluate("[game.getTouch(0), game.getTouch(1)]")).toEqual([
      { x: -10, y: 0 },
      { x: 10, y: 0 },
    ]);
    for (let k = 1; k <= 8; k++)
      await touch("touchMove", [
        [380 - k * 10, 300],
        [420 + k * 10, 300 - k * 3],
      ]);
    await page.waitForFunction("said.includes('pinch start') && said.includes('rotate start')");
    await touch("touchEnd", []);
    await page.waitForFunction("said.includes('pinch end') && game.input.touchCount === 0");
    await page.context().close();
  });

  it("takes no key for a drag while the canvas has the focus", async () => {
    const page = await open();
    await page.evaluate("document.querySelector('canvas').tabIndex = 0");
    await page.focus("canvas");
    await page.keyboard.down("ArrowRight");
    const before = (await page.evaluate("game.tick")) as number;
    await page.waitForFunction(`game.tick > ${before + 2}`);
    await page.keyboard.up("ArrowRight");
    await page.waitForFunction(`game.tick > ${before + 4}`);
    expect(await page.evaluate("said")).toEqual([]);
    await page.context().close();
  });

  it("leaves nothing behind when the game stops", async () => {
    const page = await open();
    await page.evaluate("(gestures.dispose(), game.stop())");
    await page.mouse.click(400, 300);
    await page.keyboard.press("Space");
    expect(await page.evaluate("[said.length, document.querySelector('canvas').style.touchAction]")).toEqual([
      0,
      "",
    ]);
    await page.context().close();
  });
});
