/**
 * Godot 2D scenes as Espalier scenes: nodes, parents, names, order, transforms, instanced scenes.
 *
 * Coordinates stay as they are. Both turn +x towards +y for a positive rotation, so only the axis that one calls "down"
 * differs; `yUp` turns the scene over.
 */
import { existsSync } from "node:fs";
import { dirname, join, posix, relative, resolve, sep } from "node:path";
import type { SceneFile } from "espalier/scene";
import { isInside } from "../write-files.ts";
import { componentsOf } from "./godot-components.ts";
import { GodotResources } from "./godot-resources.ts";
import { hasNoPlace, isLayer } from "./godot-types.ts";
import { type Entry, emptyRecord, type Imported, type Unmapped } from "./imported.ts";
import { parseTscn, type Section } from "./tscn.ts";

export interface GodotOptions {
  /** Where the file is, for finding the project and naming prefabs. */
  readonly file: string;
  /** Turn the y axis over: Godot's points down. */
  readonly yUp?: boolean;
  /** The folder that the scene will be in, which prefabs are named from; that of the file if left out. */
  readonly into?: string;
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
  /** Paths of nodes that are instances of other scenes. */
  private readonly instances = new Set<string>();

  constructor(sections: readonly Section[], options: GodotOptions) {
    this.sections = sections;
    this.options = options;
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
    const name = String(attributes.name ?? "");
    const parent = attributes.parent === undefined ? undefined : String(attributes.parent);
    const path = parent === undefined ? "." : parent === "." ? name : `${parent}/${name}`;
    const instance = this.resources.externalIn(attributes.instance);
    const isNew = attributes.type !== undefined || attributes.instance !== undefined;
    const entry: Entry = { name };
    if (instance !== undefined) {
      const prefab = this.prefab(instance, path);
      if (prefab !== undefined) entry.prefab = prefab;
      this.instances.add(path);
    }
    const owner = this.instanceAbove(path, isNew);
    if (owner !== undefined && !isNew) delete entry.name;
    this.types.set(path, String(attributes.type ?? ""));
    const components = componentsOf(section, {
      yUp: this.options.yUp === true,
      isCutOff: (component) => this.isCutOff(path, component),
      toJson: (value) => this.resources.toJson(value),
      lost: (what, kept) => this.lost(path, what, kept),
    });
    if (Object.keys(components).length > 0) entry.components = components;
    this.entries.set(path, entry);
    if (parent === undefined) roots.push(entry);
    else if (owner === undefined) this.attach(entry, path, parent);
    else this.override(entry, path, owner, isNew);
  }

  /** The instance whose inside a node belongs to; nothing for nodes of this scene. */
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

  /**
   * Whether the node is a layer, or its parent is a node without a place, below one that has the component: what Godot
   * hands down ends there, while here it passes through.
   */
  private isCutOff(path: string, component: string): boolean {
    const above = aboveOf(path);
    const typeOf = (node: string) => this.types.get(node) ?? "";
    if (above === undefined || !(isLayer(typeOf(path)) || hasNoPlace(typeOf(above)))) return false;
    for (let up: string | undefined = above; up !== undefined; up = aboveOf(up)) {
      if (this.instances.has(up) || this.entries.get(up)?.components?.[component] !== undefined) return true;
    }
    return false;
  }

  private isInside(path: string): boolean {
    return this.entries.get(path)?.name === undefined;
  }

  private attach(entry: Entry, path: string, parent: string): void {
    const above = this.entries.get(parent);
    if (above === undefined) {
      this.lost(path, `parent ${parent}, which is not in the file; the node is under the root`);
      const root = this.entries.get(".");
      if (root !== undefined) (root.children ??= []).push(entry);
      return;
    }
    above.children ??= [];
    above.children.push(entry);
  }

  /** A node inside an instance: what the file says about it, or one that is added there. */
  private override(entry: Entry, path: string, owner: string, isNew: boolean): void {
    const instance = this.entries.get(owner) as Entry;
    const inside = owner === "." ? path : path.slice(owner.length + 1);
    instance.overrides ??= emptyRecord();
    if (!isNew) {
      instance.overrides[inside] = { ...instance.overrides[inside], ...entry };
      this.entries.set(path, instance.overrides[inside] as Entry);
      return;
    }
    const parent = posix.dirname(inside);
    const target = (instance.overrides[parent] ??= {});
    target.children ??= [];
    target.children.push(entry);
  }

  private prefab(id: string, path: string): string | undefined {
    const target = this.resources.pathOf(id);
    if (typeof target !== "string") {
      this.lost(path, `instance of ${id}, which the file does not list`);
      return undefined;
    }
    if (!target.endsWith(".tscn")) {
      this.lost(path, `instance of ${target}, which is no .tscn`);
      return undefined;
    }
    const folder = dirname(resolve(this.options.file));
    const root = projectFolder(folder) ?? folder;
    const file = join(root, target.replace(/^res:\/\//, ""));
    if (!isInside(file, root)) {
      this.lost(path, `instance of ${target}, which is outside of the project`);
      return undefined;
    }
    this.needs.add(file);
    return relative(resolve(this.options.into ?? folder), file)
      .split(sep)
      .join("/")
      .replace(/\.tscn$/, ".scene.json");
  }
}

/** The path of the node above; nothing for the root. */
function aboveOf(path: string): string | undefined {
  if (path === ".") return undefined;
  const end = path.lastIndexOf("/");
  return end < 0 ? "." : path.slice(0, end);
}

/** The folder that `res://` stands for. */
export function projectFolder(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "project.godot"))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}
