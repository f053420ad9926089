/**
 * The documents that ship inside the package: the README, guides, errors and the glossary as Markdown, the pictures of the README, and
 * `llms.txt`, the list of them for assistants. So an installed package contains its manual, without a network. Decisions, the pictures of guides and the
 * broken half of each error page stay in the repository and on the site.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { guides } from "../site/sidebar.mjs";
import { root } from "./workspace.mjs";

/**
 * Copies the documents of the library to `to`, which is emptied first. Links to what does not ship, and pictures, become plain words.
 *
 * @param {string} to
 */
export function copyDocs(to) {
  copyGuides(to, () => true, "guide");
  mkdirSync(join(to, "errors"));
  for (const [room, text] of errorsByRoom()) writeFileSync(join(to, `errors/${room}.md`), text);
  writeFileSync(join(to, "glossary.md"), glossary());
  mkdirSync(join(to, "images"));
  for (const [, name = ""] of readme().matchAll(/\]\(docs\/images\/([\w.-]+)\)/g))
    cpSync(join(root, "docs/images", name), join(to, "images", name));
  for (const path of pagesIn(to)) {
    const page = join(to, path);
    const text = readFileSync(page, "utf8").replaceAll("architecture.md#", "glossary.md#");
    writeFileSync(page, withoutDeadLinks(linksToRooms(compact(text)), dirname(page)));
  }
  writeFileSync(join(to, "llms.txt"), contents(to));
}

function readme() {
  return readFileSync(join(root, "README.md"), "utf8");
}

/**
 * The README as it ships, in which every link has a target: on npm, in the repository and in `node_modules`. Links to what ships stay as they
 * are, because the package has the same paths. Other links lead to the repository once its address is known, and are plain text until then.
 *
 * @param {string} folder The folder of the package, with its documents.
 * @param {string} [repository] `https://host/owner/name`.
 */
export function packageReadme(folder, repository) {
  const text = readme();
  if (repository === undefined) return withoutDeadLinks(text, folder);
  return text.replace(/(!?\[[^\]]*\])\(([^)\s]+)\)/g, (link, words, target) =>
    isDeadIn(folder, target) ? `${words}(${repository}/blob/HEAD/${target})` : link,
  );
}

/**
 * The address of the repository of a package, from its manifest.
 *
 * @param {string} folder
 * @returns {string | undefined}
 */
export function repositoryOf(folder) {
  const { repository } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return repository?.url.replace(/^git\+/, "").replace(/\.git$/, "");
}

/**
 * Copies guides whose names are wanted to a folder, which is emptied first: for packages that ship their own guide.
 *
 * @param {string} to
 * @param {(name: string) => boolean} wanted
 * @param {string} [below]
 */
export function copyGuides(to, wanted, below = "") {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(join(to, below), { recursive: true });
  const from = join(root, "docs/guide");
  const names = readdirSync(from).filter((name) => name.endsWith(".md") && wanted(name));
  for (const name of names) cpSync(join(from, name), join(to, below, name));
  for (const name of names) {
    const page = join(to, below, name);
    if (below === "") writeFileSync(page, withoutDeadLinks(readFileSync(page, "utf8"), to));
  }
}

/**
 * All error pages of each room as one page: the cause, and the fixed program. The broken program stays in the
 * repository: readers have their own. The imports of the programs stand once, at the top.
 *
 * @returns {Map<string, string>}
 */
function errorsByRoom() {
  const folder = join(root, "docs/errors");
  /** @type {Map<string, { imports: Map<string, Set<string>>, text: string }>} */
  const rooms = new Map();
  for (const name of readdirSync(folder)
    .filter((file) => file.endsWith(".md"))
    .sort()) {
    const page = readFileSync(join(folder, name), "utf8").replace(/^# /, "## ");
    const [room = ""] = page.slice(3).split("/", 1);
    const before = rooms.get(room) ?? { imports: new Map(), text: "" };
    rooms.set(room, before);
    before.text += `\n${withoutImports(page.replace(/^```ts[\s\S]*?^```\n\n?/m, ""), before.imports)}`;
  }
  return new Map([...rooms].map(([room, { imports, text }]) => [room, errorPage(room, imports, text)]));
}

/**
 * @param {string} room
 * @param {Map<string, Set<string>>} imports By module: what programs of the page import from it.
 * @param {string} text
 */
function errorPage(room, imports, text) {
  const lines = [...imports]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([from, names]) => `import { ${[...names].sort().join(", ")} } from "${from}";`);
  return `# Errors of ${room}\n\nWhat the programs import:\n\n\`\`\`ts\n${lines.join("\n")}\n\`\`\`\n${text}`;
}

/**
 * Removes the imports from the programs of a page, and records them.
 *
 * @param {string} page
 * @param {Map<string, Set<string>>} imports
 */
function withoutImports(page, imports) {
  return page.replace(/^import \{ (.*) \} from "(.*)";\n+/gm, (_, names, from) => {
    const known = imports.get(from) ?? new Set();
    for (const name of names.split(", ")) known.add(name);
    imports.set(from, known);
    return "";
  });
}

/** The glossary, which is the last part of the page about the architecture. */
function glossary() {
  const text = readFileSync(join(root, "docs/architecture.md"), "utf8");
  const start = text.indexOf("## Glossary\n");
  return text.slice(start).replace(/^#(?=#)/gm, "");
}

/**
 * The words after the language of a block are for tests and the site, and the rules of tables need no spaces.
 *
 * @param {string} text
 */
function compact(text) {
  return text
    .replace(/^(```\w+) .*$/gm, "$1")
    .replace(/^\|( --- \|)+$/gm, (rule) => rule.replaceAll(" --- ", "-"));
}

/**
 * Links to the page of one error lead to the page of its room.
 *
 * @param {string} text
 */
function linksToRooms(text) {
  return text.replace(/errors\/([a-z]+)(-[a-z-]+)?\.md/g, "errors/$1.md");
}

/**
 * @param {string} folder The folder of the page.
 * @param {string} target
 */
function isDeadIn(folder, target) {
  return !/^([a-z]+:|#)/.test(target) && !existsSync(join(folder, target.split("#")[0] ?? ""));
}

/**
 * @param {string} text
 * @param {string} folder The folder of the page.
 */
export function withoutDeadLinks(text, folder) {
  /** @param {string} target */
  const isDead = (target) => isDeadIn(folder, target);
  return (
    text
      // A dead link alone in brackets, such as ([more](costs.md)), is dropped with them.
      .replace(/\s\(\[[^\]]*\]\(([^)\s]+)\)\)/g, (whole, target) => (isDead(target) ? "" : whole))
      .replace(/!?\[([^\]]*)\]\(([^)\s]+)\)/g, (link, words, target) => (isDead(target) ? words : link))
  );
}

/**
 * The table of contents, after https://llmstxt.org: guides in the order in which they are best read, which is that of the site.
 *
 * @param {string} folder
 */
function contents(folder) {
  const pages = pagesIn(folder);
  /** @param {string} start */
  const list = (start) =>
    pages.filter((path) => path.startsWith(start)).map((path) => `- [${titleOf(folder, path)}](${path})`);
  const groups = guides.flatMap(({ text, items }) => {
    const shipped = items.map(({ page }) => `guide/${page}.md`).filter((path) => pages.includes(path));
    return shipped.length === 0 ? [] : [`## ${text}`, "", ...shipped.flatMap(list), ""];
  });
  return [
    "# Espalier",
    "",
    "> An entity component system for TypeScript in which hierarchy is first class: entities form trees that lie flat in typed",
    "> arrays, parents before children. With transforms, undo, scene files, a game layer, renderers, physics and an editor.",
    "",
    "ES modules. `espalier` is the ECS; every other room is a sub-path: `espalier/hierarchy`, `espalier/transform` and so on. Every `ts`",
    "block is run by a test, most with those above it; comments with → and ≈ are checked results.",
    "",
    "Guides are listed in learning order: read them from the top, and stop where you have what you need.",
    "",
    ...groups,
    "## Words",
    "",
    ...list("glossary"),
    "",
    "## Errors",
    "",
    "Every error has a `code`, `room/some-code`, and a section in the page of its room.",
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
