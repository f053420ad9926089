/**
 * `npm run release`: publishes every package whose version the registry does not have, and tags what was published. After a failure
 * it can be run again: what is already published is skipped. `--from <folder>` publishes the tarballs that `npm run pack` put there and
 * that were tested; without it they are made. `--no-git-tag` makes no tags.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { pack } from "./pack.mjs";
import { build } from "./steps.mjs";
import { ensureInstalled, packages, run, tool } from "./workspace.mjs";

const { values } = parseArgs({ options: { from: { type: "string" }, "no-git-tag": { type: "boolean" } } });
const manifests = packages.map((path) => ({
  path,
  manifest: JSON.parse(readFileSync(join(path, "package.json"), "utf8")),
}));

const nameless = manifests.filter(({ manifest }) => manifest.repository === undefined);
if (nameless.length > 0) {
  console.error(
    `Cannot publish: ${nameless.map(({ manifest }) => manifest.name).join(", ")} have no "repository", which trusted publishing compares with the ` +
      "workflow. Fill it in once: node scripts/set-repository.mjs https://github.com/<owner>/<name> <contact>",
  );
  process.exit(1);
}

ensureInstalled();
const made = values.from === undefined ? mkdtempSync(join(tmpdir(), "espalier-release-")) : undefined;
const folder = made ?? resolve(/** @type {string} */ (values.from));
try {
  if (made !== undefined && !build.command()) process.exit(1);
  const isPublished = manifests.every(({ path, manifest }) => publish(path, manifest));
  if (!isPublished) process.exitCode = 1;
  // Also prints the tags, from which the workflow makes releases.
  else if (!values["no-git-tag"]) tool("@changesets/cli/bin.js", ["tag"]);
} finally {
  if (made !== undefined) rmSync(made, { recursive: true, force: true });
}

/**
 * @param {string} path The folder of a package.
 * @param {{ name: string, version: string }} manifest
 * @returns {boolean} Whether the registry has it.
 */
function publish(path, { name, version }) {
  if (isInRegistry(`${name}@${version}`)) {
    console.log(`${name}@${version} is published already.`);
    return true;
  }
  const filename = `${name.replace(/^@/, "").replace("/", "-")}-${version}.tgz`;
  if (made !== undefined) pack(path, folder);
  if (existsSync(join(folder, filename))) return run("npm", ["publish", join(folder, filename)]) === 0;
  console.error(`Cannot publish ${name}@${version}: ${join(folder, filename)} is missing.`);
  return false;
}

/** @param {string} spec `name@version` */
function isInRegistry(spec) {
  const shell = process.platform === "win32";
  const { status, stdout } = spawnSync("npm", ["view", spec, "version"], { encoding: "utf8", shell });
  return status === 0 && stdout.trim() !== "";
}
