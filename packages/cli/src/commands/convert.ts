/**
 * `espalier convert <file> --flat | --nested`: converts between the two forms of a scene.
 */
import { parseScene, printScene, toFlat, toNested } from "espalier/scene";
import { loadOwnFormat } from "../config.ts";
import { type ExitCode, exitCodes, Stop } from "../exit-codes.ts";
import { prefabsOnDisk, readText, shown, sizeOf } from "../files.ts";
import type { Output } from "../output.ts";
import { writeFile } from "../write-files.ts";
import { formatProblem } from "./check.ts";

export interface ConvertOptions {
  readonly flat?: boolean;
  readonly nested?: boolean;
  readonly out?: string;
  readonly force?: boolean;
  readonly write?: boolean;
  readonly prefabs?: string;
}

export async function convert(output: Output, options: ConvertOptions, path: string): Promise<ExitCode> {
  if ((options.flat === true) === (options.nested === true)) {
    throw new Stop(exitCodes.usage, "Convert to what? Give --flat or --nested.");
  }
  if (options.write === true && options.out !== undefined) {
    throw new Stop(exitCodes.usage, "Write where? Give --write or --out, not both.");
  }
  const file = shown(path);
  const text = readText(path);
  const format = await loadOwnFormat();
  output.progress(`Converting ${file} (${sizeOf(text)})`, text.length);
  // Only what the conversion relies on: components are ignored.
  const problems = format
    .check(text, { file, prefabs: prefabsOnDisk(options.prefabs), unknown: "keep" })
    .filter(({ path: where, code }) => code === "scene/syntax" || !/\.components(\.|\[|$)/.test(where));
  if (problems.length > 0) {
    const why = `Not converted: ${file} has problems.`;
    if (output.isJson) {
      output.json({ error: why, problems });
    } else {
      for (const problem of problems) output.note(formatProblem(output, problem));
      output.note(why);
    }
    return exitCodes.problems;
  }
  const scene = parseScene(text, { file });
  const converted = printScene(options.flat === true ? toFlat(scene) : toNested(scene));
  if (hasComments(text)) output.note(`The comments of ${file} are not in the result.`);
  const target = options.write === true ? path : options.out === "-" ? undefined : options.out;
  if (target !== undefined) writeFile(target, converted, options.write === true || options.force === true);
  const out = target === undefined ? null : shown(target);
  if (output.isJson) {
    const form = options.flat === true ? "flat" : "nested";
    output.json({ file, form, out, ...(out === null && { text: converted }) });
  } else if (out === null) {
    output.text(converted);
  } else {
    output.note(`${output.style("green", "✓")} ${out}`);
  }
  return exitCodes.ok;
}

function hasComments(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch {
    return /\/\/|\/\*/.test(text);
  }
}
