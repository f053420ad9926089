/**
 * `espalier import <file>`: a scene from Godot or glTF, and a list of what did not come along.
 */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { printScene, toFlat } from "espalier/scene";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { sceneNameFor, shown, writeNew } from "../files.ts";
import { type Imported, importScene } from "../import/index.ts";
import type { Output } from "../output.ts";

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
  const waiting = new Set<string>();
  const queue = [path];
  for (const file of queue) {
    const target = file === path && options.out !== undefined ? options.out : sceneNameFor(file);
    const imported = await importScene(file, {
      yUp: options.yUp === true,
      ...(target === "-" ? {} : { into: dirname(target) }),
      onRead: (size) => output.progress(`Importing ${shown(file)}`, size),
    });
    const scene = toFlat(imported.scene);
    const text = printScene(scene);
    if (target !== "-") writeNew(target, text, options.force === true);
    else if (!output.isJson) output.text(text);
    const out = target === "-" ? null : shown(target);
    const { unmapped } = imported;
    const entities = scene.entities.length;
    done.push({ file: shown(file), out, entities, unmapped, ...(out === null && { text }) });
    for (const need of imported.needs) {
      if (queue.includes(need)) continue;
      if (options.recursive === true && existsSync(need)) queue.push(need);
      else if (!existsSync(sceneNameFor(need))) waiting.add(need);
    }
  }
  if (output.isJson) {
    output.json({ files: done, needs: [...waiting].map(shown) });
    return exitCodes.ok;
  }
  for (const one of done) show(output, one);
  if (waiting.size > 0) {
    output.note(
      `The scene uses ${[...waiting].map(shown).join(", ")}: import ${waiting.size === 1 ? "it" : "them"} too, or use --recursive.`,
    );
  }
  return exitCodes.ok;
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
