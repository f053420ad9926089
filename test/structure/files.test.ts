import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageSources, repositoryFiles, root } from "./source-files.ts";

const longest = 600;

/** Folders in which machines keep people's and builds' files, at the start of an absolute path. */
const machineFolders = ["home", "Users", "root", "tmp", "work", "var/folders", "mnt", "builds", "workspace"];
const machinePath = new RegExp(`(?<![\\w.~*)\\]}/-])/(${machineFolders.join("|")})/|\\b[A-Z]:\\\\Users\\b`);

/** Addresses packages are downloaded from, and the field in which npm records one. */
const registry = new RegExp(
  [
    ["registry", "npmjs", "org"],
    ["registry", "yarnpkg", "com"],
    ["npm", "pkg", "github", "com"],
  ]
    .map((host) => host.join("\\."))
    .concat(['"resolved": "', "https?:"].join(""), "^(.*:)?registry\\s*=")
    .join("|"),
  "m",
);

/** What in `text` ties it to one machine, as `line: match`. */
function tiesOf(text: string): string[] {
  return text.split("\n").flatMap((line, index) => {
    const own = [root, homedir()].find((path) => path.length > 5 && line.includes(path));
    const found = own ?? machinePath.exec(line)?.[0] ?? registry.exec(line)?.[0];
    return found === undefined ? [] : `${index + 1}: ${found}`;
  });
}

describe("every file of the repository", () => {
  it("names no path of a machine and no registry", () => {
    const ties = repositoryFiles().flatMap((path) => {
      const bytes = readFileSync(join(root, path));
      if (bytes.includes(0)) return [];
      return tiesOf(bytes.toString("utf8")).map((tie) => `${path}:${tie}`);
    });
    expect(ties).toEqual([]);
  });

  it("is seen as tied to a machine when it is", () => {
    const slash = "/";
    for (const path of [
      `${slash}home/ada/x`,
      `"${slash}tmp/x"`,
      `(${slash}work/x`,
      `C:\\Users\\ada`,
      `${root}/x`,
    ]) {
      expect(tiesOf(`see ${path}`), path).toHaveLength(1);
    }
    const host = ["registry", "npmjs", "org"].join(".");
    expect(tiesOf(`ok\n"tarball": "//${host}/x.tgz"`)).toHaveLength(1);
    expect(tiesOf(["registry", "https://example.org"].join("="))).toHaveLength(1);
    const harmless = [
      "docs/home/index.md",
      `.${slash}tmp/x`,
      `https://example.org${slash}work/x`,
      `and${slash}root/x`,
    ];
    expect(tiesOf(harmless.join(", "))).toEqual([]);
  });
});

describe("every source file", () => {
  it(`has at most ${longest} lines`, () => {
    const long = packageSources()
      .map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }))
      .filter(({ lines }) => lines > longest);
    expect(long).toEqual([]);
  });
});
