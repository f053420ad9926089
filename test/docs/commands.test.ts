import { describe, expect, it } from "vitest";
import { read } from "../structure/source-files.ts";
import { type CommandLine, commandsIn, problemWith } from "./commands.ts";
import { documents } from "./documents.ts";

/** By a name that the compiler does not follow: programs here do not include the source of the packages. */
const load = (name: string) => import(name);
const { createProgram } = await load("../../packages/cli/src/program.ts");

interface Described {
  readonly commands: readonly Described[];
  readonly options: readonly { readonly short?: string; readonly long?: string }[];
  name(): string;
}
const program: Described = createProgram(() => {});
const espalier: CommandLine = new Map(
  program.commands.map((command) => [
    command.name(),
    new Set([...command.options.flatMap(({ short = "", long = "" }) => [short, long]), "--help"]),
  ]),
);

describe("commands in documents", () => {
  it("exist, with their options, scripts, packages and files", () => {
    const pages = read(documents().filter((path) => path.endsWith(".md")));
    const found = pages.flatMap(({ path, text }) => commandsIn(text).map((one) => ({ path, ...one })));
    expect(found.length).toBeGreaterThan(60);
    const problems = found.flatMap(({ path, line, command }) => {
      const problem = problemWith(command, espalier);
      return problem === undefined ? [] : [`${path}:${line}: ${command}: ${problem}`];
    });
    expect(problems).toEqual([]);
  });

  it("are found in blocks and in backticks, and not in programs", () => {
    const text =
      "Type `npm test` or `npx vite`.\n\n```sh\nnpm run docs  # builds\ncd a && npm test\n```\n\n```console\n$ espalier check a\nnpm nope\n```\n\n```ts\n`npm nope`;\n```\n";
    expect(commandsIn(text)).toEqual([
      { line: 1, command: "npm test" },
      { line: 1, command: "npx vite" },
      { line: 4, command: "npm run docs" },
      { line: 5, command: "npm test" },
      { line: 9, command: "espalier check a" },
    ]);
  });

  it.each([
    ["npx espalier chek scenes", "there is no command chek"],
    ["espalier check --flat scenes", "check has no option --flat"],
    ["npm run nothing", "there is no script nothing"],
    ["npm install espalier nothing-of-ours", "there is no package nothing-of-ours"],
    ["npx nothing", "there is no tool nothing"],
    ["node scripts/nothing.mjs", "there is no file scripts/nothing.mjs"],
    ["npm run example -- nothing", "there is no examples/nothing"],
  ])("that do not exist are named: %s", (command, problem) => {
    expect(problemWith(command, espalier)).toBe(problem);
  });
});
