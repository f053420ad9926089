/**
 * A plugin of the build: declarations as small as they can be without taking away what an editor shows.
 *
 * - Paragraphs of doc comments are one line each; editors break lines themselves.
 * - `@example` goes. The guides and the reference have the examples, and everybody downloads what ships.
 * - An entry that only passes names on says so once (`export { a } from "./b.mjs"`), not in a list of imports and a list of exports.
 */
import ts from "typescript";

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
  return passedOn(withoutRegions).replace(/^( *)\/\*\*([\s\S]*?)\*\/\n?/gm, (_, indent, text) =>
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

/**
 * A file of nothing but imports and exports, as exports alone.
 *
 * @param {string} code
 */
function passedOn(code) {
  const source = ts.createSourceFile("a.d.mts", code, ts.ScriptTarget.ES2022);
  /** @type {Map<string, { from: string, name: string }>} */
  const imported = new Map();
  /** @type {Map<string, string[]>} */
  const exported = new Map();
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) {
      const names = statement.importClause?.namedBindings;
      if (names === undefined || !ts.isNamedImports(names) || !ts.isStringLiteral(statement.moduleSpecifier))
        return code;
      for (const { name, propertyName } of names.elements) {
        imported.set(name.text, { from: statement.moduleSpecifier.text, name: (propertyName ?? name).text });
      }
    } else if (ts.isExportDeclaration(statement)) {
      const names = statement.exportClause;
      if (statement.moduleSpecifier !== undefined || names === undefined || !ts.isNamedExports(names))
        return code;
      for (const { name, propertyName, isTypeOnly } of names.elements) {
        const origin = imported.get((propertyName ?? name).text);
        if (origin === undefined) return code;
        const renamed = origin.name === name.text ? name.text : `${origin.name} as ${name.text}`;
        const list = exported.get(origin.from) ?? [];
        exported.set(origin.from, [...list, isTypeOnly ? `type ${renamed}` : renamed]);
      }
    } else return code;
  }
  return [...exported].map(([from, names]) => `export { ${names.join(", ")} } from "${from}";\n`).join("");
}
