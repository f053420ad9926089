/**
 * Code that stands in backticks in the prose and the tables of documents, checked like programs: each piece that names a call of the
 * library is type-checked with the usual variables (`world`, `tree`, `game`) and with all other names, such as `turret`, as `any`.
 */
import ts from "typescript";
import type { ExportedSymbol } from "../structure/exported-symbols.ts";

/** Code in backticks, with the line it stands on. */
export interface InlineCode {
  readonly line: number;
  readonly code: string;
}

/** The variables that documents use without making them, with all that the name stands for in some guide. */
const usual: { readonly [name: string]: readonly string[] } = {
  world: ["World"],
  tree: ["Hierarchy"],
  space: ["Transforms2D", "Transforms3D"],
  game: ["Game"],
  entity: ["EntityObject"],
  history: ["UndoHistory"],
  physics: ["Physics"],
  renderer: ["Renderer", "CanvasRenderer", "PixiRenderer", "RecordingRenderer"],
  sync: ["ThreeSync"],
  format: ["SceneFormat"],
  scene: ["Scene"],
  commands: ["Commands"],
  schedule: ["Schedule"],
  signals: ["Signals"],
  query: ["Query<any>"],
  // The components of the pages about relations.
  Likes: ["Component<any>"],
  Targets: ["Component<any>"],
};

/** All code in backticks outside of blocks. On pages for those who come from elsewhere, the first cell of a row is theirs. */
export function inlineCodeIn(markdown: string, isComparison = false): InlineCode[] {
  const blank = (text: string) => text.replace(/[^\n]/g, " ");
  let prose = markdown.replace(/^```[\s\S]*?^```/gm, blank);
  if (isComparison) prose = prose.replace(/^\|[^|]*\|/gm, "|").replace(/^In [a-zA-Z.]+.*$/gm, blank);
  return prose.split("\n").flatMap((text, index) =>
    [...text.matchAll(/`([^`]+)`/g)].map((match) => ({
      line: index + 1,
      code: match[1]!.replaceAll("\\|", "|"),
    })),
  );
}

/** The piece as an expression, when it is a call or a member of something; `undefined` for words, types, commands and files. */
export function callIn(code: string): ts.Expression | undefined {
  // What stands for "and so on" may be anything: as an argument, in an object, in an array.
  const text = code.replace(/\{ …\s*\}/g, "anything").replace(/…/g, "anything");
  if (/^[\w./-]+\.(ts|tsx|mts|mjs|js|json|md|html|zip|png|wasm)$/.test(text)) return undefined;
  const source = ts.createSourceFile("inline.ts", text, ts.ScriptTarget.ES2022, true);
  const [statement, ...more] = source.statements;
  const problems = (source as unknown as { parseDiagnostics: readonly unknown[] }).parseDiagnostics;
  if (statement === undefined || more.length > 0 || problems.length > 0) return undefined;
  if (!ts.isExpressionStatement(statement)) return undefined;
  const { expression } = statement;
  return rootOf(expression) === undefined || ts.isIdentifier(expression) ? undefined : expression;
}

/** The name that a chain of calls and members starts with: `world` of `world.query(A).first()`. */
export function rootOf(expression: ts.Expression): string | undefined {
  let at = expression;
  for (;;) {
    if (ts.isCallExpression(at) || ts.isPropertyAccessExpression(at) || ts.isNonNullExpression(at))
      at = at.expression;
    else return ts.isIdentifier(at) ? at.text : undefined;
  }
}

/** What is wrong with pieces of code, one text or `undefined` for each. */
export function problemsIn(
  pieces: readonly string[],
  symbols: readonly ExportedSymbol[],
  typeErrors: (programs: readonly string[]) => readonly (readonly string[])[],
): (string | undefined)[] {
  const exported: Exported = new Map(
    symbols.filter(({ name }) => !name.includes(".")).map((symbol) => [symbol.name, symbol]),
  );
  const members = new Set(symbols.flatMap(({ name }) => name.split(".").slice(1)));
  const programs: string[] = [];
  const waiting: { piece: number; from: number; to: number }[] = [];
  const problems = pieces.map((piece, index): string | undefined => {
    const call = callIn(piece);
    const root = call && rootOf(call);
    if (call === undefined || root === undefined || foreign.has(root)) return undefined;
    const isBare = ts.isCallExpression(call) && ts.isIdentifier(call.expression);
    const isUsual = Object.hasOwn(usual, root) && !isBare;
    if (isUsual || exported.has(root)) {
      const made = programsFor(call, root, exported);
      waiting.push({ piece: index, from: programs.length, to: programs.length + made.length });
      programs.push(...made);
      return undefined;
    }
    // `attach(a, b)`: a call whose object is clear from the text around it.
    const isUnknown = isBare && !members.has(root);
    return isUnknown ? `no entry exports ${root}, and nothing has it as a member` : undefined;
  });
  const found = typeErrors(programs);
  for (const { piece, from, to } of waiting) {
    const each = found.slice(from, to);
    if (each.every((errors) => errors.length > 0)) problems[piece] = each[0]!.join("; ");
  }
  return problems;
}

type Exported = ReadonlyMap<string, ExportedSymbol>;

/** Names of the language, of platforms and of React, whose calls are not ours. */
const foreign = new Set(
  "console document window Math import fetch require Array Object self performance Promise useEffect".split(
    " ",
  ),
);

/** One program for each thing that the first name may be: the piece is right when one of them is. */
function programsFor(call: ts.Expression, root: string, exported: Exported): string[] {
  const text = printed(call);
  const rest = [...namesIn(call)].filter((name) => name !== root);
  return declarationsOf(root, exported).map((first) =>
    [first, ...rest.map((name) => declarationOf(name, call, exported)), `${text};`].join(" "),
  );
}

/** What the first name of a piece may be. An exported name of a component or a class also stands for its values. */
function declarationsOf(root: string, exported: Exported): string[] {
  const types = usual[root]?.map((type) => typeOf(type, exported)) ?? [];
  const symbol = exported.get(root);
  if (types.length === 0 && symbol !== undefined && /^[A-Z]/.test(root)) {
    const room = `import(${JSON.stringify(symbol.entry)})`;
    types.push(`import("espalier").ValueOf<(typeof ${room}.${root})["schema"]>`, `${room}.${root}`);
  }
  const declared = types.map((type) => `declare const ${root}: ${type};`);
  return usual[root] === undefined && symbol !== undefined ? [imported(root, symbol), ...declared] : declared;
}

/** Other names: those that are called or are components are ours, and `turret` may be anything. */
function declarationOf(name: string, call: ts.Expression, exported: Exported): string {
  // `entity` is a number in most guides and an object of the game in some: as an argument both are right.
  const type = name === "entity" ? undefined : usual[name]?.[0];
  if (type !== undefined) return `declare const ${name}: ${typeOf(type, exported)};`;
  const symbol = exported.get(name);
  const isOurs = symbol?.isValue === true && (/^[A-Z]/.test(name) || isCalledIn(call, name));
  if (isOurs) return imported(name, symbol);
  return foreign.has(name) ? "" : `declare const ${name}: any;`;
}

function imported(name: string, { entry }: ExportedSymbol): string {
  return `import { ${name} } from ${JSON.stringify(entry)};`;
}

function typeOf(type: string, exported: Exported): string {
  const [name = ""] = type.split("<");
  const symbol = exported.get(name);
  if (symbol === undefined) throw new Error(`No entry exports ${name}, a usual variable of inline-code.ts.`);
  return `import(${JSON.stringify(symbol.entry)}).${type}`;
}

/** The piece as text, with functions as `any`: what they get depends on a query that is not shown. `f()` at its end names the call. */
function printed(expression: ts.Expression): string {
  const visit = (node: ts.Node): ts.Node =>
    ts.isArrowFunction(node)
      ? ts.factory.createIdentifier("(undefined as any)")
      : ts.visitEachChild(node, visit, undefined);
  const named =
    ts.isCallExpression(expression) && expression.arguments.length === 0 ? expression.expression : expression;
  const printer = ts.createPrinter({ removeComments: true });
  return printer
    .printNode(ts.EmitHint.Expression, visit(named), expression.getSourceFile())
    .replace(/\n\s*/g, " ");
}

/** The identifiers that stand for values: not members, not keys, not those of functions. */
function namesIn(expression: ts.Expression): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isArrowFunction(node)) return;
    if (ts.isIdentifier(node) && !isKey(node) && node.text !== "undefined") names.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(expression);
  return names;
}

function isKey(node: ts.Identifier): boolean {
  const { parent } = node;
  return (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) && parent.name === node;
}

function isCalledIn(expression: ts.Expression, name: string): boolean {
  const visit = (node: ts.Node): boolean =>
    (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === name) ||
    ts.forEachChild(node, (child) => visit(child) || undefined) === true;
  return visit(expression);
}
