/**
 * `node scripts/set-repository.mjs https://github.com/<owner>/<name>`: writes `repository`, `homepage` and `bugs` of every package, so
 * that the address is filled in at one place. Relative links of the README on npm lead to it.
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const url = process.argv[2] ?? "";
  for (const folder of manifests) {
    const path = join(root, folder, "package.json");
    const manifest = withFields(JSON.parse(readFileSync(path, "utf8")), fieldsFor(url, folder));
    writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
    console.log(`${folder}/package.json: ${url}`);
  }
}
