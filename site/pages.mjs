/**
 * The pages of the site: the documents of `docs/` as they are, and pages made from what the repository has: the start page, the
 * gallery of examples, the lists of errors and decisions. All of it goes into `.pages`, which git does not keep.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { withoutDeadLinks } from "../scripts/package-docs.mjs";
import { root } from "../scripts/workspace.mjs";
import { galleryPage } from "./gallery.mjs";
import { canRun } from "./playground/imports.mjs";
import { guides } from "./sidebar.mjs";

/** Where the pages are made. */
export const pagesFolder = join(root, "site/.pages");

/** The address of the picture of an example, as guides write it. */
const examplePicture = /\(\.\.\/((?:\.\.\/)*)examples\/browser\/([\w-]+)\/screenshot\.png\)/g;

/** Makes all pages but the reference anew. */
export function makePages() {
  rmSync(pagesFolder, { recursive: true, force: true });
  mkdirSync(join(pagesFolder, "public"), { recursive: true });
  cpSync(join(root, "docs"), pagesFolder, { recursive: true });
  for (const page of markdownIn(pagesFolder)) {
    // What leads out of `docs/`, to tests and sources, is words here; pictures of examples come along.
    const text = readFileSync(page, "utf8").replace(examplePicture, (_, up, name) => {
      cpSync(
        join(root, "examples/browser", name, "screenshot.png"),
        join(pagesFolder, "images", `${name}.png`),
      );
      return `(${up}images/${name}.png)`;
    });
    writeFileSync(page, withoutDeadLinks(text, dirname(page)));
  }
  for (const name of ["hero.svg", "favicon.svg"])
    cpSync(join(root, "site", name), join(pagesFolder, "public", name));
  write("index.md", startPage());
  // In the package it begins with the name of the package.
  const changelog = readFileSync(join(root, "packages/espalier/CHANGELOG.md"), "utf8");
  write("changelog.md", changelog.replace(/^# .*$/m, "# Changelog"));
  write("gallery.md", galleryPage(join(pagesFolder, "public/examples")));
  write("playground.md", "---\nlayout: page\ntitle: Playground\nsidebar: false\n---\n\n<Playground />\n");
  write("errors/index.md", errorsPage());
  write(
    "decisions/index.md",
    listPage("Decisions", "Why things are as they are, in the order of the choices.", "decisions"),
  );
  write("public/samples.json", JSON.stringify(samples()));
  write("public/llms.txt", guideList());
}

/** The guides in learning order, after https://llmstxt.org. The package has a list of its own, with the texts beside it. */
function guideList() {
  const groups = guides.map(({ text, items }) => {
    const pages = items.map(({ text: title, page }) => `- [${title}](guide/${page}.html)`);
    return `## ${text}\n\n${pages.join("\n")}\n`;
  });
  const start =
    "# Espalier\n\n> An entity component system for TypeScript in which hierarchy is first class.\n\nGuides in learning order.\n";
  const more =
    "## More\n\n- [Reference](reference/index.html)\n- [Errors](errors/index.html)\n- [Changelog](changelog.html)\n";
  return [start, ...groups, more].join("\n");
}

/**
 * @param {string} path
 * @param {string} text
 */
function write(path, text) {
  writeFileSync(join(pagesFolder, path), text);
}

/** @param {string} folder @returns {string[]} */
function markdownIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
}

/** The start page: what the README says first, with its program ready to run. */
function startPage() {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const program = /^```ts\n([\s\S]*?)^```/m.exec(readme)?.[0];
  if (program === undefined) throw new Error("README.md has no program to show on the start page.");
  const shell = /^```sh\n([\s\S]*?)^```/m.exec(readme)?.[0] ?? "";
  return `---
layout: home
title: Espalier
titleTemplate: entities in trees, for TypeScript
hero:
  image: { src: /hero.svg, alt: "A tree of entities, and the same entities in one row of memory, parents before children" }
  name: Espalier
  text: Entities in trees
  tagline: An entity component system for TypeScript in which hierarchy is first class. Trees lie flat in typed arrays, parents before children.
  actions:
    - { theme: brand, text: Get started, link: /guide/getting-started }
    - { theme: alt, text: Playground, link: /playground }
    - { theme: alt, text: Examples, link: /gallery }
features:
  - { title: Ordered trees, details: "Attach, move, sort, walk and query them. Checked before anything changes, consistent at every moment.", link: /guide/hierarchy }
  - { title: Values that flow down, details: "Transforms in 2D and 3D, visibility, activity, z, your own. Only what is out of date is computed.", link: /guide/transforms }
  - { title: Undo for everything, details: "Steps, transactions, snapshots, diff and patch. A destroyed subtree comes back with the same handles.", link: /guide/history }
  - { title: Scene files and prefabs, details: "Readable text, checked with line and column, versions with migrations, hot reload.", link: /guide/scenes }
  - { title: A game layer, details: "Loop, behaviours, messages, timers, input, cameras. The same game runs without a screen in a test.", link: /guide/game }
  - { title: "Renderers, physics, React", details: "Canvas 2D, PixiJS, three.js, Box2D, hooks and signals. What you do not import is not in your bundle.", link: /guide/rendering }
---

<div class="vp-doc start">

## Two commands

${shell}

## The smallest complete use

Press **Run**, then change something.

${program}

## The editor

![The editor: the tree of a scene, the viewport with a selected tank, the inspector](images/editor-animated.png)

</div>
`;
}

/** The list of all error codes, by room, with the first sentence of their pages. */
function errorsPage() {
  const pages = readdirSync(join(pagesFolder, "errors"))
    .filter((name) => name.endsWith(".md"))
    .sort();
  /** @type {Map<string, string[]>} */
  const rooms = new Map();
  for (const name of pages) {
    const text = readFileSync(join(pagesFolder, "errors", name), "utf8");
    const code = titleOf(text);
    const [room = ""] = code.split("/");
    const rows = rooms.get(room) ?? [];
    rows.push(`| [${code}](${name}) | ${firstSentence(text)} |`);
    rooms.set(room, rows);
  }
  const parts = [...rooms].map(
    ([room, rows]) => `## ${room}\n\n| Code | When |\n| --- | --- |\n${rows.join("\n")}\n`,
  );
  return `# Errors\n\nEvery error has a \`code\`, and every code a page with a broken and a fixed program.\n\n${parts.join("\n")}`;
}

/**
 * @param {string} title
 * @param {string} about
 * @param {string} folder
 */
function listPage(title, about, folder) {
  const names = readdirSync(join(pagesFolder, folder))
    .filter((name) => name.endsWith(".md"))
    .sort();
  const rows = names.map(
    (name) => `- [${titleOf(readFileSync(join(pagesFolder, folder, name), "utf8"))}](${name})`,
  );
  return `# ${title}\n\n${about}\n\n${rows.join("\n")}\n`;
}

/**
 * For the list of the playground: the program of the README, the first of each guide with the one that continues it, and programs that are
 * only here.
 */
function samples() {
  const list = [
    { title: "A first look", code: programOf(readFileSync(join(root, "README.md"), "utf8")) ?? "" },
  ];
  for (const { text, page } of guides.flatMap(({ items }) => items)) {
    const file = join(root, "docs/guide", `${page}.md`);
    if (!existsSync(file))
      throw new Error(`The sidebar names ${page}, and there is no docs/guide/${page}.md.`);
    const code = programOf(readFileSync(file, "utf8"));
    if (code !== undefined && canRun(code)) list.push({ title: text, code });
  }
  const own = join(root, "site/playground/samples");
  for (const name of readdirSync(own).sort()) {
    const title = name.replace(/\.ts$/, "").replaceAll("-", " ");
    list.push({
      title: `${title.charAt(0).toUpperCase()}${title.slice(1)}`,
      code: readFileSync(join(own, name), "utf8"),
    });
  }
  return list;
}

/**
 * The first program of a page, with the block that continues it.
 *
 * @param {string} text
 */
function programOf(text) {
  const blocks = [...text.matchAll(/^```ts( continue| browser)?\n([\s\S]*?)^```/gm)];
  const [first, second] = blocks.map(([, kind, code = ""]) => ({ continues: kind === " continue", code }));
  if (first === undefined) return undefined;
  return second?.continues === true ? `${first.code}\n${second.code}` : first.code;
}

/** @param {string} text */
function titleOf(text) {
  return (text.split("\n", 1)[0] ?? "").replace(/^#+ /, "");
}

/** The first sentence after the title, in one line. @param {string} text */
function firstSentence(text) {
  const [, paragraph = ""] = /^#.*\n\n([\s\S]*?)\n\n/.exec(text) ?? [];
  const line = paragraph.replaceAll("\n", " ").replaceAll("|", "\\|");
  return /^.*?[.:](?=\s|$)/.exec(line)?.[0].replace(/:$/, ".") ?? line;
}
