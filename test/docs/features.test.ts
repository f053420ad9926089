import { describe, expect, it } from "vitest";
import { read } from "../structure/source-files.ts";
import { idsOf, problemsOf } from "./features.ts";

const path = "docs/features.md";

describe("the table of features", () => {
  const page = read([path])[0]!.text;

  it("has a guide and a test for every item, or says that it is not done", () => {
    expect(problemsOf(path, page)).toEqual([]);
  });

  it("lists every item of the five texts, the contradictions, rules, invariants and wishes", () => {
    const counts: Record<string, number> = {};
    for (const id of idsOf(page)) counts[id[0]!] = (counts[id[0]!] ?? 0) + 1;
    expect(counts).toEqual({ S: 42, L: 81, E: 29, B: 37, T: 36, X: 30, R: 48, I: 12, G: 15 });
  });

  it("is found wrong when an item is missing, has no test, leads nowhere or gives no reason", () => {
    const guide = "[ecs](guide/ecs.md)";
    const test = "[links](../test/docs/links.test.ts)";
    const rows = [
      `| S1 | right | ${guide} | ${test} |`,
      `| S2 | no test | ${guide} | |`,
      `| S3 | no guide | | ${test} |`,
      `| S4 | nowhere | [x](guide/no-such.md) | ${test} |`,
      "| S5 | not done | | |",
      "| S6 | not done: nobody has asked for it | | |",
      `| S8 | too many | ${guide} | ${test} |`,
    ];
    const text = `\`\`\`ids\nS1-7\n\`\`\`\n\n${rows.join("\n")}\n`;
    expect(problemsOf(path, text)).toEqual([
      "S8 is not in the list of ids",
      "S2 has no test",
      "S3 has no guide",
      "S4: docs/features.md: guide/no-such.md: there is no docs/guide/no-such.md",
      "S5 does not say why it is not done",
      "S7 has no row",
    ]);
  });
});
