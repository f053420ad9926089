/**
 * The node tree of a glTF file as an Espalier scene: names, parents, order, transforms.
 */
import type { SceneFile } from "espalier/scene";
import { loadTool } from "../missing-tool.ts";
import { checkNodes } from "./gltf-check.ts";
import { type GltfJson, type Item, withoutBuffers } from "./gltf-json.ts";
import {
  differing,
  type Entry,
  fitsFloat,
  type Imported,
  type Json,
  short,
  type Unmapped,
} from "./imported.ts";

type Core = typeof import("@gltf-transform/core");
type GltfNode = import("@gltf-transform/core").Node;
type GltfRoot = import("@gltf-transform/core").Root;

export interface GltfOptions {
  /** Puts everything under an entity with that name. */
  readonly rootName?: string;
  /** Nodes to leave out with their descendants, by number. */
  readonly leftOut?: ReadonlySet<number>;
  /** The hint in the name of a node, if it has an effect. */
  readonly hintIn?: (node: Item) => string | undefined;
}

export async function importGltf(json: GltfJson, options: GltfOptions = {}): Promise<Imported> {
  checkNodes(json);
  const { NodeIO, Logger } = await loadTool<Core>(
    "@gltf-transform/core",
    "Reading glTF needs the package @gltf-transform/core.",
  );
  const io = new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT));
  const document = await io.readJSON({ json: withoutBuffers(json) as never, resources: {} });
  return new GltfImport(json, document.getRoot(), options).run(options.rootName);
}

/** Keys of a node that are converted or kept under their own name. */
const nodeKeys: ReadonlySet<string> = new Set([
  "name",
  "children",
  "translation",
  "rotation",
  "scale",
  "matrix",
  "mesh",
  "camera",
  "skin",
  "weights",
  "extras",
  "extensions",
]);

/** Keys of a file that are handled individually. */
const fileKeys: ReadonlySet<string> = new Set([
  "asset",
  "scene",
  "scenes",
  "nodes",
  "meshes",
  "cameras",
  "skins",
  "animations",
  "materials",
  "textures",
  "images",
  "samplers",
  "extensions",
  "extras",
]);

/** Keys whose extras are handled: nodes keep theirs, other scenes are listed as a whole. */
const keysWithOwnExtras: ReadonlySet<string> = new Set(["asset", "scenes", "nodes", "extras", "extensions"]);

type Things = "meshes" | "cameras" | "skins";

class GltfImport {
  private readonly json: GltfJson;
  private readonly root: GltfRoot;
  private readonly unmapped: Unmapped[] = [];
  private readonly indexOf: ReadonlyMap<GltfNode, number>;
  /** Items that some node of the scene uses. */
  private readonly used = new Set<Item>();
  private readonly leftOut: ReadonlySet<number>;
  private readonly hintIn: (node: Item) => string | undefined;

  constructor(json: GltfJson, root: GltfRoot, { leftOut, hintIn }: GltfOptions) {
    this.leftOut = leftOut ?? new Set();
    this.hintIn = hintIn ?? (() => undefined);
    this.json = json;
    this.root = root;
    this.indexOf = new Map(root.listNodes().map((node, k) => [node, k]));
  }

  run(rootName: string | undefined): Imported {
    const scenes = this.root.listScenes();
    const scene = this.root.getDefaultScene() ?? scenes[0];
    const { entities, seen } = this.tree(scene?.listChildren() ?? []);
    scenes.forEach((other, k) => {
      const label = other.getName() || `#${k}`;
      if (other !== scene) this.lost("", `scene ${label}`);
      else if (other.getName() !== "") this.lost("", `name of the scene, ${label}`);
      const { name: _, nodes: __, extras, extensions, ...others } = this.json.scenes?.[k] ?? {};
      const of = other === scene ? "of the scene" : `of scene ${label}`;
      this.listExtras({ extras, extensions }, of);
      for (const key of Object.keys(others)) this.lost("", `${key} ${of}`);
    });
    for (const [node, k] of this.indexOf) {
      if (this.leftOut.has(k)) {
        this.lost(
          node.getName() || `#${k}`,
          "node that Godot does not import, by the hint in its name or above",
        );
      } else if (!seen.has(node)) this.lost(node.getName() || `#${k}`, "node outside the scene");
    }
    this.listRest();
    const roots = rootName === undefined ? entities : [rootOf(rootName, entities)];
    const file = { version: 1, entities: roots } as unknown as SceneFile;
    return { scene: file, unmapped: this.unmapped, needs: [] };
  }

  private lost(node: string, what: string, kept = false): void {
    this.unmapped.push({ node, what, kept });
  }

  /** The nodes below a scene as entries. A stack, because files may be deep. */
  private tree(roots: readonly GltfNode[]): { entities: Entry[]; seen: Set<GltfNode> } {
    const entities: Entry[] = [];
    const seen = new Set<GltfNode>();
    const stack: { node: GltfNode; into: Entry[]; path: string }[] = [];
    const push = (nodes: readonly GltfNode[], into: Entry[], path: string) => {
      for (let k = nodes.length - 1; k >= 0; k--) {
        const node = nodes[k] as GltfNode;
        if (!this.leftOut.has(this.indexOf.get(node) as number)) stack.push({ node, into, path });
      }
    };
    push(roots, entities, "");
    while (stack.length > 0) {
      const { node, into, path } = stack.pop() as { node: GltfNode; into: Entry[]; path: string };
      if (seen.has(node)) continue;
      seen.add(node);
      const name = node.getName();
      const here = `${path === "" ? "" : `${path}/`}${name || `#${this.indexOf.get(node)}`}`;
      const isName = name !== "." && name !== "..";
      if (!isName) this.lost(here, `name ${JSON.stringify(name)}, which no entity can have`);
      const entry: Entry = {
        ...(isName && name !== "" ? { name } : {}),
        components: { Transform3D: transformOf(node, (what) => this.lost(here, what)) },
      };
      const kept = this.keptOf(node, here);
      if (Object.keys(kept).length > 0)
        entry.components = { ...entry.components, Props: { values: { gltf: kept } } };
      into.push(entry);
      const children = node.listChildren();
      if (children.length === 0) continue;
      const below: Entry[] = [];
      entry.children = below;
      push(children, below, here);
    }
    return { entities, seen };
  }

  /** The data of a node besides its transform: named, so that a program can find it in the original. */
  private keptOf(node: GltfNode, here: string): { [name: string]: Json } {
    const index = this.indexOf.get(node) as number;
    const item = this.json.nodes?.[index] ?? {};
    // With the number a program can resolve joints and animations of the original.
    const kept: { [name: string]: Json } = { node: index };
    const keep = (key: string, value: unknown, what: string) => {
      kept[key] = value as Json;
      this.lost(here, what, true);
    };
    const refer = (key: string, things: Things) => {
      const index = item[key];
      const thing = typeof index === "number" ? this.json[things]?.[index] : undefined;
      if (thing === undefined) return;
      this.used.add(thing);
      const label = labelOf(thing, index as number);
      keep(key, label, `${key} ${label}`);
      kept[`${key}Index`] = index as number;
    };
    refer("mesh", "meshes");
    refer("camera", "cameras");
    refer("skin", "skins");
    const hint = this.hintIn(item);
    if (hint !== undefined) this.lost(here, `hint ${hint} in its name, by which Godot makes something of it`);
    if (leans(node, item.matrix)) {
      keep("matrix", item.matrix, "matrix that leans, of which only position, rotation and scale came along");
    }
    if (item.weights !== undefined) keep("weights", item.weights, "morph weights");
    if (item.extras !== undefined) keep("extras", item.extras, "extras");
    if (item.extensions !== undefined) {
      keep("extensions", item.extensions, `extensions ${Object.keys(Object(item.extensions)).join(", ")}`);
    }
    const others = Object.keys(item).filter((key) => !nodeKeys.has(key));
    for (const key of others) keep(`node ${key}`, item[key], key);
    return kept;
  }

  /** Lists data of the file as a whole. */
  private listRest(): void {
    const { json } = this;
    const list = (items: readonly Item[] | undefined, what: string, behind = "") => {
      items?.forEach((item, k) => {
        if (!this.used.has(item)) this.lost("", `${what} ${labelOf(item, k)}${behind}`);
      });
    };
    list(json.meshes, "mesh", ", which no node of the scene has");
    list(json.cameras, "camera", ", which no node of the scene has");
    list(json.skins, "skin", ", which no node of the scene has");
    list(json.materials, "material");
    list(json.textures, "texture");
    list(json.images, "image");
    list(json.samplers, "sampler");
    list(json.animations, "animation");
    json.meshes?.forEach((mesh, k) => {
      if (mesh.weights !== undefined) this.lost("", `weights of mesh ${labelOf(mesh, k)}`);
    });
    for (const key of Object.keys(json)) {
      const value = (json as { readonly [key: string]: unknown })[key];
      this.listOther(key, value);
      if (!keysWithOwnExtras.has(key)) this.listExtrasInside(key, value);
    }
    this.listExtras(json, "of the file");
    const { version: _, copyright, extras, extensions, ...asset } = Object(json.asset) as Item;
    if (copyright !== undefined) this.lost("", `copyright ${String(copyright)}`);
    this.listExtras({ extras, extensions }, "of the asset");
    for (const key of Object.keys(asset)) this.lost("", `${key} of the asset, ${JSON.stringify(asset[key])}`);
  }

  /** Lists other parts of a file: data in buffers, and unknown keys. */
  private listOther(key: string, value: unknown): void {
    if (fileKeys.has(key)) return;
    if (Array.isArray(value)) this.lost("", `${value.length} ${key}`);
    else this.lost("", key);
  }

  /** Lists extras and extensions inside items that are listed as a whole, at any depth. */
  private listExtrasInside(key: string, value: unknown): void {
    const stack: { readonly value: unknown; readonly path: string }[] = [{ value, path: key }];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { value, path } = next;
      if (typeof value !== "object" || value === null) continue;
      if (!Array.isArray(value)) this.listExtras(value, `of ${path}`);
      const inner = Object.entries(value).filter(([name]) => name !== "extras" && name !== "extensions");
      for (const [name, each] of inner.reverse()) {
        stack.push({ value: each, path: Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}` });
      }
    }
  }

  private listExtras(
    { extras, extensions }: { readonly extras?: unknown; readonly extensions?: unknown },
    of: string,
  ): void {
    if (extras !== undefined) this.lost("", `extras ${of}`);
    for (const name of Object.keys(Object(extensions))) this.lost("", `extension ${name} ${of}`);
  }
}

function rootOf(name: string, children: Entry[]): Entry {
  return {
    ...(name === "" ? {} : { name }),
    components: { Transform3D: {} },
    ...(children.length === 0 ? {} : { children }),
  };
}

/** Whether a matrix has more than position, rotation and scale. */
function leans(node: GltfNode, matrix: unknown): boolean {
  if (!Array.isArray(matrix)) return false;
  const largest = Math.max(...matrix.map(Math.abs));
  return node.getMatrix().some((value, k) => Math.abs(value - matrix[k]) > 1e-4 * largest);
}

/** The name of an item, or its index in the file. */
function labelOf({ name }: Item, index: number): string {
  return typeof name === "string" && name !== "" ? name : `#${index}`;
}

type Fields = { [field: string]: number };

/** The transform of a node. What cannot be determined or expressed is left at its default, and listed. */
function transformOf(node: GltfNode, lost: (what: string) => void): { [field: string]: Json } {
  const part = (what: string, names: readonly string[], values: readonly number[]): Fields => {
    const isTurn = what === "rotation";
    if (values.every(fitsFloat) && !(isTurn && values.every((value) => value === 0)))
      return Object.fromEntries(names.map((name, k) => [name, short(values[k] as number)]));
    lost(
      isTurn
        ? "rotation, which cannot be determined: the node is flat, or its numbers are too large"
        : `${what}, whose numbers are too large`,
    );
    return {};
  };
  return differing(
    {
      ...part("translation", ["x", "y", "z"], node.getTranslation()),
      ...part("rotation", ["qx", "qy", "qz", "qw"], node.getRotation()),
      ...part("scale", ["scaleX", "scaleY", "scaleZ"], node.getScale()),
    },
    { qw: 1, scaleX: 1, scaleY: 1, scaleZ: 1 },
  );
}
