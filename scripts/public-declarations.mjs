/**
 * A plugin of the build: leaves out of the declarations what users must not use.
 *
 * - Members that are marked `@internal`. What is exported and marked stays, because other declarations may mention it; users cannot
 *   import it unless an `index.ts` lists it. (`stripInternal` of TypeScript would leave such mentions dangling.)
 * - `implements`: it promises nothing to users, because types are compared by their members, and a class that implements an interface of the
 *   inside no longer fits it without its internal members.
 * - Private and protected members, with their comments: `#private` stands for all of them, as TypeScript writes it for members with a hash. A
 *   class that has any is still told from others with the same public members. No class of the library is meant to be extended by users but
 *   the base of errors, which has none.
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
  /** @type {{ range: ts.TextRange, by: string }[]} */
  const replaced = [];
  /** @type {Set<ts.Node>} Classes whose private members are named already. */
  const named = new Set();
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (isInternalMember(node) || isImplements(node)) replaced.push({ range: node, by: "" });
    else if (isPrivateMember(node)) {
      replaced.push({ range: node, by: named.has(node.parent) ? "" : "\n  #private;" });
      named.add(node.parent);
    } else ts.forEachChild(node, visit);
  };
  visit(source);
  return replaced.reduceRight(
    (text, { range, by }) => text.slice(0, range.pos) + by + text.slice(range.end),
    code,
  );
}

/** @param {ts.Node} node */
function isPrivateMember(node) {
  if (!ts.isClassElement(node) || ts.isConstructorDeclaration(node)) return false;
  if (node.name !== undefined && ts.isPrivateIdentifier(node.name)) return true;
  return ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(isPrivate) === true;
}

/** @param {ts.ModifierLike} modifier */
function isPrivate(modifier) {
  return modifier.kind === ts.SyntaxKind.PrivateKeyword || modifier.kind === ts.SyntaxKind.ProtectedKeyword;
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
