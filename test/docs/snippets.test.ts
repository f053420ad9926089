import { describe, expect, it } from "vitest";
import { documents } from "./documents.ts";
import { runSnippet } from "./snippet-checks.ts";
import { snippetsIn } from "./snippets.ts";
import { typeErrorsOf } from "./type-check.ts";

const all = documents().map(({ path, text }) => ({ path, snippets: snippetsIn(path, text) }));
const runnable = all.flatMap(({ snippets }) => snippets).filter((snippet) => snippet.run);

describe("the documents", () => {
  it("are found", () => {
    expect(all.map(({ path }) => path)).toContain("README.md");
  });

  it("have only snippets that type-check", () => {
    expect(typeErrorsOf(runnable)).toEqual([]);
  });

  for (const snippet of runnable) {
    it(`run as written: ${snippet.path}:${snippet.line}`, async () => {
      await runSnippet(snippet);
    });
  }
});
