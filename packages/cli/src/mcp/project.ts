/**
 * The files that an agent may use: scene files inside one folder.
 */
import { statSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { type Config, type ConfigOptions, loadConfig } from "../config.ts";
import { exitCodes, Stop } from "../exit-codes.ts";
import { findScenes, shown } from "../files.ts";
import { isInside, writeTarget } from "../write-target.ts";
import type { GameLink } from "./game-link.ts";

export interface Project {
  readonly folder: string;
  readonly config: Config;
  readonly author: string;
  readonly isReadOnly: boolean;
  /** The connection to a running game, if it was requested. */
  readonly game: GameLink | undefined;
}

export interface ProjectOptions extends ConfigOptions {
  readonly author?: string;
  readonly readOnly?: boolean;
  /** The connection to a running game. */
  readonly gameLink?: GameLink;
}

export async function openProject(folder: string, options: ProjectOptions): Promise<Project> {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Stop(exitCodes.usage, `Cannot serve ${shown(folder)}: there is no such folder.`);
  const config = await loadConfig(options, folder);
  return {
    folder: resolve(folder),
    config,
    author: options.author ?? "agent",
    isReadOnly: options.readOnly === true,
    game: options.gameLink,
  };
}

/** The scenes of the project, relative to its folder; there may be none, because an agent may create the first. */
export function scenesOf({ folder }: Project): string[] {
  try {
    return findScenes([folder]).map((file) => relative(folder, file).split(sep).join("/"));
  } catch (error) {
    if (error instanceof Stop) return [];
    throw error;
  }
}

const sceneNames = /\.(scene|prefab)\.jsonc?$/;
const writtenNames = /\.(scene|prefab)\.jsonc?(\.journal|\.base)?$/;
const readNames = /\.(jsonc?|tscn|gltf|glb)$/i;

/** The path of a scene that an agent names. @throws Stop for files outside, and for those that are not scenes by name. */
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

/** @throws Stop for files outside, and for those inside that are not scenes by name, such as a prefab called `.env`. */
export function mayRead(project: Project, path: string): void {
  // The config of the user names the folder of prefabs, which may be elsewhere.
  const { prefabs } = project.config;
  if (prefabs === undefined || !isInside(path, prefabs)) requireInside(project, path);
  if (readNames.test(path) || writtenNames.test(path) || !isFile(path)) return;
  throw new Stop(exitCodes.usage, `Cannot read ${shown(path)}: only scenes and models are read.`);
}

/** A path that an agent names for an export: a new file of another tool. */
export function exportIn(project: Project, name: string): string {
  const path = resolve(project.folder, name);
  requireInside(project, path);
  if (/\.(tscn|gltf|glb)$/i.test(path)) return path;
  throw new Stop(exitCodes.usage, `Cannot write ${shown(path)}: an export is a .tscn, .gltf or .glb file.`);
}

/** @throws Stop if the file exists: agents do not replace files by new ones. */
export function requireFree(path: string): void {
  if (writeTarget(path).status === undefined) return;
  throw new Stop(exitCodes.usage, `Cannot write ${shown(path)}: it already exists. Choose another name.`);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
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
    "cli/outside",
  );
}
