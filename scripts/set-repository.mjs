/**
 * `node scripts/set-repository.mjs https://github.com/<owner>/<name> <contact>`: writes `repository`, `homepage` and `bugs` of every package, the badges of
 * the README, and the contact (a mail address or a page) of SECURITY.md and CODE_OF_CONDUCT.md, so that both are filled in
 * together. Relative links of the README on npm lead to the repository. `npm run release` refuses to publish without it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { packages, root } from "./workspace.mjs";

/** The manifests that carry the address, by folder. */
export const manifests = packages.map((path) => relative(root, path));

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

/**
 * A document with the contact between its two marks.
 *
 * @param {string} text
 * @param {string} contact
 */
export function withContact(text, contact) {
  const isMail = /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(contact);
  if (!isMail && !/^https:\/\/\S+$/.test(contact))
    throw new TypeError(
      `Expected an address of mail or of a page as contact, got ${JSON.stringify(contact)}.`,
    );
  const marks = /(<!-- contact -->)[\s\S]*?(<!-- \/contact -->)/;
  if (!marks.test(text))
    throw new Error("There is no place for the contact: <!-- contact --> and <!-- /contact -->.");
  return text.replace(marks, (_, start, end) => `${start}<${isMail ? "mailto:" : ""}${contact}>${end}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [, , url = "", contact = ""] = process.argv;
  // Both are checked before anything is written.
  fieldsFor(url, "");
  const documents = ["SECURITY.md", "CODE_OF_CONDUCT.md"].map((name) => {
    const file = join(root, name);
    return { name, file, text: withContact(readFileSync(file, "utf8"), contact) };
  });
  for (const folder of manifests) {
    const path = join(root, folder, "package.json");
    const manifest = withFields(JSON.parse(readFileSync(path, "utf8")), fieldsFor(url, folder));
    writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
    console.log(`${folder}/package.json: ${url}`);
  }
  const readme = join(root, "README.md");
  writeFileSync(readme, withBadges(readFileSync(readme, "utf8"), url));
  console.log("README.md: badges");
  for (const { name, file, text } of documents) {
    writeFileSync(file, text);
    console.log(`${name}: ${contact}`);
  }
}
