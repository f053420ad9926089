/**
 * The development entries: `dist/development/<entry>.mjs`, one per public name. Each turns the checks on and gives what the plain entry
 * gives, from the same files. Bundlers and CDNs find them by the export condition `development`; an import map names their paths.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { publicNames } from "./public-names.mjs";

/** @param {string} dist The folder of the build. */
export function writeDevelopmentEntries(dist) {
  for (const { entry } of publicNames()) {
    const file = join(dist, "development", `${entry}.mjs`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, developmentEntry(entry));
  }
}

/**
 * The text of one of them.
 *
 * @param {string} entry `index`, a room or a part of one: `physics/box2d`.
 */
export function developmentEntry(entry) {
  const up = posix.relative(posix.dirname(`development/${entry}`), ".") || ".";
  return `import "${up}/development.mjs";\nexport * from "${up}/${entry}.mjs";\n`;
}
