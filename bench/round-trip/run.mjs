#!/usr/bin/env node
/**
 * How much of scenes of other tools survives a round trip: every `.tscn`, `.gltf` and `.glb` file of a folder is imported, exported and
 * imported again. `node bench/round-trip/run.mjs --folder <folder> [--json] [--y-up]`; README.md beside this file says what is counted.
 */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { loadRun } from "./load-run.mjs";
import { printReport } from "./report.mjs";
import { sameScene } from "./same-scene.mjs";

const { values } = parseArgs({
  options: {
    folder: { type: "string" },
    json: { type: "boolean", default: false },
    "y-up": { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (values.help || values.folder === undefined) {
  console.log(
    "node bench/round-trip/run.mjs --folder <folder with .tscn, .gltf and .glb files> [--json] [--y-up]",
  );
  process.exit(values.help ? 0 : 2);
}

const endings = [".tscn", ".gltf", ".glb"];
/** What the files need beside them: Godot's project, and the data of models. */
const besides = [".godot", ".import", ".bin"];
const flags = values["y-up"] ? ["--y-up"] : [];

const { run, exportScene } = await loadRun();
const from = resolve(values.folder);
const files = readdirSync(from, { recursive: true })
  .map(String)
  .filter((file) => [...endings, ...besides].includes(extname(file).toLowerCase()));
const sources = files.filter((file) => endings.includes(extname(file).toLowerCase())).sort();
const work = mkdtempSync(join(tmpdir(), "espalier-round-trip-"));
try {
  // A copy: imports write scenes beside the files.
  for (const file of files) {
    mkdirSync(dirname(join(work, file)), { recursive: true });
    copyFileSync(join(from, file), join(work, file));
  }
  const results = [];
  for (const source of sources) results.push(await roundTrip(source));
  if (values.json) for (const result of results) console.log(JSON.stringify(result));
  else printReport(results);
  // A loss that is not in the list is a fault of the exporter.
  process.exitCode = results.some(({ outcome }) => outcome === "unlisted" || outcome === "failed") ? 1 : 0;
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function roundTrip(source) {
  const file = join(work, source);
  const ending = extname(file);
  const folder = dirname(file);
  const first = join(folder, `${basename(file, ending)}.first.scene.json`);
  // Beside the original, so that what both refer to is found in the same way.
  const out = join(folder, `${basename(file, ending)}.again${ending}`);
  const second = join(folder, `${basename(file, ending)}.second.scene.json`);
  const made = [first, out, second];
  try {
    const imported = await quietly(() =>
      run(["import", file, "--out", first, "--recursive", "--json", ...flags]),
    );
    const { files: written = [], error, needs = [] } = imported;
    if (error !== undefined) return { file: source, outcome: "refused", why: error };
    const unmapped = written[0].unmapped.filter(({ kept }) => !kept).map(({ what }) => what);
    if (needs.length > 0) {
      const why = `instances of files that are not there: ${needs.map((need) => relative(work, resolve(need))).join(", ")}`;
      return { file: source, outcome: "incomplete", why, unmapped };
    }
    const { content, lost } = await exportScene(first, out, { yUp: values["y-up"] });
    writeFileSync(out, content);
    const again = await quietly(() =>
      run(["import", out, "--out", second, "--recursive", "--json", ...flags]),
    );
    if (again.error !== undefined) return { file: source, outcome: "failed", why: again.error, unmapped };
    const isSame = sameScene(
      JSON.parse(readFileSync(first, "utf8")),
      JSON.parse(readFileSync(second, "utf8")),
    );
    const outcome = isSame ? "equal" : lost.length > 0 ? "listed" : "unlisted";
    return { file: source, outcome, lost: lost.map(({ what }) => what), unmapped };
  } catch (error) {
    return { file: source, outcome: "failed", why: error.message };
  } finally {
    for (const each of made) rmSync(each, { force: true });
  }
}

/** Runs a command and gives what it printed as JSON. */
async function quietly(command) {
  const { write } = process.stdout;
  let text = "";
  process.stdout.write = (piece) => {
    text += piece;
    return true;
  };
  try {
    await command();
  } finally {
    process.stdout.write = write;
  }
  return JSON.parse(text);
}
