import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { publicNames } from "../../scripts/public-names.mjs";
import { snippetFences } from "../playground/fences.ts";
import { guides } from "../sidebar.mjs";

const docs = fileURLToPath(new URL("../../docs", import.meta.url));
const namesIn = (folder: string) =>
  readdirSync(join(docs, folder))
    .filter((name) => name.endsWith(".md") && name !== "index.md")
    .map((name) => name.slice(0, -3))
    .sort();

const listed = guides.flatMap(({ items }) => items.map(({ page }) => page));
const forgotten = namesIn("guide").filter((name) => !listed.includes(name));
if (forgotten.length > 0)
  throw new Error(`site/sidebar.mjs does not list docs/guide/${forgotten.join(".md, ")}.md.`);

const guideSidebar = [
  ...guides.map(({ text, items }) => ({
    text,
    collapsed: false,
    items: items.map((item) => ({ text: item.text, link: `/guide/${item.page}` })),
  })),
  {
    text: "More",
    items: [
      { text: "Architecture", link: "/architecture" },
      { text: "Decisions", link: "/decisions/" },
      { text: "Features and their tests", link: "/features" },
    ],
  },
];

/** The error pages in a group for each room; the group of the page that is shown is open. */
const errorNames = namesIn("errors");
const errorsByRoom = [...new Set(errorNames.map((name) => name.split("-")[0]!))].map((room) => ({
  text: room,
  collapsed: true,
  items: errorNames
    .filter((name) => name.startsWith(`${room}-`))
    .map((name) => ({ text: name.slice(room.length + 1), link: `/errors/${name}` })),
}));

/** The headings of classes, functions and their members, without "Parameters" and the like. */
const headingsOf = (source: string) =>
  (source.match(/^#{1,5} .*$/gm) ?? [])
    .filter(
      (heading) =>
        !/# (Parameters|Returns|Extends|Overrides|Constructors?|Properties|Methods|Accessors|Example|Throws|Inherited from|Type Parameters)$/.test(
          heading,
        ),
    )
    .join("\n\n");

export default defineConfig({
  title: "Espalier",
  description: "An entity component system for TypeScript in which hierarchy is first class.",
  lang: "en",
  srcDir: ".pages",
  // Addresses end in .html, so that any file server can serve them.
  cleanUrls: false,
  ignoreDeadLinks: false,
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  head: [["link", { rel: "icon", href: "data:," }]],
  markdown: {
    // The list of ids in features.md.
    languageAlias: { ids: "csv" },
    // The anchors that GitHub gives, which the tests of docs/ check.
    anchor: {
      slugify: (text: string) =>
        text
          .toLowerCase()
          .replace(/[^\p{L}\p{N}_\- ]/gu, "")
          .replaceAll(" ", "-"),
    },
    config: (md) => snippetFences(md),
  },
  themeConfig: {
    search: {
      provider: "local",
      options: {
        // Plain code is enough to search in; and of the reference only names are searched: its text would be most of the index.
        _render: (source, env, md) => {
          const { highlight } = md.options;
          md.options.highlight = null;
          const html = md.render(
            env.relativePath.startsWith("reference/") ? headingsOf(source) : source,
            env,
          );
          md.options.highlight = highlight ?? null;
          return html;
        },
      },
    },
    outline: [2, 3],
    nav: [
      { text: "Guide", link: "/guide/getting-started", activeMatch: "/guide/" },
      { text: "Playground", link: "/playground" },
      { text: "Examples", link: "/gallery" },
      { text: "Reference", link: "/reference/", activeMatch: "/reference/" },
      { text: "Errors", link: "/errors/", activeMatch: "/errors/" },
    ],
    sidebar: {
      "/": guideSidebar,
      "/reference/": [
        {
          text: "Reference",
          items: publicNames().map(({ name }) => ({ text: name, link: `/reference/${name}` })),
        },
      ],
      "/errors/": [{ text: "Errors", link: "/errors/" }, ...errorsByRoom],
      "/decisions/": [
        {
          text: "Decisions",
          items: namesIn("decisions").map((name) => ({ text: name, link: `/decisions/${name}` })),
        },
      ],
    },
    docFooter: { prev: "Before", next: "Next" },
    footer: { message: "MIT licence. The Espalier authors." },
  },
});
