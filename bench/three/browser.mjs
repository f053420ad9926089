/**
 * `node bench/three/browser.mjs [--json]`: the three.js suite in a Chromium, with the upload of the matrices to the graphics
 * card. Each subject and case has a page in a process of its own; batches take turns, as in the other suites.
 */
import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import { aliases } from "../../scripts/public-names.mjs";
import { ensureBuilt, root } from "../../scripts/workspace.mjs";

const size = 10_000;
const rounds = 41;
/** Short turns, so that a slow moment of the machine falls on all subjects. */
const turns = { frame: 10, sparse: 100, idle: 100 };
const warmTime = 2000;
const subjects = ["espalierObjects", "espalierInstances", "threeObjects", "threeInstances"];
const isJson = process.argv.includes("--json");

/** Isolated from other origins, a page has a clock of 5 µs; otherwise of 100. */
const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

ensureBuilt();
const server = await createServer({
  configFile: false,
  logLevel: "error",
  // As players get it: without the checks of development builds.
  mode: "production",
  define: { "process.env.NODE_ENV": '"production"' },
  root: fileURLToPath(new URL("..", import.meta.url)),
  resolve: { alias: aliases("dist") },
  server: { host: "127.0.0.1", port: 0, hmr: false, watch: null, fs: { allow: [root] }, headers: isolation },
});
await server.listen();
const { launchChromium } = await server.ssrLoadModule(`${root}/test/browser/chromium.ts`);
const browser = await launchChromium();
const { port } = server.httpServer.address();

/** The same time for all: what is compiled when depends on the time that passes, too. */
async function warmUp(page) {
  for (const end = Date.now() + warmTime; Date.now() < end; ) await page.evaluate("window.batch(100)");
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
try {
  for (const name of ["frame", "sparse", "idle"]) {
    const pages = [];
    for (const subject of subjects) {
      const context = await browser.newContext();
      const page = await context.newPage();
      page.on("pageerror", (error) => console.error(`${subject}: ${error}`));
      await page.goto(`http://127.0.0.1:${port}/three/page/?subject=${subject}&case=${name}&size=${size}`);
      await page.waitForFunction("window.batch !== undefined");
      const worst = await page.evaluate("window.check()");
      if (!(worst < 1e-3)) throw new Error(`${subject} ${name}: a world matrix is off by ${worst}`);
      await warmUp(page);
      pages.push({ subject, context, page, times: [] });
    }
    for (let round = 0; round < rounds; round++) {
      for (let k = 0; k < pages.length; k++) {
        const { page, times } = pages[(round + k) % pages.length];
        times.push(await page.evaluate(`window.batch(${turns[name]})`));
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
          `${name.padEnd(7)} ${subject.padEnd(18)} ${short(ns)} ns a node (best ${short(best)}), ${ratios.join(", ")}`,
        );
      }
    }
    for (const { context } of pages) await context.close();
  }
} finally {
  await browser.close();
  await server.close();
}
