/**
 * `espalier check <files…>`: everything that is wrong with scene files.
 */
import { parseScene, type SceneProblem } from "espalier/scene";
import { type ConfigOptions, loadConfig } from "../config.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { findScenes, prefabsOnDisk, readText, shown, sizeOf } from "../files.ts";
import type { Output } from "../output.ts";

export interface CheckOptions extends ConfigOptions {
  readonly strict?: boolean;
}

interface CheckedFile {
  readonly file: string;
  readonly problems: readonly SceneProblem[];
}

export async function check(output: Output, options: CheckOptions, paths: string[]): Promise<ExitCode> {
  const files = findScenes(paths);
  const config = await loadConfig(options, paths[0]);
  const knowsAll = config.file !== undefined || options.strict === true;
  const checked: CheckedFile[] = [];
  const unchecked = new Set<string>();
  const seen = new Set<string>();
  files.forEach((path, k) => {
    const file = shown(path);
    const text = readText(path);
    output.progress(`Checking ${k + 1} of ${files.length}: ${file} (${sizeOf(text)})`, text.length);
    const problems = config.format.check(text, {
      file,
      prefabs: prefabsOnDisk(config.prefabs),
      unknown: knowsAll ? "refuse" : "keep",
    });
    checked.push({ file, problems: problems.filter((problem) => isNews(problem, seen)) });
    if (!knowsAll) for (const name of componentsIn(text)) unchecked.add(name);
  });
  for (const name of config.format.components) unchecked.delete(name);
  const count = checked.reduce((sum, { problems }) => sum + problems.length, 0);
  if (output.isJson) {
    output.json({ problems: count, files: checked, config: config.file ?? null, unchecked: [...unchecked] });
  } else {
    show(output, checked, count);
    if (unchecked.size > 0) {
      output.note(
        `Not checked, because no espalier.config.mjs lists them: ${[...unchecked].sort().join(", ")}. espalier --help shows how.`,
      );
    }
  }
  return count === 0 ? exitCodes.ok : exitCodes.problems;
}

/** Prefabs are checked with every scene that uses them; what is wrong with them is told once. */
function isNews({ file, line, column, code, message }: SceneProblem, seen: Set<string>): boolean {
  const key = [file, line, column, code, message].join("\n");
  const size = seen.size;
  seen.add(key);
  return seen.size > size;
}

function show(output: Output, checked: readonly CheckedFile[], count: number): void {
  for (const { file, problems } of checked) {
    if (problems.length === 0) {
      output.line(`${output.style("green", "✓")} ${file}`);
      continue;
    }
    output.line(`${output.style("red", "✗")} ${output.style("bold", file)}`);
    for (const problem of problems) output.line(`  ${formatProblem(output, problem)}`);
  }
  const bad = checked.filter(({ problems }) => problems.length > 0).length;
  output.line();
  output.line(
    count === 0
      ? output.style("green", `${plural(checked.length, "file")}, no problems`)
      : output.style("red", `${plural(count, "problem")} in ${bad} of ${plural(checked.length, "file")}`),
  );
}

export function formatProblem(
  output: Output,
  { file, line, column, message, path, code }: SceneProblem,
): string {
  const place = line === undefined ? (file ?? "") : `${file}:${line}:${column}`;
  const where = path === "" ? "" : ` ${output.style("dim", `at ${path}`)}`;
  return `${output.style("cyan", place)} ${message}${where} ${output.style("dim", `[${code}]`)}`;
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** The names of all components that a text uses. */
function componentsIn(text: string): Set<string> {
  const names = new Set<string>();
  try {
    const stack: unknown[] = [...parseScene(text).entities];
    while (stack.length > 0) {
      const entry = Object(stack.pop()) as { components?: object; children?: unknown[]; overrides?: object };
      for (const name of Object.keys(entry.components ?? {})) names.add(name);
      for (const child of entry.children ?? []) stack.push(child);
      for (const override of Object.values(entry.overrides ?? {})) stack.push(override);
    }
  } catch {
    // Broken texts have been reported.
  }
  return names;
}
