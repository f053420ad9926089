/**
 * The types of every program of the repository, two at a time; ends with 1 when one of them has errors.
 *
 * Uses TypeScript 7, which takes a fifth of the time. Code that needs the compiler as a library (the API report, checks of documents,
 * tsdown) uses TypeScript 6, so both check the sources.
 */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspace.mjs";

// The largest first, so that the last one to finish is small.
const programs = [
  "packages/espalier/test",
  "packages/espalier/test-browser",
  "packages/espalier",
  "packages/editor",
  "examples/browser",
  "examples",
  "packages/cli",
  "packages/colyseus",
  "packages/collab",
  ".",
].filter(hasTypeScript);

let failed = false;
await Promise.all([checkAll(), checkAll()]);
process.exitCode = failed ? 1 : 0;

/** Checks programs until none is left, also after a failure, to report the errors of all. */
async function checkAll() {
  for (let path = programs.shift(); path !== undefined; path = programs.shift()) {
    const { code, output } = await check(path);
    process.stdout.write(output);
    if (code !== 0) failed = true;
  }
}

/**
 * Runs tsc on a program. The output is printed as a whole, so that two do not mix.
 *
 * @param {string} path
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function check(path) {
  const tsc = join(root, "node_modules/typescript-7/bin/tsc");
  const child = spawn(process.execPath, [tsc, "--noEmit", "-p", path], { cwd: root });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, output })));
}

/**
 * tsc reports an error for a program without files.
 *
 * @param {string} path
 */
function hasTypeScript(path) {
  return (
    path === "." ||
    readdirSync(join(root, path), { recursive: true }).some((name) => String(name).endsWith(".ts"))
  );
}
