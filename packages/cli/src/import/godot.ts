/**
 * Godot 2D scenes as Espalier scenes: nodes, parents, names, order, transforms, instanced scenes.
 *
 * Coordinates stay as they are. Both turn +x towards +y for a positive rotation, so only the axis that one calls "down"
 * differs; `yUp` turns the scene over.
 */
import { existsSync } from "node:fs";
import { dirname, join, posix, relative, resolve, sep } from "node:path";
import type { SceneFile } from "espalier/scene";
import {
  type Components,
  differing,
  type Entry,
  type Imported,
  type Json,
  short,
  type Unmapped,
} from "./imported.ts";
import { type GodotValue, parseTscn, type Section } from "./tscn.ts";

export interface GodotOptions {
  /** Where the file is, for finding the project and naming prefabs. */
  readonly file: string;
  /** Turn the y axis over: Godot's points down. */
  readonly yUp?: boolean;
}

/** @throws TscnError when the text is not a scene of Godot. */
export function importGodot(text: string, options: GodotOptions): Imported {
  return new GodotImport(parseTscn(text), options).run();
}

/** Attributes of nodes that are told by the scene itself, or mean something only to the editor of Godot. */
const knownAttributes = new Set([
  "name",
  "type",
  "parent",
  "parent_id_path",
  "instance",
  "index",
  "owner",
  "owner_uid_path",
  "unique_id",
]);

/** Types that are nothing but a place in the tree. */
const plainTypes = new Set(["Node", "Node2D"]);

class GodotImport {
  private readonly sections: readonly Section[];
  private readonly options: GodotOptions;
  private readonly unmapped: Unmapped[] = [];
  private readonly needs = new Set<string>();
  private readonly external = new Map<string, Section>();
  private readonly internal = new Map<string, Section>();
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
      const id = String(section.attributes.id ?? "");
      if (section.kind === "ext_resource") this.external.set(id, section);
      else if (section.kind === "sub_resource") this.internal.set(id, section);
      else if (section.kind === "node") this.node(section, roots);
      else if (section.kind === "connection") this.connection(section);
      else if (!["gd_scene", "editable"].includes(section.kind)) this.lost("", `section [${section.kind}]`);
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
    const instance = resourceOf(attributes.instance, "ExtResource");
    const isNew = attributes.type !== undefined || attributes.instance !== undefined;
    const entry: Entry = { name };
    if (instance !== undefined) {
      const prefab = this.prefab(instance, path);
      if (prefab !== undefined) entry.prefab = prefab;
      this.instances.add(path);
    }
    const owner = this.instanceAbove(path, isNew);
    if (owner !== undefined && !isNew) delete entry.name;
    const components = this.components(section, path);
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
    instance.overrides ??= {};
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
    const resource = this.external.get(id);
    const target = resource?.attributes.path;
    if (typeof target !== "string") {
      this.lost(path, `instance of ${id}, which the file does not list`);
      return undefined;
    }
    if (!target.endsWith(".tscn")) {
      this.lost(path, `instance of ${target}, which is no .tscn`);
      return undefined;
    }
    const folder = dirname(resolve(this.options.file));
    const file = join(projectFolder(folder) ?? folder, target.replace(/^res:\/\//, ""));
    this.needs.add(file);
    return relative(folder, file)
      .split(sep)
      .join("/")
      .replace(/\.tscn$/, ".scene.json");
  }

  // Components -----------------------------------------------------------------------------------------------------------

  private components(section: Section, path: string): Components {
    const { attributes } = section;
    const properties = { ...section.properties };
    const take = (name: string) => {
      const value = properties[name];
      delete properties[name];
      return value;
    };
    const components: Components = {};
    const type = String(attributes.type ?? "");
    // Of an instance, or inside one, the file says only what differs from it, and that may be a default.
    const isWhole = type !== "";
    const isPlaced = ["position", "rotation", "scale", "skew"].some((name) => properties[name] !== undefined);
    const transform = this.transform(take, path, isWhole);
    // A Node has no place of its own; everything else of the plane has one.
    if (isPlaced || type.endsWith("2D")) components.Transform2D = transform;
    const visible = take("visible");
    if (visible === false || (visible === true && !isWhole))
      components.Visibility = { mode: visible ? 0 : 2 };
    const z = take("z_index");
    const relativeZ = take("z_as_relative");
    if (typeof z === "number" || typeof relativeZ === "boolean") {
      components.ZIndex = {
        ...(typeof z === "number" ? { z } : {}),
        ...(typeof relativeZ === "boolean" ? { zRelative: relativeZ } : {}),
      };
    }
    const kept: { [name: string]: Json } = {};
    if (type !== "" && !plainTypes.has(type)) {
      kept.type = type;
      this.lost(path, `type ${type}`, true);
    }
    const further = Object.entries(attributes).filter(([name]) => !knownAttributes.has(name));
    for (const [name, value] of [...further, ...Object.entries(properties)]) {
      if (value === undefined) continue;
      kept[name] = this.toJson(value);
      this.lost(path, name, true);
    }
    if (attributes.index !== undefined && attributes.type !== undefined) {
      this.lost(path, `index ${attributes.index} among the nodes of an instance`);
    }
    if (Object.keys(kept).length > 0) components.Props = { values: { godot: kept } };
    return components;
  }

  private transform(
    take: (name: string) => GodotValue | undefined,
    path: string,
    isWhole: boolean,
  ): { [field: string]: Json } {
    const sign = this.options.yUp === true ? -1 : 1;
    const given = {
      position: take("position"),
      scale: take("scale"),
      rotation: take("rotation"),
      skew: take("skew"),
    };
    const [x, y] = pairOf(given.position, 0);
    const [sx, sy] = pairOf(given.scale, 1);
    const skew = numberOf(given.skew);
    // Godot leans the y axis by an angle; here it is a factor along x, so the axis gets shorter by the cosine.
    const cos = Math.cos(skew);
    const isFlat = Math.abs(cos) < 1e-6;
    if (isFlat) this.lost(path, `skew ${skew}, which makes the node flat`);
    const position = { x: short(x), y: short(y * sign) };
    const scale = { scaleX: short(sx), scaleY: short(sy * cos) };
    const turn = { rotation: short(numberOf(given.rotation) * sign) };
    const lean = { skew: short(isFlat ? 0 : -Math.tan(skew) * sign) };
    if (isWhole) return differing({ ...position, ...turn, ...scale, ...lean }, { scaleX: 1, scaleY: 1 });
    return {
      ...(given.position === undefined ? {} : position),
      ...(given.rotation === undefined ? {} : turn),
      ...(given.scale === undefined && given.skew === undefined ? {} : scale),
      ...(given.skew === undefined ? {} : lean),
    };
  }

  /**
   * A value as JSON, with resources named by their file or told by their content, however deep they stand. A resource that
   * contains itself is named by its id.
   */
  private toJson(top: GodotValue): Json {
    const result: { top?: Json } = {};
    const stack: Pending[] = [{ value: top, into: result, key: "top", inside: [] }];
    while (stack.length > 0) {
      const { value, into, key, inside } = stack.pop() as Pending;
      const external = resourceOf(value, "ExtResource");
      const internal = resourceOf(value, "SubResource");
      const resource = internal === undefined ? undefined : this.internal.get(internal);
      if (external !== undefined) {
        into[key] = { ExtResource: (this.external.get(external)?.attributes.path ?? external) as Json };
      } else if (resource !== undefined && !inside.includes(resource)) {
        const content = { type: resource.attributes.type ?? null, ...resource.properties };
        const made: { [key: string]: Json } = {};
        into[key] = { SubResource: made };
        for (const [name, item] of Object.entries(content)) {
          made[name] = null;
          stack.push({ value: item, into: made, key: name, inside: [...inside, resource] });
        }
      } else if (typeof value === "object" && value !== null) {
        const made = (Array.isArray(value) ? [] : {}) as { [key: string]: Json };
        into[key] = made;
        for (const [name, item] of Object.entries(value) as [string, GodotValue][]) {
          // Put there now, so that keys keep their order.
          made[name] = null;
          stack.push({ value: item, into: made, key: name, inside });
        }
      } else {
        into[key] = value;
      }
    }
    return result.top as Json;
  }
}

/** A value on its way to JSON. */
interface Pending {
  readonly value: GodotValue;
  readonly into: { [key: string]: Json };
  readonly key: string;
  /** The resources that it stands in. */
  readonly inside: readonly Section[];
}

function resourceOf(value: GodotValue | undefined, kind: "ExtResource" | "SubResource"): string | undefined {
  const call = (Object(value) as { [kind: string]: GodotValue })[kind];
  return Array.isArray(call) && call.length === 1 ? String(call[0]) : undefined;
}

function pairOf(value: GodotValue | undefined, standard: number): [number, number] {
  const call = (Object(value) as { Vector2?: GodotValue }).Vector2;
  if (!Array.isArray(call)) return [standard, standard];
  return [numberOf(call[0]), numberOf(call[1])];
}

function numberOf(value: GodotValue | undefined): number {
  return typeof value === "number" ? value : 0;
}

/** The folder that `res://` stands for. */
function projectFolder(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "project.godot"))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}
