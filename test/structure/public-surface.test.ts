import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { developmentEntry } from "../../scripts/development-entries.mjs";
import { root } from "./source-files.ts";

interface Conditions {
  readonly types: string;
  readonly development: string;
  readonly default: string;
}

describe("the exports of the library", () => {
  it("give declarations, the development entry and the plain entry, in this order", () => {
    const manifest = JSON.parse(readFileSync(join(root, "packages/espalier/package.json"), "utf8"));
    const exports: Record<string, string | Conditions> = manifest.exports;
    for (const [path, conditions] of Object.entries(exports)) {
      if (typeof conditions === "string") continue;
      const entry = path === "." ? "index" : path.slice(2);
      expect(Object.entries(conditions), path).toEqual([
        ["types", `./dist/${entry}.d.mts`],
        ["development", `./dist/development/${entry}.mjs`],
        ["default", `./dist/${entry}.mjs`],
      ]);
    }
  });

  it("lead from a development entry to the plain one", () => {
    expect(developmentEntry("index")).toBe(`import "../development.mjs";\nexport * from "../index.mjs";\n`);
    expect(developmentEntry("physics/box2d")).toBe(
      `import "../../development.mjs";\nexport * from "../../physics/box2d.mjs";\n`,
    );
  });
});
