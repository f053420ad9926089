/**
 * A Node of at least a given version: the running one, or one from npm, which exists for Linux only.
 *
 * It is installed in its own folder (scripts/node24) when it is first needed: among the dependencies of the root, its program
 * would be the `node` of every npm script.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { install, root } from "./workspace.mjs";

const folder = join(root, "scripts/node24");

/** @type {boolean | undefined} Whether it could be installed; set after the first attempt. */
let isInstalled;

/**
 * @param {number} major
 * @returns {string | undefined} The path of its program; nothing if there is none or it cannot be fetched: the rest of a test run continues.
 */
export function nodeOf(major) {
  if (Number(process.versions.node.split(".")[0]) >= major) return process.execPath;
  if (process.platform !== "linux") return undefined;
  isInstalled ??= install(folder) === 0;
  if (!isInstalled) return undefined;
  const found = join(folder, "node_modules", `node24-${process.platform}-${process.arch}`, "bin/node");
  return existsSync(found) ? found : undefined;
}
