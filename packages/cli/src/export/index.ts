/** Scenes as files of other tools, chosen by the extension of the new file. */
import { extname } from "node:path";
import { exitCodes, Stop } from "../exit-codes.ts";
import { readText, shown } from "../files.ts";
import type { Exported } from "./exported.ts";
import { exportGltf } from "./gltf.ts";
import { exportGodot } from "./godot.ts";

export type { Exported, NotCarried } from "./exported.ts";

/** Options of `exportScene`. */
export interface ExportSceneOptions {
  /** The folder of prefabs that are not beside the scene. */
  readonly prefabs?: string | undefined;
  /** Flip the y axis: Godot's points down. */
  readonly yUp?: boolean;
  /** Refuses prefabs that may not be read. */
  readonly mayRead?: (file: string) => void;
}

/** Converts a scene file to a file of another tool. Nothing is written. */
export async function exportScene(
  file: string,
  out: string,
  options: ExportSceneOptions = {},
): Promise<Exported> {
  if (
    typeof file !== "string" ||
    typeof out !== "string" ||
    typeof options !== "object" ||
    options === null
  ) {
    throw new Stop(
      exitCodes.usage,
      "Cannot export: exportScene takes the paths of two files, and options as an object.",
    );
  }
  const ending = extname(out).toLowerCase();
  if (ending === ".tscn") return exportGodot(readText(file), { ...options, file, out });
  if (ending === ".gltf" || ending === ".glb")
    return exportGltf(readText(file), { ...options, file, isBinary: ending === ".glb" });
  throw new Stop(
    exitCodes.usage,
    `Cannot export to ${shown(out)}: only .tscn (Godot), .gltf and .glb are known.`,
  );
}
