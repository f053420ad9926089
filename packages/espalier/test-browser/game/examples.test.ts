import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../../../scripts/workspace.mjs";
import { openPage, type Served, serve } from "../../../../test/browser/serve.ts";
import { closePages, sharedBrowser } from "../../../../test/browser/shared-browser.ts";

const shots = join(root, "node_modules/.cache/espalier/screenshots");
let browser: Browser;
let served: Served;
beforeAll(async () => {
  mkdirSync(shots, { recursive: true });
  browser = await sharedBrowser();
  served = await serve(join(root, "examples"));
});
afterAll(async () => {
  await closePages();
  await served.close();
});

/** How many different colours a picture has, on a grid of pixels. */
function colors(png: Buffer): number {
  const { data, width, height } = PNG.sync.read(png);
  const seen = new Set<number>();
  for (let y = 0; y < height; y += 3)
    for (let x = 0; x < width; x += 3) seen.add(data.readUInt32BE((y * width + x) * 4));
  return seen.size;
}

async function open(
  name: string,
  search = "",
): Promise<{ page: Page; errors: string[]; shoot(as?: string): Promise<Buffer> }> {
  const { page, errors } = await openPage(browser, `${served.url}${name}/${search}`, {
    width: 960,
    height: 600,
  });
  await page.waitForFunction("window.game?.tick > 5");
  return {
    page,
    errors,
    shoot: (as = name) => page.screenshot({ path: join(shots, `${as}.png`) }),
  };
}

const unexpected = (errors: readonly string[]) =>
  errors.filter((text) => !text.includes("favicon") && !text.includes("404"));

describe("examples in a browser", () => {
  it("the tank drives by keys, aims at the mouse and fires", async () => {
    const { page, errors, shoot } = await open("tank");
    await page.keyboard.down("KeyW");
    await page.waitForFunction("game.find('/tank').x > 20");
    await page.keyboard.up("KeyW");
    await page.mouse.move(480, 30);
    await page.waitForFunction("Math.abs(game.find('/tank/turret').absoluteRotation - Math.PI / 2) < 0.2");
    await page.mouse.down();
    await page.waitForFunction("game.find('/shell') !== null");
    expect(colors(await shoot())).toBeGreaterThan(6);
    await page.mouse.up();
    await page.waitForFunction("game.find('/shell') === null");
    expect(unexpected(errors)).toEqual([]);
    await page.close();
  });

  it("the character walks, turns round with all it carries, and loses its hat", async () => {
    const { page, errors, shoot } = await open("character");
    await page.keyboard.down("ArrowLeft");
    await page.waitForFunction("game.find('/hero').x < -30");
    expect(
      await page.evaluate("game.find('/hero/arm/sword').absolutePosition.x < game.find('/hero').x"),
    ).toBe(true);
    expect(colors(await shoot())).toBeGreaterThan(8);
    await page.keyboard.press("KeyH");
    await page.waitForFunction("game.find('/hat') !== null");
    expect(unexpected(errors)).toEqual([]);
    await page.close();
  });

  it("the solar system turns", async () => {
    const { page, errors, shoot } = await open("solar-system");
    const before = await shoot();
    const time = (await page.evaluate("game.time")) as number;
    await page.waitForFunction(`game.time > ${time + 0.5}`);
    const after = await shoot();
    expect(colors(after)).toBeGreaterThan(8);
    expect(after.equals(before)).toBe(false);
    expect(unexpected(errors)).toEqual([]);
    await page.close();
  });

  it("the panel is clicked and dragged with the mouse", async () => {
    const { page, errors, shoot } = await open("ui-panel");
    // The panel stands at 200, 170 from the lower left corner of 960 by 600 pixels.
    await page.mouse.click(200, 600 - 170 + 10);
    await page.waitForFunction("game.find('/panel/status').get(TextBlock).text === 'Chosen: Options'");
    await page.mouse.move(200, 600 - 260);
    await page.mouse.down();
    await page.mouse.move(500, 200, { steps: 12 });
    await page.mouse.up();
    await page.waitForFunction("game.find('/panel').x === 500");
    expect(await page.evaluate("game.find('/panel').y")).toBe(310);
    expect(colors(await shoot())).toBeGreaterThan(5);
    expect(unexpected(errors)).toEqual([]);
    await page.close();
  });

  it("Salvage has a title, is played, lost and started again", async () => {
    const { page, errors, shoot } = await open("salvage", "?seed=3");
    expect(colors(await shoot("salvage-title"))).toBeGreaterThan(5);
    await page.keyboard.press("Space");
    await page.waitForFunction("salvage.stage === 'play'");
    await page.keyboard.down("KeyW");
    await page.waitForFunction("salvage.game.find('/level/core').y > 10");
    await page.keyboard.up("KeyW");
    // As fast as it goes: the same steps that frames would make.
    await page.evaluate(
      "(() => { while (salvage.stage === 'play' && salvage.parts < 9 && game.tick < 20000) { fly(game); game.step(6); } })()",
    );
    expect(colors(await shoot())).toBeGreaterThan(8);
    await page.evaluate("(() => { while (salvage.stage === 'play' && game.tick < 60000) game.step(); })()");
    expect(await page.evaluate("salvage.stage")).toBe("over");
    await shoot("salvage-over");
    await page.keyboard.press("Space");
    await page.waitForFunction("salvage.stage === 'play'");
    expect(unexpected(errors)).toEqual([]);
    await page.close();
  });
});
