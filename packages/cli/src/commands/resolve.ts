/**
 * `espalier resolve <file>`: decides the conflicts of a scene that git could not merge.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve as resolvePath, sep } from "node:path";
import type { MergeChoice } from "espalier/scene";
import { type ConfigOptions, loadConfig } from "../config.ts";
import { type ExitCode, exitCodes, Stop } from "../exit-codes.ts";
import { readText, shown } from "../files.ts";
import { sideOfText } from "../merge/conflict-text.ts";
import { git, tryGit, workTreeOf } from "../merge/git.ts";
import { mergeTexts, type Texts } from "../merge/merge-texts.ts";
import type { Output } from "../output.ts";
import { writeFile } from "../write-files.ts";
import { decisionsOf, report } from "./merge.ts";

export interface ResolveOptions extends ConfigOptions {
  readonly ours?: boolean;
  readonly theirs?: boolean;
  readonly take?: readonly string[];
  readonly list?: boolean;
  readonly add?: boolean;
}

export async function resolve(output: Output, options: ResolveOptions, path: string): Promise<ExitCode> {
  const file = resolvePath(path);
  const given = decisionsOf(options);
  const folder = dirname(file);
  const root = isInGit(folder) ? workTreeOf(file) : undefined;
  const name = root === undefined ? "" : relative(root, file).split(sep).join("/");
  const texts = root === undefined ? undefined : stagesOf(root, name);
  if (texts === undefined) return resolveText(output, file, given.all);
  const memory = decisionsFile(root as string, name, texts);
  const byKey = { ...remembered(memory), ...given.byKey };
  const config = await loadConfig(options, file);
  const merged = mergeTexts(texts, { config, path: file, decisions: { all: given.all, byKey } });
  const isDone = merged.open.length === 0;
  if (options.list !== true) {
    writeFile(file, merged.text, true);
    if (isDone) rmSync(memory, { force: true });
    else {
      mkdirSync(dirname(memory), { recursive: true });
      writeFileSync(memory, JSON.stringify(byKey));
    }
    if (isDone && options.add === true) git(root as string, "add", "--", name);
  }
  if (output.isJson) {
    output.json({ file: shown(file), conflicts: merged.conflicts, open: merged.open.map(({ key }) => key) });
  } else {
    report(output, file, merged);
    if (isDone && options.list !== true) {
      output.note(
        `${output.style("green", "✓")} ${shown(file)} is resolved${options.add === true ? " and added" : `. Next: git add ${shown(file)}`}`,
      );
    }
  }
  return isDone ? exitCodes.ok : exitCodes.problems;
}

function isInGit(folder: string): boolean {
  return tryGit(folder, "rev-parse", "--is-inside-work-tree").stdout.trim() === "true";
}

/** The three versions of a file that git could not merge; `undefined` when it could. */
function stagesOf(root: string, name: string): Texts | undefined {
  const stage = (k: number) => tryGit(root, "show", `:${k}:${name}`);
  const [base, ours, theirs] = [stage(1), stage(2), stage(3)];
  if (base.status === 0 && (ours.status === 0) !== (theirs.status === 0)) {
    throw new Stop(
      exitCodes.usage,
      `Cannot resolve ${name}: ${ours.status === 0 ? "their" : "our"} side deleted the file. Keep it with git add, or delete it with git rm.`,
    );
  }
  if (ours.status !== 0 || theirs.status !== 0) return undefined;
  const common = base.status === 0 ? base.stdout : `{ "entities": [] }`;
  return { base: common, ours: ours.stdout, theirs: theirs.stdout };
}

/** A file with conflict marks but without its versions: takes one whole side. */
function resolveText(output: Output, file: string, side: "ours" | "theirs" | undefined): ExitCode {
  const text = readText(file);
  const isOpen = sideOfText(text, "ours") !== undefined;
  if (!isOpen) throw new Stop(exitCodes.usage, `${shown(file)} has no conflicts to resolve.`);
  if (side === undefined) {
    throw new Stop(
      exitCodes.usage,
      `Take which side of ${shown(file)}? Give --ours or --theirs: git does not have its three versions, so conflicts cannot be distinguished.`,
    );
  }
  writeFile(file, sideOfText(text, side) as string, true);
  if (output.isJson) output.json({ file: shown(file), conflicts: [], open: [] });
  else output.note(`${output.style("green", "✓")} ${shown(file)} is resolved`);
  return exitCodes.ok;
}

/** The file that stores decisions until all are made: they apply to exactly these three versions. */
function decisionsFile(root: string, name: string, { base, ours, theirs }: Texts): string {
  const key = createHash("sha256").update([name, base, ours, theirs].join("\0")).digest("hex").slice(0, 16);
  const path = git(root, "rev-parse", "--git-path", `espalier/${key}.json`).trim();
  return resolvePath(root, path);
}

function remembered(file: string): { readonly [key: string]: MergeChoice } {
  return existsSync(file) ? (JSON.parse(readText(file)) as { [key: string]: MergeChoice }) : {};
}
