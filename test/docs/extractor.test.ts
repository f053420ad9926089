import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../structure/source-files.ts";
import { docCommentSnippets } from "./doc-comments.ts";
import { instrument } from "./expectations.ts";
import { runSnippet } from "./snippet-checks.ts";
import { type Snippet, snippetsIn } from "./snippets.ts";
import { typeErrorsOf } from "./type-check.ts";

function fixture(name: string): { snippets: Snippet[]; text: string[] } {
  const path = `test/docs/fixtures/${name}.md`;
  const text = readFileSync(join(root, path), "utf8");
  return { snippets: snippetsIn(path, text), text: text.split("\n") };
}

const one = (code: string) => snippetsIn("page.md", `\`\`\`ts\n${code}\n\`\`\``)[0]!;

describe("a snippet whose expectations hold", () => {
  const snippets = fixture("right").snippets.filter((snippet) => snippet.run);

  it.each(snippets)("passes: line $line", async (snippet) => {
    await runSnippet(snippet);
  });

  it("type-checks", () => {
    expect(typeErrorsOf(snippets)).toEqual([]);
  });

  it("keeps the errors it announced", async () => {
    const { thrown } = await runSnippet(snippets[2]!);
    expect(thrown.map(String)).toContain("TypeError: late");
  });
});

describe("a snippet whose expectations do not hold", () => {
  const { snippets, text } = fixture("wrong");

  it.each(snippets)("fails with the reason: line $line", async (snippet) => {
    const reason = text[snippet.line - 3]!;
    expect(reason).not.toBe("");
    await expect(runSnippet(snippet)).rejects.toThrow(reason);
  });

  it("names the file and the line of the expectation", async () => {
    await expect(runSnippet(snippets[0]!)).rejects.toThrow(
      `test/docs/fixtures/wrong.md:${snippets[0]!.line + 1}`,
    );
  });
});

describe("typeErrorsOf", () => {
  it("names the line in the document", () => {
    const page = snippetsIn(
      "page.md",
      "# Page\n\n```ts\nconst a = 1;\n```\n\n```ts continue\nconst b: string = a;\n```",
    );
    expect(typeErrorsOf(page)).toEqual(["page.md:8: Type 'number' is not assignable to type 'string'."]);
  });

  it("accepts an error that is announced, and refuses one that does not come", () => {
    expect(typeErrorsOf([one("// @ts-expect-error\nconst a: string = 1;")])).toEqual([]);
    expect(typeErrorsOf([one("// @ts-expect-error\nconst a: string = '';")])).toHaveLength(1);
  });

  it("checks elements of React in a block that says so", () => {
    const [element] = snippetsIn("page.md", "```tsx browser\nconst a: number = <b>1</b>;\n```");
    expect(typeErrorsOf([element!])).toEqual([
      expect.stringMatching(/^page.md:2: Type 'Element' is not assignable/),
    ]);
    expect(() => snippetsIn("page.md", "```tsx\n<b />;\n```")).toThrow("write tsx browser, or ts");
  });

  it("knows the public names and no others", () => {
    expect(typeErrorsOf([one(`import "espalier";`), one(`import * as e from "espalier";`)])).toEqual([]);
    expect(typeErrorsOf([one(`import * as r from "espalier/nowhere";`)])).toHaveLength(1);
  });
});

describe("docCommentSnippets", () => {
  const text = [
    "const before = '```ts';",
    "/**",
    " * Makes one.",
    " *",
    " * @example",
    " * ```ts",
    " * const one = make();",
    " * one; // → 1",
    " * ```",
    " */",
    "export function make() {}",
    "",
    "class Maker {",
    "  /**",
    "   * ```ts project file=make.ts",
    "   * world.make(",
    "   * ```",
    "   */",
    "  make() {}",
    "}",
    "// ```ts",
  ].join("\n");
  const found = docCommentSnippets({ path: "make.ts", text });

  it("finds the examples of functions and members, with their lines", () => {
    expect(found.map(({ line, run }) => ({ line, run }))).toEqual([
      { line: 6, run: true },
      { line: 15, run: false },
    ]);
    expect(found[0]!.lines).toEqual([7, 8]);
    expect(found[0]!.code.trim()).toBe("const one = make();\none; // → 1");
  });

  it("makes the world for an example that has none, and leaves one that has its own alone", () => {
    const codeOf = (code: string) =>
      docCommentSnippets({ path: "a.ts", text: `/**\n * \`\`\`ts\n * ${code}\n * \`\`\`\n */\nlet a;` })[0]!
        .code;
    expect(codeOf("world.check();")).toMatch(/const world = createWorld\(\); +world\.check\(\);$/);
    expect(codeOf("const world = 1;").trim()).toBe("const world = 1;");
  });
});

describe("snippetsIn", () => {
  it("refuses what it would otherwise skip", () => {
    expect(() => snippetsIn("page.md", "```ts no-run\n```")).toThrow(
      'page.md:1: there is no snippet flag "no-run".',
    );
    expect(() => snippetsIn("page.md", "```ts project\n```")).toThrow("say which file of a project it is");
    expect(() => snippetsIn("page.md", "```ts project browser file=a.ts\n```")).toThrow("leave out browser");
    expect(() => snippetsIn("page.md", "```ts file=a.ts\n```\n```ts project file=a.ts\n```")).toThrow(
      "page.md:3: there is another a.ts on this page.",
    );
    expect(() => snippetsIn("page.md", "```ts continue\n```")).toThrow("there is no snippet to continue");
    expect(() => snippetsIn("page.md", "\n```js\n```")).toThrow("page.md:2: write ts instead of js.");
    expect(() => snippetsIn("page.md", "```ts\n")).toThrow("page.md:1: this code block never ends.");
  });

  it("does not look inside other blocks", () => {
    expect(
      snippetsIn("page.md", "````md\n```ts\n1;\n```\n````\n\n```ts``` inline\n\n```sh\n~~~ts\n```"),
    ).toEqual([]);
  });
});

describe("instrument", () => {
  it("keeps every line where it was", () => {
    const code =
      "const a = 1; // → 1\n\nfor (const x of [a]) {\n  x; // → 1\n}\n\na; // throws Error\nlast();";
    const lines = instrument(one(code)).split("\n");
    expect(lines).toHaveLength(code.split("\n").length);
    expect(lines[7]).toBe("last();");
  });

  it("takes ordinary comments for ordinary comments", () => {
    const code = "a(); // throws away the rest\n// Then → more\nb(); // [1, 2]";
    expect(instrument(one(code))).toBe(code);
  });
});
