/** Finding and parsing the files that the structure tests look at. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The folder of the repository, without a trailing slash. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/** A TypeScript or JavaScript file: its path from the root of the repository, with `/`, and its text. */
export interface SourceFile {
  path: string;
  text: string;
}

/**
 * Every file of the repository, as paths from its root: what git tracks or would track, so that new files
 * are checked before they are committed. Without git (an unpacked archive), every file outside the folders
 * that tools fill.
 */
export function repositoryFiles(): string[] {
  if (existsSync(join(root, ".git"))) {
    const list = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
      cwd: root,
      encoding: "utf8",
    });
    // A tracked file may be deleted in the working tree.
    return list.split("\0").filter((path) => path !== "" && existsSync(join(root, path)));
  }
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll("\\", "/"),
    )
    .filter((path) => !/(^|\/)(node_modules|dist|\.git)\//.test(path));
}

/** The source files of all packages: `packages/<name>/src/**`. */
export function packageSources(): SourceFile[] {
  return read(repositoryFiles().filter((path) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(path)));
}

/** Reads files given by their path from the root of the repository. */
export function read(paths: readonly string[]): SourceFile[] {
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** Parses without resolving or checking anything. */
export function parse(file: SourceFile): ts.SourceFile {
  return ts.createSourceFile(file.path, file.text, ts.ScriptTarget.ES2022, true);
}
