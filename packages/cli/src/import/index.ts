/**
 * Scenes of other tools, distinguished by their file extension.
 */
import { basename, dirname, extname, resolve } from "node:path";
import { exitCodes, Stop } from "../exit-codes.ts";
import { readBytes, shown } from "../files.ts";
import { importGltf } from "./gltf.ts";
import { checkNodes } from "./gltf-check.ts";
import { readGltfJson } from "./gltf-json.ts";
import { hintsOf } from "./gltf-nodes.ts";
import { importGodot } from "./godot.ts";
import { GodotScenes, projectFolder } from "./godot-scenes.ts";
import type { Imported } from "./imported.ts";
import { importMapFile, isMapFile } from "./map.ts";
import { TscnError } from "./tscn.ts";

export type { Imported, Unmapped } from "./imported.ts";

/** Options of `importScene`. */
export interface ImportSceneOptions {
  /** Flip the y axis: Godot's points down. */
  readonly yUp?: boolean;
  /** The target folder of the scene, to which names of prefabs are relative; that of the file if left out. */
  readonly into?: string;
  /** The folder outside of which no other file is read, such as an instanced scene; the project of Godot if left out. */
  readonly within?: string;
  /**
   * Put everything under one entity, so that the scene can be a prefab in a Godot scene; nodes that Godot leaves out are left
   * out (glTF).
   */
  readonly oneRoot?: boolean;
  /** Called with the size of the file once it is read, before it is parsed. */
  readonly onRead?: (size: number) => void;
}

/** The folder that an import stays in: the project of Godot that a file belongs to, or the folder of the file. */
export function importRoot(file: string): string {
  const folder = dirname(resolve(file));
  return projectFolder(folder) ?? folder;
}

/** Reads a file of another tool as a scene. */
export async function importScene(file: string, options: ImportSceneOptions = {}): Promise<Imported> {
  if (typeof file !== "string" || typeof options !== "object" || options === null) {
    throw new Stop(
      exitCodes.usage,
      "Cannot import: importScene takes the path of a file, and options as an object.",
    );
  }
  const { onRead = () => {}, oneRoot = false, within, ...godot } = options;
  const ending = extname(file).toLowerCase();
  const isGltf = ending === ".gltf" || ending === ".glb";
  const isMap = isMapFile(ending);
  if (!isGltf && !isMap && ending !== ".tscn") {
    throw new Stop(
      exitCodes.usage,
      `Cannot import ${shown(file)}: only .tscn (Godot), .gltf and .glb, .tmj (Tiled) and .ldtk (LDtk) are known.${ending === ".tmx" ? " In Tiled, choose File > Export As… > JSON map files (.tmj)." : ""}`,
    );
  }
  const bytes = readBytes(file);
  onRead(bytes.length);
  try {
    if (isMap) return await importMapFile(file, bytes.toString("utf8"), { ...godot, within });
    if (isGltf) {
      const json = readGltfJson(bytes);
      if (!oneRoot) return await importGltf(json);
      // A part of a scene of Godot: as Godot imports it.
      checkNodes(json);
      return await importGltf(json, {
        rootName: basename(file, extname(file)),
        ...hintsOf(json, file),
      });
    }
    return importGodot(bytes.toString("utf8"), { ...godot, file, scenes: new GodotScenes(within) });
  } catch (error) {
    if (error instanceof Stop) throw error;
    const line = error instanceof TscnError ? `:${error.line}` : "";
    throw new Stop(exitCodes.problems, `Cannot import ${shown(file)}${line}: ${(error as Error).message}`);
  }
}
