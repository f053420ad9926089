/**
 * Shared by all scripts: run a command, install when the lockfile is newer, build when the source is newer.
 *
 * No dependencies: this runs on a fresh clone before anything is installed.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the repository, without a trailing slash. */
export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

/** The folders of the packages that are published. */
export const packages = [
  "packages/espalier",
  "packages/cli",
  "packages/editor",
  "packages/colyseus",
  "packages/collab",
  "packages/create-espalier",
].map((path) => join(root, path));

/** The packages that are built; the others are published as they are. */
export const builtPackages = packages.filter((path) => existsSync(join(path, "tsdown.config.ts")));

/**
 * Runs a command and waits for it. Its output goes to ours; with `quiet` to stderr, so that stdout stays
 * free for data.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, quiet?: boolean }} [options]
 * @returns {number} The exit code; 1 when it could not be started or was killed.
 */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.env },
    stdio: ["inherit", options.quiet ? 2 : "inherit", "inherit"],
    shell: process.platform === "win32" && command === "npm",
  });
  if (result.error) console.error(`Cannot run ${command}: ${result.error.message}`);
  return result.status ?? 1;
}

/**
 * Runs a tool of node_modules/.bin in this Node or the one that is named, without npx.
 *
 * @param {string} file Path of its JavaScript file inside node_modules.
 * @param {string[]} args
 * @param {Parameters<typeof run>[2] & { node?: string }} [options]
 */
export function tool(file, args, options) {
  return run(options?.node ?? process.execPath, [join(root, "node_modules", file), ...args], options);
}

/**
 * Installs exactly what the lockfile of `dir` lists, when node_modules is missing or older than it. Ends the process where that fails.
 *
 * @param {string} [dir]
 */
export function ensureInstalled(dir = root) {
  const code = install(dir);
  if (code !== 0) {
    console.error("Installing failed; see the messages above.");
    process.exit(code);
  }
}

/**
 * The same, without ending anything.
 *
 * @param {string} dir
 * @returns {number} The exit code of npm; 0 where there was nothing to do.
 */
export function install(dir) {
  const installed = join(dir, "node_modules/.package-lock.json");
  const lockfile = join(dir, "package-lock.json");
  if (existsSync(installed) && modified(installed) >= modified(lockfile)) return 0;
  console.error("Installing dependencies (npm ci)");
  return run("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"], { cwd: dir, quiet: true });
}

/** Builds all packages when a source file is newer than the last build. */
export function ensureBuilt() {
  if (builtPackages.every(isBuilt)) return;
  console.error("Building espalier");
  const code = run(process.execPath, [join(root, "scripts/build.mjs")], { quiet: true });
  if (code !== 0) process.exit(code);
}

/** @param {string} folder */
function isBuilt(folder) {
  const inputs = ["src", "package.json", "tsdown.config.ts"].map((name) => newest(join(folder, name)));
  const built = join(folder, "dist/index.mjs");
  return existsSync(built) && modified(built) >= Math.max(...inputs);
}

/** @param {string} path */
function modified(path) {
  return statSync(path).mtimeMs;
}

/**
 * @param {string} path
 * @returns {number} When the newest file below `path` changed, folders included: deleting a file counts.
 */
function newest(path) {
  const own = statSync(path);
  if (!own.isDirectory()) return own.mtimeMs;
  return Math.max(own.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}
