import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fieldsFor, manifests, withBadges, withContact, withFields } from "../../scripts/set-repository.mjs";
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

describe("the contact", () => {
  it.each(["SECURITY.md", "CODE_OF_CONDUCT.md"])("is in %s, and is filled in once", (name) => {
    const text = readFileSync(join(root, name), "utf8");
    const once = withContact(text, "care@example.org");
    expect(once).toContain("<!-- contact --><mailto:care@example.org><!-- /contact -->");
    expect(withContact(once, "care@example.org")).toBe(once);
    expect(withContact(once, "https://example.org/care")).toContain("--><https://example.org/care><!--");
  });

  it.each(["", "nobody", "http://example.org"])("is refused when it is none: %j", (wrong) => {
    expect(() => withContact("<!-- contact --><!-- /contact -->", wrong)).toThrow(TypeError);
  });
});

describe("a release", () => {
  it("is refused as long as packages name no repository", () => {
    const { repository } = JSON.parse(readFileSync(join(root, "packages/espalier/package.json"), "utf8"));
    // A test must never publish: once there is a repository this has nothing to look at.
    if (repository !== undefined) return;
    const release = join(root, "scripts/release.mjs");
    const { status, stderr } = spawnSync(process.execPath, [release], { encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toContain("node scripts/set-repository.mjs https://github.com/<owner>/<name> <contact>");
  });
});
