/**
 * `npm run pack -- <folder>`: builds and packs all packages. `ESPALIER_TARBALLS=<folder>` lets the tests of packages use these files, and
 * `npm run release -- --from <folder>` publishes them: what was tested and what is published are the same bytes.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "./steps.mjs";
import { ensureInstalled, packages } from "./workspace.mjs";

/**
 * @param {string} path The folder of a package, which is built.
 * @param {string} folder Where the tarball is put.
 * @returns {string} The name of the tarball.
 */
export function pack(path, folder) {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const said = execFileSync("npm", args, {
    cwd: path,
    encoding: "utf8",
    shell: process.platform === "win32",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(said)[0].filename;
}

if (process.argv[1] === import.meta.filename) {
  const [, , folder] = process.argv;
  if (folder === undefined) throw new Error("Name a folder: npm run pack -- <folder>");
  ensureInstalled();
  if (!build.command()) process.exit(1);
  mkdirSync(resolve(folder), { recursive: true });
  for (const path of packages) console.log(pack(path, resolve(folder)));
}
