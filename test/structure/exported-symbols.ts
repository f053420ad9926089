/**
 * What users can see of the packages: every name that an entry exports and every public member of it, read from the source, with the
 * sentences that an editor shows for them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { publicNames } from "../../scripts/public-names.mjs";
import { root } from "./source-files.ts";

/** An exported name, or a member of one. */
export interface ExportedSymbol {
  /** What users import from: `espalier/hierarchy`. */
  readonly entry: string;
  /** `Hierarchy` or `Hierarchy.attach`. */
  readonly name: string;
  /** The text of its doc comment, without tags; empty when it, or one of its overloads, has none. */
  readonly sentence: string;
  /** Whether programs can use the name as a value: it is not an interface or another type alone. */
  readonly isValue: boolean;
  /** How many `@example`s its doc comment has. */
  readonly examples: number;
  /** Where it is declared: `packages/espalier/src/hierarchy/hierarchy.ts:12`. */
  readonly where: string;
}

/** The surface of all packages. */
export interface Surface {
  readonly symbols: readonly ExportedSymbol[];
  /** Names that programs have without an import: those of ECMAScript and of the DOM. */
  readonly globals: ReadonlySet<string>;
}

/** Reads the surface. A name that several entries export is listed for the first of them. */
export function readSurface(): Surface {
  const entries = [
    ...publicNames().map(({ name, source }) => ({ name, file: source })),
    { name: "@espalier/editor", file: join(root, "packages/editor/src/index.ts") },
    { name: "@espalier/editor/server", file: join(root, "packages/editor/src/server/index.ts") },
    { name: "@espalier/colyseus", file: join(root, "packages/colyseus/src/index.ts") },
    { name: "@espalier/colyseus/client", file: join(root, "packages/colyseus/src/client/index.ts") },
    { name: "@espalier/colyseus/server", file: join(root, "packages/colyseus/src/server/index.ts") },
    { name: "@espalier/collab", file: join(root, "packages/collab/src/index.ts") },
    { name: "@espalier/collab/relay", file: join(root, "packages/collab/src/relay/index.ts") },
    { name: "@espalier/cli", file: join(root, "packages/cli/src/index.ts") },
  ];
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    compilerOptions(),
  );
  const checker = program.getTypeChecker();
  // By where they are declared: a generic type has symbols of its own for each use.
  const seen = new Set<ts.Node | undefined>();
  const isNew = (symbol: ts.Symbol) => {
    const [node] = symbol.declarations ?? [];
    return !seen.has(node) && seen.add(node) !== undefined;
  };
  const symbols: ExportedSymbol[] = [];
  for (const { name: entry, file } of entries) {
    const module = checker.getSymbolAtLocation(sourceFileOf(program, file));
    for (const exported of module === undefined ? [] : checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      if (!isOurs(symbol) || !isNew(symbol)) continue;
      symbols.push(described(checker, entry, exported.name, symbol));
      for (const member of membersOf(checker, symbol).filter(isNew))
        symbols.push(described(checker, entry, `${exported.name}.${member.name}`, member));
    }
  }
  return { symbols, globals: globalNames(program) };
}

function compilerOptions(): ts.CompilerOptions {
  const file = join(root, "packages/editor/tsconfig.json");
  const { config } = ts.readConfigFile(file, (path) => readFileSync(path, "utf8"));
  return ts.parseJsonConfigFileContent(config, ts.sys, join(root, "packages/editor")).options;
}

function sourceFileOf(program: ts.Program, file: string): ts.SourceFile {
  const found = program.getSourceFile(file);
  if (found === undefined) throw new Error(`${file} is not there; is it still an entry?`);
  return found;
}

function described(checker: ts.TypeChecker, entry: string, name: string, symbol: ts.Symbol): ExportedSymbol {
  const node = symbol.declarations?.[0];
  const file = node?.getSourceFile();
  const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(node?.getStart() ?? 0).line + 1;
  return {
    entry,
    name,
    sentence: sentenceOf(checker, symbol),
    isValue: (symbol.flags & ts.SymbolFlags.Value) !== 0,
    examples: symbol.getJsDocTags(checker).filter((tag) => tag.name === "example").length,
    where: `${file?.fileName.slice(root.length + 1) ?? "?"}:${line}`,
  };
}

/** What an editor shows: of a function that has overloads, the text of the one that is called. */
function sentenceOf(checker: ts.TypeChecker, symbol: ts.Symbol): string {
  const overloads = (symbol.declarations ?? []).filter(
    (node) => (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) && node.body === undefined,
  );
  const isSilent = overloads.some((node) => ts.getJSDocCommentsAndTags(node).length === 0);
  return isSilent ? "" : ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
}

/**
 * The public members of a class, an interface or an object type: what is behind its dot, also from classes and interfaces below it that
 * are not exported themselves.
 */
function membersOf(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol[] {
  const isType = symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias);
  if (!isType) return [];
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  // The members of `string` or of an array are not those of an alias for it; a union has one set per part.
  const isObject = (part: ts.Type) => (part.flags & ts.TypeFlags.Object) !== 0 && !checker.isArrayType(part);
  const parts = (type.isUnionOrIntersection() ? type.types : [type]).filter(isObject);
  const found = parts.flatMap((part) => checker.getPropertiesOfType(part));
  return [...new Set(found)].filter(
    (member) => isOurs(member) && !(member.declarations ?? []).some(isHidden),
  );
}

function isHidden(node: ts.Declaration): boolean {
  const name = ts.getNameOfDeclaration(node);
  if (name === undefined || ts.isPrivateIdentifier(name) || ts.isComputedPropertyName(name)) return true;
  const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : [];
  const isClosed = ({ kind }: ts.ModifierLike) =>
    kind === ts.SyntaxKind.PrivateKeyword || kind === ts.SyntaxKind.ProtectedKeyword;
  return modifiers.some(isClosed) || ts.getJSDocTags(node).some((tag) => tag.tagName.text === "internal");
}

function isOurs(symbol: ts.Symbol): boolean {
  return (
    symbol.declarations?.some((node) => !node.getSourceFile().fileName.includes("node_modules")) === true
  );
}

function globalNames(program: ts.Program): Set<string> {
  const libraries = program.getSourceFiles().filter((file) => program.isSourceFileDefaultLibrary(file));
  const names = libraries.flatMap((file) =>
    file.statements.flatMap((statement) => {
      if (ts.isVariableStatement(statement))
        return statement.declarationList.declarations.map(({ name }) => name);
      return "name" in statement && statement.name !== undefined ? [statement.name as ts.Node] : [];
    }),
  );
  return new Set(names.flatMap((name) => (ts.isIdentifier(name) ? [name.text] : [])));
}
