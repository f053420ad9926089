import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyDocs, packageReadme, withoutDeadLinks } from "../../scripts/package-docs.mjs";
import { root } from "../../scripts/workspace.mjs";
import { guides } from "../../site/sidebar.mjs";
import { linksIn } from "../docs/links.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "espalier-docs-"));
  copyDocs(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pages = () =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => /\.(md|txt)$/.test(path));

/** The codes that have a page in the repository; another test holds these against the source. */
function pagesOfErrors(): string[] {
  const pages = join(root, "docs/errors");
  const first = (name: string) => readFileSync(join(pages, name), "utf8").split("\n", 1)[0]!;
  return readdirSync(pages)
    .map((name) => first(name).slice(2))
    .sort();
}

/** `name from module`, for each name that the programs of a page import. */
function importsIn(text: string): string[] {
  return [...text.matchAll(/^import \{ (.*) \} from "(.*)";$/gm)].flatMap(([, names, from]) =>
    names!.split(", ").map((name) => `${name} from ${from}`),
  );
}

describe("the documents of the package", () => {
  it("are the guides, the error pages, the glossary, the list of them, and the pictures of the README", () => {
    expect(readdirSync(folder).sort()).toEqual(["errors", "glossary.md", "guide", "images", "llms.txt"]);
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const pictures = files.filter((file) => /\.\w+$/.test(file) && !/\.(md|txt)$/.test(file));
    expect(pictures.sort()).toEqual(["images/editor-animated.png", "images/salvage.png"]);
    const listed = linksIn(readFileSync(join(folder, "llms.txt"), "utf8")).map(({ target }) => target);
    const shipped = pages().map((path) => path.replaceAll("\\", "/"));
    expect([...listed].sort()).toEqual(shipped.filter((path) => path !== "llms.txt").sort());
  });

  it("are listed in learning order: the order of the sidebar of the site", () => {
    const listed = linksIn(readFileSync(join(folder, "llms.txt"), "utf8")).map(({ target }) => target);
    const guidesListed = listed.filter((target) => target.startsWith("guide/"));
    const order = guides.flatMap(({ items }) => items.map(({ page }) => `guide/${page}.md`));
    expect(guidesListed).toEqual(order.filter((path) => guidesListed.includes(path)));
    expect(guidesListed[0]).toBe("guide/getting-started.md");
  });

  it("have no link to a file that is not in the package", () => {
    const dead = pages().flatMap((path) =>
      linksIn(readFileSync(join(folder, path), "utf8"))
        .map(({ target }) => target.split("#")[0]!)
        .filter((target) => target !== "" && !existsSync(join(folder, dirname(path), target)))
        .map((target) => `${path}: ${target}`),
    );
    expect(dead).toEqual([]);
  });

  it("say the language of a block and nothing for tests", () => {
    const guide = readFileSync(join(folder, "guide/getting-started.md"), "utf8");
    const fences = guide.split("\n").filter((line) => /^```\w/.test(line));
    expect([...new Set(fences)].sort()).toEqual(["```html", "```json", "```sh", "```ts"]);
  });

  it("have a section for every error code, with the program that is right", () => {
    const sections = new Map<string, string>();
    for (const name of readdirSync(join(folder, "errors"))) {
      const text = readFileSync(join(folder, "errors", name), "utf8");
      for (const [, code, section] of text.matchAll(/^## (\S+)\n([\s\S]*?)(?=^## |(?![\s\S]))/gm))
        sections.set(code!, section!);
    }
    expect([...sections.keys()].sort()).toEqual(pagesOfErrors());
    const withoutProgram = [...sections].filter(([, text]) => !/^```ts/m.test(text));
    expect(withoutProgram.map(([code]) => code)).toEqual([]);
    const dead = sections.get("ecs/dead-entity")!;
    expect(dead).toContain("if (world.isAlive(target))");
    expect(dead).not.toContain("// throws");
  });

  it("have what the programs of an error page import once, at its top", () => {
    for (const name of readdirSync(join(folder, "errors"))) {
      const text = readFileSync(join(folder, "errors", name), "utf8");
      const [top = "", ...sections] = text.split(/^## /m);
      const room = name.replace(".md", "");
      expect(sections.join("")).not.toMatch(/^import /m);
      const imported = importsIn(top);
      for (const page of readdirSync(join(root, "docs/errors")).filter((page) =>
        page.startsWith(`${room}-`),
      )) {
        const fixed = readFileSync(join(root, "docs/errors", page), "utf8").replace(
          /^```ts[\s\S]*?^```/m,
          "",
        );
        expect(imported, page).toEqual(expect.arrayContaining(importsIn(fixed)));
      }
    }
  });

  it("are beside a README whose links and pictures are all there", () => {
    const library = mkdtempSync(join(tmpdir(), "espalier-package-"));
    copyDocs(join(library, "docs"));
    writeFileSync(join(library, "LICENSE"), "");
    const dead = (text: string) =>
      linksIn(text).filter(({ target }) => !existsSync(join(library, target.split("#")[0]!)));
    const plain = packageReadme(library);
    expect(dead(plain)).toEqual([]);
    expect(linksIn(plain).map(({ target }) => target)).toEqual(
      expect.arrayContaining([
        "docs/images/editor-animated.png",
        "docs/guide/editor.md",
        "docs/errors/",
        "LICENSE",
      ]),
    );
    expect(plain).toContain("See CONTRIBUTING.md, the map of the code");
    const linked = packageReadme(library, "https://example.org/ada/tree");
    expect(dead(linked)).toEqual([]);
    expect(linked).toContain("[CONTRIBUTING.md](https://example.org/ada/tree/blob/HEAD/CONTRIBUTING.md)");
    expect(linked).toContain("](docs/images/editor-animated.png)");
    rmSync(library, { recursive: true });
  });

  it("keep the words of a link that had to go, and other links", () => {
    const text =
      "[bench](../../bench/README.md), [guide](guide/ecs.md#worlds), ![a tank](images/tank.png), [top](#top), [npm](https://npmjs.com)";
    expect(withoutDeadLinks(text, folder)).toBe(
      "bench, [guide](guide/ecs.md#worlds), a tank, [top](#top), [npm](https://npmjs.com)",
    );
  });
});
