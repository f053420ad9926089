import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listFiles } from "../src/server/project-files.ts";

describe("the list of files of a project", () => {
  it("finds prefabs in a folder with very many other files, and says when it did not look at all", () => {
    const many = mkdtempSync(join(tmpdir(), "espalier-many-"));
    try {
      for (const name of ["a", "z"]) mkdirSync(join(many, name));
      for (let k = 0; k < 5100; k++) writeFileSync(join(many, "a", `data${k}.csv`), "");
      writeFileSync(join(many, "z", "tank.prefab.json"), "{}");
      expect(listFiles(many)).toMatchObject({ prefabs: ["z/tank.prefab.json"], isCut: false });
      expect(listFiles(many, 100)).toMatchObject({ prefabs: [], isCut: true });
    } finally {
      rmSync(many, { recursive: true });
    }
  });
});
