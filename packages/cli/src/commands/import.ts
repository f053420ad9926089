/**
 * `espalier import <file>`: a scene from Godot or glTF, and a list of what did not come along.
 */
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type PrefabSource, printScene, toFlat } from "espalier/scene";
import { loadOwnFormat } from "../config.ts";
import { type ExitCode, exitCodes, Stop } from "../exit-codes.ts";
import { prefabNameFor, prefabsOnDisk, sceneNameFor, shown } from "../files.ts";
import { type Imported, importRoot, importScene } from "../import/index.ts";
import type { Output } from "../output.ts";
import { type NewFile, writeFiles } from "../write-files.ts";
import { isInside } from "../write-target.ts";

export interface ImportOptions {
  readonly out?: string;
  readonly recursive?: boolean;
  readonly force?: boolean;
  readonly yUp?: boolean;
}

interface Done {
  readonly file: string;
  /** Nothing for stdout. */
  readonly out: string | null;
  readonly entities: number;
  readonly unmapped: Imported["unmapped"];
  /** The scene itself, where that is not in a file. */
  readonly text?: string;
}

export async function importFile(output: Output, options: ImportOptions, path: string): Promise<ExitCode> {
  const done: Done[] = [];
  const files: NewFile[] = [];
  const waiting = new Set<string>();
  const reused = new Set<string>();
  const root = importRoot(path);
  const queue = new Set([path]);
  for (const file of queue) {
    const isFirst = file === path;
    const target = isFirst ? (options.out ?? sceneNameFor(file)) : prefabNameFor(file);
    const imported = await importScene(file, {
      yUp: options.yUp === true,
      oneRoot: !isFirst,
      ...(target === "-" ? {} : { into: dirname(target) }),
      onRead: (size) => output.progress(`Importing ${shown(file)}`, size),
    });
    const scene = toFlat(imported.scene);
    const text = printScene(scene);
    if (target !== "-") files.push({ file: target, text });
    const out = target === "-" ? null : shown(target);
    const { unmapped } = imported;
    const entities = scene.entities.length;
    done.push({ file: shown(file), out, entities, unmapped, ...(out === null && { text }) });
    for (const need of imported.needs) {
      if (queue.has(need) || reused.has(need)) continue;
      const made = prefabNameFor(need);
      if (options.force !== true && existsSync(made)) reused.add(need);
      else if (options.recursive === true && existsSync(need)) {
        requireInside(made, root);
        queue.add(need);
      } else if (!existsSync(made)) waiting.add(need);
    }
  }
  // Nothing is written before everything has been read, and nothing that would not load.
  await requireLoading(files.length > 0 ? files : done.map(({ text = "" }) => ({ file: path, text })));
  writeFiles(files, options.force === true);
  if (output.isJson) {
    output.json({
      files: done,
      needs: [...waiting].map(shown),
      reused: [...reused].map((need) => shown(prefabNameFor(need))),
    });
    return exitCodes.ok;
  }
  for (const { text } of done) if (text !== undefined) output.text(text);
  for (const one of done) show(output, one);
  if (options.recursive === true && reused.size > 0) {
    const names = [...reused].map((need) => shown(prefabNameFor(need)));
    output.note(`Used as they are: ${names.join(", ")}. --force imports them anew.`);
  }
  if (waiting.size > 0) {
    output.note(
      `The scene uses ${[...waiting].map(shown).join(", ")}: import ${waiting.size === 1 ? "it" : "them"} too, or use --recursive.`,
    );
  }
  return exitCodes.ok;
}

/** Refuses a scene that would be written outside of the project, wherever the file or a symbolic link leads. */
function requireInside(target: string, root: string): void {
  if (isInside(target, root)) return;
  throw new Stop(
    exitCodes.problems,
    `Cannot import ${shown(target)}: it is outside of the project ${shown(root)}. Nothing was written.`,
  );
}

/** That what was made can be loaded, as far as its prefabs are there. */
async function requireLoading(files: readonly NewFile[]): Promise<void> {
  const format = await loadOwnFormat();
  const made = new Map(files.map(({ file, text }) => [resolve(file), text]));
  const onDisk = prefabsOnDisk(undefined) as (
    name: string,
    from: string | undefined,
  ) => PrefabSource | undefined;
  const prefabs = (name: string, from: string | undefined) => {
    const file = resolve(dirname(from ?? "."), name);
    const text = made.get(file);
    return text === undefined ? onDisk(name, from) : { file, source: text };
  };
  for (const { file, text } of files) {
    const problem = format
      .check(text, { file: resolve(file), prefabs, unknown: "keep" })
      .find(({ code, file: where }) => code !== "scene/unknown-prefab" && where === resolve(file));
    if (problem === undefined) continue;
    throw new Stop(
      exitCodes.problems,
      `Cannot import ${shown(file)}: the scene would not load (${problem.message}). Nothing was written; please report it.`,
    );
  }
}

/** To stderr: stdout may be the scene itself. */
function show(output: Output, { file, out, entities, unmapped }: Done): void {
  output.note(
    `${output.style("green", "✓")} ${file} → ${out ?? "stdout"}, ${entities} ${entities === 1 ? "entity" : "entities"}`,
  );
  const most = 30;
  for (const { node, what, kept } of unmapped.slice(0, most)) {
    const where = node === "" ? "" : `${output.style("cyan", node)}: `;
    output.note(`  ${where}${what} ${output.style("dim", kept ? "(kept in Props)" : "(not imported)")}`);
  }
  if (unmapped.length > most) output.note(`  … and ${unmapped.length - most} more; --json lists all`);
}
