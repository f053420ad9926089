/**
 * A plugin of the build: drops `implements` from declarations.
 *
 * It promises nothing to users, because types are compared by their members. And a class that implements an interface of the inside
 * would no longer fit it once its `@internal` members are left out.
 */
import ts from "typescript";

/** @returns {import("rolldown").Plugin} */
export function withoutImplements() {
  return {
    name: "without-implements",
    transform: {
      order: "pre",
      filter: { id: /\.d\.[mc]?ts$/ },
      handler: (code, id) => ({ code: dropImplements(code, id), map: null }),
    },
  };
}

/**
 * @param {string} code
 * @param {string} [name]
 */
export function dropImplements(code, name = "a.d.ts") {
  const source = ts.createSourceFile(name, code, ts.ScriptTarget.ES2022, false);
  const clauses = source.statements
    .filter(ts.isClassDeclaration)
    .flatMap(({ heritageClauses = [] }) => [...heritageClauses])
    .filter(({ token }) => token === ts.SyntaxKind.ImplementsKeyword);
  return clauses.reduceRight((text, { pos, end }) => text.slice(0, pos) + text.slice(end), code);
}
