/**
 * `espalier import <file>`: a scene from Godot or glTF, and a list of what could not be imported.
 */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { parseScene, printScene, type SceneFile, toFlat } from "espalier/scene";
import { type ExitCode, exitCodes, Stop } from "../exit-codes.ts";
import { prefabNameFor, sceneNameFor, shown, sourceOfPrefab } from "../files.ts";
import { asSaved } from "../import/as-saved.ts";
import { type Imported, importRoot, importScene } from "../import/index.ts";
import type { Output } from "../output.ts";
import { shortened } from "../plain-text.ts";
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
  /** `null` for stdout. */
  readonly out: string | null;
  readonly entities: number;
  readonly unmapped: Imported["unmapped"];
  /** The scene itself, if it is not in a file. */
  readonly text?: string;
}

export async function importFile(output: Output, options: ImportOptions, path: string): Promise<ExitCode> {
  const made: { readonly source: string; readonly target: string; readonly imported: Imported }[] = [];
  const waiting = new Set<string>();
  const reused = new Set<string>();
  const root = importRoot(path);
  const queue = new Set([path]);
  const read = (file: string, target: string) =>
    importScene(file, {
      yUp: options.yUp === true,
      oneRoot: file !== path,
      ...(target === "-" ? {} : { into: dirname(target) }),
      onRead: (size) => output.progress(`Importing ${shown(file)}`, size),
    });
  for (const file of queue) {
    const target = file === path ? (options.out ?? sceneNameFor(file)) : prefabNameFor(file);
    const imported = await read(file, target);
    made.push({ source: file, target, imported });
    for (const need of imported.needs) {
      if (queue.has(need) || reused.has(need)) continue;
      const prefab = prefabNameFor(need);
      if (options.force !== true && existsSync(prefab)) reused.add(need);
      else if (options.recursive === true && existsSync(need)) {
        requireInside(prefab, root);
        queue.add(need);
      } else if (!existsSync(prefab)) waiting.add(need);
    }
  }
  // Nothing is written before everything has been read, and no scene that would not load.
  const scenes = await asSaved(
    made.map(({ source, target, imported: { scene } }) => ({
      file: target === "-" ? source : target,
      text: textOf(scene),
    })),
    async (prefab) => {
      const source = sourceOfPrefab(prefab);
      if (source === undefined || !isInside(source, root) || !existsSync(source)) return undefined;
      try {
        return textOf((await read(source, prefab)).scene);
      } catch (error) {
        // Its problems are reported when it is imported itself.
        if (error instanceof Stop) return undefined;
        throw error;
      }
    },
  );
  const done = made.map(({ source, target, imported: { unmapped } }, k): Done => {
    const { text } = scenes[k] as NewFile;
    const entities = parseScene(text).entities.length;
    const file = shown(source);
    return target === "-"
      ? { file, out: null, entities, unmapped, text }
      : { file, out: shown(target), entities, unmapped };
  });
  writeFiles(
    scenes.filter((_, k) => made[k]?.target !== "-"),
    options.force === true,
  );
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
    output.note(`Used as they are: ${names.join(", ")}. --force imports them again.`);
  }
  if (waiting.size > 0) {
    output.note(
      `The scene uses ${[...waiting].map(shown).join(", ")}: import ${waiting.size === 1 ? "it" : "them"} too, or use --recursive.`,
    );
  }
  return exitCodes.ok;
}

function textOf(scene: SceneFile): string {
  return printScene(toFlat(scene));
}

/** Refuses a scene that would be written outside of the project, wherever the file or a symbolic link leads. */
function requireInside(target: string, root: string): void {
  if (isInside(target, root)) return;
  throw new Stop(
    exitCodes.problems,
    `Cannot import ${shown(target)}: it is outside of the project ${shown(root)}. Nothing was written.`,
  );
}

/** To stderr: stdout may be the scene itself. */
function show(output: Output, { file, out, entities, unmapped }: Done): void {
  output.note(
    `${output.style("green", "✓")} ${file} → ${out ?? "stdout"}, ${entities} ${entities === 1 ? "entity" : "entities"}`,
  );
  const most = 30;
  const short = (text: string) => shortened(text, 200);
  for (const { node, what, kept } of unmapped.slice(0, most)) {
    const where = node === "" ? "" : `${output.style("cyan", short(node))}: `;
    output.note(
      `  ${where}${short(what)} ${output.style("dim", kept ? "(kept in Props)" : "(not imported)")}`,
    );
  }
  if (unmapped.length > most) output.note(`  … and ${unmapped.length - most} more; --json lists all`);
}
