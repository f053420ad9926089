/**
 * How much the tests of a room notice: changes one small thing of its source at a time and runs its tests, which should fail then.
 *
 *     node scripts/mutants.mjs hierarchy --count 60 --seed 1
 *     node scripts/mutants.mjs ecs --files shared-rows,plain-data --tests ecs/shared-storage,scene/shared-twin
 *
 * Works on a copy of the packages in a temporary folder. A change that no test notices is printed with its line; some of these change
 * nothing that can be observed (a faster way, a size of a buffer), the rest is a test that is missing. Random tests run a tenth of their cases.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { parseAst } from "rolldown/parseAst";
import { root } from "./workspace.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
    files: { type: "string", default: "" },
    tests: { type: "string" },
    runs: { type: "string", default: "0.1" },
  },
});
const [room] = positionals;
if (room === undefined) {
  console.error("Give a room: node scripts/mutants.mjs hierarchy");
  process.exit(2);
}
const tests = (values.tests ?? `${room}/`).split(",").map((name) => `packages/espalier/test/${name}`);

const folder = mkdtempSync(join(tmpdir(), "mutants-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
process.on("SIGINT", () => process.exit(130));
copyTo(folder);

const source = join(folder, "packages/espalier/src", room);
const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !/(index|internal|errors)\.ts$/.test(name))
  .filter((name) => values.files.split(",").some((part) => name.includes(part)))
  .map((name) => join(source, name))
  .sort();
const all = files.flatMap((file) => mutantsIn(file, readFileSync(file, "utf8")));
const random = randomFrom(Number(values.seed));
const chosen = Array.from({ length: Math.min(Number(values.count), all.length) }, () =>
  all.splice(Math.floor(random() * all.length), 1).at(0),
).filter((mutant) => mutant !== undefined);

if (!pass()) {
  console.error("The tests fail without any change.");
  process.exit(1);
}
let killed = 0;
for (const [k, { file, start, end, text }] of chosen.entries()) {
  const before = readFileSync(file, "utf8");
  writeFileSync(file, before.slice(0, start) + text + before.slice(end));
  const isKilled = !pass();
  writeFileSync(file, before);
  if (isKilled) killed++;
  const line = before.slice(0, start).split("\n").length;
  const what = `${short(before.slice(start, end))} → ${short(text)}`;
  console.log(
    `${k + 1}/${chosen.length} ${isKilled ? "killed" : "SURVIVED"} ${relative(folder, file)}:${line} ${what}`,
  );
}
console.log(
  `${room}: ${killed} of ${chosen.length} noticed (seed ${values.seed}, ${all.length + chosen.length} possible).`,
);

/** @param {string} to */
function copyTo(to) {
  for (const name of [
    "packages/espalier",
    "scripts",
    "test",
    "vitest.config.ts",
    "package.json",
    "tsconfig.json",
    "tsconfig.base.json",
  ]) {
    cpSync(join(root, name), join(to, name), {
      recursive: true,
      filter: (path) =>
        !/\/(node_modules|dist)(\/|$)/.test(relative(root, path).replaceAll("\\", "/").replace(/^/, "/")),
    });
  }
  symlinkSync(join(root, "node_modules"), join(to, "node_modules"));
}

/** Whether all tests pass. */
function pass() {
  const args = [
    "vitest",
    "run",
    "--project",
    "unit",
    "--bail",
    "1",
    "--maxWorkers",
    "1",
    "--reporter",
    "dot",
    ...tests,
  ];
  const env = { ...process.env, ESPALIER_RUNS: values.runs };
  // An endless loop is noticed, too.
  return spawnSync("npx", args, { cwd: folder, env, stdio: "ignore", timeout: 900_000 }).status === 0;
}

/**
 * @typedef {{ file: string, start: number, end: number, text: string }} Mutant
 *
 * @param {string} file
 * @param {string} code
 * @returns {Mutant[]}
 */
function mutantsIn(file, code) {
  /** @type {Mutant[]} */
  const found = [];
  /** @type {(start: number, end: number, text: string) => void} */
  const add = (start, end, text) => found.push({ file, start, end, text });
  const swapped = /** @type {Record<string, string>} */ ({
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "===": "!==",
    "!==": "===",
    "+": "-",
    "-": "+",
    "&&": "||",
    "||": "&&",
    "++": "--",
    "--": "++",
    "+=": "-=",
    "-=": "+=",
  });
  /** @type {unknown[]} */
  const open = [parseAst(code, { lang: "ts" })];
  while (open.length > 0) {
    const node = /** @type {any} */ (open.pop());
    if (Array.isArray(node)) open.push(...node);
    if (typeof node?.type !== "string") continue;
    // Messages, types and checks of arguments that only word an error are not what is measured.
    if (node.type.startsWith("TS") || node.type === "ThrowStatement" || node.type === "TemplateLiteral")
      continue;
    if (node.type === "BinaryExpression" || node.type === "LogicalExpression") {
      const at = code.indexOf(node.operator, node.left.end);
      const other = swapped[node.operator];
      if (other !== undefined) add(at, at + node.operator.length, other);
    } else if (node.type === "IfStatement" || node.type === "ConditionalExpression") {
      for (const value of ["true", "false"]) add(node.test.start, node.test.end, value);
    } else if (node.type === "UpdateExpression" || node.type === "AssignmentExpression") {
      const other = swapped[node.operator];
      const from = node.type === "UpdateExpression" ? node.start : node.left.end;
      if (other !== undefined) {
        const at = code.indexOf(node.operator, from);
        add(at, at + 2, other);
      }
    } else if (node.type === "ExpressionStatement" && node.expression.type === "CallExpression") {
      add(node.start, node.end, ";");
    } else if (node.type === "Literal" && typeof node.value === "boolean") {
      add(node.start, node.end, String(!node.value));
    }
    for (const [name, value] of Object.entries(node)) {
      if (name !== "type" && typeof value === "object" && value !== null) open.push(value);
    }
  }
  return found;
}

/** @param {string} text */
function short(text) {
  const line = text.replace(/\s+/g, " ");
  return line.length <= 60 ? line : `${line.slice(0, 57)}…`;
}

/**
 * Numbers from 0 to 1 that are the same for the same seed (mulberry32).
 *
 * @param {number} seed
 */
function randomFrom(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
