/**
 * Godot 2D scenes as Espalier scenes: nodes, parents, names, order, transforms, instanced scenes.
 *
 * Coordinates stay as they are. Both rotate +x towards +y for a positive angle, so only the direction of "down"
 * differs; `yUp` flips the scene.
 */
import { existsSync } from "node:fs";
import { dirname, posix, relative, resolve, sep } from "node:path";
import type { SceneFile } from "espalier/scene";
import { prefabNameFor } from "../files.ts";
import type { Key, ModelBones } from "./gltf-nodes.ts";
import { boneOf, followsBone, posesOf } from "./godot-bones.ts";
import { componentsOf } from "./godot-components.ts";
import type { ControlRect } from "./godot-controls.ts";
import { orderChildren } from "./godot-order.ts";
import { GodotResources } from "./godot-resources.ts";
import { GodotScenes, isModel, isNewNode, nameOf, pathOf, type SceneModel } from "./godot-scenes.ts";
import { type Entry, emptyRecord, type Imported, type Unmapped } from "./imported.ts";
import { parseTscn, type Section } from "./tscn.ts";

export interface GodotOptions {
  /** The path of the file, for finding the project and naming prefabs. */
  readonly file: string;
  /** Flip the y axis: Godot's points down. */
  readonly yUp?: boolean;
  /** The target folder of the scene, to which names of prefabs are relative; that of the file if left out. */
  readonly into?: string;
  /** Scenes that have been read already. */
  readonly scenes?: GodotScenes;
}

/** @throws TscnError when the text is not a scene of Godot. */
export function importGodot(text: string, options: GodotOptions): Imported {
  return new GodotImport(parseTscn(text), options).run();
}

class GodotImport {
  private readonly sections: readonly Section[];
  private readonly options: GodotOptions;
  private readonly unmapped: Unmapped[] = [];
  private readonly needs = new Set<string>();
  private readonly resources = new GodotResources();
  private readonly types = new Map<string, string>();
  /** Entries by the path of the node, `.` for the root. */
  private readonly entries = new Map<string, Entry>();
  /** Scenes that nodes are instances of, by the path of the node. */
  private readonly models = new Map<string, SceneModel>();
  private readonly scenes: GodotScenes;
  private readonly madeOverrides = new Set<Entry>();
  /** Paths of nodes that are instances of other scenes. */
  private readonly instances = new Set<string>();
  /** Nodes with a position among their siblings: the path of the parent, the path, the index. */
  private readonly indexed: (readonly [parent: string, path: string, index: unknown])[] = [];

  constructor(sections: readonly Section[], options: GodotOptions) {
    this.sections = sections;
    this.options = options;
    this.scenes = options.scenes ?? new GodotScenes();
  }

  run(): Imported {
    const roots: Entry[] = [];
    for (const section of this.sections) {
      if (section.kind === "ext_resource" || section.kind === "sub_resource") this.resources.add(section);
      else if (section.kind === "node") this.node(section, roots);
      else if (section.kind === "connection") this.connection(section);
      else if (section.kind === "editable")
        this.lost(String(section.attributes.path), "that its inside is editable");
      else if (section.kind !== "gd_scene") this.lost("", `section [${section.kind}]`);
    }
    this.order();
    for (const entry of this.madeOverrides) {
      if (Object.keys(entry.overrides ?? {}).length === 0) delete entry.overrides;
    }
    const scene = { version: 1, entities: roots } as unknown as SceneFile;
    return { scene, unmapped: this.unmapped, needs: [...this.needs] };
  }

  private lost(node: string, what: string, kept = false): void {
    this.unmapped.push({ node, what, kept });
  }

  private connection({ attributes }: Section): void {
    const { signal, from, to, method } = attributes;
    this.lost(String(from ?? ""), `signal ${signal} connected to ${method} of ${to}`);
  }

  private node(section: Section, roots: Entry[]): void {
    const { attributes } = section;
    const name = nameOf(attributes);
    const parent = attributes.parent === undefined ? undefined : String(attributes.parent);
    const path = pathOf(attributes);
    const instance = this.resources.externalIn(attributes.instance);
    const isNew = isNewNode(attributes);
    const entry: Entry = { name };
    if (isNew && name !== String(attributes.name ?? ""))
      this.lost(
        path,
        `name ${JSON.stringify(attributes.name ?? "")}, which no entity can have; it is called ${name}`,
      );
    if (instance !== undefined) {
      const prefab = this.prefab(instance, path);
      if (prefab !== undefined) {
        entry.prefab = prefab;
        this.instances.add(path);
      }
    }
    const owner = this.instanceAbove(path, isNew);
    if (owner !== undefined && !isNew) delete entry.name;
    if (isNew || !this.types.has(path)) this.types.set(path, String(attributes.type ?? ""));
    const skeleton = isNew || owner === undefined ? undefined : this.bonesAt(owner, path);
    if (skeleton !== undefined && owner !== undefined) {
      this.pose(section, path, owner, skeleton);
      return;
    }
    // A node that this file itself added may be mentioned again.
    const added = isNew || parent === undefined ? undefined : this.entries.get(path);
    const isAdded = added?.name !== undefined;
    if (!isNew && !isAdded && parent !== undefined && (owner === undefined || !this.isThere(path, owner))) {
      this.lost(path, "what is said about a node that no scene here has");
      return;
    }
    const above = aboveOf(path);
    const components = componentsOf(section, {
      yUp: this.options.yUp === true,
      type: this.typeOf(path),
      parentType: above === undefined ? "" : this.typeOf(above),
      isMerged: entry.prefab !== undefined || (owner !== undefined && !isNew && !isAdded),
      rect: this.rectOf(path),
      isHidden: this.models.get(path)?.hidden.has(".") === true,
      toJson: (value) => this.resources.toJson(value),
      lost: (what, kept) => this.lost(path, what, kept),
    });
    const follows = owner === undefined || isNew ? undefined : this.modelNode(owner, path)?.follows;
    if (follows !== undefined && components.Transform3D !== undefined) {
      delete components.Transform3D;
      const what =
        follows === "skeleton" ? "with a skin, which is below its skeleton" : "that follows a bone";
      this.lost(path, `transform of a mesh ${what} in Godot`);
    }
    const bone = owner === undefined || !isNew ? undefined : this.boneOf(section, path, owner);
    // The bone determines the transform; the file holds a former one.
    if (bone !== undefined) components.Transform3D = {};
    if (isAdded) {
      added.components = { ...added.components, ...components };
      return;
    }
    if (Object.keys(components).length > 0) entry.components = components;
    this.entries.set(path, entry);
    if (isNew && parent !== undefined && attributes.index !== undefined && bone === undefined)
      this.indexed.push([parent, path, attributes.index]);
    if (parent === undefined) roots.push(entry);
    else if (owner === undefined) this.attach(entry, path, parent);
    else if (bone !== undefined) this.hang(entry, owner, bone);
    else this.override(entry, path, owner, isNew);
  }

  /** The instance that contains a node; `undefined` for nodes of this scene. */
  private instanceAbove(path: string, isNew: boolean): string | undefined {
    const segments = path === "." ? [] : path.split("/");
    // An own node directly below an instance is just another child of it.
    const most = isNew ? segments.length - 2 : segments.length - 1;
    for (let count = most; count >= 0; count--) {
      const above = count === 0 ? "." : segments.slice(0, count).join("/");
      if (this.instances.has(above)) return above;
      if (this.entries.has(above) && !this.isInside(above)) return undefined;
    }
    return undefined;
  }

  /** The type of a node, even if it is in the file that it comes from. */
  private typeOf(path: string): string {
    const own = this.types.get(path) ?? "";
    if (own !== "") return own;
    for (let up: string | undefined = path; up !== undefined; up = aboveOf(up)) {
      const model = this.models.get(up);
      if (model === undefined) continue;
      const inside = up === path ? "." : up === "." ? path : path.slice(up.length + 1);
      const found = model.types.get(inside);
      if (found !== undefined) return found;
    }
    return "";
  }

  /** The rectangle of a widget in the scene that it comes from. */
  private rectOf(path: string): ControlRect | undefined {
    for (let up: string | undefined = path; up !== undefined; up = aboveOf(up)) {
      const found = this.models.get(up)?.rects.get(insideOf(up, path));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Whether an instance has a node, as far as known. */
  private isThere(path: string, owner: string): boolean {
    const model = this.models.get(owner);
    if (model === undefined) return true;
    return model.types.has(insideOf(owner, path)) || this.entries.has(path);
  }

  /** What is known about a node inside an instance of a model. */
  private modelNode(owner: string, path: string) {
    return this.models.get(owner)?.keys.get(insideOf(owner, path));
  }

  /** The bones of the skeleton at a path inside an instance. */
  private bonesAt(owner: string, path: string): ModelBones | undefined {
    return this.models.get(owner)?.skeletons.get(insideOf(owner, path));
  }

  /** The poses of bones become overrides of their nodes. */
  private pose(section: Section, path: string, owner: string, skeleton: ModelBones): void {
    for (const { bone, transform } of posesOf(section, skeleton, (what) => this.lost(path, what))) {
      const target = this.overrideOf(owner, bone.key);
      target.components = {
        ...target.components,
        Transform3D: { ...target.components?.Transform3D, ...transform },
      };
    }
  }

  /** The bone that a new node follows, if its parent is a skeleton. */
  private boneOf(section: Section, path: string, owner: string): Key | undefined {
    const parent = aboveOf(path);
    const skeleton = parent === undefined ? undefined : this.bonesAt(owner, parent);
    if (skeleton === undefined || !followsBone(String(section.attributes.type))) return undefined;
    const bone = boneOf(section, skeleton);
    if (bone !== undefined && section.properties.override_pose === true) {
      this.lost(path, "that it moves its bone");
    }
    return bone;
  }

  /** Puts a node below the node of a bone. */
  private hang(entry: Entry, owner: string, bone: Key): void {
    const target = this.overrideOf(owner, bone.key);
    target.children ??= [];
    target.children.push(entry);
  }

  /** The override of a node inside an instance, by its key. */
  private overrideOf(owner: string, key: string): Entry {
    const instance = this.entries.get(owner) as Entry;
    instance.overrides ??= emptyRecord();
    this.madeOverrides.add(instance);
    return (instance.overrides[key] ??= {});
  }

  /** The key of an override for a node inside an instance. */
  private keyOf(owner: string, path: string): string {
    return this.modelNode(owner, path)?.key ?? insideOf(owner, path);
  }

  /** Puts children at their index, among those of instances. */
  private order(): void {
    if (this.indexed.length === 0) return;
    const whole = this.scenes.modelOf(this.sections, this.options.file);
    const parents = new Map<string, boolean>();
    for (const [parent, path, index] of this.indexed) {
      let isDone = parents.get(parent);
      if (isDone === undefined)
        parents.set(parent, (isDone = this.orderBelow(parent, whole?.children.get(parent))));
      if (!isDone) this.lost(path, `index ${index} among the nodes of an instance`);
    }
  }

  /** Gives the children of a node an order. `false` if it is unknown or cannot be expressed. */
  private orderBelow(parent: string, wanted: readonly (string | null)[] | undefined): boolean {
    const entry = this.entries.get(parent);
    if (wanted === undefined) return false;
    if (entry?.name !== undefined && entry.prefab === undefined) return orderChildren(entry, [], wanted);
    const owner = this.instances.has(parent) ? parent : this.instanceAbove(parent, false);
    const instance = owner === undefined ? undefined : this.entries.get(owner);
    const brought =
      owner === undefined ? undefined : this.models.get(owner)?.children.get(insideOf(owner, parent));
    if (owner === undefined || instance === undefined || brought === undefined) return false;
    const key = this.keyOf(owner, parent);
    const target = owner === parent ? instance : (instance.overrides?.[key] ?? {});
    return orderChildren(target, brought, wanted);
  }

  private isInside(path: string): boolean {
    return this.entries.get(path)?.name === undefined;
  }

  private attach(entry: Entry, path: string, parent: string): void {
    const above = this.entries.get(parent);
    if (above === undefined) {
      let up = aboveOf(parent);
      while (up !== undefined && !this.entries.has(up)) up = aboveOf(up);
      this.lost(
        path,
        `parent ${parent}, which does not exist; the node is under ${up === "." ? "the root" : up}`,
      );
      const nearest = up === undefined ? undefined : this.entries.get(up);
      if (nearest !== undefined) (nearest.children ??= []).push(entry);
      return;
    }
    above.children ??= [];
    above.children.push(entry);
  }

  /** A node inside an instance: an override, or an added node. */
  private override(entry: Entry, path: string, owner: string, isNew: boolean): void {
    const instance = this.entries.get(owner) as Entry;
    const inside = insideOf(owner, path);
    if (!isNew) {
      const target = this.overrideOf(owner, this.keyOf(owner, path));
      // Several nodes of Godot may be one here, such as a mesh on a bone and its attachment.
      if (entry.components !== undefined) target.components = { ...target.components, ...entry.components };
      if (entry.prefab !== undefined) target.prefab = entry.prefab;
      this.entries.set(path, target);
      return;
    }
    let parent = posix.dirname(inside);
    const at = (below: string) => (owner === "." ? below : `${owner}/${below}`);
    while (parent !== "." && !this.isThere(at(parent), owner)) parent = posix.dirname(parent);
    if (parent !== posix.dirname(inside)) {
      this.lost(path, `parent ${posix.dirname(inside)}, which ${instance.prefab} does not have`);
    }
    if (parent === ".") {
      (instance.children ??= []).push(entry);
      return;
    }
    const added = this.entries.get(at(parent));
    // A node that this file itself added.
    if (added?.name !== undefined) {
      (added.children ??= []).push(entry);
      return;
    }
    const target = this.overrideOf(owner, this.keyOf(owner, at(parent)));
    target.children ??= [];
    target.children.push(entry);
  }

  private prefab(id: string, path: string): string | undefined {
    const target = this.resources.pathOf(id);
    if (typeof target !== "string") {
      this.lost(path, `instance of ${id}, which the file does not list`);
      return undefined;
    }
    const isModelFile = isModel(target);
    if (!target.endsWith(".tscn") && !isModelFile) {
      this.lost(path, `instance of ${target}, which is neither a .tscn file nor a model`);
      return undefined;
    }
    const file = this.scenes.fileOf(this.options.file, target);
    if (file === undefined) {
      this.lost(path, `instance of ${target}, which is outside of the project`);
      return undefined;
    }
    if (isModelFile && !existsSync(file)) {
      this.lost(path, `instance of ${target}, which does not exist`);
      return undefined;
    }
    this.needs.add(file);
    const model = this.scenes.model(file);
    if (model !== undefined) this.models.set(path, model);
    return relative(resolve(this.options.into ?? dirname(this.options.file)), prefabNameFor(file))
      .split(sep)
      .join("/");
  }
}

/** The path of the parent; `undefined` for the root. */
function aboveOf(path: string): string | undefined {
  if (path === ".") return undefined;
  const end = path.lastIndexOf("/");
  return end < 0 ? "." : path.slice(0, end);
}

/** The path of a node relative to the instance that contains it. */
function insideOf(owner: string, path: string): string {
  if (owner === path) return ".";
  return owner === "." ? path : path.slice(owner.length + 1);
}
