/**
 * Turning the expectations in a snippet's comments into checks.
 *
 * A comment that starts with `→`, `≈` or `throws Name` belongs to the statement it follows, on the same line
 * or the next. The snippet's code is kept in place, line by line; only calls of the `Checks` of
 * snippet-checks.ts are laid around the statements.
 */
import ts from "typescript";
import type { Snippet } from "./snippets.ts";

/** What the name `$doc` in an instrumented snippet stands for. */
export const checksName = "$doc";

type Marker = "→" | "≈" | "throws";

interface Expectation {
  marker: Marker;
  /** What follows the marker, over all its lines. */
  text: string;
  /** Line in the Markdown file. */
  line: number;
}

const markerPattern = /^\/\/ ?(→|≈|throws(?= [A-Z]\w*(?::|$)))(?: |$)/;
const anyMarker = /\/\/ ?(→|≈|throws [A-Z]\w*(:|\s*$))/;

/**
 * The code of a snippet with its expectations turned into calls of `$doc`.
 *
 * @throws Error for an expectation that follows no statement, or one that no check can be made of: better a
 * red test than an expectation nobody reads.
 */
export function instrument(snippet: Snippet): string {
  const { code } = snippet;
  const source = ts.createSourceFile("snippet.ts", code, ts.ScriptTarget.ES2022, true);
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const inserts: { at: number; remove: number; text: string }[] = [];
  const insert = (at: number, text: string, remove = 0) => inserts.push({ at, remove, text });
  const used = new Set<number>();

  const expectationAfter = (statement: ts.Statement): Expectation | undefined => {
    const comments = [
      ...(ts.getTrailingCommentRanges(code, statement.end) ?? []),
      ...(ts.getLeadingCommentRanges(code, statement.end) ?? []),
    ];
    const first = comments[0];
    if (first === undefined || lineAt(first.pos) > lineAt(statement.end) + 1) return undefined;
    const marker = markerPattern.exec(code.slice(first.pos, first.end))?.[1] as Marker | undefined;
    if (marker === undefined) return undefined;

    const texts: string[] = [];
    for (const [index, comment] of comments.entries()) {
      const line = lineAt(comment.pos);
      if (line !== lineAt(first.pos) + index) break;
      const text = code.slice(comment.pos, comment.end).trimEnd();
      const again = markerPattern.exec(text);
      if (again !== null && again[1] === marker && (index === 0 || marker === "→")) {
        texts.push(text.slice(again[0].length));
      } else if (index > 0 && text.startsWith("//   ")) {
        texts.push(text.slice("//   ".length));
      } else break;
      used.add(line);
    }
    return { marker, text: texts.join("\n"), line: snippet.lines[lineAt(first.pos)]! };
  };

  const check = (statement: ts.Statement, { marker, text, line }: Expectation): void => {
    const start = statement.getStart(source);
    const where = `${JSON.stringify(text)}, ${line}`;
    if (marker === "throws") {
      insert(start, `{ let $thrown; try { `);
      insert(
        statement.end,
        ` } catch (error) { $thrown = { error }; } ${checksName}.threw($thrown, ${where}); }`,
      );
      return;
    }

    const expected = expressionOf(text);
    const rest = `${expected === undefined ? "undefined" : `() => (${expected})`}, ${where}, ${marker === "≈"}`;
    if (ts.isExpressionStatement(statement)) {
      const { expression } = statement;
      insert(start, `${checksName}.value(${checksName}.mark(), (`);
      insert(expression.end, `), ${rest});`, statement.end - expression.end);
      return;
    }
    const mark = `${checksName}${start}`;
    insert(start, `const ${mark} = ${checksName}.mark(); `);
    const variable = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [];
    const [only] = variable;
    if (only !== undefined) {
      if (variable.length > 1 || !ts.isIdentifier(only.name)) {
        throw new Error(`${snippet.path}:${line}: an expectation needs a statement with one plain variable.`);
      }
      insert(statement.end, `; ${checksName}.value(${mark}, ${only.name.text}, ${rest});`);
    } else {
      if (marker === "≈") throw new Error(`${snippet.path}:${line}: ≈ compares a value, and this has none.`);
      insert(statement.end, `; ${checksName}.printed(${mark}, ${where});`);
    }
  };

  const visit = (node: ts.Node): void => {
    if (
      ts.isSourceFile(node) ||
      ts.isBlock(node) ||
      ts.isCaseOrDefaultClause(node) ||
      ts.isModuleBlock(node)
    ) {
      for (const statement of node.statements) {
        const expectation = expectationAfter(statement);
        if (expectation !== undefined) check(statement, expectation);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);

  for (const [index, line] of code.split("\n").entries()) {
    if (anyMarker.test(line) && !used.has(index)) {
      throw new Error(
        `${snippet.path}:${snippet.lines[index]}: this expectation follows no statement: ${line.trim()}`,
      );
    }
  }
  return applied(code, inserts);
}

/** `text` as one line of code when it is an expression. */
function expressionOf(text: string): string | undefined {
  const line = text.replaceAll("\n", " ");
  const { diagnostics } = ts.transpileModule(`void (${line}\n);`, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2022 },
  });
  // A comment inside would swallow what follows it.
  return diagnostics?.length || line.includes("//") || line.trim() === "" ? undefined : line;
}

function applied(code: string, inserts: readonly { at: number; remove: number; text: string }[]): string {
  let result = "";
  let done = 0;
  // Sorting is stable, and an outer statement is visited before what is inside it. Two inserts never meet at
  // one position otherwise: what ends an inner statement stands before what ends the outer one.
  for (const { at, remove, text } of [...inserts].sort((a, b) => a.at - b.at)) {
    result += code.slice(done, at) + text;
    done = at + remove;
  }
  return result + code.slice(done);
}
