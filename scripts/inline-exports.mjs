/**
 * Exports on the spot: `export function f` instead of `f` once more in a list at the end of the module, and `export { f } from "./a.mjs"` instead
 * of an import and an export. The names of a library are a good part of its size, and bundlers write each of them two or three times.
 */
import ts from "typescript";

/**
 * A module with exactly the same exports, said shorter.
 *
 * @param {string} code An ES module as a bundler prints it: named imports, and one list of exports.
 */
export function inlineExports(code) {
  const source = ts.createSourceFile("a.mjs", code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const lists = source.statements.filter(isExportList);
  /** @type {Map<string, string>} What is exported under its own name and others, by local name. */
  const exported = new Map();
  for (const { name, propertyName } of lists.flatMap((list) => list.exportClause.elements)) {
    const local = (propertyName ?? name).text;
    // What is exported twice stays in the list.
    if (exported.has(local)) return code;
    exported.set(local, name.text);
  }
  const isUsed = usedNames(source);

  /** @type {{ from: number, to: number, by: string }[]} */
  const edits = lists.map((list) => ({ from: list.getStart(), to: list.end, by: "" }));
  /** @type {string[]} */
  const passedOn = [];
  for (const statement of source.statements) {
    if (isNamedImport(statement)) {
      const [passed, kept] = parted(
        statement.importClause.namedBindings.elements,
        ({ name }) => exported.has(name.text) && !isUsed(name.text),
      );
      if (passed.length === 0) continue;
      const from = statement.moduleSpecifier.getText();
      const names = passed.map(({ name, propertyName }) =>
        renamed((propertyName ?? name).text, exported.get(name.text) ?? name.text),
      );
      for (const { name } of passed) exported.delete(name.text);
      passedOn.push(`export { ${names.join(", ")} } from ${from};\n`);
      const rest = kept.map((element) => element.getText()).join(", ");
      const by = kept.length > 0 ? `import { ${rest} } from ${from};` : "";
      edits.push({ from: statement.getStart(), to: statement.end, by });
    } else {
      const names = declaredNames(statement);
      if (names.length === 0 || !names.every((name) => exported.get(name) === name)) continue;
      for (const name of names) exported.delete(name);
      edits.push({ from: statement.getStart(), to: statement.getStart(), by: "export " });
    }
  }
  const left = [...exported].map(([local, name]) => renamed(local, name));
  const result = edits
    .sort((a, b) => b.from - a.from)
    .reduce((text, { from, to, by }) => text.slice(0, from) + by + text.slice(to), code);
  return `${passedOn.join("")}${result}${left.length > 0 ? `\nexport { ${left.join(", ")} };\n` : ""}`;
}

/**
 * @param {ts.Statement} statement
 * @returns {statement is ts.ExportDeclaration & { exportClause: ts.NamedExports }}
 */
function isExportList(statement) {
  if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier !== undefined) return false;
  return statement.exportClause !== undefined && ts.isNamedExports(statement.exportClause);
}

/**
 * @param {ts.Statement} statement
 * @returns {statement is ts.ImportDeclaration & { importClause: ts.ImportClause & { namedBindings: ts.NamedImports } }}
 */
function isNamedImport(statement) {
  if (!ts.isImportDeclaration(statement) || statement.importClause?.name !== undefined) return false;
  const names = statement.importClause?.namedBindings;
  return names !== undefined && ts.isNamedImports(names);
}

/**
 * The names that a top-level statement declares, where `export` may stand before it.
 *
 * @param {ts.Statement} statement
 * @returns {string[]}
 */
function declaredNames(statement) {
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
    return statement.name === undefined ? [] : [statement.name.text];
  if (!ts.isVariableStatement(statement)) return [];
  const names = statement.declarationList.declarations.map(({ name }) => name);
  return names.every(ts.isIdentifier) ? names.map((name) => name.text) : [];
}

/**
 * Tells which names stand anywhere but in imports and lists of exports.
 *
 * @param {ts.SourceFile} source
 */
function usedNames(source) {
  /** @type {Set<string>} */
  const used = new Set();
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isIdentifier(node)) used.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return (/** @type {string} */ name) => used.has(name);
}

/**
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => boolean} test
 * @returns {[T[], T[]]}
 */
function parted(items, test) {
  return [items.filter(test), items.filter((item) => !test(item))];
}

/**
 * @param {string} local
 * @param {string} name
 */
function renamed(local, name) {
  return local === name ? name : `${local} as ${name}`;
}
