import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { nextVersion } from "../../scripts/next-version.mjs";
import { packages, root } from "../../scripts/workspace.mjs";

const folder = mkdtempSync(join(tmpdir(), "espalier-version-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A copy of everything that changesets reads, with one changeset. */
function copyWorkspace(name: string, changeset: string): { dir: string; paths: string[] } {
  const dir = join(folder, name);
  mkdirSync(join(dir, ".changeset"), { recursive: true });
  for (const file of ["package.json", "package-lock.json", ".changeset/config.json"])
    cpSync(join(root, file), join(dir, file));
  const paths = packages.map((path) => join(dir, "packages", basename(path)));
  for (const [k, path] of paths.entries()) {
    mkdirSync(path, { recursive: true });
    for (const file of ["package.json", "CHANGELOG.md"]) cpSync(join(packages[k]!, file), join(path, file));
  }
  writeFileSync(join(dir, ".changeset/one.md"), changeset);
  return { dir, paths };
}

const manifestIn = (path: string) => JSON.parse(readFileSync(join(path, "package.json"), "utf8"));

/** The version after this one, which is below 1.0. */
function bumped(version: string, part: "minor" | "patch"): string {
  const [major, minor, patch] = version.split(".").map(Number);
  return part === "minor" ? `${major}.${minor! + 1}.0` : `${major}.${minor}.${patch! + 1}`;
}

describe("the next version", () => {
  it.each(["minor", "patch"] as const)(
    "of all packages is the same, and below 1.0 after a %s change",
    (part) => {
      const { version } = manifestIn(packages[0]!);
      const { dir, paths } = copyWorkspace(part, `---\n"espalier": ${part}\n---\n\nWorlds have doors.\n`);
      expect(nextVersion(dir, paths)).toBe(true);
      const next = bumped(version, part);
      for (const path of paths) expect(manifestIn(path).version, path).toBe(next);
      for (const path of paths) {
        const own = Object.entries(manifestIn(path).peerDependencies ?? {}).filter(([name]) =>
          /espalier/.test(name),
        );
        expect(own.map(([, range]) => range)).toEqual(own.map(() => `>=${next}`));
        const { dependencies = {} } = manifestIn(path);
        const exact = Object.keys(dependencies).filter((name) => /espalier/.test(name));
        expect(exact.map((name) => dependencies[name])).toEqual(exact.map(() => next));
      }
      expect(readFileSync(join(paths[0]!, "CHANGELOG.md"), "utf8")).toContain("Worlds have doors.");
      expect(readdirSync(join(dir, ".changeset"))).toEqual(["config.json"]);
    },
  );
});
