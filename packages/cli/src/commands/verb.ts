/**
 * `espalier get|set|create|…  <file>`: the verbs of scenes on a file. Made from the table of the library.
 */
import { formatProblem, type Json, type SceneProblem } from "espalier/scene";
import type { AnyVerb, VerbStep } from "espalier/verbs";
import { type ConfigOptions, loadConfig } from "../config.ts";
import { type ExitCode, exitCodes, Stop } from "../exit-codes.ts";
import { readText, shown } from "../files.ts";
import type { Output } from "../output.ts";
import { withSource } from "../scene-files/insert-source.ts";
import { type FileResult, runOnFile } from "../scene-files/run-on-file.ts";
import { parametersOf } from "./verb-parameters.ts";

export interface VerbOptions extends ConfigOptions {
  readonly dryRun?: boolean;
  readonly author?: string;
  readonly reason?: string;
  readonly journal?: boolean;
  readonly [parameter: string]: unknown;
}

/** Runs a verb with the arguments of the command line. */
export async function runVerbCommand(
  verb: AnyVerb,
  output: Output,
  options: VerbOptions,
  file: string,
  operands: readonly (string | readonly string[] | undefined)[],
): Promise<ExitCode> {
  // --author is an option of edits, and of verbs that choose edits.
  const { author, ...rest } = options;
  const parameters = parametersOf(verb, operands, "author" in verb.parameters ? options : rest);
  const step = await withSource({ verb: verb.name, parameters }, { file });
  const config = await loadConfig(options, file);
  const result = runOnFile(file, step, config, runOptionsOf(options));
  return report(output, result, verb);
}

/** `espalier batch <file> [steps]`: several verbs as one edit. */
export async function batch(
  output: Output,
  options: VerbOptions,
  file: string,
  source = "-",
): Promise<ExitCode> {
  const text = source === "-" ? await readStdin() : readText(source);
  const steps = stepsOf(text, source);
  const resolved: VerbStep[] = [];
  for (const step of steps) resolved.push(await withSource(step, { file }));
  const config = await loadConfig(options, file);
  return report(output, runOnFile(file, resolved, config, runOptionsOf(options)));
}

function runOptionsOf({ dryRun, author, reason, journal }: VerbOptions) {
  return {
    ...(dryRun === true ? { dryRun } : {}),
    ...(author === undefined ? {} : { author }),
    ...(reason === undefined ? {} : { reason }),
    ...(journal === true ? { journal } : {}),
  };
}

async function readStdin(): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}

/** An array of steps; `{ "verb": "set", "entity": … }` is accepted as well as a separate `parameters`. */
function stepsOf(text: string, source: string): VerbStep[] {
  const refuse = (why: string) =>
    new Stop(
      exitCodes.usage,
      `Cannot read the steps of ${source === "-" ? "stdin" : shown(source)}: ${why}. Write [{ "verb": "rename", "parameters": { … } }].`,
    );
  let steps: unknown;
  try {
    steps = JSON.parse(text);
  } catch (error) {
    throw refuse((error as Error).message);
  }
  if (!Array.isArray(steps)) throw refuse("they are not an array");
  return steps.map((step: unknown) => {
    const { verb, parameters, ...rest } = Object(step) as { [key: string]: Json };
    // If both are present, the library refuses the keys beside `parameters`.
    return {
      verb,
      ...(parameters === undefined ? { parameters: rest } : { parameters, ...rest }),
    } as VerbStep;
  });
}

/** Shows what was done to a file, or would be, including warnings and the token to undo it with. */
export function report(output: Output, result: FileResult, verb?: AnyVerb): ExitCode {
  const code = result.problems.length > 0 ? exitCodes.problems : exitCodes.ok;
  if (output.isJson) {
    output.json(result);
    return code;
  }
  for (const { message } of result.warnings) output.note(`${output.style("yellow", "!")} ${message}`);
  for (const problem of result.problems) output.note(formatProblem(problem));
  if (verb?.isReadOnly === true) return showOutput(output, verb.name, result.output);
  for (const line of result.text.split("\n").filter((text) => text !== ""))
    output.line(colored(output, line));
  if (result.text === "") output.note("Nothing changed.");
  else if (result.dryRun) output.note("A dry run: nothing was written.");
  else {
    // Without a journal later calls do not know the edit.
    const canUndo = result.written.some((file) => file.endsWith(".journal"));
    output.note(`${output.style("green", "✓")} ${result.file}${canUndo ? ` (${result.token})` : ""}`);
  }
  return code;
}

const colors = { "+": "green", "-": "red", ">": "cyan", "~": "yellow" } as const;

export function colored(output: Output, line: string): string {
  const color = colors[line[0] as keyof typeof colors];
  return color === undefined ? line : `${output.style(color, line[0] as string)}${line.slice(1)}`;
}

function showOutput(output: Output, verb: string, result: Json): ExitCode {
  if (verb === "find") {
    const { count, entities } = result as unknown as {
      count: number;
      entities: { id: string; path: string }[];
    };
    for (const { id, path } of entities) output.line(`${id}  ${output.style("dim", path)}`);
    if (count === 0) output.note("Nothing found.");
    if (count > entities.length) output.note(`… and ${count - entities.length} more; --limit shows more`);
    return exitCodes.ok;
  }
  if (verb === "validate") {
    const { problems } = result as unknown as { problems: SceneProblem[] };
    for (const problem of problems) output.line(formatProblem(problem));
    if (problems.length === 0) output.line(output.style("green", "no problems"));
    return problems.length === 0 ? exitCodes.ok : exitCodes.problems;
  }
  if (verb === "log") {
    showLog(output, result as unknown as readonly LogRow[]);
    return exitCodes.ok;
  }
  output.line(typeof result === "object" ? JSON.stringify(result, null, 2) : JSON.stringify(result));
  return exitCodes.ok;
}

interface LogRow {
  readonly token: string;
  readonly steps: readonly VerbStep[];
  readonly author: string | null;
  readonly reason: string | null;
  readonly text: string;
  readonly undoes?: string;
  readonly undone?: true;
}

function showLog(output: Output, rows: readonly LogRow[]): void {
  for (const { token, steps, author, reason, text, undoes, undone } of rows) {
    const verbs = steps.map(({ verb }) => verb).join(", ");
    const note = undoes !== undefined ? ` of ${undoes}` : undone === true ? " (undone)" : "";
    output.line(
      `${output.style("bold", token)} ${verbs}${note}${author === null ? "" : ` by ${author}`}${reason === null ? "" : `: ${reason}`}`,
    );
    for (const line of text.split("\n").filter((one) => one !== ""))
      output.line(`  ${colored(output, line)}`);
  }
  if (rows.length === 0) output.note("No edits. A journal is begun with --journal.");
}
