/**
 * What must be known about the scenes that a Godot scene instances: their nodes and types.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isInside } from "../write-target.ts";
import { type Key, type ModelBones, type ModelNode, modelNodesOf } from "./gltf-nodes.ts";
import { boneOf, followsBone } from "./godot-bones.ts";
import { type ControlRect, mergedRect, rectOf } from "./godot-controls.ts";
import { Properties } from "./godot-properties.ts";
import { isHiddenAtFirst } from "./godot-types.ts";
import { parseTscn, type Section } from "./tscn.ts";

/** The nodes of a scene, including those of scenes in it. Paths are those of Godot, `.` for the root. */
export interface SceneModel {
  /** The type of each node; empty if unknown. */
  readonly types: ReadonlyMap<string, string>;
  /** The key of a node in the prefab, if it is not the same path. */
  readonly keys: ReadonlyMap<string, ModelNode>;
  /** The bones of models in it, by the path of their skeleton. */
  readonly skeletons: ReadonlyMap<string, ModelBones>;
  /** The children of each node in order, by their names in the prefab. Nodes whose children are unknown are missing. */
  readonly children: ReadonlyMap<string, readonly (string | null)[]>;
  /** Nodes that are initially hidden. */
  readonly hidden: ReadonlySet<string>;
  /** The rectangles of widgets, as far as the files define them. */
  readonly rects: ReadonlyMap<string, ControlRect>;
  /** Whether it has further unknown nodes, such as those of a model. */
  readonly isOpen: boolean;
}

/** Scenes beyond these limits are treated as unknown: scenes that contain others twice grow exponentially. */
const mostNodes = 200_000;
const deepest = 64;

export class GodotScenes {
  private readonly models = new Map<string, SceneModel | undefined>();
  private readonly within: string | undefined;

  /** @param within - The folder outside of which nothing is read, even if the project of Godot is larger. */
  constructor(within?: string) {
    this.within = within;
  }

  /** The file of a `res://` path in another file; `undefined` when it may not be read. */
  fileOf(from: string, path: string): string | undefined {
    const file = fileOf(from, path);
    if (file === undefined || this.within === undefined || isInside(file, this.within)) return file;
    return undefined;
  }

  /** The model of a file; `undefined` when it cannot be read. */
  model(file: string, depth = 0): SceneModel | undefined {
    const path = resolve(file);
    if (this.models.has(path)) return this.models.get(path);
    // While it is being read it is unknown, so that cycles of scenes end.
    this.models.set(path, undefined);
    const made = isModel(path) ? modelOf(path) : depth > deepest ? undefined : this.read(path, depth);
    this.models.set(path, made);
    return made;
  }

  /** The model of a scene whose text has been read. */
  modelOf(sections: readonly Section[], file: string, depth = 0): SceneModel | undefined {
    const types = new Map<string, string>();
    const keys = new Map<string, ModelNode>();
    const skeletons = new Map<string, ModelBones>();
    const children = new Map<string, (string | null)[]>();
    const files = new Map<string, string>();
    const hidden = new Set<string>();
    const rects = new Map<string, ControlRect>();
    let isOpen = false;
    for (const section of sections) {
      const { kind, attributes, properties } = section;
      if (kind === "ext_resource") files.set(String(attributes.id ?? ""), String(attributes.path ?? ""));
      if (kind !== "node") continue;
      const path = pathOf(attributes);
      if (isNewNode(attributes)) {
        const siblings = path === "." ? undefined : children.get(String(attributes.parent));
        if (siblings !== undefined) addChild(siblings, nameOf(attributes), attributes.index);
        children.set(path, []);
        const key = path === "." ? undefined : keyOfNew(section, { types, keys, skeletons });
        if (key !== undefined && key !== path)
          keys.set(path, { key, isId: false, follows: undefined, children: undefined });
      }
      if (attributes.type !== undefined) types.set(path, String(attributes.type));
      const type = String(attributes.type ?? "");
      if (properties.visible === false || (isHiddenAtFirst(type) && properties.visible === undefined))
        hidden.add(path);
      else if (properties.visible === true) hidden.delete(path);
      const rect = rectOf(new Properties(properties));
      if (rect !== undefined) rects.set(path, mergedRect(rects.get(path), rect));
      const id = resourceId(attributes.instance);
      if (id === undefined) continue;
      const target = this.fileOf(file, files.get(id) ?? "");
      const inner = target === undefined ? undefined : this.model(target, depth + 1);
      if (inner === undefined || inner.isOpen) isOpen = true;
      types.set(path, inner?.types.get(".") ?? "");
      children.delete(path);
      const at = (below: string) => (below === "." ? path : path === "." ? below : `${path}/${below}`);
      for (const [below, type] of inner?.types ?? []) {
        const key = inner?.keys.get(below);
        // An id of that file is not valid in this one.
        if (below === "." || key?.isId === true) continue;
        types.set(at(below), type);
        if (key !== undefined) keys.set(at(below), { ...key, key: at(key.key) });
      }
      for (const [below, rect] of inner?.rects ?? [])
        rects.set(at(below), mergedRect(rect, rects.get(at(below))));
      for (const below of inner?.hidden ?? []) {
        if (below !== "." || properties.visible === undefined) hidden.add(at(below));
      }
      for (const [below, bones] of inner?.skeletons ?? []) skeletons.set(at(below), bonesAt(bones, at));
      for (const [below, list] of inner?.children ?? []) children.set(at(below), [...list]);
      if (types.size > mostNodes) return undefined;
    }
    return { types, keys, skeletons, children, hidden, rects, isOpen };
  }

  private read(file: string, depth: number): SceneModel | undefined {
    try {
      if (!statSync(file).isFile()) return undefined;
      return this.modelOf(parseTscn(readFileSync(file, "utf8")), file, depth);
    } catch {
      return undefined;
    }
  }
}

/** A model of another tool: a 3D node, its nodes whose path in Godot is known, and unknown ones. */
function modelOf(file: string): SceneModel {
  const types = new Map([[".", "Node3D"]]);
  const children = new Map<string, readonly (string | null)[]>();
  const { nodes: keys, skeletons } = modelNodesOf(file) ?? { nodes: new Map(), skeletons: new Map() };
  for (const [path, { children: list }] of keys) {
    types.set(path, "Node3D");
    if (list !== undefined) children.set(path, list);
  }
  return { types, keys, skeletons, children, hidden: new Set(), rects: new Map(), isOpen: true };
}

/** The key of a new node in the prefab: its path, unless its parent in Godot is elsewhere or missing here. */
function keyOfNew(
  section: Section,
  { types, keys, skeletons }: Pick<SceneModel, "types" | "keys" | "skeletons">,
): string {
  const { attributes } = section;
  let above = String(attributes.parent);
  const bones = followsBone(String(attributes.type)) ? skeletons.get(above) : undefined;
  const bone = bones === undefined ? undefined : boneOf(section, bones);
  while (above !== "." && !types.has(above)) {
    const end = above.lastIndexOf("/");
    above = end < 0 ? "." : above.slice(0, end);
  }
  const key = bone?.key ?? keys.get(above)?.key ?? above;
  const name = nameOf(attributes);
  return key === "." ? name : `${key}/${name}`;
}

/** The bones of a model inside another scene. Ids of the model's file are not valid there. */
function bonesAt({ byNumber, byName, isToScale }: ModelBones, at: (below: string) => string): ModelBones {
  const moved = (key: Key | undefined) =>
    key === undefined || key.isId ? undefined : { ...key, key: at(key.key) };
  return {
    byNumber: byNumber.map(moved),
    byName: new Map([...byName].map(([name, key]) => [name, moved(key)])),
    isToScale,
  };
}

/** Whether a heading creates a node, rather than changing one of an instance. */
export function isNewNode({ type, instance, instance_placeholder: later }: Section["attributes"]): boolean {
  return type !== undefined || instance !== undefined || later !== undefined;
}

/** Adds a child as Godot does: at the end, and from there to its index. */
function addChild(children: (string | null)[], name: string, index: unknown): void {
  const at = Number(index ?? -1);
  if (Number.isInteger(at) && at >= 0 && at < children.length) children.splice(at, 0, name);
  else children.push(name);
}

/** Whether a file is a model that the importer of glTF reads. */
export function isModel(file: string): boolean {
  return /\.(glb|gltf)$/i.test(file);
}

/** The path of a node: `.` for the root, names from there. */
export function pathOf(attributes: Section["attributes"]): string {
  const name = String(attributes.name ?? "");
  if (attributes.parent === undefined) return ".";
  const parent = String(attributes.parent);
  // A child with the name of the root is not the root.
  return parent === "." && name !== "." ? name : `${parent}/${name}`;
}

/** The name of a node as an entity: its own or, if no entity can have that, its type, as Godot names new nodes. */
export function nameOf({ name = "", type }: Section["attributes"]): string {
  const own = String(name);
  if (own !== "" && own !== "." && own !== "..") return own;
  return typeof type === "string" && type !== "" ? type : "Node";
}

/** The file of a `res://` path in another file; `undefined` when it is outside of the project. */
function fileOf(from: string, path: string): string | undefined {
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
