/**
 * A plugin of the build: leaves out of the declarations what users must not use.
 *
 * - Members that are marked `@internal`. What is exported and marked stays, because other declarations may mention it; users cannot
 *   import it unless an `index.ts` lists it. (`stripInternal` of TypeScript would leave such mentions dangling.)
 * - `implements`: it promises nothing to users, because types are compared by their members, and a class that implements an interface of the
 *   inside no longer fits it without its internal members.
 */
import ts from "typescript";

/** @returns {import("rolldown").Plugin} */
export function publicDeclarations() {
  return {
    name: "public-declarations",
    transform: {
      order: "pre",
      filter: { id: /\.d\.[mc]?ts$/ },
      handler: (code, id) => ({ code: publicPart(code, id), map: null }),
    },
  };
}

/**
 * @param {string} code The text of a declaration file.
 * @param {string} [name]
 */
export function publicPart(code, name = "a.d.ts") {
  const source = ts.createSourceFile(name, code, ts.ScriptTarget.ES2022, true);
  /** @type {ts.TextRange[]} */
  const dropped = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (isInternalMember(node) || isImplements(node)) dropped.push(node);
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return dropped.reduceRight((text, { pos, end }) => text.slice(0, pos) + text.slice(end), code);
}

/** @param {ts.Node} node */
function isInternalMember(node) {
  return (
    (ts.isClassElement(node) || ts.isTypeElement(node)) &&
    ts.getJSDocTags(node).some((tag) => tag.tagName.text === "internal")
  );
}

/** @param {ts.Node} node */
function isImplements(node) {
  return ts.isHeritageClause(node) && node.token === ts.SyntaxKind.ImplementsKeyword;
}
