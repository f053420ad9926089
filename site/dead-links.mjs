/**
 * The links of the built site that lead nowhere: to a page that is not there, or to a heading that its page does not have. VitePress
 * checks pages, not headings.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

/** The address of a program in the playground, which is not a heading. */
const program = /^code=/;

/**
 * @param {string} folder The built site.
 * @param {string} base The path it is served below.
 * @returns {string[]} Each as `page: address`.
 */
export function deadLinks(folder, base) {
  const pages = new Map(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((path) => path.replaceAll("\\", "/"))
      .filter((path) => path.endsWith(".html") && !/^(examples|playground)\//.test(path))
      .map((path) => [path, readFileSync(join(folder, path), "utf8")]),
  );
  const headings = new Map([...pages].map(([path, html]) => [path, new Set(idsIn(html))]));
  /** @type {Set<string>} */
  const dead = new Set();
  for (const [page, html] of pages) {
    for (const [, address = ""] of html.matchAll(/\shref="([^"]*)"/g)) {
      const { path, heading } = targetOf(address, page, base);
      if (path === undefined) continue;
      const known = headings.get(path);
      const isThere =
        known === undefined ? existsSync(join(folder, path)) : heading === "" || known.has(heading);
      if (!isThere && !program.test(heading)) dead.add(`${page}: ${address}`);
    }
  }
  return [...dead].sort();
}

/** @param {string} html */
function idsIn(html) {
  return [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = ""]) => id);
}

/**
 * The file and the heading an address leads to; no file for addresses of other sites.
 *
 * @param {string} address
 * @param {string} page
 * @param {string} base
 */
function targetOf(address, page, base) {
  if (/^([a-z]+:|\/\/)/.test(address)) return { path: undefined, heading: "" };
  const [before = "", heading = ""] = decodeURIComponent(address).split("#");
  const path = before.split("?")[0] ?? "";
  if (path === "") return { path: page, heading };
  const file = path.startsWith(base) ? path.slice(base.length) : posix.join(dirname(page), path);
  return { path: file === "" || file.endsWith("/") ? `${file}index.html` : file, heading };
}
