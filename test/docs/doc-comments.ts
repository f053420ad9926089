/**
 * The examples in doc comments, as snippets.
 *
 * An `@example` is short because its reader stands in the middle of the library already. So the public names
 * it uses are imported for it, and the usual variables are made for it.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { mayImport } from "../structure/rooms.ts";
import { parse, read, root, type SourceFile } from "../structure/source-files.ts";
import { type Snippet, snippetsIn } from "./snippets.ts";

/** Variables that an example may use without making them, each made from names and variables before it. */
const usual: Readonly<Record<string, string>> = {
  world: "createWorld()",
  tree: "createHierarchy(world)",
};

/** The `ts` snippets in the doc comments of a source file. */
export function docCommentSnippets(file: SourceFile): Snippet[] {
  return snippetsIn(file.path, onlyDocComments(file)).map((snippet) => ({
    ...snippet,
    // On the first line, so that the lines keep their numbers.
    code: `${preludeOf(snippet.code)} ${snippet.code}`,
  }));
}

/** The text of the doc comments, each line on the line it has in the file; all other lines are empty. */
function onlyDocComments(file: SourceFile): string {
  const source = parse(file);
  const lines = file.text.split("\n");
  const kept = lines.map(() => "");
  const visit = (node: ts.Node): void => {
    for (const comment of ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)) {
      const first = source.getLineAndCharacterOfPosition(comment.getStart(source)).line;
      const last = source.getLineAndCharacterOfPosition(comment.end).line;
      for (let line = first + 1; line < last; line++) kept[line] = lines[line]!.replace(/^\s*\* ?/, "");
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return kept.join("\n");
}

function preludeOf(code: string): string {
  const { used, declared } = namesIn(code);
  const variables = new Map<string, string>();
  const wanted = new Set([...used].filter((name) => !declared.has(name)));
  for (const [name, making] of Object.entries(usual).reverse()) {
    if (!wanted.has(name)) continue;
    variables.set(name, making);
    for (const needed of namesIn(making).used) wanted.add(needed);
  }
  const imports = Object.entries(publicExports()).map(([room, names]) => {
    const needed = names.filter((name) => wanted.has(name) && !declared.has(name));
    return needed.length === 0
      ? ""
      : `import { ${needed.join(", ")} } from "${room === "ecs" ? "espalier" : `espalier/${room}`}"; `;
  });
  const made = [...variables].reverse().map(([name, making]) => `const ${name} = ${making}; `);
  return [...imports, ...made].join("");
}

function namesIn(code: string): { used: Set<string>; declared: Set<string> } {
  const used = new Set<string>();
  const declared = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) used.add(node.text);
    const isNamed =
      ts.isVariableDeclaration(node) ||
      ts.isBindingElement(node) ||
      ts.isParameter(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isImportSpecifier(node);
    if (isNamed && node.name !== undefined && ts.isIdentifier(node.name)) declared.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("example.ts", code, ts.ScriptTarget.ES2022, true));
  return { used, declared };
}

let cached: Record<string, string[]> | undefined;

/** For each room, the names of values that its index lists. A name belongs to the lowest room that has it. */
function publicExports(): Record<string, string[]> {
  if (cached !== undefined) return cached;
  const seen = new Set<string>();
  cached = {};
  // The table lists rooms before they are built.
  const rooms = Object.keys(mayImport).filter((room) =>
    existsSync(join(root, `packages/espalier/src/${room}/index.ts`)),
  );
  for (const room of rooms) {
    const index = parse(read([`packages/espalier/src/${room}/index.ts`])[0]!);
    const lists = index.statements
      .filter(ts.isExportDeclaration)
      .filter(({ isTypeOnly }) => !isTypeOnly)
      .flatMap(({ exportClause }) =>
        exportClause !== undefined && ts.isNamedExports(exportClause) ? [...exportClause.elements] : [],
      );
    const names = lists.filter(({ isTypeOnly }) => !isTypeOnly).map(({ name }) => name.text);
    cached[room] = names.filter((name) => !seen.has(name));
    for (const name of names) seen.add(name);
  }
  return cached;
}
