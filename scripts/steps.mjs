/**
 * Runs the steps of a test run and adds up their results.
 *
 * A step that is not vitest counts as one test. No step stops the ones after it.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { nodeOf } from "./newer-node.mjs";
import { root, run, tool } from "./workspace.mjs";

/**
 * @typedef {object} Totals
 * @property {number} passed
 * @property {number} failed
 *
 * @typedef {object} CommandStep
 * @property {string} title
 * @property {() => boolean} command True when it succeeds.
 *
 * @typedef {object} VitestStep
 * @property {string} title
 * @property {string[]} projects Projects of vitest.config.ts.
 * @property {"source" | "dist"} [target]
 * @property {Record<string, string>} [env] Further variables of the environment.
 * @property {number} [node] The least version of Node: an older Node looks for a newer one. Without one, the step reports that it was not run.
 * @property {CommandStep} [needs] A step that must have passed; otherwise this one fails without running.
 *
 * @typedef {CommandStep | VitestStep} Step
 */

/** @type {CommandStep} */
export const types = {
  title: "types",
  command: () => run(process.execPath, [join(root, "scripts/types.mjs")]) === 0,
};

/** @type {CommandStep} */
export const lint = {
  title: "lint and format",
  command: () => tool("@biomejs/biome/bin/biome", ["check", "--error-on-warnings", "."]) === 0,
};

/** @type {CommandStep} */
export const unused = {
  title: "unused files, exports and dependencies",
  command: () =>
    tool("knip/bin/knip.js", ["--exclude", "duplicates,optionalPeerDependencies", "--no-config-hints"]) === 0,
};

/** @type {CommandStep} */
export const spelling = {
  title: "spelling",
  command: () => tool("cspell/bin.mjs", ["lint", "--no-progress", "--no-summary", "--unique"]) === 0,
};

/** @type {CommandStep} */
export const build = {
  title: "build",
  command: () => run(process.execPath, [join(root, "scripts/build.mjs")]) === 0,
};

/**
 * Runs the steps in order.
 *
 * @param {Step[]} list
 * @returns {Totals} The sum over all steps.
 */
export function steps(list) {
  const totals = { passed: 0, failed: 0 };
  /** @type {string[]} */
  const failures = [];
  /** @type {string[]} */
  const missing = [];
  /** @type {Set<Step>} */
  const broken = new Set();
  for (const [index, step] of list.entries()) {
    console.log(`\n[${index + 1}/${list.length}] ${step.title}`);
    const started = Date.now();
    const { passed, failed } = runStep(step, broken);
    if (failed > 0) {
      broken.add(step);
      failures.push(...failuresOf(step));
    }
    missing.push(...notRunIn(step));
    totals.passed += passed;
    totals.failed += failed;
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    console.log(
      `[${index + 1}/${list.length}] ${step.title}: ${passed} passed, ${failed} failed (${seconds} s)`,
    );
  }
  if (missing.length > 0) console.log(`\nNOT RUN on this machine:\n${missing.join("\n")}`);
  if (failures.length > 0) console.log(`\nFailed:\n${failures.join("\n")}`);
  return totals;
}

const reportFile = join(root, "node_modules/.cache/espalier/test-report.json");

/**
 * The failures of the step that has just run, one per line: they are repeated at the end of a long log.
 *
 * @param {Step} step
 * @returns {string[]}
 */
function failuresOf(step) {
  if ("command" in step || !existsSync(reportFile)) return [`  ${step.title}`];
  const names = namesOfFailures(readFileSync(reportFile, "utf8"));
  // Every test passed, but the run failed.
  if (names.length === 0) return [`  ${step.title}: an error outside of its tests`];
  return names.map((name) => `  ${step.title}: ${name}`);
}

/**
 * The tests that a step skipped because the machine lacks something, one per line.
 *
 * @param {Step} step
 * @returns {string[]}
 */
function notRunIn(step) {
  if ("command" in step || step.node === undefined) return [];
  if (nodeOf(step.node) === undefined) {
    return [`  ${step.title}: needs Node ${step.node} or later, and this is ${process.version}`];
  }
  if (!existsSync(reportFile)) return [];
  return namesOfSkipped(readFileSync(reportFile, "utf8")).map((name) => `  ${step.title}: ${name}`);
}

/**
 * The tests of a vitest report that were skipped.
 *
 * @param {string} report
 * @returns {string[]}
 */
export function namesOfSkipped(report) {
  /** @type {{ testResults: { name: string, assertionResults: { status: string, fullName: string }[] }[] }} */
  const { testResults } = JSON.parse(report);
  return testResults.flatMap((file) =>
    file.assertionResults
      .filter(({ status }) => status === "skipped" || status === "pending")
      .map(({ fullName }) => `${relative(root, file.name)} > ${fullName}`),
  );
}

/**
 * The files and tests that failed in a vitest report, each with the first line of its message.
 *
 * @param {string} report
 * @returns {string[]}
 */
export function namesOfFailures(report) {
  /** @type {{ testResults: { name: string, status: string, message?: string, assertionResults: { status: string, fullName: string, failureMessages?: string[] }[] }[] }} */
  const { testResults } = JSON.parse(report);
  const firstLine = (/** @type {string | undefined} */ text) => (text ?? "").split("\n")[0];
  return testResults.flatMap((file) => {
    if (file.status !== "failed") return [];
    const name = relative(root, file.name);
    const tests = file.assertionResults.filter((test) => test.status === "failed");
    if (tests.length === 0) return [`${name}: ${firstLine(file.message)}`];
    return tests.map((test) => `${name} > ${test.fullName}: ${firstLine(test.failureMessages?.[0])}`);
  });
}

/**
 * @param {Step} step
 * @param {ReadonlySet<Step>} broken
 * @returns {Totals}
 */
function runStep(step, broken) {
  if ("command" in step) return step.command() ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  if (step.needs !== undefined && broken.has(step.needs)) {
    console.log(`Not run: ${step.needs.title} failed.`);
    rmSync(reportFile, { force: true });
    return { passed: 0, failed: 1 };
  }
  const node = nodeOf(step.node ?? 0);
  if (node === undefined) {
    console.log(`NOT RUN: ${step.title} needs Node ${step.node} or later, and this is ${process.version}.`);
    rmSync(reportFile, { force: true });
    return { passed: 0, failed: process.env.CI === undefined ? 0 : 1 };
  }
  mkdirSync(dirname(reportFile), { recursive: true });
  rmSync(reportFile, { force: true });
  const code = tool(
    "vitest/vitest.mjs",
    [
      "run",
      ...step.projects.flatMap((project) => ["--project", project]),
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${reportFile}`,
    ],
    { node, env: { ESPALIER_TARGET: step.target ?? "source", ...step.env } },
  );
  return totalsOf(existsSync(reportFile) ? readFileSync(reportFile, "utf8") : undefined, code);
}

/**
 * The totals of a vitest report. A file that could not be loaded has no tests to count and is one failure;
 * so is a run that fails although every test passed (an uncaught error) or leaves no report.
 *
 * @param {string | undefined} report
 * @param {number} code
 * @returns {Totals}
 */
export function totalsOf(report, code) {
  if (report === undefined) return { passed: 0, failed: 1 };
  const { numPassedTests: passed, numFailedTests, testResults } = JSON.parse(report);
  const unloaded = testResults.filter(
    (/** @type {{ status: string, assertionResults: { status: string }[] }} */ file) =>
      file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  ).length;
  const failed = numFailedTests + unloaded;
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed };
}
