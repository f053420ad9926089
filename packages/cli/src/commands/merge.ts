/**
 * `espalier merge <base> <ours> <theirs>`: three-way merge of a scene, by hand or as a merge driver of git.
 */
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { EspalierError } from "espalier";
import type { MergeChoice } from "espalier/scene";
import { type ConfigOptions, loadConfig } from "../config.ts";
import { type ExitCode, exitCodes, Stop } from "../exit-codes.ts";
import { readText, shown } from "../files.ts";
import { type Decisions, describeConflict, type MergedText, mergeTexts } from "../merge/merge-texts.ts";
import type { Output } from "../output.ts";
import { writeFile } from "../write-files.ts";

export interface MergeOptions extends ConfigOptions {
  readonly out?: string;
  readonly path?: string;
  readonly ours?: boolean;
  readonly theirs?: boolean;
  readonly take?: readonly string[];
  readonly driver?: boolean;
}

export async function merge(
  output: Output,
  options: MergeOptions,
  base: string,
  ours: string,
  theirs: string,
): Promise<ExitCode> {
  // Git passes temporary files, and the real name separately.
  const path = resolve(options.path ?? ours);
  const decisions = decisionsOf(options);
  const target = options.driver === true ? ours : options.out;
  let merged: MergedText;
  try {
    const config = await loadConfig(options, path);
    const texts = { base: readText(base), ours: readText(ours), theirs: readText(theirs) };
    merged = mergeTexts(emptyBase(texts), { config, path, decisions });
  } catch (error) {
    if (options.driver !== true) throw error;
    return mergeAsText(output, error, [base, ours, theirs], path);
  }
  const { text, conflicts, open } = merged;
  if (target !== undefined && target !== "-") writeFile(target, text, true);
  if (output.isJson) {
    const out = target === undefined || target === "-" ? { text } : { out: shown(target) };
    output.json({ file: shown(path), conflicts, open: open.map(({ key }) => key), ...out });
  } else {
    if (target === undefined || target === "-") output.text(text);
    report(output, path, merged);
  }
  return open.length === 0 ? exitCodes.ok : exitCodes.problems;
}

/** Reports open conflicts on stderr, and how to resolve them. */
export function report(output: Output, path: string, { conflicts, open }: MergedText): void {
  const isOpen = new Set(open);
  for (const conflict of conflicts) {
    const mark = isOpen.has(conflict) ? output.style("red", "✗") : output.style("green", "✓");
    output.note(`${mark} ${describeConflict(conflict)}`);
  }
  if (open.length > 0) {
    const file = /^[\w./@-]+$/.test(shown(path)) ? shown(path) : JSON.stringify(shown(path));
    output.note(
      `${open.length} ${open.length === 1 ? "conflict" : "conflicts"} in ${shown(path)}. Edit the file, or: espalier resolve ${file} --ours | --theirs | --take "<conflict>=ours"`,
    );
  }
}

/** The decisions of conflicts. @throws Stop for invalid ones. */
export function decisionsOf({
  ours,
  theirs,
  take = [],
}: Pick<MergeOptions, "ours" | "theirs" | "take">): Decisions {
  if (ours === true && theirs === true)
    throw new Stop(exitCodes.usage, "Take which side? Give --ours or --theirs, not both.");
  const byKey: { [key: string]: MergeChoice } = {};
  for (const word of take) {
    const [, key, side] = /^(.*)=(ours|theirs|both)$/s.exec(word) ?? [];
    if (key === undefined) {
      throw new Stop(
        exitCodes.usage,
        `Cannot understand --take ${JSON.stringify(word)}: write the conflict and a side, such as "value tank Health.hp=theirs".`,
      );
    }
    byKey[key] = side as MergeChoice;
  }
  return { all: ours === true ? "ours" : theirs === true ? "theirs" : undefined, byKey };
}

/** If both sides added the file, git passes an empty one as the common ancestor. */
function emptyBase<Texts extends { readonly base: string }>(texts: Texts): Texts {
  return texts.base.trim() === "" ? { ...texts, base: `{ "entities": [] }` } : texts;
}

/** A scene that does not load is merged as git does without a driver, so that the result is never worse than without it. */
function mergeAsText(
  output: Output,
  error: unknown,
  [base, ours, theirs]: readonly string[],
  path: string,
): ExitCode {
  if (!(error instanceof Stop) && !(error instanceof EspalierError)) throw error;
  output.note(`${shown(path)} was merged as text, because it cannot be merged as a scene: ${error.message}`);
  const args = ["merge-file", "-L", "ours", "-L", "base", "-L", "theirs", ours, base, theirs] as string[];
  const { status } = spawnSync("git", args, { stdio: ["ignore", "ignore", "inherit"] });
  // Lines that merge cleanly may not form a valid scene: a person has to check it.
  return status === null ? exitCodes.missing : exitCodes.problems;
}
