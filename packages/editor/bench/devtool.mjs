/**
 * What the editor costs a running game: the frame of the `flagship` benchmark (10,000 entities) in a real Chromium, with
 * React's production build, in turn without the editor, with it closed, open, and open with an entity selected.
 *
 *     node packages/editor/bench/devtool.mjs [--rounds 12] [--seconds 2] [--json]
 *
 * A trace of the browser says what each task of the main thread took, on the processor and not by the clock: other programs do
 * not count. The game's own callback is compared with that of a twin, which runs in the same frames in a world nobody looks at;
 * everything else of the page (timers, scripts, style, layout, painting) is the tool's, less what it is without the editor.
 * One page, short slices, all cases in each round, in another order in every round; a case is compared with the slice without the
 * editor of the same round. Shown are medians over the rounds, with the interval in which they lie with a probability of 95 %.
 *
 * `--parts` lists what the time went to, `--trace <file>` keeps the trace.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { partsOf, slicesOf } from "./main-thread.mjs";
import { median, medianInterval, openBuilt, root } from "./page.mjs";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "12" },
    seconds: { type: "string", default: "2" },
    trace: { type: "string" },
    parts: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
const cases = ["none", "closed", "open", "selected"];

const game = `
import { mountEditor } from ${JSON.stringify(join(root, "packages/editor/src/index.ts"))};
import { subjects } from ${JSON.stringify(join(root, "bench/flagship/espalier.mjs"))};

const { run, game } = subjects.espalier.cases.frame(10_000);
const { world, tree, space } = game;
// The same game again, which nobody looks at: what slows down both is not the tool.
const twin = subjects.espalier.cases.frame(10_000);
const gameFrames = [];
const twinFrames = [];
const every = (list, action) => {
  const frame = () => {
    action();
    list.push(requestAnimationFrame(frame));
  };
  list.push(requestAnimationFrame(frame));
};
every(gameFrames, run);
every(twinFrames, twin.run);
let editor;
// One that lives long: the flagship game lets trees die in turn.
const pet = world.spawn(space.at(3, 4), game.Motion({ x: 1, y: 1, spin: 1 }), game.Health({ hp: 1 }));
tree.setName(pet, "pet");
const mount = () => editor ??= mountEditor(document.getElementById("tool"), { world, tree, space });
const cases = {
  none() { editor?.unmount(); editor = undefined; },
  closed() { mount().close(); },
  open() { mount().open(); editor.app.document.selection.clear(); },
  selected() { mount().open(); editor.app.document.selection.replace([pet]); },
};
const pass = (ms) => new Promise((done) => setTimeout(done, ms));
Object.assign(window, {
  cases, gameFrames, twinFrames, pass,
  async slice(name, ms) {
    // Marks stand between two frames: what begins is neither torn nor counted twice.
    console.timeStamp("begin " + name);
    await pass(ms);
    console.timeStamp("end " + name);
  },
});
`;

const folder = mkdtempSync(join(root, "node_modules/.cache-bench-"));
writeFileSync(join(folder, "game.js"), game);
writeFileSync(
  join(folder, "index.html"),
  `<link rel="icon" href="data:,"><div id="tool" style="position:fixed;inset:10px"></div><script type="module" src="./game.js"></script>`,
);
const { page, errors, close } = await openBuilt(folder);
try {
  await page.waitForFunction("typeof cases === 'object'");
  const session = await page.context().newCDPSession(page);
  const trace = await traced(page, async () => {
    for (let round = -1; round < rounds; round++) {
      for (let k = 0; k < cases.length; k++) {
        // Another first one and another direction each time: nobody always follows the same.
        const at = round % 2 === 0 ? k : cases.length - 1 - k;
        const name = cases[(at + Math.max(0, round >> 1)) % cases.length];
        await page.evaluate(`cases.${name}()`);
        await page.evaluate("pass(300)");
        // What the last one left behind is not to be cleaned up on the account of the next.
        await session.send("HeapProfiler.collectGarbage");
        await page.evaluate("pass(200)");
        // The first round warms everything up.
        await page.evaluate(`slice("${round < 0 ? "warm" : name}", ${seconds * 1000})`);
      }
    }
  });
  if (errors.length > 0) throw new Error(errors.join("\n"));
  if (values.trace !== undefined) writeFileSync(values.trace, JSON.stringify(trace));
  const owners = new Map();
  for (const name of ["game", "twin"])
    for (const id of await page.evaluate(`${name}Frames`)) owners.set(id, name);
  report(slicesOf(trace, (id) => owners.get(id)));
} finally {
  await close();
  rmSync(folder, { recursive: true });
}

async function traced(page, action) {
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline", "v8"] });
  await action();
  return JSON.parse((await browser.stopTracing()).toString()).traceEvents;
}

function report(slices) {
  const of = (name) => slices.filter((slice) => slice.name === name);
  const none = of("none");
  const frame = median(none.map(({ game }) => game));
  const shown = ([low, middle, high]) =>
    `${middle.toFixed(1)} (${low.toFixed(1)} to ${high.toFixed(1)})`.padEnd(20);
  if (!values.json)
    console.log(
      `The frame of the game takes ${frame.toFixed(2)} ms. More than without the editor, in % of it:\n          the tool            garbage             the game            together`,
    );
  for (const name of cases) {
    const own = of(name);
    const over = (kind) => own.map((slice, k) => ((slice[kind] - none[k][kind]) / frame) * 100);
    const ratio = ({ game, twin }) => game / twin;
    const rest = over("rest");
    const garbage = over("garbage");
    // In units of its twin, which ran in the same frames of the same machine.
    const game = own.map((slice, k) => (ratio(slice) / ratio(none[k]) - 1) * 100);
    const together = rest.map((value, k) => value + garbage[k] + game[k]);
    const row = [rest, garbage, game, together].map(medianInterval);
    if (values.json) console.log(JSON.stringify({ case: name, frame, row, rest, garbage, game }));
    else console.log(`${name.padEnd(9)} ${row.map(shown).join("")}`);
    if (!values.parts) continue;
    for (const [part, ms, count] of partsOf(own))
      console.log(`    ${part} ${ms.toFixed(4)} ms, ${count.toFixed(2)} times a frame`);
  }
}
