/**
 * Whether memory stays what it is over a long time of playing and editing, in a real Chromium:
 *
 *     node packages/editor/bench/heap.mjs [--minutes 2] [--json]
 *
 * Rounds of play, edits and undo until the time is over. After each the garbage is collected and the heap in use, the nodes of the page and its
 * listeners are read through the DevTools protocol. The first half warms everything up: code is compiled and caches fill for some twenty
 * rounds. It grows if the last quarter of the rounds uses more than the one before it: by more than 3 % and 1 MB it ends with 1.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { median, openBuilt, root } from "./page.mjs";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "2" }, json: { type: "boolean", default: false } },
});

const folder = mkdtempSync(join(root, "node_modules/.cache-bench-"));
try {
  writeFileSync(
    join(folder, "page.js"),
    `import ${JSON.stringify(join(import.meta.dirname, "heap-page.js"))};`,
  );
  writeFileSync(
    join(folder, "index.html"),
    `<link rel="icon" href="data:,"><div id="place" style="position:fixed;inset:0"></div><script type="module" src="./page.js"></script>`,
  );
  const { page, errors, close } = await openBuilt(folder);
  try {
    await page.waitForFunction("typeof begin === 'function'");
    await page.evaluate("begin()");
    const session = await page.context().newCDPSession(page);
    await session.send("HeapProfiler.enable");
    const samples = [];
    let count;
    for (const end = Date.now() + Number(values.minutes) * 60_000; Date.now() < end; ) {
      const now = await page.evaluate("round()");
      count ??= now;
      if (now !== count) throw new Error(`A round began with ${count} entities and ended with ${now}.`);
      await session.send("HeapProfiler.collectGarbage");
      const { usedSize } = await session.send("Runtime.getHeapUsage");
      const { nodes, jsEventListeners } = await session.send("Memory.getDOMCounters");
      samples.push({ megabytes: usedSize / 2 ** 20, nodes, listeners: jsEventListeners });
    }
    if (errors.length > 0) throw new Error(errors.join("\n"));
    report(samples);
  } finally {
    await close();
  }
} finally {
  rmSync(folder, { recursive: true });
}

function report(samples) {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const of = (part, kind) => median(part.map((one) => one[kind]));
  const [early, late] = [samples.slice(-2 * quarter, -quarter), samples.slice(-quarter)];
  const result = {
    rounds: samples.length,
    series: samples.map(({ megabytes }) => Number(megabytes.toFixed(2))),
  };
  for (const kind of ["megabytes", "nodes", "listeners"]) result[kind] = [of(early, kind), of(late, kind)];
  const [before, after] = result.megabytes;
  if (values.json) console.log(JSON.stringify(result));
  else {
    const shown = (kind, digits) => result[kind].map((value) => value.toFixed(digits)).join(" -> ");
    console.log(
      `${samples.length} rounds: heap ${shown("megabytes", 2)} MB, nodes ${shown("nodes", 0)}, listeners ${shown("listeners", 0)}`,
    );
  }
  if (after > before * 1.03 && after - before > 1) process.exitCode = 1;
}
