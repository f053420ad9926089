/** The files whose snippets are run. */
import { read, repositoryFiles } from "../structure/source-files.ts";
import { docCommentSnippets } from "./doc-comments.ts";
import { type Snippet, snippetsIn } from "./snippets.ts";

const withSnippets = [
  /^README\.md$/,
  /^docs\/guide\/[^/]+\.md$/,
  /^docs\/errors\/[^/]+\.md$/,
  /^packages\/espalier\/src\/.+\/README\.md$/,
  /^packages\/espalier\/src\/.*\.ts$/,
];

/** Paths from the root of the repository: texts in Markdown, and sources for their doc comments. */
export function documents(): string[] {
  return repositoryFiles().filter((path) => withSnippets.some((pattern) => pattern.test(path)));
}

/** The `ts` snippets of a file, of its doc comments when it is TypeScript. */
export function snippetsOf(path: string): Snippet[] {
  const file = read([path])[0]!;
  return path.endsWith(".ts") ? docCommentSnippets(file) : snippetsIn(path, file.text);
}
