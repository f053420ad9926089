/** The sidebars of the reference: on the pages of a room, its exported names by kind, and the other rooms. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { documented } from "./documented.mjs";
import { pagesFolder } from "./pages.mjs";

/** The folders that TypeDoc makes in a room, in the order of the sidebar. */
const kinds = [
  ["functions", "Functions"],
  ["variables", "Values and components"],
  ["classes", "Classes"],
  ["interfaces", "Interfaces"],
  ["type-aliases", "Types"],
];

/**
 * One sidebar per room; VitePress takes the one with the longest path that fits.
 *
 * @returns {Record<string, import("vitepress").DefaultTheme.SidebarItem[]>}
 */
export function referenceSidebar() {
  const rooms = documented.map(({ name }) => name);
  const all = {
    text: "Rooms",
    items: rooms.map((name) => ({ text: name, link: `/reference/${name}/` })),
  };
  return Object.fromEntries([
    ["/reference/", [all]],
    ...rooms.map((name) => [`/reference/${name}/`, [...kindsOf(name), { ...all, collapsed: true }]]),
  ]);
}

/** @param {string} room */
function kindsOf(room) {
  return kinds.flatMap(([folder = "", text]) => {
    const path = join(pagesFolder, "reference", room, folder);
    if (!existsSync(path)) return [];
    const names = readdirSync(path).map((file) => file.replace(/\.md$/, ""));
    const items = names.sort().map((name) => ({ text: name, link: `/reference/${room}/${folder}/${name}` }));
    return [
      {
        text: folder === "functions" ? `${room}: functions` : text,
        collapsed: folder !== "functions",
        items,
      },
    ];
  });
}
