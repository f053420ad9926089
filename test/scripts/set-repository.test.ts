import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fieldsFor, manifests, withBadges, withFields } from "../../scripts/set-repository.mjs";
import { root } from "../structure/source-files.ts";

const url = "https://example.org/ada/tree";

describe("the address of the repository", () => {
  it("is the same in all packages, or in none yet", () => {
    const pages = manifests.map((folder) => {
      const { homepage } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
      return homepage;
    });
    expect(new Set(pages).size).toBe(1);
  });

  it("becomes three fields, behind the author, once", () => {
    const manifest = { name: "x", author: "Ada", type: "module" };
    const once = withFields(manifest, fieldsFor(url, "packages/cli"));
    expect(Object.keys(once)).toEqual(["name", "author", "homepage", "bugs", "repository", "type"]);
    expect(once.repository).toEqual({
      type: "git",
      url: "git+https://example.org/ada/tree.git",
      directory: "packages/cli",
    });
    expect(withFields(once, fieldsFor(url, "packages/cli"))).toEqual(once);
  });

  it("has no folder for the library, whose README is the one at the root", () => {
    expect(fieldsFor(url, "packages/espalier").repository).not.toHaveProperty("directory");
  });

  it("makes the badges of the README, once", () => {
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const once = withBadges(readme, url);
    expect(once).toContain(
      `[![Tests](${url}/actions/workflows/ci.yml/badge.svg)](${url}/actions/workflows/ci.yml)`,
    );
    expect(withBadges(once, url)).toBe(once);
    expect(() => withBadges("# Espalier", url)).toThrow("no place for badges");
  });

  it.each(["", "ada/tree", "https://example.org/ada", "https://example.org/ada/tree/issues"])(
    "is refused when it is none: %j",
    (wrong) => {
      expect(() => fieldsFor(wrong, "packages/cli")).toThrow(TypeError);
    },
  );
});
