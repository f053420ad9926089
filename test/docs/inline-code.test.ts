/** Calls that documents name in backticks, in prose and in tables, exist and take what is shown. */
import { describe, expect, it } from "vitest";
import { readSurface } from "../structure/exported-symbols.ts";
import { read, repositoryFiles } from "../structure/source-files.ts";
import { inlineCodeIn, problemsIn } from "./inline-code.ts";
import type { Snippet } from "./snippets.ts";
import { typeErrorsOf } from "./type-check.ts";

// Not those of the command line, which has no types before it is built.
const symbols = readSurface().symbols.filter(({ entry }) => entry !== "@espalier/cli");

// Contributors read the READMEs of rooms, too: names of internals stand there without a call.
const pages = repositoryFiles().filter((path) =>
  /^(README\.md|packages\/[^/]+\/(src\/[^/]+\/)?README\.md|docs\/architecture\.md|docs\/features\.md|docs\/(guide|errors)\/[^/]+\.md)$/.test(
    path,
  ),
);

/** The type errors of each program. */
function typeErrors(programs: readonly string[]): string[][] {
  const found = programs.map((): string[] => []);
  const snippets = programs.map(
    (code, index): Snippet => ({
      path: `inline-${index}`,
      line: 1,
      code,
      lines: [1],
      run: false,
      browser: false,
      jsx: false,
      project: false,
      file: undefined,
    }),
  );
  for (const text of typeErrorsOf(snippets)) {
    const [, index, message] = /^inline-(\d+):\d+: ([\s\S]*)$/.exec(text)!;
    found[Number(index)]!.push(message!);
  }
  return found;
}

const problemsOf = (pieces: readonly string[]) => problemsIn(pieces, symbols, typeErrors);

describe("calls in the prose and the tables of documents", () => {
  it("exist, with the arguments and options that are shown", { timeout: 600_000 }, () => {
    const pieces = read(pages).flatMap(({ path, text }) =>
      inlineCodeIn(text, path.includes("coming-from")).map((piece) => ({ ...piece, path })),
    );
    const problems = problemsOf(pieces.map(({ code }) => code));
    const wrong = pieces.flatMap(({ path, line, code }, index) =>
      problems[index] === undefined ? [] : [`${path}:${line}: \`${code}\`: ${problems[index]}`],
    );
    expect(wrong).toEqual([]);
  });

  it("are refused when a call, a member, an argument or an option does not exist", {
    timeout: 600_000,
  }, () => {
    const right = [
      "tree.attach(turret, tank)",
      "world.query(Health, not(Dead)).first()",
      "attach(a, b)",
      "spawnTree(tree, { … })",
      "npm run docs",
      "turret.anything()",
      "space.worldPosition(barrel)",
      "space.localToWorldDirection(door, 0, 0, 1)",
      "query.update((position, velocity) => …)",
      "Collider.shapes",
      "main.scene.json",
    ];
    expect(problemsOf(right)).toEqual(right.map(() => undefined));
    const wrong = [
      "tree.nope(a)",
      "world.spawn.nope",
      "nope(a)",
      "tree.attach(turret)",
      'tree.attach(turret, tank, { keeps: "world" })',
      "game.input.nope",
    ];
    expect(problemsOf(wrong).map((problem) => problem !== undefined)).toEqual(wrong.map(() => true));
  });

  it("are found outside of blocks; what other libraries call is left out", () => {
    const text = "`a.b` and\n\n```ts\n`c.d`\n```\n\n| `their.call()` | `our.call(x \\| y)` |\n";
    expect(inlineCodeIn(text).map(({ code }) => code)).toEqual(["a.b", "their.call()", "our.call(x | y)"]);
    expect(inlineCodeIn(text, true)).toEqual([
      { line: 1, code: "a.b" },
      { line: 7, code: "our.call(x | y)" },
    ]);
  });
});
