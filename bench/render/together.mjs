/** Drives the page that has both subjects. */
import { openPage } from "../shared/browser-page.mjs";

const frames = 250;
const warmFrames = 1500;

/** Nanoseconds per frame of each subject, round by round. */
export async function measure({ size, parameters }, { quick }) {
  const { moving, turning = false, scattered = false, isUploading = true, animated = false } = parameters;
  const page = await openPage(new URL("page.mjs", import.meta.url));
  try {
    await page.waitForFunction(() => "setUp" in window);
    const given = { size, moving: size * moving, turning, scattered, animated };
    await page.evaluate((given) => window.setUp(given), given);
    await check(page);
    const run = (count) => page.evaluate((given) => window.measure(given), { frames: count, isUploading });
    await run(warmFrames);
    const rounds = { espalier: [], pixi: [] };
    for (let round = 0; round < (quick ? 11 : 21); round++) {
      const times = await run(frames);
      for (const [name, ms] of Object.entries(times)) rounds[name].push(ms * 1e6);
    }
    await check(page);
    const counts = await page.evaluate(() => window.count());
    for (const [name, { draws, uploads, bytes }] of Object.entries(counts))
      console.error(`${name}: ${draws} draw calls, ${uploads} uploads of ${bytes} bytes in a frame`);
    return rounds;
  } finally {
    await page.context().browser().close();
  }
}

async function check(page) {
  const problem = await page.evaluate(() => window.check());
  if (problem !== "") throw new Error(problem);
}
