/**
 * `espalier git-install`: makes git merge scenes with Espalier in this repository.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { readText, shown } from "../files.ts";
import { git, workTreeOf } from "../merge/git.ts";
import type { Output } from "../output.ts";
import { writeFile } from "../write-files.ts";

/** Files that are merged as scenes. */
const patterns = ["*.scene.json", "*.scene.jsonc", "*.prefab.json", "*.prefab.jsonc"];

export interface GitInstallOptions {
  readonly command?: string;
}

export async function gitInstall(
  output: Output,
  { command = "npx --no-install espalier" }: GitInstallOptions,
): Promise<ExitCode> {
  const root = workTreeOf(join(process.cwd(), "x"));
  const file = join(root, ".gitattributes");
  const before = existsSync(file) ? readText(file) : "";
  // A line with other attributes, such as `text eol=lf`, can be combined with another.
  const rules = before.split("\n").map((line) => line.trim().split(/\s+/));
  const known = new Set(
    rules.filter((words) => words.some((word) => /^[-!]?merge(=|$)/.test(word))).map(([pattern]) => pattern),
  );
  const added = patterns
    .filter((pattern) => !known.has(pattern))
    .map((pattern) => `${pattern} merge=espalier`);
  if (added.length > 0) {
    const gap = before === "" || before.endsWith("\n") ? "" : "\n";
    writeFile(file, `${before}${gap}${added.join("\n")}\n`, true);
  }
  git(root, "config", "merge.espalier.name", "scenes of Espalier, merged by entity");
  git(root, "config", "merge.espalier.driver", `${command} merge --driver --path %P %O %A %B`);
  // The common ancestor of a criss-cross merge is merged as text: scenes are merged only where people see the result.
  git(root, "config", "merge.espalier.recursive", "text");
  if (output.isJson) output.json({ root, attributes: shown(file), added });
  else {
    output.note(
      `${output.style("green", "✓")} ${shown(file)}${added.length === 0 ? " (nothing to add)" : ""}: commit it, so that all clones have it`,
    );
    output.note(`${output.style("green", "✓")} .git/config: everyone runs this command once per clone`);
  }
  return exitCodes.ok;
}
