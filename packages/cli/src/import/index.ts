/**
 * Scenes of other tools, told apart by the ending of their file.
 */
import { extname } from "node:path";
import { exitCodes, Stop } from "../exit-codes.ts";
import { readText, shown } from "../files.ts";
import { importGltf } from "./gltf.ts";
import { type GodotOptions, importGodot } from "./godot.ts";
import type { Imported } from "./imported.ts";
import { TscnError } from "./tscn.ts";

export type { Imported, Unmapped } from "./imported.ts";

/** Reads a file of another tool as a scene. */
export async function importScene(file: string, options: Pick<GodotOptions, "yUp"> = {}): Promise<Imported> {
  const ending = extname(file).toLowerCase();
  if (ending === ".gltf" || ending === ".glb") {
    readText(file);
    return importGltf(file);
  }
  if (ending !== ".tscn") {
    throw new Stop(
      exitCodes.usage,
      `Cannot import ${shown(file)}: only .tscn (Godot), .gltf and .glb are known.`,
    );
  }
  try {
    return importGodot(readText(file), { ...options, file });
  } catch (error) {
    if (!(error instanceof TscnError)) throw error;
    throw new Stop(exitCodes.problems, `Cannot import ${shown(file)}:${error.line}: ${error.message}`);
  }
}
