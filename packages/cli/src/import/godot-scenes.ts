/**
 * What a Godot scene must know about the scenes it instances: which nodes they have, and of which types.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isInside } from "../write-files.ts";
import { nodePathsOf } from "./gltf-nodes.ts";
import { parseTscn, type Section } from "./tscn.ts";

/** The nodes of a scene, those of the scenes in it included. */
export interface SceneModel {
  /** The type of each node by its path, `.` for the root; empty where it is not known. */
  readonly types: ReadonlyMap<string, string>;
  /** Whether it has nodes besides that are not known, such as those of a model. */
  readonly isOpen: boolean;
}

/** Scenes beyond these limits are taken for unknown: some that contain each other twice have no end. */
const mostNodes = 200_000;
const deepest = 64;

export class GodotScenes {
  private readonly models = new Map<string, SceneModel | undefined>();

  /** The model of a file; nothing when it cannot be read. */
  model(file: string, depth = 0): SceneModel | undefined {
    const path = resolve(file);
    if (this.models.has(path)) return this.models.get(path);
    // While it is being read it is unknown, so that scenes in a circle end.
    this.models.set(path, undefined);
    const made = isModel(path) ? modelOf(path) : depth > deepest ? undefined : this.read(path, depth);
    this.models.set(path, made);
    return made;
  }

  private read(file: string, depth: number): SceneModel | undefined {
    let sections: readonly Section[];
    try {
      if (!statSync(file).isFile()) return undefined;
      sections = parseTscn(readFileSync(file, "utf8"));
    } catch {
      return undefined;
    }
    const types = new Map<string, string>();
    const files = new Map<string, string>();
    let isOpen = false;
    for (const { kind, attributes } of sections) {
      if (kind === "ext_resource") files.set(String(attributes.id ?? ""), String(attributes.path ?? ""));
      if (kind !== "node") continue;
      const path = pathOf(attributes);
      if (attributes.type !== undefined) types.set(path, String(attributes.type));
      const id = resourceId(attributes.instance);
      if (id === undefined) continue;
      const target = fileOf(file, files.get(id) ?? "");
      const inner = target === undefined ? undefined : this.model(target, depth + 1);
      if (inner === undefined || inner.isOpen) isOpen = true;
      types.set(path, inner?.types.get(".") ?? "");
      for (const [below, type] of inner?.types ?? []) {
        if (below !== ".") types.set(path === "." ? below : `${path}/${below}`, type);
      }
      if (types.size > mostNodes) return undefined;
    }
    return { types, isOpen };
  }
}

/** A model of another tool: a node in space, those of its nodes that have the same path there, and what nobody knows. */
function modelOf(file: string): SceneModel {
  const types = new Map([[".", "Node3D"]]);
  for (const path of nodePathsOf(file) ?? []) types.set(path, "Node3D");
  return { types, isOpen: true };
}

/** Whether a file is a model that the importer of glTF reads. */
export function isModel(file: string): boolean {
  return /\.(glb|gltf)$/i.test(file);
}

/** The path of a node: `.` for the root, names from there on. */
export function pathOf(attributes: Section["attributes"]): string {
  const name = String(attributes.name ?? "");
  if (attributes.parent === undefined) return ".";
  const parent = String(attributes.parent);
  return parent === "." ? name : `${parent}/${name}`;
}

/** The file that a `res://` path in another file means; nothing when it is outside of the project. */
export function fileOf(from: string, path: string): string | undefined {
  const folder = dirname(resolve(from));
  const root = projectFolder(folder) ?? folder;
  const file = join(root, path.replace(/^res:\/\//, ""));
  return isInside(file, root) ? file : undefined;
}

/** The folder that `res://` stands for. */
export function projectFolder(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "project.godot"))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

function resourceId(value: unknown): string | undefined {
  const call =
    typeof value === "object" && value !== null
      ? (value as { ExtResource?: unknown }).ExtResource
      : undefined;
  return Array.isArray(call) && call.length === 1 ? String(call[0]) : undefined;
}
