/** Drives the page that has both subjects. */
import { openPage } from "../shared/browser-page.mjs";

/** Nanoseconds per frame of each subject, round by round. */
export async function measure({ size, parameters: { builder, frames } }, { quick }) {
  const page = await openPage(new URL("page.mjs", import.meta.url));
  try {
    await page.waitForFunction(() => "setUp" in window);
    await page.evaluate((given) => window.setUp(given), { builder, size });
    await check(page);
    const run = () => page.evaluate((count) => window.measure(count), frames);
    for (let warm = 0; warm < 4; warm++) await run();
    const rounds = { espalier: [], plain: [] };
    for (let round = 0; round < (quick ? 9 : 21); round++)
      for (const [name, ms] of Object.entries(await run())) rounds[name].push(ms * 1e6);
    await check(page);
    return rounds;
  } finally {
    await page.context().browser().close();
  }
}

async function check(page) {
  const problem = await page.evaluate(() => window.check());
  if (problem !== "") throw new Error(problem);
}
