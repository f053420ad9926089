import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./source-files.ts";

interface Conditions {
  readonly types: string;
  readonly development: string;
  readonly production: string;
  readonly default: string;
}

describe("the exports of the library", () => {
  it("give the same declarations to every build, and one file per condition, in this order", () => {
    const manifest = JSON.parse(readFileSync(join(root, "packages/espalier/package.json"), "utf8"));
    const exports: Record<string, string | Conditions> = manifest.exports;
    for (const [path, conditions] of Object.entries(exports)) {
      if (typeof conditions === "string") continue;
      const entry = path === "." ? "index" : path.slice(2);
      expect(Object.entries(conditions), path).toEqual([
        ["types", `./dist/${entry}.d.mts`],
        ["development", `./dist/development/${entry}.mjs`],
        ["production", `./dist/production/${entry}.mjs`],
        ["default", `./dist/${entry}.mjs`],
      ]);
    }
  });
});
