/**
 * What the editor costs a running game: the frame of the `flagship` benchmark (10,000 entities) in a real Chromium, with
 * React's production build, in turn without the editor, with it closed, open, and open with an entity selected.
 *
 *     node packages/editor/bench/devtool.mjs [--rounds 9] [--seconds 1] [--json]
 *
 * Times are those of the page's main thread on the processor (not of the clock: other programs do not count), in milliseconds a
 * frame, the median over the rounds. `script` is what JavaScript takes: without the editor, the frame of the game. `page` is
 * everything: scripts, layout, painting.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { median, openBuilt, root } from "./page.mjs";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "9" },
    seconds: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];

const game = `
import { mountEditor } from ${JSON.stringify(join(root, "packages/editor/src/index.ts"))};
import { subjects } from ${JSON.stringify(join(root, "bench/flagship/espalier.mjs"))};

const { run, game } = subjects.espalier.cases.frame(10_000);
const { world, tree, space } = game;
let frames = 0;
const loop = () => {
  run();
  frames++;
  requestAnimationFrame(loop);
};
requestAnimationFrame(loop);
let editor;
// One that lives long: the flagship game lets trees die in turn.
const pet = world.spawn(space.at(3, 4), game.Motion({ x: 1, y: 1, spin: 1 }), game.Health({ hp: 1 }));
tree.setName(pet, "pet");
const modes = {
  none() { editor?.unmount(); editor = undefined; },
  closed() { editor ??= mountEditor(document.getElementById("tool"), { world, tree, space }); editor.close(); },
  open() { editor.open(); editor.app.document.selection.clear(); },
  selected() { editor.open(); editor.app.document.selection.replace([pet]); },
};
Object.assign(window, {
  modes, world, tree, get editor() { return editor; },
  measure: (ms) => new Promise((done) => {
    frames = 0;
    setTimeout(() => done({ frames: Math.max(1, frames) }), ms);
  }),
});
`;

const folder = mkdtempSync(join(root, "node_modules/.cache-bench-"));
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "game.js"), game);
writeFileSync(
  join(folder, "index.html"),
  `<link rel="icon" href="data:,"><div id="tool" style="position:fixed;inset:10px"></div><script type="module" src="./game.js"></script>`,
);
const { page, errors, close } = await openBuilt(folder);
try {
  await page.waitForFunction("typeof modes === 'object'");
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const busy = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    const of = (wanted) => (metrics.find(({ name }) => name === wanted)?.value ?? 0) * 1000;
    return { page: of("TaskDuration"), script: of("ScriptDuration") };
  };
  const names = ["none", "closed", "open", "selected"];
  const results = Object.fromEntries(names.map((name) => [name, { script: [], page: [] }]));
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      await page.evaluate(`modes.${name}()`);
      // What the last one left behind is not to be cleaned up on the account of the next.
      await session.send("HeapProfiler.collectGarbage");
      await page.evaluate("measure(300)");
      const before = await busy();
      const { frames } = await page.evaluate(`measure(${seconds * 1000})`);
      const after = await busy();
      // The first round warms everything up.
      if (round < 0) continue;
      for (const kind of ["script", "page"]) results[name][kind].push((after[kind] - before[kind]) / frames);
    }
  }
  if (errors.length > 0) throw new Error(errors.join("\n"));
  // Within a round everybody shares the machine, so differences are taken there.
  const frame = median(results.none.script);
  for (const name of names) {
    const over = results[name].page.map((value, k) => value - results.none.page[k]);
    const share = median(over.map((value, k) => value / results.none.script[k]));
    const [script, page_] = [median(results[name].script), median(results[name].page)];
    if (values.json) {
      console.log(JSON.stringify({ case: name, script, page: page_, more: median(over), share }));
      continue;
    }
    console.log(
      `${name.padEnd(9)} script ${script.toFixed(3)}, page ${page_.toFixed(3)} ms a frame; ${median(over).toFixed(3)} more than without: ${(share * 100).toFixed(1)} % of the frame of the game, ${frame.toFixed(2)} ms`,
    );
  }
} finally {
  await close();
  rmSync(folder, { recursive: true });
}
