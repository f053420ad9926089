/** `espalier screenshot <file> [entity]`: a picture of a scene, or of a part of it. */
import { type ConfigOptions, loadConfig } from "../config.ts";
import { type ExitCode, exitCodes, Stop } from "../exit-codes.ts";
import { shown } from "../files.ts";
import type { Output } from "../output.ts";
import { drawScene } from "../screenshot/draw-scene.ts";
import { writeFiles } from "../write-files.ts";

export interface ScreenshotCommandOptions extends ConfigOptions {
  readonly out?: string;
  readonly force?: boolean;
  readonly width?: string;
  readonly height?: string;
  readonly all?: boolean;
  readonly yAxis?: string;
  readonly background?: string;
}

export async function screenshot(
  output: Output,
  options: ScreenshotCommandOptions,
  file: string,
  entity?: string,
): Promise<ExitCode> {
  const { all, yAxis, background } = options;
  if (yAxis !== undefined && yAxis !== "up" && yAxis !== "down")
    throw new Stop(exitCodes.usage, `--y-axis is up or down, got ${JSON.stringify(yAxis)}.`);
  const { png, ...facts } = await drawScene(file, await loadConfig(options, file), {
    width: Number(options.width),
    height: Number(options.height),
    ...(entity === undefined ? {} : { entity }),
    ...(all === true ? { all } : {}),
    ...(yAxis === undefined ? {} : { yAxis }),
    ...(background === undefined ? {} : { background }),
  });
  const out = options.out ?? `${file.replace(/(\.(scene|prefab))?\.jsonc?$/, "")}.png`;
  writeFiles([{ file: out, text: png }], options.force === true);
  if (output.isJson) output.json({ file: shown(file), out: shown(out), ...facts });
  else {
    for (const warning of facts.warnings) output.note(`${output.style("yellow", "!")} ${warning}`);
    output.note(`${output.style("green", "✓")} ${shown(out)}, ${facts.width} × ${facts.height}`);
  }
  return exitCodes.ok;
}
