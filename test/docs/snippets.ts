/** Finding the snippets of a Markdown text. CONTRIBUTING.md describes the convention. */

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
  /** Neither `ts project` nor `ts browser`: it runs in Node. */
  run: boolean;
  /** `ts browser`: it needs a page, is type-checked here, and run by the tests of the site. */
  browser: boolean;
  /** `tsx browser`: it has elements of React in it. */
  jsx: boolean;
  /** `ts project`: a file that a test puts into a project and runs there. */
  project: boolean;
  /** Its name in a project, from `file=<path>`. */
  file: string | undefined;
}

/** A fenced block of any language. */
export interface Fence {
  line: number;
  language: string;
  flags: string[];
  /** From `file=<path>`. */
  file: string | undefined;
  body: string[];
}

/** Languages that would be TypeScript under another name, and so escape the tests. */
const otherNames = new Set(["typescript", "js", "javascript", "jsx", "mjs", "mts"]);

/**
 * Every `ts` snippet of a Markdown text, in order.
 *
 * @throws Error for a flag that does not exist, a `continue` without a snippet before it, a file of a project without a name or
 * with the name of another, a fence that never ends, and code fenced under another name of the language.
 */
export function snippetsIn(path: string, markdown: string): Snippet[] {
  const found: Snippet[] = [];
  for (const { line, language, flags, file, body } of fencesIn(path, markdown)) {
    const refuse = (why: string): never => {
      throw new Error(`${path}:${line}: ${why}`);
    };
    if (otherNames.has(language)) refuse(`write ts instead of ${language}.`);
    if (language !== "ts" && language !== "tsx") continue;
    // Node runs no elements.
    if (language === "tsx" && !flags.includes("browser")) refuse("write tsx browser, or ts.");
    const unknown = flags.find((flag) => !["project", "continue", "browser"].includes(flag));
    if (unknown !== undefined) refuse(`there is no snippet flag "${unknown}".`);
    const [browser, project] = [flags.includes("browser"), flags.includes("project")];
    if (browser && project) refuse("a file of a project is run there: leave out browser.");
    if (project && file === undefined) refuse("say which file of a project it is, with file=<path>.");
    if (file !== undefined && found.some((other) => other.file === file))
      refuse(`there is another ${file} on this page.`);

    const snippet = {
      path,
      line,
      code: body.join("\n"),
      lines: body.map((_, index) => line + 1 + index),
      run: !project && !browser,
      browser,
      project,
      jsx: language === "tsx",
      file,
    };
    if (flags.includes("continue")) {
      const before =
        found.filter((earlier) => earlier.run).at(-1) ?? refuse("there is no snippet to continue.");
      snippet.code = `${before.code}\n${snippet.code}`;
      snippet.lines = [...before.lines, ...snippet.lines];
    }
    found.push(snippet);
  }
  return found;
}

/**
 * Every fenced block of a Markdown text, in order.
 *
 * @throws Error for a fence that never ends.
 */
export function fencesIn(path: string, markdown: string): Fence[] {
  const fences: Fence[] = [];
  let open: (Fence & { indent: number; mark: string }) | undefined;
  for (const [index, text] of markdown.split(/\r?\n/).entries()) {
    const fence = /^([ >]*)(`{3,}|~{3,})\s*(.*?)\s*$/.exec(text);
    if (open === undefined) {
      // Backticks behind the mark make it inline code, not a fence.
      if (fence === null || fence[3]!.includes("`")) continue;
      const [language = "", ...words] = fence[3]!.split(/\s+/);
      const file = words.find((word) => word.startsWith("file="))?.slice("file=".length);
      const flags = words.filter((word) => !word.startsWith("file="));
      open = { line: index + 1, language, flags, file, body: [], indent: fence[1]!.length, mark: fence[2]! };
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
