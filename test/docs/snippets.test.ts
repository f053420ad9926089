import { describe, expect, it } from "vitest";
import { documents, snippetsOf } from "./documents.ts";
import { runSnippet } from "./snippet-checks.ts";
import { typeErrorsOf } from "./type-check.ts";

const all = documents().flatMap(snippetsOf);
const runnable = all.filter((snippet) => snippet.run);

describe("the documents", () => {
  it("are found", () => {
    expect(documents()).toEqual(expect.arrayContaining(["README.md", "packages/espalier/src/ecs/index.ts"]));
  });

  it("have only snippets that type-check", () => {
    expect(typeErrorsOf(all.filter(({ run, browser }) => run || browser))).toEqual([]);
  });

  it("say why a program of a guide cannot be run, unless it is one of another library", () => {
    const silent = all.filter(
      ({ path, run, browser, reason }) => path.startsWith("docs/guide/") && !run && !browser && reason === "",
    );
    const places = silent.map(({ path, line }) => `${path}:${line}`);
    expect(places.filter((place) => !place.includes("coming-from-"))).toEqual([]);
  });

  for (const snippet of runnable) {
    it(`run as written: ${snippet.path}:${snippet.line}`, async () => {
      await runSnippet(snippet);
    });
  }
});
