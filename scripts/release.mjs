/**
 * `npm run release`: publishes every package whose version the registry does not have, as `npm pack` packs it, and tags what was
 * published. After a failure it can be run again: what is published already is passed over. `--no-git-tag` makes no tags.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "./steps.mjs";
import { ensureInstalled, packages, run, tool } from "./workspace.mjs";

ensureInstalled();
if (!build.command()) process.exit(1);

const shell = process.platform === "win32";
const folder = mkdtempSync(join(tmpdir(), "espalier-release-"));
try {
  const published = packages.every(publish);
  if (!published) process.exitCode = 1;
  // Also prints the tags, from which the workflow makes releases.
  else if (!process.argv.includes("--no-git-tag")) tool("@changesets/cli/bin.js", ["tag"]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * @param {string} path The folder of a package.
 * @returns {boolean} Whether the registry has it now.
 */
function publish(path) {
  const { name, version } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  if (isPublished(`${name}@${version}`)) {
    console.log(`${name}@${version} is published already.`);
    return true;
  }
  const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const [{ filename }] = JSON.parse(execFileSync("npm", pack, { cwd: path, encoding: "utf8", shell }));
  return run("npm", ["publish", join(folder, filename), "--access", "public"]) === 0;
}

/** @param {string} spec `name@version` */
function isPublished(spec) {
  const { status, stdout } = spawnSync("npm", ["view", spec, "version"], { encoding: "utf8", shell });
  return status === 0 && stdout.trim() !== "";
}
