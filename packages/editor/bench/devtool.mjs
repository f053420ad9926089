/**
 * What the editor costs a running game: the frame of the `flagship` benchmark (10,000 entities) in a real Chromium, with
 * React's production build, in turn without the editor, with it closed, open, and open with an entity selected.
 *
 *     node packages/editor/bench/devtool.mjs [--rounds 12] [--seconds 2] [--json]
 *
 * A trace of the browser says which part of the main thread's time each task took, on the processor and not by the clock: other
 * programs do not count. `game` is what its own callback takes; `rest` is everything else: timers, scripts, style, layout,
 * painting and garbage of the page. One page, short slices, all cases in each round, in another order in every round; a case is
 * compared with the slice without the editor of the same round. The result is the median over the rounds, with the interval in
 * which it lies with a probability of 95 %.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { median, medianInterval, openBuilt, root } from "./page.mjs";
import { partsOf, slicesOf } from "./main-thread.mjs";

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
  for (const name of cases) {
    const own = of(name);
    const rest = own.map((slice, k) => slice.rest - none[k].rest);
    const ratio = ({ game, twin }) => game / twin;
    // In units of its twin, which ran in the same frames of the same machine.
    const slower = own.map((slice, k) => none[k].game * (ratio(slice) / ratio(none[k]) - 1));
    const both = rest.map((value, k) => value + slower[k]);
    const percent = (list) => list.map((value) => (value / frame) * 100);
    const row = {
      case: name,
      game: median(own.map((slice) => slice.game)),
      rest: median(own.map((slice) => slice.rest)),
      moreRest: medianInterval(percent(rest)),
      moreGame: medianInterval(percent(slower)),
      more: medianInterval(percent(both)),
    };
    if (values.json) {
      console.log(JSON.stringify({ ...row, frame }));
      continue;
    }
    const shown = ([low, middle, high]) =>
      `${middle.toFixed(1)} % (${low.toFixed(1)} to ${high.toFixed(1)})`;
    console.log(
      `${name.padEnd(9)} game ${row.game.toFixed(3)}, rest ${row.rest.toFixed(3)} ms a frame; of the frame ${frame.toFixed(2)} ms: the tool ${shown(row.moreRest)}, the game slower by ${shown(row.moreGame)}, together ${shown(row.more)}`,
    );
    if (values.parts) console.log(partsOf(own).map(([part, ms, count]) => `    ${part} ${ms.toFixed(4)} ms, ${count.toFixed(2)} a frame`).join("\n"));
  }
}
