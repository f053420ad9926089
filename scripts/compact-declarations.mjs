/**
 * A plugin of the build: declarations as small as they can be without taking away what an editor shows.
 *
 * - Paragraphs of doc comments are one line each; editors break lines themselves.
 * - `@example` goes. The guides and the reference have the examples, and everybody downloads what ships.
 */
/** @returns {import("rolldown").Plugin} */
export function compactDeclarations() {
  return {
    name: "compact-declarations",
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === "chunk" && /\.d\.[mc]?ts$/.test(file.fileName)) file.code = compact(file.code);
      }
    },
  };
}

/**
 * The text of a declaration file, made smaller.
 *
 * @param {string} code
 */
export function compact(code) {
  const withoutRegions = code.replace(/^\/\/#(end)?region.*\n/gm, "");
  return withoutRegions.replace(/^( *)\/\*\*([\s\S]*?)\*\/\n?/gm, (_, indent, text) =>
    commentOf(linesOf(text), indent),
  );
}

/** @param {string} text What stands between the marks of a comment. */
function linesOf(text) {
  return text.split("\n").map((line) => line.replace(/^\s*\* ?/, "").trimEnd());
}

/**
 * @param {string[]} lines
 * @param {string} indent
 */
function commentOf(lines, indent) {
  /** @type {string[]} */
  const kept = [];
  let inCode = false;
  let inExample = false;
  for (const line of lines) {
    if (!inCode && /^@\w/.test(line)) inExample = line.startsWith("@example");
    if (/^\s*```/.test(line)) inCode = !inCode;
    else if (!inExample && !inCode && continues(kept.at(-1), line)) {
      kept[kept.length - 1] += ` ${line.trim()}`;
      continue;
    }
    if (!inExample) kept.push(line);
  }
  while (kept.at(-1) === "") kept.pop();
  while (kept[0] === "") kept.shift();
  if (kept.length === 0) return "";
  if (kept.length === 1) return `${indent}/** ${kept[0]?.trim()} */\n`;
  return `${indent}/**\n${kept.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

/**
 * Whether a line of Markdown goes on with the paragraph, list item or tag of the line before.
 *
 * @param {string | undefined} before
 * @param {string} line
 */
function continues(before, line) {
  if (before === undefined || before === "" || line === "") return false;
  if (/^\s*(```|\||#)/.test(before)) return false;
  return !/^\s*([-*+>|#@]|\d+\.|```)/.test(line);
}
