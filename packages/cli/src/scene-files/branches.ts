/**
 * Branches of a scene: a copy beside it that a person or an agent works on, and the version that it was made from.
 */
import { existsSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type MergeConflict, mergeScenes, type SceneFile } from "espalier/scene";
import { pickChanges } from "espalier/verbs";
import type { Config } from "../config.ts";
import { exitCodes, Stop } from "../exit-codes.ts";
import { prefabsOnDisk, readText, shown } from "../files.ts";
import { type Decisions, describeConflict } from "../merge/merge-texts.ts";
import { writeFiles } from "../write-files.ts";
import { journalOf } from "./journal.ts";
import { type FileResult, type RunOnFileOptions, runOnFile } from "./run-on-file.ts";
import { textFor } from "./scene-text.ts";

/** The file of a branch: `level@mine.scene.json`. It is beside the scene, so that prefabs are found. */
export function branchFile(file: string, name: string): string {
  if (!/^[\w-]+$/.test(name)) {
    throw new Stop(
      exitCodes.usage,
      `Cannot name a branch ${JSON.stringify(name)}: a name has letters, digits, "-" and "_" only.`,
    );
  }
  const [, stem = "", ending = ""] = /^(.*?)((?:\.(?:scene|prefab))?\.jsonc?)?$/.exec(basename(file)) ?? [];
  return join(dirname(file), `${stem}@${name}${ending}`);
}

function baseOf(branch: string): string {
  return `${branch}.base`;
}

/** Makes a branch. @returns the file to work on. */
export function createBranch(
  file: string,
  name: string,
  mayWrite: (file: string) => void = () => {},
): string {
  const branch = branchFile(file, name);
  if (existsSync(branch)) {
    throw new Stop(
      exitCodes.usage,
      `Cannot make the branch ${name}: ${shown(branch)} already exists. Choose another name.`,
    );
  }
  const text = readText(file);
  for (const target of [branch, baseOf(branch)]) mayWrite(target);
  writeFiles(
    [
      { file: branch, text },
      { file: baseOf(branch), text },
    ],
    false,
  );
  return branch;
}

export function deleteBranch(file: string, name: string): string {
  const branch = requireBranch(file, name);
  for (const each of [branch, baseOf(branch), journalOf(branch)]) rmSync(each, { force: true });
  return branch;
}

function requireBranch(file: string, name: string): string {
  const branch = branchFile(file, name);
  if (existsSync(branch) && existsSync(baseOf(branch))) return branch;
  throw new Stop(
    exitCodes.usage,
    `There is no branch ${name} of ${shown(file)}: ${shown(branch)} is missing.`,
  );
}

export interface Accepted extends FileResult {
  readonly conflicts: readonly MergeConflict[];
}

/**
 * Merges a branch into its scene, whole or only some entities, as one edit that can be undone.
 *
 * @param entities - The ids of the entities to accept; everything if empty.
 * @throws Stop when conflicts are open; nothing is written then.
 */
export function acceptBranch(
  file: string,
  name: string,
  entities: readonly string[],
  {
    config,
    decisions,
    ...options
  }: RunOnFileOptions & { readonly config: Config; readonly decisions: Decisions },
): Accepted {
  const branch = requireBranch(file, name);
  for (const each of [file, branch, baseOf(branch)]) options.mayRead?.(each);
  const reading = {
    file: shown(file),
    prefabs: prefabsOnDisk(config.prefabs, options.mayRead),
    unknown: config.file === undefined ? "keep" : "refuse",
  } as const;
  const [base, ours, theirs] = [readText(baseOf(branch)), readText(file), readText(branch)];
  const picked: SceneFile | string =
    entities.length === 0 ? theirs : pickChanges(config.format, base, theirs, entities, reading);
  const isOpen = ({ key, kind }: MergeConflict) =>
    decisions.all === undefined && !Object.hasOwn(decisions.byKey, key) && kind !== "added";
  const { file: merged, conflicts } = mergeScenes(config.format, base, ours, picked, {
    ...reading,
    resolve: ({ key, kind }) =>
      Object.hasOwn(decisions.byKey, key)
        ? decisions.byKey[key]
        : kind === "added"
          ? undefined
          : decisions.all,
  });
  const open = conflicts.filter(isOpen);
  if (open.length > 0) {
    throw new Stop(
      exitCodes.problems,
      `Cannot accept ${name}: both changed the same values of the scene.\n${open.map((one) => `  ${describeConflict(one)}`).join("\n")}\nDecide with --ours, --theirs or --take; nothing was written.`,
    );
  }
  const step = { verb: "rewrite", parameters: { scene: merged as never } };
  const result = runOnFile(file, step, config, { reason: `accept ${name}`, ...options });
  if (options.dryRun !== true) {
    if (entities.length === 0) deleteBranch(file, name);
    else writeFiles([{ file: baseOf(branch), text: textFor(base, picked as SceneFile).text }], true);
  }
  return { ...result, conflicts };
}
