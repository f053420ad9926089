/** The error codes of the library, read from its source. */
import ts from "typescript";
import { parse, type SourceFile } from "../structure/source-files.ts";

/** An error code and the location it is written at. */
export interface CodeUse {
  code: string;
  path: string;
  line: number;
}

/**
 * Every string of the form `room/some-code` in a source file, for the rooms given. Imports do not count.
 */
export function codesIn(file: SourceFile, rooms: readonly string[]): CodeUse[] {
  const pattern = new RegExp(`^(${rooms.join("|")})/[a-z0-9]+(-[a-z0-9]+)*$`);
  const source = parse(file);
  const found: CodeUse[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || (ts.isExportDeclaration(node) && node.moduleSpecifier)) return;
    if (ts.isStringLiteralLike(node) && pattern.test(node.text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ code: node.text, path: file.path, line: line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** `ecs/dead-entity` → `docs/errors/ecs-dead-entity.md`. */
export function pageOf(code: string): string {
  return `docs/errors/${code.replace("/", "-")}.md`;
}
