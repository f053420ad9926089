/** For tests that put programs of documents into a project and run them there. */
import { read } from "../structure/source-files.ts";
import { snippetsOf } from "./documents.ts";
import { fencesIn } from "./snippets.ts";

/**
 * The text of the block that a document calls `file`, with what it continues. A test of the documents looks for this call: each block
 * that only a project can run must be taken by one, with both arguments written out.
 *
 * @throws Error when there is none.
 */
export function pageFile(path: string, file: string): string {
  const snippet = snippetsOf(path).find((one) => one.file === file);
  if (snippet !== undefined) return `${snippet.code}\n`;
  const block = path.endsWith(".md") ? fencesIn(path, read([path])[0]!.text) : [];
  const found = block.find((one) => one.file === file);
  if (found === undefined) throw new Error(`${path} has no block with file=${file}.`);
  return `${found.body.join("\n")}\n`;
}
