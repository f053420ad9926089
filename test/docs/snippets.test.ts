import { describe, expect, it } from "vitest";
import { canRun } from "../../site/playground/imports.mjs";
import { read, repositoryFiles } from "../structure/source-files.ts";
import { documents, snippetsOf } from "./documents.ts";
import { pageFile } from "./page-files.ts";
import { runSnippet } from "./snippet-checks.ts";
import { fencesIn } from "./snippets.ts";
import { typeErrorsOf } from "./type-check.ts";

const all = documents().flatMap(snippetsOf);
const runnable = all.filter((snippet) => snippet.run);
const pages = read(documents().filter((path) => path.endsWith(".md")));
const fences = pages.flatMap(({ path, text }) => fencesIn(path, text).map((fence) => ({ ...fence, path })));

/** `path file` of each block that a test takes with `pageFile` to run it in a project. */
function takenByTests(): string[] {
  const tests = read(repositoryFiles().filter((path) => path.endsWith(".test.ts")));
  return tests.flatMap(({ text }) =>
    [...text.matchAll(/\bpageFile\(\s*"([^"]+)",\s*"([^"]+)",?\s*\)/g)].map(
      ([, path, file]) => `${path} ${file}`,
    ),
  );
}

/** The first lines of blocks that are code because they are indented. What follows a list is a part of it. */
function indentedCode(text: string): number[] {
  let [isFenced, isList] = [false, false];
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    if (/^\s*```/.test(line)) isFenced = !isFenced;
    else if (/^\S/.test(line)) isList = /^([-*+]|\d+\.) /.test(line);
    const isFirst = lines[index - 1] === "" && /^( {4}|\t)\S/.test(line);
    return isFirst && !isFenced && !isList ? [index + 1] : [];
  });
}

describe("the documents", () => {
  it("are found", () => {
    expect(documents()).toEqual(expect.arrayContaining(["README.md", "packages/espalier/src/ecs/index.ts"]));
  });

  // One program of all of them, the editor with them: on a loaded machine the usual minute is short.
  it("have only snippets that type-check", { timeout: 600_000 }, () => {
    expect(typeErrorsOf(all)).toEqual([]);
  });

  it("have only files of projects that a test takes and runs", () => {
    const taken = new Set(takenByTests());
    const files = [
      ...all.filter(({ project }) => project),
      ...fences.filter(({ language }) => language === "html" || language === "console"),
    ];
    expect(files.length).toBeGreaterThan(10);
    const left = files.filter(({ path, file }) => !taken.has(`${path} ${file}`));
    expect(left.map(({ path, line, file }) => `${path}:${line} ${file}`)).toEqual([]);
  });

  it("have programs for pages only where the tests of the site run them", () => {
    const elsewhere = all.filter(
      ({ path, browser, code }) => browser && !(path.startsWith("docs/guide/") && canRun(code)),
    );
    expect(elsewhere.map(({ path, line }) => `${path}:${line}`)).toEqual([]);
  });

  it("have only languages that can be run, and drawings without one", () => {
    const run = new Set(["ts", "tsx", "html", "json", "sh", "console"]);
    const others = fences.filter(({ language }) => !run.has(language));
    const kinds = new Set(others.map(({ path, language }) => `${path} ${language}`));
    expect([...kinds]).toEqual(["docs/architecture.md ", "docs/features.md ids"]);
  });

  it("have no code outside fences, where it would not be run", () => {
    const indented = pages.flatMap(({ path, text }) => indentedCode(text).map((line) => `${path}:${line}`));
    expect(indented).toEqual([]);
    expect(
      indentedCode("Run\n\n    npm test\n\n- a list\n\n      goes on\n\n```ts\n\n    a();\n```\n"),
    ).toEqual([3]);
  });

  it("have only JSON that can be read", () => {
    const json = fences.filter(({ language }) => language === "json");
    expect(json.length).toBeGreaterThan(0);
    for (const { path, line, body } of json)
      expect(() => JSON.parse(body.join("\n")), `${path}:${line}`).not.toThrow();
  });

  it.each([
    ["bitecs", "version 0.4.0"],
    ["koota", "version 0.6.6"],
    ["miniplex", "version 2.0.0"],
    ["pixi.js", "PixiJS 8"],
    ["three", "three.js r187"],
  ])("name the version of %s that they describe, which runs its programs", (name, words) => {
    const [page] = read([`docs/guide/coming-from-${name.replace(".js", "")}.md`]);
    expect(page!.text.replaceAll("\n", " ")).toContain(words);
    const [manifest] = read(["package.json"]);
    const { [name]: version = "" } = JSON.parse(manifest!.text).devDependencies;
    expect(version).toMatch(
      new RegExp(`^(0\\.)?${words.match(/[\d.]+$/)![0].replaceAll(".", "\\.")}(\\.|$)`),
    );
  });

  for (const snippet of runnable) {
    it(`run as written: ${snippet.path}:${snippet.line}`, async () => {
      await runSnippet(snippet);
    });
  }
});

describe("pageFile", () => {
  it("gives a block with what it continues, and refuses a name that no block has", () => {
    const path = "docs/guide/getting-started.md";
    expect(pageFile(path, "index.html")).toMatch(/^<!doctype html>/);
    expect(() => pageFile(path, "nowhere.ts")).toThrow(`${path} has no block with file=nowhere.ts.`);
  });
});
