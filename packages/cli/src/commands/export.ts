/** `espalier export <file> --to <file>`: a scene for Godot or as glTF, and a list of what could not be exported. */
import { type ConfigOptions, loadConfig } from "../config.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { exportScene } from "../export/index.ts";
import { shown } from "../files.ts";
import type { Output } from "../output.ts";
import { shortened } from "../plain-text.ts";
import { writeFiles } from "../write-files.ts";

export interface ExportOptions extends ConfigOptions {
  readonly to: string;
  readonly force?: boolean;
  readonly yUp?: boolean;
}

export async function exportFile(output: Output, options: ExportOptions, file: string): Promise<ExitCode> {
  const { to, yUp } = options;
  const { prefabs } = await loadConfig(options, file);
  const { content, lost, needs } = await exportScene(file, to, { prefabs, yUp: yUp === true });
  writeFiles([{ file: to, text: content }], options.force === true);
  if (output.isJson) {
    output.json({ file: shown(file), out: shown(to), lost, needs });
    return exitCodes.ok;
  }
  output.note(`${output.style("green", "✓")} ${shown(file)} → ${shown(to)}`);
  const most = 30;
  for (const { entity, what } of lost.slice(0, most)) {
    const where = entity === "" ? "" : `${output.style("cyan", shortened(entity, 200))}: `;
    output.note(`  ${where}${shortened(what, 200)} ${output.style("dim", "(not exported)")}`);
  }
  if (lost.length > most) output.note(`  … and ${lost.length - most} more; --json lists all`);
  if (needs.length > 0)
    output.note(`The scene uses ${needs.join(", ")}: export ${needs.length === 1 ? "it" : "them"} too.`);
  return exitCodes.ok;
}
