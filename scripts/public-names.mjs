/**
 * The public names of the library, read from the one list of them: the exports of its package.json.
 *
 * Build, tests, docs and examples all resolve `espalier/…` through this file.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of the library package, without a trailing slash. */
export const packageDir = fileURLToPath(new URL("../packages/espalier", import.meta.url));

/**
 * @typedef {object} PublicName
 * @property {string} name What users import: `espalier` or `espalier/<room>`; a room may have sub-rooms, `physics/box2d`.
 * @property {string} entry The name of the built file without extension: `index` or the room.
 * @property {string} source Absolute path of the TypeScript entry.
 * @property {string} dist Absolute path of the built ES module in which NODE_ENV decides.
 * @property {string} development Absolute path of the one for development.
 * @property {string} production Absolute path of the one for production.
 */

/** @returns {PublicName[]} Every public name, rooms in the order of package.json. */
export function publicNames() {
  const { exports } = JSON.parse(readFileSync(`${packageDir}/package.json`, "utf8"));
  return Object.keys(exports)
    .filter((path) => path !== "./package.json")
    .map((path) => {
      const room = path === "." ? "" : path.slice(2);
      return {
        name: room ? `espalier/${room}` : "espalier",
        entry: room || "index",
        source: `${packageDir}/src/${room ? `${room}/` : ""}index.ts`,
        dist: `${packageDir}/${exports[path].default.slice(2)}`,
        development: `${packageDir}/${exports[path].development.slice(2)}`,
        production: `${packageDir}/${exports[path].production.slice(2)}`,
      };
    });
}

/**
 * Aliases for vite and rolldown, exact matches only.
 *
 * @param {"source" | "dist" | "development" | "production"} target
 */
export function aliases(target) {
  const names = publicNames().map((publicName) => ({
    find: new RegExp(`^${publicName.name}$`),
    replacement: publicName[target],
  }));
  // Internal exports of rooms, for tests of internals. Built but not published.
  const built = target === "dist" ? target : `dist/${target}`;
  const internal = target === "source" ? "src/ecs/internal.ts" : `${built}/internal/ecs.mjs`;
  const hierarchy = target === "source" ? "src/hierarchy/internal.ts" : `${built}/internal/hierarchy.mjs`;
  const collab = fileURLToPath(new URL("../packages/collab", import.meta.url));
  const shared = (/** @type {string} */ source, /** @type {string} */ built) =>
    `${collab}/${target === "source" ? source : built}`;
  return [
    ...names,
    { find: /^@espalier\/collab$/, replacement: shared("src/index.ts", "dist/index.mjs") },
    { find: /^@espalier\/collab\/relay$/, replacement: shared("src/relay/index.ts", "dist/relay.mjs") },
    { find: /^espalier\/internal$/, replacement: `${packageDir}/${internal}` },
    { find: /^espalier\/internal\/hierarchy$/, replacement: `${packageDir}/${hierarchy}` },
  ];
}
