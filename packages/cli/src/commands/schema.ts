/**
 * `espalier schema`: the JSON Schema of scenes with the user's components.
 */
import { type ConfigOptions, loadConfig } from "../config.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { shown } from "../files.ts";
import type { Output } from "../output.ts";
import { writeFile } from "../write-files.ts";

export interface SchemaOptions extends ConfigOptions {
  readonly out?: string;
  readonly force?: boolean;
}

export async function schema(output: Output, options: SchemaOptions): Promise<ExitCode> {
  const { format, file } = await loadConfig(options);
  const text = `${JSON.stringify(format.jsonSchema(), null, 2)}\n`;
  if (file === undefined) {
    output.note("No espalier.config.mjs was found: the schema knows the components of the library only.");
  }
  if (options.out !== undefined && options.out !== "-") {
    writeFile(options.out, text, options.force === true);
    if (output.isJson) output.json({ out: shown(options.out), components: format.components });
    else
      output.note(`${output.style("green", "✓")} ${shown(options.out)} with ${format.components.join(", ")}`);
  } else if (output.isJson) {
    output.json(format.jsonSchema());
  } else {
    output.text(text);
  }
  return exitCodes.ok;
}
