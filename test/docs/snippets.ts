/** Finding the TypeScript snippets of a Markdown text. CONTRIBUTING.md describes the convention. */

/** One fenced `ts` block. */
export interface Snippet {
  /** Path of the Markdown file from the root of the repository. */
  path: string;
  /** Line of the opening fence; the first is 1. */
  line: number;
  /** The code to run, including the snippets it continues. */
  code: string;
  /** For each line of `code`, its line in the Markdown file. */
  lines: number[];
  /** Neither `ts no-run` nor `ts browser`: it runs in Node. */
  run: boolean;
  /** `ts browser`: it needs a page, is type-checked here, and run by the tests of the site. */
  browser: boolean;
  /** `tsx browser`: it has elements of React in it. */
  jsx: boolean;
  /** Why it is not run, as the site says it: the words behind `no-run`. */
  reason: string;
}

/** Languages that would be TypeScript under another name, and so escape the tests. */
const otherNames = new Set(["typescript", "js", "javascript", "jsx", "mjs", "mts"]);

/**
 * Every `ts` snippet of a Markdown text, in order.
 *
 * @throws Error for a flag that does not exist, a `continue` without a snippet before it, a fence that never
 * ends, and code fenced under another name of the language.
 */
export function snippetsIn(path: string, markdown: string): Snippet[] {
  const found: Snippet[] = [];
  for (const { line, info, body } of fencesIn(path, markdown)) {
    const [known = "", reason = ""] = info.split(/(?<=\bno-run)\s+(.*)/);
    const [language = "", ...flags] = known.split(/\s+/);
    if (otherNames.has(language)) throw new Error(`${path}:${line}: write ts instead of ${language}.`);
    if (language !== "ts" && language !== "tsx") continue;
    // Node runs no elements, and what is neither run nor checked needs no second name.
    if (language === "tsx" && !flags.includes("browser"))
      throw new Error(`${path}:${line}: write tsx browser, or ts.`);

    const unknown = flags.find((flag) => !["no-run", "continue", "browser"].includes(flag));
    if (unknown !== undefined) throw new Error(`${path}:${line}: there is no snippet flag "${unknown}".`);

    const snippet = {
      path,
      line,
      code: body.join("\n"),
      lines: body.map((_, index) => line + 1 + index),
      run: !flags.includes("no-run") && !flags.includes("browser"),
      browser: flags.includes("browser"),
      jsx: language === "tsx",
      reason,
    };
    if (flags.includes("continue")) {
      const before = found.filter((earlier) => earlier.run).at(-1);
      if (before === undefined) throw new Error(`${path}:${line}: there is no snippet to continue.`);
      snippet.code = `${before.code}\n${snippet.code}`;
      snippet.lines = [...before.lines, ...snippet.lines];
    }
    found.push(snippet);
  }
  return found;
}

interface Fence {
  line: number;
  info: string;
  body: string[];
}

function fencesIn(path: string, markdown: string): Fence[] {
  const fences: Fence[] = [];
  let open: (Fence & { indent: number; mark: string }) | undefined;
  for (const [index, text] of markdown.split(/\r?\n/).entries()) {
    const fence = /^([ >]*)(`{3,}|~{3,})\s*(.*?)\s*$/.exec(text);
    if (open === undefined) {
      // Backticks behind the mark make it inline code, not a fence.
      if (fence === null || fence[3]!.includes("`")) continue;
      open = { line: index + 1, info: fence[3]!, body: [], indent: fence[1]!.length, mark: fence[2]! };
    } else if (fence !== null && fence[2]!.startsWith(open.mark) && fence[3] === "") {
      fences.push(open);
      open = undefined;
    } else {
      const indent = /^[ >]*/.exec(text)![0].length;
      open.body.push(text.slice(Math.min(indent, open.indent)));
    }
  }
  if (open !== undefined) throw new Error(`${path}:${open.line}: this code block never ends.`);
  return fences;
}
