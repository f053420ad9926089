/**
 * `npm run next-version`: turns all changesets into the next version of all packages and into their changelogs.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packages, root, run, tool } from "./workspace.mjs";

/**
 * The manifest with its peers in `versions` required at least at that version. Not `^`: a range that ends with a version before 1.0 makes
 * changesets treat every minor change as breaking for packages that have the peer, and so make 1.0.0 of 0.2.0.
 *
 * @param {{ peerDependencies?: Record<string, string> }} manifest
 * @param {Record<string, string>} versions By package.
 */
export function withOwnPeers(manifest, versions) {
  const peers = Object.entries(manifest.peerDependencies ?? {}).map(([name, range]) => [
    name,
    versions[name] === undefined ? range : `>=${versions[name]}`,
  ]);
  return peers.length === 0 ? manifest : { ...manifest, peerDependencies: Object.fromEntries(peers) };
}

/**
 * @param {string} folder Of the workspace.
 * @param {readonly string[]} paths The folders of its packages.
 */
export function nextVersion(folder, paths) {
  if (tool("@changesets/cli/bin.js", ["version"], { cwd: folder }) !== 0) return false;
  const manifests = paths.map((path) => ({
    file: join(path, "package.json"),
    manifest: JSON.parse(readFileSync(join(path, "package.json"), "utf8")),
  }));
  const versions = Object.fromEntries(manifests.map(({ manifest }) => [manifest.name, manifest.version]));
  for (const { file, manifest } of manifests) {
    writeFileSync(file, `${JSON.stringify(withOwnPeers(manifest, versions), null, 2)}\n`);
  }
  return true;
}

if (process.argv[1] === import.meta.filename) {
  const isDone =
    nextVersion(root, packages) &&
    run("npm", ["install", "--package-lock-only"]) === 0 &&
    run(process.execPath, [join(root, "scripts/complete-lockfile.mjs")]) === 0;
  if (!isDone) process.exitCode = 1;
}
