/**
 * `node bench/three/browser.mjs [--case=sparse] [--json]`: the three.js suite in a Chromium, with the upload of the matrices to the
 * graphics card. Each subject and case has a page in a process of its own; batches take turns, as in the other suites.
 */
import { ensureBuilt } from "../../scripts/workspace.mjs";
import { servePage } from "../shared/browser-page.mjs";

const size = 10_000;
const rounds = 41;
const warmTime = 2000;
const subjects = ["espalierObjects", "espalierInstances", "threeObjects", "threeInstances"];
const isJson = process.argv.includes("--json");
const only = process.argv.find((argument) => argument.startsWith("--case="))?.slice(7);
/** Short turns, so that a slow moment of the machine falls on all subjects. */
const cases = {
  frame: { query: "case=frame", turn: 20 },
  sparse: { query: "case=sparse", turn: 200 },
  sparse_cold: { query: "case=sparse&cold", turn: 60 },
  idle: { query: "case=idle", turn: 200 },
};

ensureBuilt();
const { browser, open } = await servePage(new URL("page/page.mjs", import.meta.url));

/** The same time for all, because compilation depends on elapsed time, too. */
async function warmUp(page) {
  for (const end = Date.now() + warmTime; Date.now() < end; ) await page.evaluate("window.batch(100)");
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
try {
  for (const [name, { query, turn }] of Object.entries(cases)) {
    if (only !== undefined && name !== only) continue;
    const pages = [];
    for (const subject of subjects) {
      const page = await open(`?subject=${subject}&${query}&size=${size}`);
      await page.waitForFunction("window.batch !== undefined");
      const worst = await page.evaluate("window.check()");
      if (!(worst < 1e-3)) throw new Error(`${subject} ${name}: a world matrix is off by ${worst}`);
      await warmUp(page);
      pages.push({ subject, page, times: [] });
    }
    for (let round = 0; round < rounds; round++) {
      for (let k = 0; k < pages.length; k++) {
        const { page, times } = pages[(round + k) % pages.length];
        times.push(await page.evaluate(`window.batch(${turn})`));
      }
    }
    for (const { subject, times } of pages) {
      const ns = median(times) / size;
      const best = Math.min(...times) / size;
      const peers = pages.filter((other) => other.subject.startsWith("three"));
      const vs = Object.fromEntries(
        peers.map((peer) => [peer.subject, median(peer.times.map((time, k) => time / times[k]))]),
      );
      const short = (value) => Number(value.toPrecision(3));
      if (isJson) console.log(JSON.stringify({ suite: "three-browser", case: name, subject, ns, best, vs }));
      else {
        const ratios = Object.entries(vs).map(([peer, ratio]) => `${short(ratio)}x ${peer}`);
        console.log(
          `${name.padEnd(11)} ${subject.padEnd(18)} ${short(ns)} ns a node (best ${short(best)}), ${ratios.join(", ")}`,
        );
      }
    }
    for (const { page } of pages) await page.context().close();
  }
} finally {
  await browser.close();
}
