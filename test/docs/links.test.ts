import { describe, expect, it } from "vitest";
import { read, repositoryFiles } from "../structure/source-files.ts";
import { anchorsOf, brokenLink, linksIn } from "./links.ts";

const pages = repositoryFiles().filter(
  (path) => /^([^/]+\.md|docs\/.*\.md)$/.test(path) || /^packages\/espalier\/src\/.*\.md$/.test(path),
);

describe("links and paths of documents", () => {
  it("lead to files and headings that exist", () => {
    const broken = read(pages).flatMap(({ path, text }) =>
      linksIn(text).map(({ target }) => brokenLink(path, target)),
    );
    expect(broken.filter((problem) => problem !== undefined)).toEqual([]);
  });

  it("name files of the source that exist", () => {
    const files = repositoryFiles();
    const named = /`([\w./-]+\.(?:ts|tsx|mjs))`/g;
    const missing = read(pages.filter((path) => /^packages\/|architecture\.md$/.test(path))).flatMap(
      ({ path, text }) =>
        [...text.matchAll(named)]
          .map(([, name]) => name as string)
          .filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)))
          .map((name) => `${path}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it("are found in prose, not in code and not where they leave the repository", () => {
    const text = "[a](x.md) `[b](y.md)` [c](https://c.org)\n\n```ts\n[d](z.md)\n```\n\n![e](e.png)";
    expect(linksIn(text).map(({ target }) => target)).toEqual(["x.md", "e.png"]);
    expect(anchorsOf("# A b, c!\n## `d` - e")).toEqual(["a-b-c", "d---e"]);
    expect(brokenLink("README.md", "no-such.md")).toContain("no-such.md");
    expect(brokenLink("README.md", "CONTRIBUTING.md#no-such")).toContain("#no-such");
  });
});
