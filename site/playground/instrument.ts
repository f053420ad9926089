/**
 * A program as the playground runs it: without types, as the body of an async function, and with a report after every statement
 * of the top level. Lines stay where they are.
 */
import { type ExpressionStatement, type ModuleDeclaration, parse, type Statement } from "acorn";
import { transform } from "sucrase";

/** Names that the program must not use itself. */
export const reporter = "$playground";

/**
 * The body. `await`, `require` and `exports` mean what they mean there.
 *
 * @throws SyntaxError or an error of the parser, with the place in its message.
 */
export function instrument(source: string): string {
  const { code } = transform(source, {
    transforms: ["typescript", "imports"],
    disableESTransforms: true,
    preserveDynamicImport: true,
  });
  const { body } = parse(code, {
    ecmaVersion: "latest",
    sourceType: "script",
    allowAwaitOutsideFunction: true,
    locations: true,
  });
  const lines = code.split("\n");
  let result = "";
  let at = 0;
  for (const statement of body) {
    result += code.slice(at, statement.start);
    result += reported(statement, code, lines);
    at = statement.end;
  }
  return result + code.slice(at);
}

function reported(statement: Statement | ModuleDeclaration, code: string, lines: readonly string[]): string {
  const text = code.slice(statement.start, statement.end);
  const line = statement.loc!.start.line;
  if (isHidden(statement, text)) return text;
  const before = `${reporter}.at(${line});`;
  const after = `${reporter}.done(${line});`;
  const comment = commentBehind(statement, lines);
  if (comment.startsWith("throws")) {
    const guarded = statement.type === "VariableDeclaration" ? text.replace(/^(const|let)\b/, "var") : text;
    return `${before}try{${guarded}\n}catch($thrown){${reporter}.threw(${line},$thrown)}${after}`.replace(
      "\n}catch",
      ";}catch",
    );
  }
  if (statement.type === "ExpressionStatement" && isQuestion(statement)) {
    const { expression } = statement;
    return `${before}${reporter}.value(${line},(${code.slice(expression.start, expression.end)}));${after}`;
  }
  if (statement.type === "VariableDeclaration" && /^[→≈]/.test(comment)) {
    const [first] = statement.declarations;
    if (first?.id.type === "Identifier")
      return `${before}${text};${reporter}.value(${line},${first.id.name});${after}`;
  }
  // A declaration of a function or class ends without a semicolon, and needs none.
  return `${before}${text};${after}`;
}

/** What sucrase makes of imports and exports, and directives. */
function isHidden(statement: Statement | ModuleDeclaration, text: string): boolean {
  if (statement.type === "ExpressionStatement" && "directive" in statement) return true;
  return /^(var _\w+ = require\(|function _inter|Object\.defineProperty\(exports|var _\w+ = _inter|exports\.\w+ = )/.test(
    text,
  );
}

/** Whether one wants to see its value: not that of an assignment. */
function isQuestion({ expression }: ExpressionStatement): boolean {
  return expression.type !== "AssignmentExpression" && expression.type !== "UpdateExpression";
}

/** The text of the comment behind a statement, on its last line or the next. */
function commentBehind(statement: Statement | ModuleDeclaration, lines: readonly string[]): string {
  const { line, column } = statement.loc!.end;
  const here = /^\s*\/\/\s*(.*)$/.exec((lines[line - 1] ?? "").slice(column));
  const below = /^\s*\/\/\s*(.*)$/.exec(lines[line] ?? "");
  return (here ?? below)?.[1] ?? "";
}
