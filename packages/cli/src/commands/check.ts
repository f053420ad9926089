/**
 * `espalier check <files…>`: everything that is wrong with scene files.
 */
import { checkAssets, parseScene } from "espalier/scene";
import { missingAsset } from "../assets-on-disk.ts";
import { clipProblems, type FoundProblem } from "../clip-problems.ts";
import { type ConfigOptions, loadConfig } from "../config.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { findScenes, prefabsOnDisk, readText, shown, sizeOf } from "../files.ts";
import type { Output } from "../output.ts";
import { shortened } from "../plain-text.ts";

export interface CheckOptions extends ConfigOptions {
  readonly strict?: boolean;
}

interface CheckedFile {
  readonly file: string;
  /** The problems of this file. */
  readonly problems: readonly FoundProblem[];
  /** Prefabs that it needs and that have problems themselves: it does not load either. */
  readonly broken: readonly string[];
}

export async function check(output: Output, options: CheckOptions, paths: string[]): Promise<ExitCode> {
  const files = findScenes(paths);
  const config = await loadConfig(options, paths[0]);
  const knowsAll = config.file !== undefined || options.strict === true;
  const found: { readonly file: string; readonly problems: readonly FoundProblem[] }[] = [];
  const unchecked = new Set<string>();
  files.forEach((path, k) => {
    const file = shown(path);
    const text = readText(path);
    output.progress(`Checking ${k + 1} of ${files.length}: ${file} (${sizeOf(text)})`, text.length);
    const reading = {
      file,
      prefabs: prefabsOnDisk(config.prefabs),
      unknown: knowsAll ? "refuse" : "keep",
    } as const;
    const problems = config.format.check(text, reading);
    const missing =
      config.assets === undefined
        ? []
        : checkAssets(text, config.format, missingAsset(config.assets), { ...reading, lenient: true });
    // Only a scene that loads has entities whose targets can be checked.
    const lost = problems.length === 0 ? clipProblems(text, config, reading) : [];
    found.push({ file, problems: [...problems, ...missing, ...lost] });
    if (!knowsAll) for (const name of componentsIn(text)) unchecked.add(name);
  });
  for (const name of config.format.components) unchecked.delete(name);
  const checked = byFile(found);
  const count = checked.reduce((sum, { problems }) => sum + problems.length, 0);
  if (output.isJson) {
    output.json({ problems: count, files: checked, config: config.file ?? null, unchecked: [...unchecked] });
  } else {
    show(output, checked, count);
    if (unchecked.size > 0) {
      const names = [...unchecked].sort().map((name) => shortened(name, 80));
      output.note(
        `Not checked, because no espalier.config.mjs lists them: ${names.join(", ")}. espalier --help shows how.`,
      );
    }
  }
  return count === 0 ? exitCodes.ok : exitCodes.problems;
}

/** Every problem once, with the file that contains it, even if it was found through another scene. */
function byFile(
  found: readonly { readonly file: string; readonly problems: readonly FoundProblem[] }[],
): CheckedFile[] {
  const seen = new Set<string>();
  const own = new Map(found.map(({ file }) => [file, [] as FoundProblem[]]));
  for (const { file, problems } of found) {
    for (const problem of problems) {
      if (isNews(problem, seen)) (own.get(problem.file ?? file) ?? own.get(file))?.push(problem);
    }
  }
  return found.map(({ file, problems }) => {
    const elsewhere = problems.flatMap((problem) => problem.file ?? []).filter((other) => other !== file);
    return { file, problems: own.get(file) ?? [], broken: [...new Set(elsewhere)] };
  });
}

/** Prefabs are checked with every scene that uses them; their problems are reported once. */
function isNews({ file, line, column, code, message }: FoundProblem, seen: Set<string>): boolean {
  const key = [file, line, column, code, message].join("\n");
  const size = seen.size;
  seen.add(key);
  return seen.size > size;
}

function show(output: Output, checked: readonly CheckedFile[], count: number): void {
  for (const { file, problems, broken } of checked) {
    if (problems.length === 0 && broken.length === 0) {
      output.line(`${output.style("green", "✓")} ${file}`);
      continue;
    }
    output.line(`${output.style("red", "✗")} ${output.style("bold", file)}`);
    for (const problem of problems) output.line(`  ${formatProblem(output, problem)}`);
    const others = broken.filter((other) => problems.every((problem) => problem.file !== other));
    if (others.length > 0) output.line(`  needs ${others.join(", ")}, which cannot be read`);
  }
  const bad = checked.filter(({ problems, broken }) => problems.length + broken.length > 0).length;
  output.line();
  output.line(
    count === 0
      ? output.style("green", `${plural(checked.length, "file")}, no problems`)
      : output.style("red", `${plural(count, "problem")} in ${bad} of ${plural(checked.length, "file")}`),
  );
}

export function formatProblem(
  output: Output,
  { file, line, column, message, path, code }: FoundProblem,
): string {
  const location = line === undefined ? (file ?? "") : `${file}:${line}:${column}`;
  const where = path === "" ? "" : ` ${output.style("dim", `at ${path}`)}`;
  return `${output.style("cyan", location)} ${shortened(message, 500)}${where} ${output.style("dim", `[${code}]`)}`;
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
