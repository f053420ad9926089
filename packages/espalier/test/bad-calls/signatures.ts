/**
 * What the source says can be called: functions and members of classes and interfaces, with the types of their parameters as
 * text. Read from the syntax alone, because the tests of bad calls need no more and a type checker takes seconds.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

export interface Parameter {
  readonly name: string;
  /** As written: `Entity | null`; empty where it is inferred. */
  readonly type: string;
  readonly isRest: boolean;
}

export interface Signature {
  readonly parameters: readonly Parameter[];
}

interface Shape {
  readonly parents: readonly string[];
  readonly members: Map<string, Signature>;
  /** Properties that are not calls, with their types: what an option may be. */
  readonly properties: Map<string, string>;
  /** Private, protected, or marked `@internal`. */
  readonly hidden: Set<string>;
}

export interface Signatures {
  readonly functions: ReadonlyMap<string, Signature>;
  readonly shapes: ReadonlyMap<string, Shape>;
}

/** Reads all rooms. */
export function readSignatures(): Signatures {
  const folder = join(import.meta.dirname, "../../src");
  const functions = new Map<string, Signature>();
  const shapes = new Map<string, Shape>();
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .sort();
  const sources = files.map((file) =>
    ts.createSourceFile(file, readFileSync(join(folder, file), "utf8"), ts.ScriptTarget.Latest, true),
  );
  const homes = publicHomes(sources);
  for (const source of sources) {
    const file = source.fileName;
    for (const statement of source.statements) {
      if (ts.isFunctionDeclaration(statement) && statement.name !== undefined) {
        // Functions inside a room may have the name of a public one.
        const home = homes.get(statement.name.text);
        if (home !== undefined && home !== file) continue;
        // Of overloads the first is the one users see first.
        if (!functions.has(statement.name.text))
          functions.set(statement.name.text, signatureOf(statement, source));
      } else if (ts.isClassDeclaration(statement) || ts.isInterfaceDeclaration(statement)) {
        if (statement.name !== undefined) shapes.set(statement.name.text, shapeOf(statement, source));
      } else if (ts.isVariableStatement(statement)) {
        for (const { name, initializer } of statement.declarationList.declarations) {
          if (ts.isIdentifier(name) && initializer !== undefined && ts.isArrowFunction(initializer))
            functions.set(name.text, signatureOf(initializer, source));
        }
      }
    }
  }
  return { functions, shapes };
}

/** The file of each name that a room exports. */
function publicHomes(sources: readonly ts.SourceFile[]): Map<string, string> {
  const homes = new Map<string, string>();
  for (const source of sources.filter(({ fileName }) => /(^|\/)index\.ts$/.test(fileName))) {
    for (const statement of source.statements) {
      if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier === undefined) continue;
      if (statement.exportClause === undefined || !ts.isNamedExports(statement.exportClause)) continue;
      const home = join(dirname(source.fileName), (statement.moduleSpecifier as ts.StringLiteral).text);
      for (const { name } of statement.exportClause.elements) homes.set(name.text, home);
    }
  }
  return homes;
}

/** Interfaces of objects that the library itself calls: what they ask for is not for users. */
const forTheLibrary = ["SlotFollower"];

/** The public calls of a class or an interface, those it inherits included. */
export function membersOf({ shapes }: Signatures, name: string): Map<string, Signature> {
  const found = new Map<string, Signature>();
  const hidden = new Set(forTheLibrary.flatMap((each) => [...(shapes.get(each)?.members.keys() ?? [])]));
  for (const shape of lineOf(shapes, name)) {
    for (const member of shape.hidden) hidden.add(member);
    for (const [member, signature] of shape.members)
      if (!found.has(member) && !hidden.has(member)) found.set(member, signature);
  }
  return found;
}

/** The properties of an interface, those it inherits included: the options that a call takes. */
export function propertiesOf({ shapes }: Signatures, name: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const shape of lineOf(shapes, name)) {
    for (const [property, type] of shape.properties) if (!found.has(property)) found.set(property, type);
  }
  return found;
}

function* lineOf(shapes: ReadonlyMap<string, Shape>, name: string): IterableIterator<Shape> {
  const shape = shapes.get(name);
  if (shape === undefined) return;
  yield shape;
  for (const parent of shape.parents) yield* lineOf(shapes, parent);
}

function signatureOf(node: ts.SignatureDeclaration, source: ts.SourceFile): Signature {
  return {
    parameters: node.parameters
      .filter((parameter) => parameter.name.getText(source) !== "this")
      .map((parameter) => ({
        name: parameter.name.getText(source),
        type: parameter.type?.getText(source) ?? "",
        isRest: parameter.dotDotDotToken !== undefined,
      })),
  };
}

function shapeOf(node: ts.ClassDeclaration | ts.InterfaceDeclaration, source: ts.SourceFile): Shape {
  const members = new Map<string, Signature>();
  const properties = new Map<string, string>();
  const hidden = new Set<string>();
  for (const member of node.members) {
    if (member.name === undefined || !ts.isIdentifier(member.name)) continue;
    const name = member.name.text;
    if (isHidden(member)) {
      hidden.add(name);
      continue;
    }
    const call = callOf(member);
    if (call !== undefined) {
      if (!members.has(name)) members.set(name, signatureOf(call, source));
    }
    if (ts.isPropertySignature(member)) properties.set(name, member.type?.getText(source) ?? "");
  }
  const parents = (node.heritageClauses ?? []).flatMap(({ types }) =>
    types.map(({ expression }) => expression.getText(source)),
  );
  return { parents, members, properties, hidden };
}

function callOf(member: ts.ClassElement | ts.TypeElement): ts.SignatureDeclaration | undefined {
  if (ts.isMethodDeclaration(member) || ts.isMethodSignature(member)) return member;
  if ((ts.isPropertySignature(member) || ts.isPropertyDeclaration(member)) && member.type !== undefined) {
    if (ts.isFunctionTypeNode(member.type)) return member.type;
  }
  return undefined;
}

function isHidden(node: ts.ClassElement | ts.TypeElement): boolean {
  const flags = ts.getCombinedModifierFlags(node as ts.Declaration);
  return (
    (flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0 ||
    ts.getJSDocTags(node).some(({ tagName }) => tagName.text === "internal")
  );
}
