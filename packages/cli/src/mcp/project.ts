/**
 * What an agent may touch: scene files inside one folder.
 */
import { relative, resolve } from "node:path";
import { type Config, loadConfig } from "../config.ts";
import { exitCodes, Stop } from "../exit-codes.ts";
import { shown } from "../files.ts";
import { isInside } from "../write-target.ts";

export interface Project {
  readonly folder: string;
  readonly config: Config;
  readonly author: string;
  readonly isReadOnly: boolean;
}

export async function openProject(
  folder: string,
  options: {
    readonly config?: string;
    readonly prefabs?: string;
    readonly author?: string;
    readonly readOnly?: boolean;
  },
): Promise<Project> {
  const config = await loadConfig(options, folder);
  return {
    folder: resolve(folder),
    config,
    author: options.author ?? "agent",
    isReadOnly: options.readOnly === true,
  };
}

const sceneNames = /\.(scene|prefab)\.jsonc?$/;
const writtenNames = /\.(scene|prefab)\.jsonc?(\.journal|\.base)?$/;
const readNames = /\.(jsonc?|tscn|gltf|glb)$/i;

/** The path of a scene that an agent names. @throws Stop for everything outside, and for what is not a scene by name. */
export function sceneIn(project: Project, name: string): string {
  const path = resolve(project.folder, name);
  requireInside(project, path);
  if (sceneNames.test(path)) return path;
  throw new Stop(
    exitCodes.usage,
    `Cannot open ${shown(path)}: scenes are called *.scene.json or *.prefab.json.`,
  );
}

/** A path that an agent names for reading: a scene, or a file that can be imported. */
export function sourceIn(project: Project, name: string): string {
  const path = resolve(project.folder, name);
  mayRead(project, path);
  if (readNames.test(path)) return path;
  throw new Stop(
    exitCodes.usage,
    `Cannot read ${shown(path)}: only scenes, .tscn, .gltf and .glb files are read.`,
  );
}

export function mayRead(project: Project, path: string): void {
  // The person who starts the server names the folder of prefabs, which may be elsewhere.
  const { prefabs } = project.config;
  if (prefabs === undefined || !isInside(path, prefabs)) requireInside(project, path);
}

export function mayWrite(project: Project, path: string): void {
  requireInside(project, path);
  if (!writtenNames.test(path)) {
    throw new Stop(
      exitCodes.usage,
      `Cannot write ${shown(path)}: only *.scene.json and *.prefab.json are written.`,
    );
  }
}

function requireInside({ folder }: Project, path: string): void {
  if (isInside(path, folder)) return;
  throw new Stop(
    exitCodes.usage,
    `Cannot use ${relative(folder, path)}: it is outside of the project. Name a file inside the folder.`,
  );
}
