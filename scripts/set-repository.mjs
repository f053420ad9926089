/**
 * `node scripts/set-repository.mjs https://github.com/<owner>/<name>`: writes `repository`, `homepage` and `bugs` of every package and the badges of
 * the README, so that the address is filled in at one place. Relative links of the README on npm lead to it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./workspace.mjs";

/** The manifests that carry the address, by folder. */
export const manifests = ["packages/espalier", "packages/cli", "packages/editor"];

/**
 * The three fields for one package.
 *
 * @param {string} url The page of the repository.
 * @param {string} folder
 */
export function fieldsFor(url, folder) {
  if (!/^https:\/\/[^/\s]+\/[^/\s]+\/[^/\s]+$/.test(url)) {
    throw new TypeError(`Expected https://host/owner/name, got ${JSON.stringify(url)}.`);
  }
  const page = url.replace(/\.git$/, "");
  return {
    homepage: `${page}#readme`,
    bugs: { url: `${page}/issues` },
    repository: {
      type: "git",
      url: `git+${page}.git`,
      // The README of the library is the one at the root: npm resolves its links from there.
      ...(folder === "packages/espalier" ? {} : { directory: folder }),
    },
  };
}

/**
 * The manifest with the fields behind `author`, where npm's own order has them.
 *
 * @param {Record<string, unknown>} manifest
 * @param {Record<string, unknown>} fields
 */
export function withFields(manifest, fields) {
  const rest = Object.entries(manifest).filter(([key]) => !(key in fields));
  const place = rest.findIndex(([key]) => key === "author") + 1;
  return Object.fromEntries([...rest.slice(0, place), ...Object.entries(fields), ...rest.slice(place)]);
}

/**
 * The README with badges between its two marks: state of the tests, version on npm, licence.
 *
 * @param {string} readme
 * @param {string} url The page of the repository.
 */
export function withBadges(readme, url) {
  const ci = `${url}/actions/workflows/ci.yml`;
  const badges = [
    `[![Tests](${ci}/badge.svg)](${ci})`,
    "[![Version on npm](https://img.shields.io/npm/v/espalier)](https://www.npmjs.com/package/espalier)",
    "[![MIT licence](https://img.shields.io/npm/l/espalier)](LICENSE)",
  ];
  const marks = /(<!-- badges -->\n)[\s\S]*?(<!-- \/badges -->)/;
  if (!marks.test(readme))
    throw new Error("The README has no place for badges: <!-- badges --> and <!-- /badges -->.");
  return readme.replace(marks, (_, start, end) => `${start}${badges.join("\n")}\n${end}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const url = process.argv[2] ?? "";
  for (const folder of manifests) {
    const path = join(root, folder, "package.json");
    const manifest = withFields(JSON.parse(readFileSync(path, "utf8")), fieldsFor(url, folder));
    writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
    console.log(`${folder}/package.json: ${url}`);
  }
  const readme = join(root, "README.md");
  writeFileSync(readme, withBadges(readFileSync(readme, "utf8"), url));
  console.log("README.md: badges");
}
