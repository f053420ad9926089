/** Links between Markdown files of the repository. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { root } from "../structure/source-files.ts";

/** A link to another file, as written. */
export interface Link {
  readonly text: string;
  readonly target: string;
}

/** The links of a text that lead to files: not to other sites, and not those in code. */
export function linksIn(text: string): Link[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\[([^\]]*)\]\(([^)\s]+)\)/g)]
    .map((match) => ({ text: match[1]!, target: match[2]! }))
    .filter(({ target }) => !/^[a-z]+:/.test(target));
}

/** The parts of a page that links can name with `#`. */
export function anchorsOf(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, "");
  return [...prose.matchAll(/^#+ (.*)$/gm)].map((match) =>
    match[1]!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** Why a link on the page `from` leads nowhere; `undefined` when it leads somewhere. */
export function brokenLink(from: string, target: string): string | undefined {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? from : normalize(join(dirname(from), path));
  if (!existsSync(join(root, file))) return `${from}: ${target}: there is no ${file}`;
  if (anchor === undefined || !file.endsWith(".md")) return undefined;
  const anchors = anchorsOf(readFileSync(join(root, file), "utf8"));
  return anchors.includes(anchor) ? undefined : `${from}: ${target}: no heading gives #${anchor}`;
}
