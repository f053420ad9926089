/**
 * Large scenes in a real Chromium, beside what cannot be avoided:
 *
 *     node packages/editor/bench/large.mjs [--case scroll] [--rounds 7] [--json]
 *
 * - `move`: 10,000 sprites, all of which move in every frame, in the viewport beside bare PixiJS drawing the same.
 * - `pan`: the same sprites at rest; the camera moves.
 * - `scroll`: the tree panel with 100,100 entities, all expanded, scrolled by 900 pixels in every frame, beside a bare virtual list
 *   (@tanstack/react-virtual) that draws as many rows with as many elements.
 * - `expand`, `search`, `drag`: one action in that tree; milliseconds until it is shown.
 *
 * Times are those of the page's main thread on the processor (not of the clock: other programs do not count), in milliseconds a
 * frame: `script` is JavaScript, `page` is everything. The subjects take turns; the ratio is the median of those of the rounds.
 * What the graphics card does, or the process that does it by software, is in none of them.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { median, openBuilt, root } from "./page.mjs";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    case: { type: "string" },
    rounds: { type: "string", default: "7" },
  },
});

const folder = mkdtempSync(join(root, "node_modules/.cache-bench-"));
try {
  const page = JSON.stringify(join(import.meta.dirname, "large-page.js"));
  writeFileSync(join(folder, "page.js"), `import ${page};`);
  writeFileSync(
    join(folder, "index.html"),
    `<link rel="icon" href="data:,"><div id="place" style="position:fixed;inset:0"></div><script type="module" src="./page.js"></script>`,
  );
  await inTurn(
    ["move", "pan"],
    [
      { name: "editor", begin: "editorSprites()" },
      { name: "bare Pixi", begin: "pixiSprites()" },
    ],
  );
  await inTurn(
    ["scroll"],
    [
      { name: "editor", begin: "editorTree()" },
      { name: "bare list", begin: "bareList()" },
    ],
  );
  await inTurn(["expand", "search", "drag"], [{ name: "editor", begin: "editorTree()" }]);
} finally {
  rmSync(folder, { recursive: true });
}

/** Runs the cases in pages of all subjects, each round every subject once; the last subject is what the others are compared with. */
async function inTurn(names, subjects) {
  const wanted = names.filter((name) => values.case === undefined || values.case === name);
  if (wanted.length === 0) return;
  const opened = [];
  try {
    for (const { name, begin } of subjects) {
      const { page, errors, close } = await openBuilt(folder);
      opened.push({ name, page, errors, close });
      await page.waitForFunction("typeof cases === 'object'");
      await page.evaluate(begin);
      const session = await page.context().newCDPSession(page);
      await session.send("Performance.enable", { timeDomain: "threadTicks" });
      opened.at(-1).spent = async () => {
        const { metrics } = await session.send("Performance.getMetrics");
        const of = (metric) => (metrics.find((one) => one.name === metric)?.value ?? 0) * 1000;
        return { script: of("ScriptDuration"), page: of("TaskDuration") };
      };
    }
    for (const name of wanted) {
      const results = opened.map(() => ({ script: [], page: [] }));
      // The first round warms everything up.
      for (let round = -1; round < Number(values.rounds); round++) {
        for (const [k, { page, spent }] of opened.entries()) {
          const before = await spent();
          const frames = await page.evaluate(`cases.${name}()`);
          const after = await spent();
          if (round < 0) continue;
          for (const kind of ["script", "page"]) results[k][kind].push((after[kind] - before[kind]) / frames);
        }
      }
      for (const { errors } of opened) if (errors.length > 0) throw new Error(errors.join("\n"));
      for (const [k, { name: subject }] of opened.entries())
        report(name, subject, results[k], results.at(-1));
    }
  } finally {
    for (const { close } of opened) await close();
  }
}

function report(name, subject, result, bare) {
  const [script, page] = [median(result.script), median(result.page)];
  const ratio = (kind) => median(result[kind].map((value, k) => value / bare[kind][k]));
  const ratios = { script: ratio("script"), page: ratio("page") };
  if (values.json) console.log(JSON.stringify({ case: name, subject, script, page, ratios }));
  else {
    const beside =
      result === bare
        ? ""
        : `; ${ratios.script.toFixed(2)} and ${ratios.page.toFixed(2)} times as much as the one below`;
    console.log(
      `${name.padEnd(7)} ${subject.padEnd(10)} script ${script.toFixed(2)}, page ${page.toFixed(2)} ms${beside}`,
    );
  }
}
