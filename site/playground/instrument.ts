/**
 * A program as the playground runs it: without types, as the body of an async function, and with a report after every statement
 * of the top level. Lines stay where they are.
 */
import { type Expression, type Node, parse, type Statement } from "acorn";
import { transform } from "sucrase";

/** Names that the program must not use itself. */
export const reporter = "$playground";

/**
 * The body. `await`, `require` and `exports` mean what they mean there.
 *
 * @throws SyntaxError or an error of the parser, with the location in its message.
 */
export function instrument(source: string): string {
  const { code } = transform(source, {
    // Elements only where there are some: with them, `<T>(value: T) => …` would not be a function.
    transforms: hasElements(source) ? ["typescript", "jsx", "imports"] : ["typescript", "imports"],
    jsxRuntime: "automatic",
    production: true,
    disableESTransforms: true,
    preserveDynamicImport: true,
  });
  const program = parse(code, {
    ecmaVersion: "latest",
    sourceType: "script",
    allowAwaitOutsideFunction: true,
    locations: true,
  });
  const edits: Edit[] = [];
  const lines = code.split("\n");
  const top = new Set<Node>(program.body);
  for (const statement of statementsIn(program)) {
    if (!isHidden(statement, code)) report(statement, top.has(statement), lines, edits);
  }
  return apply(code, edits);
}

function hasElements(source: string): boolean {
  return /<\/[\w.]*>|\/>/.test(source);
}

/** Text to insert at an offset. */
interface Edit {
  readonly at: number;
  readonly text: string;
  /** How many letters it replaces. */
  readonly length?: number;
  /** Whether it ends something: then it comes before what begins at the same offset. */
  readonly closes?: boolean;
}

function report(statement: Statement, isTop: boolean, lines: readonly string[], edits: Edit[]): void {
  const { start, end } = statement;
  const line = statement.loc!.start.line;
  const comment = commentBehind(statement, lines);
  const throws = comment.startsWith("throws");
  const shows = /^[→≈]/.test(comment);
  let before = isTop ? `${reporter}.at(${line});` : "";
  let after = isTop ? `${reporter}.done(${line});` : "";
  if (throws) {
    before += "try{";
    after = `;}catch($thrown){${reporter}.threw(${line},$thrown)}${after}`;
    // What the next statements use must not end with the block.
    if (statement.type === "VariableDeclaration")
      edits.push({ at: start, text: "var", length: statement.kind.length });
  } else if (
    statement.type === "ExpressionStatement" &&
    (shows || (isTop && isQuestion(statement.expression)))
  ) {
    const { expression } = statement;
    edits.push(
      { at: expression.start, text: `${reporter}.value(${line},(` },
      { at: expression.end, text: `),${shows})`, closes: true },
    );
  } else if (statement.type === "VariableDeclaration" && shows) {
    const [first] = statement.declarations;
    if (first?.id.type === "Identifier") after = `;${reporter}.value(${line},${first.id.name},true);${after}`;
  }
  if (before !== "") edits.push({ at: start, text: before });
  if (after !== "") edits.push({ at: end, text: after.startsWith(";") ? after : `;${after}`, closes: true });
}

/** Every statement that stands in a list of statements: of the program, a block, a function. */
function* statementsIn(program: Node): Generator<Statement> {
  const waiting: unknown[] = [program];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (Array.isArray(value)) waiting.push(...value);
    else if (isNode(value)) {
      const { body } = value as { body?: unknown };
      if (Array.isArray(body) && value.type !== "ClassBody") yield* body as Statement[];
      waiting.push(...Object.values(value));
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** What sucrase makes of imports and exports, and directives. */
function isHidden(statement: Statement, code: string): boolean {
  if (statement.type === "ExpressionStatement" && "directive" in statement) return true;
  const text = code.slice(statement.start, statement.start + 80);
  return /^(var _\w+ = require\(|function _inter|Object\.defineProperty\(exports|var _\w+ = _inter|exports\.\w+ = )/.test(
    text,
  );
}

/** Whether one may want to see its value: not that of an assignment or of asking for a frame or a timer. */
function isQuestion(expression: Expression): boolean {
  const { type } = expression;
  if (type === "CallExpression" && expression.callee.type === "Identifier") {
    return !/^(request|set(Timeout|Interval)$)/.test(expression.callee.name);
  }
  return type !== "AssignmentExpression" && type !== "UpdateExpression";
}

/** The text of the comment behind a statement, on its last line or the next. */
function commentBehind(statement: Statement, lines: readonly string[]): string {
  const { line, column } = statement.loc!.end;
  const here = /^\s*\/\/\s*(.*)$/.exec((lines[line - 1] ?? "").slice(column));
  const below = /^\s*\/\/\s*(.*)$/.exec(lines[line] ?? "");
  return (here ?? below)?.[1] ?? "";
}

/** The code with all edits made. At one offset, inner ends come before outer ones, and outer beginnings before inner ones. */
function apply(code: string, edits: readonly Edit[]): string {
  // An expression is edited before the statement around it.
  const ends = edits.filter(({ closes }) => closes === true);
  const begins = edits.filter(({ closes }) => closes !== true).reverse();
  // Sorting keeps the order of equals, and a replaced word comes last, right before what follows it.
  const ordered = [...ends, ...begins].sort((a, b) => a.at - b.at || (a.length ?? 0) - (b.length ?? 0));
  let result = "";
  let from = 0;
  for (const { at, text, length = 0 } of ordered) {
    result += code.slice(from, at) + text;
    from = at + length;
  }
  return result + code.slice(from);
}
