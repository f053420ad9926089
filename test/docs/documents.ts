/** The files whose snippets are run. */
import { read, repositoryFiles } from "../structure/source-files.ts";
import { docCommentSnippets } from "./doc-comments.ts";
import { type Snippet, snippetsIn } from "./snippets.ts";

/** All documents but the wrong ones of these tests, lists that are made from the sources, and drafts of the changelog. */
const isDocument = (path: string) =>
  path.endsWith(".md") && !/^(test\/docs\/fixtures|packages\/[^/]+\/api|\.changeset)\//.test(path);

const isSource = (path: string) => /^packages\/espalier\/src\/.*\.ts$/.test(path);

/** Paths from the root of the repository: texts in Markdown, and sources for their doc comments. */
export function documents(): string[] {
  return repositoryFiles().filter((path) => isDocument(path) || isSource(path));
}

/** The `ts` snippets of a file, of its doc comments when it is TypeScript. */
export function snippetsOf(path: string): Snippet[] {
  const file = read([path])[0]!;
  return path.endsWith(".ts") ? docCommentSnippets(file) : snippetsIn(path, file.text);
}
