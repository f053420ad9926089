/** Which file imports which, read from the syntax tree. */
import { posix } from "node:path";
import ts from "typescript";
import { parse, type SourceFile } from "./source-files.ts";

/** One import, written anywhere in a file. Type-only imports count: they bind the reader just as much. */
export interface Import {
  /** Path of the importing file. */
  from: string;
  line: number;
  /** As written: `../ecs/index.ts`. */
  specifier: string;
  /** Path of the imported file for a relative specifier, exactly as written; undefined for a package. */
  to: string | undefined;
}

/**
 * Every import of a file: `import`, `export … from`, `import()`, `import("…")` types, `import x = require()`
 * and `require()`. An `import()` of a computed name has the specifier `?`.
 */
export function importsOf(file: SourceFile): Import[] {
  const source = parse(file);
  const found: Import[] = [];

  const add = (node: ts.Node, specifier: ts.Node | undefined): void => {
    const text = specifier !== undefined && ts.isStringLiteralLike(specifier) ? specifier.text : "?";
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    const relative = text.startsWith("./") || text.startsWith("../");
    const to = relative ? posix.join(posix.dirname(file.path), text) : undefined;
    found.push({ from: file.path, line, specifier: text, to });
  };

  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node, node.moduleSpecifier);
    else if (ts.isExportDeclaration(node)) {
      if (node.moduleSpecifier) add(node, node.moduleSpecifier);
    } else if (ts.isExternalModuleReference(node)) add(node, node.expression);
    else if (ts.isImportTypeNode(node)) {
      add(node, ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined);
    } else if (ts.isCallExpression(node)) {
      const dynamic = node.expression.kind === ts.SyntaxKind.ImportKeyword;
      const required = ts.isIdentifier(node.expression) && node.expression.text === "require";
      if (dynamic || required) add(node, node.arguments[0]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/**
 * The import cycles among `files`: one for each group of files that reach each other, as a path that ends
 * where it starts. A file that imports itself is a cycle of one.
 */
export function cyclesAmong(files: readonly SourceFile[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const file of files) {
    const to = importsOf(file).flatMap((found) => found.to ?? []);
    targets.set(file.path, [...new Set(to)]);
  }

  const cycles: string[][] = [];
  const done = new Set<string>();
  for (const start of targets.keys()) {
    if (done.has(start)) continue;
    const cycle = shortestWayBack(start, targets);
    if (cycle === undefined) continue;
    cycles.push(cycle);
    // Files of a reported cycle are left out as starting points: one report for one knot is enough.
    for (const path of cycle) done.add(path);
  }
  return cycles;
}

function shortestWayBack(start: string, targets: ReadonlyMap<string, string[]>): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const path of queue) {
    for (const next of targets.get(path) ?? []) {
      if (next === start) {
        const back = [start];
        for (let at = path; at !== start; at = cameFrom.get(at)!) back.unshift(at);
        return [start, ...back];
      }
      if (!cameFrom.has(next) && targets.has(next)) {
        cameFrom.set(next, path);
        queue.push(next);
      }
    }
  }
  return undefined;
}
