import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/workspace.mjs";

const folder = join(root, "docs/decisions");
const records = readdirSync(folder).filter((name) => name !== "README.md");

describe("the decision records", () => {
  it("have a number each, which title and file share", () => {
    const numbers = records.map((name) => Number(/^(\d{4})-[a-z0-9-]+\.md$/.exec(name)?.[1]));
    expect(new Set(numbers).size).toBe(records.length);
    const titles = records.map((name) => readFileSync(join(folder, name), "utf8").split("\n", 1)[0]);
    expect(titles.filter((title, k) => !title?.startsWith(`# ${numbers[k]}. `))).toEqual([]);
  });

  it("begin with their context, and have no headings below the title", () => {
    const wrong = records.filter((name) => {
      const paragraphs = readFileSync(join(folder, name), "utf8").split(/\n\s*\n/);
      const first = paragraphs.slice(1).find((paragraph) => !paragraph.startsWith("> "));
      return (
        !first?.startsWith("**Context.** ") || paragraphs.some((paragraph) => paragraph.startsWith("## "))
      );
    });
    expect(wrong).toEqual([]);
  });

  it("say in a quote at their top, with a link, when they no longer hold", () => {
    const wrong = records.filter((name) => {
      const [, , third = ""] = readFileSync(join(folder, name), "utf8").split("\n");
      const isSuperseded = /superseded|no longer holds/i.test(third);
      return isSuperseded && !/^> \*\*Superseded( in part)?\*\* by \[\d+\]\(\d{4}-.*\.md\)/.test(third);
    });
    expect(wrong).toEqual([]);
  });
});
