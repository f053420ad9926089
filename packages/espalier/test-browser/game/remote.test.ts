/** A game in a page, and an agent that reaches it through the door of the command line. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../../../scripts/workspace.mjs";
import { type Served, serve } from "../../../../test/browser/serve.ts";
import { closePages, sharedBrowser } from "../../../../test/browser/shared-browser.ts";
import { type GameLink, openGameLink } from "../../../cli/src/mcp/game-link.ts";
import { connect } from "../../../cli/test/mcp-client.ts";

const main = `
import { component, f32 } from "espalier";
import { createGame, onCanvas } from "espalier/game";
import { answerCalls, loopbackChannel } from "espalier/game/remote";
import { Camera, rect } from "espalier/render";
const Health = component("Health", { hp: f32(10) });
const canvas = document.querySelector("canvas");
const game = createGame({ components: [Health], renderer: onCanvas(canvas, { width: 200, height: 100 }) });
game.spawn(game.space.at(0, 0), Camera());
const tank = game.spawn(game.space.at(0, 0), Health({ hp: 7 }), rect(20, 20, { fill: 0xff0000 }));
tank.name = "tank";
game.system("drive", () => { if (game.input.isButtonDown("KeyD")) tank.x += 1; });
const remote = new URLSearchParams(location.search).get("remote");
if (remote) answerCalls(game, loopbackChannel(remote));
Object.assign(window, { game, tank });
game.start();
`;

let browser: Browser;
let served: Served;
let folder: string;
let door: GameLink;
beforeAll(async () => {
  folder = mkdtempSync(join(root, "node_modules/.cache-page-"));
  writeFileSync(
    join(folder, "index.html"),
    `<!doctype html><canvas></canvas><script type="module" src="/main.ts"></script>`,
  );
  writeFileSync(join(folder, "main.ts"), main);
  [served, browser, door] = await Promise.all([serve(folder), sharedBrowser(), openGameLink(0)]);
});
afterAll(async () => {
  await closePages();
  await door.close();
  await served.close();
  rmSync(folder, { recursive: true });
});

describe("an agent and a game in a page", () => {
  it("pauses, steps, plays, reads, writes, and sees a picture of the canvas", async () => {
    const page = await browser.newPage();
    await page.goto(`${served.url}?remote=${encodeURIComponent(door.address)}`);
    await page.waitForFunction("window.game?.tick > 3");
    await expect.poll(() => door.isConnected, { timeout: 10_000 }).toBe(true);
    const { call, pictures } = await connect(folder, { gameLink: door });
    expect(await call("game-pause")).toMatchObject({ isPaused: true, isRunning: true });
    const { tick } = await call("game-state");
    await call("game-input", { events: [{ type: "key", code: "KeyD", down: true }] });
    expect(await call("game-step", { count: 30 })).toMatchObject({ tick: Number(tick) + 30 });
    expect(await call("game-read", { entity: "/tank" })).toMatchObject({
      components: { Health: { hp: 7 }, Transform2D: { x: 30 } },
    });
    await call("game-write", { entity: "/tank", values: { Health: { hp: 2 }, Transform2D: { y: 10 } } });
    expect(await page.evaluate("tank.y")).toBe(10);
    expect(await call("game-screenshot")).toMatchObject({ isPaused: true });
    const { width, height, data } = PNG.sync.read(pictures.at(-1) as Buffer);
    // The origin is in the middle, and y points up.
    const at = (x: number, y: number) =>
      data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4).toString("hex");
    expect([width, height, at(130, 40), at(130, 70)]).toEqual([200, 100, "ff0000ff", "00000000"]);
    await call("game-events");
    await page.evaluate("void game.spawn()");
    expect((await call("game-events")).events).toMatchObject([{ kind: "spawned" }]);
    expect(await call("game-resume")).toMatchObject({ isPaused: false });
    await page.waitForFunction(`window.game.tick > ${Number(tick) + 40}`);
    expect((await call("game-timings")).isMeasuring).toBe(false);
    await page.close();
  });
});
