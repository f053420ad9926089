/**
 * A scene as a scene of Godot: the inverse of the importer. Losses are found by importing the result.
 */
import { dirname, posix, relative, resolve, sep } from "node:path";
import type { Component, Entity, Schema } from "espalier";
import type { EntityEntry } from "espalier/scene";
import { RectTransform, Transform2D, Transform3D } from "espalier/transform";
import { exitCodes, Stop } from "../exit-codes.ts";
import { importGodot } from "../import/godot.ts";
import { GodotScenes, projectFolder } from "../import/godot-scenes.ts";
import { isControl, isLayer } from "../import/godot-types.ts";
import { lostBetween } from "./compare.ts";
import {
  type Exported,
  type Fields,
  fieldsOf,
  keptFor,
  numberOf,
  type OpenScene,
  openScene,
} from "./exported.ts";
import { GodotText, propertyName, quoted } from "./godot-text.ts";
import { type Property, properties2D, properties3D, rectProperties } from "./godot-transforms.ts";

export interface GodotExportOptions {
  /** The scene file, from which prefabs are resolved. */
  readonly file: string;
  /** Where the scene of Godot will be. */
  readonly out: string;
  readonly prefabs?: string | undefined;
  /** Flip the y axis: Godot's points down. */
  readonly yUp?: boolean;
  readonly mayRead?: (file: string) => void;
}

export async function exportGodot(text: string, options: GodotExportOptions): Promise<Exported> {
  const { file, out, prefabs, mayRead } = options;
  const open = await openScene(text, file, prefabs, mayRead);
  const made = new GodotExport(open, options);
  const content = made.run();
  const { scene } = importGodot(content, {
    file: out,
    into: dirname(resolve(file)),
    yUp: options.yUp === true,
    scenes: new GodotScenes(),
  });
  const back = await openScene(made.withPrefabs(scene) as never, file, prefabs, mayRead);
  const lost = lostBetween(open.entries, made.isWrapped ? withoutRoot(back.entries) : back.entries);
  if (made.isWrapped)
    lost.unshift({ entity: "", what: "that the scene has several roots; they are below a new one" });
  return { content, lost, needs: made.needs };
}

/** Entries without the root that was made for them. */
function withoutRoot(entries: readonly EntityEntry[]): readonly EntityEntry[] {
  const [root, ...rest] = entries;
  return rest.map(({ parent, ...entry }) =>
    parent === root?.id ? entry : { ...entry, ...(parent === undefined ? {} : { parent }) },
  );
}

/** Characters that names in Godot cannot have. */
const forbidden = /[.:@/"%\n\r]/g;

const deepest = 1000;

class GodotExport {
  readonly needs: string[] = [];
  readonly isWrapped: boolean;
  private readonly text = new GodotText();
  private readonly open: OpenScene;
  private readonly options: GodotExportOptions;
  private readonly sign: number;
  /** The paths of nodes, by the ids of entries: "." is the root. */
  private readonly paths = new Map<string, string>();
  private readonly taken = new Set<string>();
  private readonly depths = new Map<string, number>();
  /** The names of prefabs, by the names that the importer gives them. */
  private readonly prefabNames = new Map<string, string>();

  constructor(open: OpenScene, options: GodotExportOptions) {
    this.open = open;
    this.options = options;
    this.sign = options.yUp === true ? -1 : 1;
    this.isWrapped = open.entries.filter(({ parent }) => parent === undefined).length !== 1;
  }

  run(): string {
    if (this.isWrapped) {
      this.text.node(
        [
          ["name", quoted("Scene")],
          ["type", quoted("Node2D")],
        ],
        [],
      );
      this.taken.add(".");
    }
    for (const entry of this.open.entries) this.entry(entry);
    return this.text.toString();
  }

  /** The re-imported scene, with its original names of prefabs. */
  withPrefabs(scene: object): object {
    const copy = structuredClone(scene) as { entities: Mutable[] };
    const stack = [...copy.entities];
    for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
      if (entry.prefab !== undefined) entry.prefab = this.prefabNames.get(entry.prefab) ?? entry.prefab;
      stack.push(...(entry.children ?? []), ...Object.values(entry.overrides ?? {}));
    }
    return copy;
  }

  private entry(entry: EntityEntry): void {
    const id = entry.id as string;
    const parent = entry.parent === undefined ? undefined : this.pathOf(entry.parent);
    const isRoot = entry.parent === undefined && !this.isWrapped;
    const above = parent ?? ".";
    if (this.levels(id, entry.parent) > deepest) {
      throw new Stop(
        exitCodes.problems,
        `Cannot export ${JSON.stringify(id)} for Godot: it is more than ${deepest} levels deep, and Godot writes the whole path of every node.`,
      );
    }
    const name = isRoot ? nameOf(entry) : this.freeName(above, nameOf(entry));
    const path = isRoot ? "." : above === "." ? name : `${above}/${name}`;
    this.paths.set(id, path);
    this.taken.add(path);
    const kept = keptFor(entry, "godot");
    const attributes: Property[] = [["name", quoted(name)]];
    const type = typeOf(entry, kept);
    if (entry.prefab === undefined) attributes.push(["type", quoted(type)]);
    if (!isRoot) attributes.push(["parent", quoted(above)]);
    if (entry.prefab !== undefined)
      attributes.push(["instance", `ExtResource(${quoted(this.prefab(entry.prefab))})`]);
    this.write(
      entry,
      kept,
      attributes,
      entry.prefab === undefined ? type : undefined,
      this.open.scene.find(id),
    );
    for (const [target, override] of Object.entries(entry.overrides ?? {})) {
      const inner = this.open.scene.find(`${id}/${target}`);
      if (override === null || inner === undefined) continue;
      const at = this.pathOf(`${id}/${target}`);
      const [folder, last] = [posix.dirname(at), posix.basename(at)];
      this.write(
        override as EntityEntry,
        keptFor(override as EntityEntry, "godot"),
        [
          ["name", quoted(last)],
          ["parent", quoted(folder)],
        ],
        undefined,
        inner,
      );
    }
  }

  private write(
    entry: Pick<EntityEntry, "components">,
    kept: Fields,
    attributes: Property[],
    type: string | undefined,
    entity: Entity | undefined,
  ): void {
    const properties: Property[] = this.transform(entry, type, entity);
    const { mode } = fieldsOf(entry, "Visibility") ?? {};
    if (mode === "hidden") properties.push(["visible", "false"]);
    else if (mode === "inherit" || (mode === "visible" && type === undefined))
      properties.push(["visible", "true"]);
    const topLevel = fieldsOf(entry, "InheritTransform")?.topLevel;
    if (typeof topLevel === "boolean") properties.push(["top_level", String(topLevel)]);
    const z = fieldsOf(entry, "ZIndex");
    if (typeof z?.z === "number") properties.push(["z_index", String(z.z)]);
    if (typeof z?.zRelative === "boolean") properties.push(["z_as_relative", String(z.zRelative)]);
    for (const [name, value] of Object.entries(kept)) {
      if (name === "type" && type !== undefined) continue;
      try {
        const into = headNames.has(name) ? attributes : properties;
        into.push([propertyName(name), this.text.value(value)]);
      } catch (error) {
        // Values nested too deeply are found missing by the comparison.
        if (!(error instanceof RangeError)) throw error;
      }
    }
    if (type !== undefined || attributes.length > 2 || properties.length > 0)
      this.text.node(attributes, properties);
  }

  /** The transform of a node. For a node inside an instance only given values, with those that Godot writes together with them. */
  private transform(
    entry: Pick<EntityEntry, "components">,
    type: string | undefined,
    entity: Entity | undefined,
  ): Property[] {
    const isWhole = type !== undefined;
    const solid = fieldsOf(entry, "Transform3D");
    if (solid !== undefined) return properties3D(solid, this.valuesOf(entity, Transform3D), isWhole);
    const rect = fieldsOf(entry, "RectTransform");
    const found =
      rect === undefined
        ? { properties: [], corner: undefined }
        : rectProperties(rect, this.valuesOf(entity, RectTransform), { isWhole, sign: this.sign });
    const flat = fieldsOf(entry, "Transform2D");
    if (flat === undefined) return [...found.properties];
    const values = this.valuesOf(entity, Transform2D);
    const own2D = properties2D(flat, values, {
      isWhole,
      sign: this.sign,
      name: isLayer(type ?? "") ? "offset" : "position",
    });
    const isCorner =
      found.corner !== undefined &&
      numberOf(values, "x") === found.corner[0] &&
      numberOf(values, "y") === found.corner[1];
    const isSaid = own2D.length > 0 || found.corner !== undefined || !isControl(type ?? "");
    // A widget has a position only where the file has one.
    const zero: Property[] = isSaid ? [] : [["position", "Vector2(0, 0)"]];
    const own = isCorner ? own2D.filter(([name]) => name !== "position") : own2D;
    const needsPosition =
      found.corner !== undefined && !isCorner && !own.some(([name]) => name === "position");
    return [
      ...found.properties,
      ...zero,
      ...(needsPosition ? ([["position", "Vector2(0, 0)"]] as Property[]) : []),
      ...own,
    ];
  }

  private valuesOf(entity: Entity | undefined, component: Component<Schema>): Fields | undefined {
    const { world } = this.open.scene.tree;
    return entity === undefined ? undefined : (world.get(entity, component) as Fields | undefined);
  }

  /** The path of the node of an entity, which may be inside an instance. */
  private pathOf(id: string): string {
    const own = this.paths.get(id);
    if (own !== undefined) return own;
    const { scene } = this.open;
    const names: string[] = [];
    const entity = scene.find(id);
    if (entity === undefined) return ".";
    for (const above of scene.tree.ancestors(entity, { includeSelf: true })) {
      const at = this.paths.get(scene.idOf(above) ?? "");
      if (at !== undefined) return at === "." ? names.join("/") : [at, ...names].join("/");
      names.unshift(plainName(scene.tree.nameOf(above) ?? scene.idOf(above)?.split("/").at(-1) ?? ""));
    }
    return ".";
  }

  /** The depth of an entity, from the depth of its parent. */
  private levels(id: string, parent: string | undefined): number {
    const level = parent === undefined ? 0 : (this.depths.get(parent) ?? 0) + 1;
    this.depths.set(id, level);
    return level;
  }

  /** Siblings in Godot have unique names. */
  private freeName(parent: string, name: string): string {
    const at = (each: string) => (parent === "." ? each : `${parent}/${each}`);
    let free = name;
    for (let k = 2; this.taken.has(at(free)); k++) free = `${name}${k}`;
    return free;
  }

  /** The id of the scene of an instance. */
  private prefab(name: string): string {
    const { file, out } = this.options;
    const folder = dirname(resolve(out));
    const root = projectFolder(folder) ?? folder;
    const found = resolve(dirname(resolve(file)), name);
    const source = isModelScene(found) ? found.slice(0, -".scene.json".length) : `${stemOf(found)}.tscn`;
    const path = relative(root, source).split(sep).join("/");
    if (!this.needs.includes(name)) this.needs.push(name);
    const given = relative(
      dirname(resolve(file)),
      isModelScene(found) ? found : `${stemOf(found)}.scene.json`,
    );
    this.prefabNames.set(given.split(sep).join("/"), name);
    return this.text.file(`res://${path}`, "PackedScene");
  }
}

interface Mutable {
  prefab?: string;
  children?: Mutable[];
  overrides?: { [target: string]: Mutable };
}

/** Properties that Godot writes into the heading of a node. */
const headNames = new Set(["groups", "node_paths", "instance_placeholder"]);

function nameOf({ name, id }: EntityEntry): string {
  return plainName(name ?? (id as string));
}

function plainName(name: string): string {
  const plain = name.replace(forbidden, "_");
  return plain === "" ? "Node" : plain;
}

/** The type of a node: the original one of an import, or the simplest one with its components. */
function typeOf(entry: EntityEntry, { type }: Fields): string {
  if (typeof type === "string" && /^\w+$/.test(type)) return type;
  if (fieldsOf(entry, "Transform3D") !== undefined) return "Node3D";
  if (fieldsOf(entry, "RectTransform") !== undefined) return "Control";
  return fieldsOf(entry, "Transform2D") === undefined ? "Node" : "Node2D";
}

function isModelScene(file: string): boolean {
  return /\.(glb|gltf)\.scene\.json$/i.test(file);
}

function stemOf(file: string): string {
  return file.replace(/(\.(scene|prefab))?\.jsonc?$/, "");
}
