/** The Markdown files whose snippets are run. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryFiles, root } from "../structure/source-files.ts";

const withSnippets = [
  /^README\.md$/,
  /^docs\/guide\/[^/]+\.md$/,
  /^docs\/errors\/[^/]+\.md$/,
  /^packages\/espalier\/src\/[^/]+\/README\.md$/,
];

/** Every such file, as its path from the root of the repository and its text. */
export function documents(): { path: string; text: string }[] {
  return repositoryFiles()
    .filter((path) => withSnippets.some((pattern) => pattern.test(path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}
