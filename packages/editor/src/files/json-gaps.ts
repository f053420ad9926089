/**
 * The text between the items of a JSON object or array: comments, spaces and commas, and which item a comment belongs to.
 */
import { createScanner, type Node } from "jsonc-parser";

export interface Gaps {
  /** After the opening bracket, on its line. */
  readonly head: string;
  /** Before each item: line breaks, spaces, and comments on lines of their own. */
  readonly leads: readonly string[];
  /** After each item, on its line, without the comma. */
  readonly trails: readonly string[];
  /** Before the closing bracket, without a comma. */
  readonly tail: string;
  /** Whether there is a comma after the last item. */
  readonly hasLastComma: boolean;
}

/** @param items - The items of the node, in order. */
export function gapsOf(text: string, node: Node, items: readonly Node[]): Gaps {
  const close = node.offset + node.length - 1;
  const leads: string[] = [];
  const trails: string[] = [];
  let from = node.offset + 1;
  let head = "";
  items.forEach(({ offset, length }, k) => {
    const { line, rest } = split(withoutComma(text.slice(from, offset)));
    if (k === 0) head = line;
    else trails.push(line);
    leads.push(rest);
    from = offset + length;
  });
  const end = text.slice(from, close);
  const { line, rest } = split(withoutComma(end));
  if (items.length > 0) trails.push(line);
  const hasLastComma = commaIn(end) !== undefined;
  return { head: items.length > 0 ? head : line, leads, trails, tail: rest, hasLastComma };
}

/** Finds the comma of a gap, if any, outside of comments. */
function commaIn(gap: string): number | undefined {
  const scanner = createScanner(gap, false);
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    if (gap[scanner.getTokenOffset()] === ",") return scanner.getTokenOffset();
  }
  return undefined;
}

function withoutComma(gap: string): string {
  const at = commaIn(gap);
  return at === undefined ? gap : gap.slice(0, at) + gap.slice(at + 1);
}

/** Splits a gap into its first line, if that has a comment, and the rest. */
function split(gap: string): { readonly line: string; readonly rest: string } {
  const end = gap.indexOf("\n");
  const line = end < 0 ? "" : gap.slice(0, end).replace(/\r$/, "");
  return line.trim() === "" ? { line: "", rest: gap } : { line, rest: gap.slice(line.length) };
}
