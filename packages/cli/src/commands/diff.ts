/** `espalier diff <a> <b>`: what differs between two scenes, by entity. */
import { compareScenes, printChanges } from "espalier/verbs";
import { type ConfigOptions, loadConfig } from "../config.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { prefabsOnDisk, readText, shown } from "../files.ts";
import type { Output } from "../output.ts";
import { colored } from "./verb.ts";

export interface DiffOptions extends ConfigOptions {
  /** The scene file that both are versions of; prefabs are found beside it. */
  readonly path?: string;
}

export async function diff(output: Output, options: DiffOptions, a: string, b: string): Promise<ExitCode> {
  const near = options.path ?? b;
  const config = await loadConfig(options, near);
  const changes = compareScenes(config.format, readText(a), readText(b), {
    file: shown(near),
    prefabs: prefabsOnDisk(config.prefabs),
    unknown: config.file === undefined ? "keep" : "refuse",
  });
  if (output.isJson) output.json({ a: shown(a), b: shown(b), changes });
  else {
    for (const line of printChanges(changes).split("\n")) if (line !== "") output.line(colored(output, line));
    if (changes.length === 0) output.note("No differences.");
  }
  // As diff does, so that a script can test whether anything differs.
  return changes.length === 0 ? exitCodes.ok : exitCodes.problems;
}
