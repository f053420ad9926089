import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type DefaultTheme, defineConfig } from "vitepress";
import { packageDir } from "../../scripts/public-names.mjs";
import { snippetFences } from "../playground/fences.ts";
import { referenceSidebar } from "../reference-sidebar.mjs";
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

/** The manifest of the library: its version, and its repository once `scripts/set-repository.mjs` has filled it in. */
const manifest: { readonly version: string; readonly repository?: { readonly url: string } } = JSON.parse(
  readFileSync(join(packageDir, "package.json"), "utf8"),
);
const repository = manifest.repository?.url.replace(/^git\+/, "").replace(/\.git$/, "");

const versionMenu: DefaultTheme.NavItemWithChildren = {
  text: manifest.version,
  items: [
    { text: "Changelog", link: "/changelog" },
    ...(repository === undefined ? [] : [{ text: "Repository", link: repository }]),
  ],
};

/**
 * How much a page counts in a search: guides explain and come first; then the reference page of exactly this name; other reference
 * pages follow, and records of the work come last. Runs in the page: it must not use anything from outside.
 */
const boostDocument = (id: string, term: string): number => {
  if (/\/guide\/coming-from-/.test(id)) return 3;
  if (/\/guide\//.test(id)) return 12;
  if (/\/reference\//.test(id)) return id.toLowerCase().includes(`/${term}.html`) ? 3 : 1;
  return /\/errors\//.test(id) ? 1 : 0.3;
};

export default defineConfig({
  title: "Espalier",
  description: "An entity component system for TypeScript in which hierarchy is first class.",
  lang: "en",
  srcDir: ".pages",
  // Addresses end in .html, so that any file server can serve them.
  cleanUrls: false,
  ignoreDeadLinks: false,
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  // What all pages share is one file, not a part of each: with a page per exported name that is 100 MB less.
  metaChunk: true,
  transformHead: ({ siteData }) => [
    ["link", { rel: "icon", type: "image/svg+xml", href: `${siteData.base}favicon.svg` }],
  ],
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
        miniSearch: { searchOptions: { boostDocument } },
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
      versionMenu,
    ],
    ...(repository?.includes("github.com") ? { socialLinks: [{ icon: "github", link: repository }] } : {}),
    sidebar: {
      "/": guideSidebar,
      ...referenceSidebar(),
      "/errors/": [{ text: "Errors", link: "/errors/" }, ...errorsByRoom],
      "/decisions/": [
        {
          text: "Decisions",
          items: namesIn("decisions").map((name) => ({ text: name, link: `/decisions/${name}` })),
        },
      ],
    },
    docFooter: { prev: "Previous", next: "Next" },
    footer: { message: "MIT licence. The Espalier authors." },
  },
});
