/** `espalier branch` and `espalier accept`: work on a copy of a scene, and merge its changes. */
import { type ConfigOptions, loadConfig } from "../config.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { shown } from "../files.ts";
import type { Output } from "../output.ts";
import { acceptBranch, createBranch, deleteBranch } from "../scene-files/branches.ts";
import { decisionsOf, type MergeOptions } from "./merge.ts";
import { report } from "./verb.ts";

export async function branch(
  output: Output,
  options: { readonly delete?: boolean },
  file: string,
  name: string,
): Promise<ExitCode> {
  const made = options.delete === true ? deleteBranch(file, name) : createBranch(file, name);
  if (output.isJson) output.json({ file: shown(file), branch: shown(made) });
  else
    output.note(
      `${output.style("green", "✓")} ${shown(made)}${options.delete === true ? " was deleted" : ""}`,
    );
  return exitCodes.ok;
}

export interface AcceptOptions extends ConfigOptions, Pick<MergeOptions, "ours" | "theirs" | "take"> {
  readonly dryRun?: boolean;
  readonly author?: string;
  readonly reason?: string;
  readonly journal?: boolean;
}

export async function accept(
  output: Output,
  options: AcceptOptions,
  file: string,
  name: string,
  entities: string[] = [],
): Promise<ExitCode> {
  const { dryRun, author, reason, journal } = options;
  const result = acceptBranch(file, name, entities, {
    config: await loadConfig(options, file),
    decisions: decisionsOf(options),
    ...(dryRun === true ? { dryRun } : {}),
    ...(author === undefined ? {} : { author }),
    ...(reason === undefined ? {} : { reason }),
    ...(journal === true ? { journal } : {}),
  });
  return report(output, result);
}
