/**
 * The documents that ship inside the package: guides, error pages and the glossary as Markdown, and `llms.txt`, the list of
 * them for assistants. Whoever has the package has its manual, without a network; pictures and decisions stay in the repository,
 * because everybody downloads what ships.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "./workspace.mjs";

/** What is taken from `docs/`. The rest speaks of files that only the repository has. */
const shipped = ["guide", "errors", "architecture.md"];

/**
 * Copies the documents to `to`, which is emptied first. Links to what does not ship, and pictures, become plain words.
 *
 * @param {string} to
 */
export function copyDocs(to) {
  const from = join(root, "docs");
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  const isText = (/** @type {string} */ path) => statSync(path).isDirectory() || path.endsWith(".md");
  for (const name of shipped) cpSync(join(from, name), join(to, name), { recursive: true, filter: isText });
  for (const path of pagesIn(to)) {
    const page = join(to, path);
    writeFileSync(page, withoutDeadLinks(readFileSync(page, "utf8"), dirname(page)));
  }
  writeFileSync(join(to, "llms.txt"), contents(to));
}

/**
 * @param {string} text
 * @param {string} folder The folder of the page.
 */
export function withoutDeadLinks(text, folder) {
  return text.replace(/!?\[([^\]]*)\]\(([^)\s]+)\)/g, (link, words, target) => {
    if (/^([a-z]+:|#)/.test(target)) return link;
    return existsSync(join(folder, target.split("#")[0])) ? link : words;
  });
}

/**
 * The table of contents, after https://llmstxt.org.
 *
 * @param {string} folder
 */
export function contents(folder) {
  const pages = pagesIn(folder);
  /** @param {string} start */
  const list = (start) =>
    pages.filter((path) => path.startsWith(start)).map((path) => `- [${titleOf(folder, path)}](${path})`);
  return [
    "# Espalier",
    "",
    "> An entity component system for TypeScript in which hierarchy is first class: entities form trees that lie flat in typed",
    "> arrays, parents before children. With transforms, undo, scene files, a game layer, renderers, physics and an editor.",
    "",
    "ES modules. `espalier` is the ECS; every other room is a sub-path: `espalier/hierarchy`, `espalier/transform` and so on. Every `ts`",
    "block of these pages is run by a test unless it says `no-run`; comments with → and ≈ are checked results.",
    "",
    "## Guides",
    "",
    ...list("guide/"),
    "",
    "## Words, and the map of the code",
    "",
    ...list("architecture"),
    "",
    "## Errors",
    "",
    "Every error has a `code`, `room/some-code`, and a page `errors/room-some-code.md`.",
    "",
    ...list("errors/"),
    "",
  ].join("\n");
}

/**
 * The Markdown files below a folder, sorted, with `/`.
 *
 * @param {string} folder
 * @param {string} [below]
 * @returns {string[]}
 */
function pagesIn(folder, below = folder) {
  const pages = readdirSync(below, { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name);
    if (entry.isDirectory()) return pagesIn(folder, path);
    return entry.name.endsWith(".md") ? [relative(folder, path).replaceAll("\\", "/")] : [];
  });
  return pages.sort();
}

/**
 * @param {string} folder
 * @param {string} path
 */
function titleOf(folder, path) {
  const [first = ""] = readFileSync(join(folder, path), "utf8").split("\n");
  return first.replace(/^#+ /, "");
}
