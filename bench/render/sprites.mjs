/** The subjects of the render suite: each drives its page. */
import { openPage } from "../shared/browser-page.mjs";

export const subjects = {
  espalier: { cases: { sprites: (size, _, parameters) => open("espalier", size, parameters) } },
  pixi: { cases: { sprites: (size, _, parameters) => open("pixi", size, parameters) } },
};

async function open(subject, size, { frames, moving, turning }) {
  const page = await openPage(new URL(`page-${subject}.mjs`, import.meta.url));
  await page.waitForFunction(() => "setUp" in window);
  await page.evaluate((given) => window.setUp(given), { size, moving: size * moving, turning });
  return {
    run: () => page.evaluate((count) => window.runFrames(count), frames),
    draw: () => page.evaluate(() => window.drawFrame()),
    frame: () => page.evaluate(() => window.frame()),
    places: () => page.evaluate(() => window.places()),
    pixels: () => page.evaluate(() => window.pixels()),
  };
}
