/**
 * The types of every program of the repository, two at a time; ends with 1 when one of them has errors.
 *
 * By TypeScript 7, which takes a fifth of the time. What needs the compiler as a library (the API report, checks of documents,
 * tsdown) uses TypeScript 6, so that both are tried on the sources.
 */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspace.mjs";

// The largest first, so that none of them is left alone at the end.
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

/** Takes programs until none is left, even after one failed: the errors of all of them are wanted. */
async function checkAll() {
  for (let path = programs.shift(); path !== undefined; path = programs.shift()) {
    const { code, output } = await check(path);
    process.stdout.write(output);
    if (code !== 0) failed = true;
  }
}

/**
 * What tsc says of a program. Printed as a whole, so that two of them do not mix.
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
 * A program without files is an error to tsc.
 *
 * @param {string} path
 */
function hasTypeScript(path) {
  return (
    path === "." ||
    readdirSync(join(root, path), { recursive: true }).some((name) => String(name).endsWith(".ts"))
  );
}
