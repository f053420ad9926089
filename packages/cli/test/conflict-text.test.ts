import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { conflictText, sideOfText } from "../src/merge/conflict-text.ts";

const labels = { ours: "ours", theirs: "theirs" };

describe("a text with conflict marks", () => {
  it("contains both sides, with common lines outside the marks, for any sides", () => {
    const line = fc.constantFrom("a", "b", "{", "}", "one", "two", "three", "four");
    const text = fc.array(line, { maxLength: 30 }).map((lines) => lines.map((one) => `${one}\n`).join(""));
    fc.assert(
      fc.property(text, text, (ours, theirs) => {
        const marked = conflictText(ours, theirs, labels);
        if (ours === theirs) {
          expect(marked).toBe(ours === "" ? "\n" : ours);
          return;
        }
        const sides = (["ours", "theirs"] as const).map((side) => sideOfText(marked, side));
        expect(sides).toEqual([ours, theirs].map((one) => (one === "" ? "\n" : one)));
      }),
      { numRuns: 2000 },
    );
  });

  it("marks what differs between lines that both have once, and nothing else", () => {
    const text = (x: number, y: number) =>
      `{\n  "id": "a",\n  "x": ${x}\n}\n{\n  "id": "b",\n  "x": ${y}\n}\n`;
    expect(conflictText(text(1, 5), text(2, 5), labels)).toBe(
      `{\n  "id": "a",\n<<<<<<< ours\n  "x": 1\n=======\n  "x": 2\n>>>>>>> theirs\n}\n{\n  "id": "b",\n  "x": 5\n}\n`,
    );
  });

  it("has parts of any length", { timeout: 120_000 }, () => {
    const [ours, theirs] = ["1,\n".repeat(300_000), "2\n"];
    const marked = conflictText(ours, theirs, labels);
    expect([sideOfText(marked, "ours") === ours, sideOfText(marked, "theirs")]).toEqual([true, theirs]);
    expect(conflictText(ours, ours, labels)).toBe(ours);
  });

  it("is made of 100,000 conflicts without comparing every pair", { timeout: 120_000 }, () => {
    const side = (value: string) =>
      Array.from({ length: 100_000 }, (_, k) => `"id": "e${k}",\n"x": ${value}${k % 7}\n},\n`).join("");
    const marked = conflictText(side("1"), side("2"), labels);
    expect(sideOfText(marked, "theirs")).toBe(side("2"));
    expect(marked.split("<<<<<<< ours\n")).toHaveLength(100_001);
  });
});
