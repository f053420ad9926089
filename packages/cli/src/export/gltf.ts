/**
 * A scene as a glTF file: names, parents, order, transforms, and the data that the importer kept of nodes. Instances of prefabs
 * become plain
 * nodes. Losses are found by importing the result.
 */
import type { EntityEntry } from "espalier/scene";
import { instancesIn, toFlat, unpackInstance } from "espalier/scene";
import { importGltf } from "../import/gltf.ts";
import type { Json } from "../import/imported.ts";
import { ownVersion } from "../versions.ts";
import { lostBetween } from "./compare.ts";
import {
  type Exported,
  type Fields,
  fieldsOf,
  keptFor,
  type NotCarried,
  numberOf,
  openScene,
} from "./exported.ts";

export interface GltfExportOptions {
  /** The scene file, from which prefabs are resolved. */
  readonly file: string;
  readonly prefabs?: string | undefined;
  /** Whether to write a binary file. */
  readonly isBinary: boolean;
  readonly mayRead?: (file: string) => void;
}

type Node = { [key: string]: Json };

export async function exportGltf(
  text: string,
  { file, prefabs, isBinary, mayRead }: GltfExportOptions,
): Promise<Exported> {
  const { scene, entries: saved } = await openScene(text, file, prefabs, mayRead);
  const lost: NotCarried[] = [];
  for (const { prefab, path } of saved.flatMap((entry) => instanceIn(entry))) {
    lost.push({ entity: path, what: `instance of ${prefab}: its entities are nodes of their own` });
  }
  for (let left = instancesIn(scene.tree); left.length > 0; left = instancesIn(scene.tree)) {
    for (const { root } of left) unpackInstance(scene.tree, root);
  }
  const entries = toFlat(scene.toFile()).entities;
  const json = gltfOf(entries);
  const back = await importGltf(json as never);
  const { entries: after } = await openScene(back.scene, file, prefabs);
  lost.push(...lostBetween(entries, after));
  const body = JSON.stringify(json, null, isBinary ? undefined : 2);
  return { content: isBinary ? binary(body) : `${body}\n`, lost, needs: [] };
}

function instanceIn({ prefab, name, id }: EntityEntry): { prefab: string; path: string }[] {
  return prefab === undefined ? [] : [{ prefab, path: `/${name ?? id}` }];
}

function gltfOf(entries: readonly EntityEntry[]): object {
  const numbers = numbersOf(entries);
  const nodes: Node[] = new Array(entries.length);
  const roots: number[] = [];
  const children = new Map<number, number[]>();
  const extensions = new Set<string>();
  const indexOf = new Map(entries.map(({ id }, k) => [id as string, numbers[k] as number]));
  entries.forEach((entry, k) => {
    nodes[numbers[k] as number] = nodeOf(entry, extensions);
  });
  entries.forEach(({ parent }, k) => {
    const own = numbers[k] as number;
    if (parent === undefined) roots.push(own);
    else {
      const above = indexOf.get(parent) as number;
      const list = children.get(above);
      if (list === undefined) children.set(above, [own]);
      else list.push(own);
    }
  });
  for (const [above, list] of children) (nodes[above] as Node).children = list;
  return {
    asset: { version: "2.0", generator: `espalier ${ownVersion()}` },
    ...(extensions.size === 0 ? {} : { extensionsUsed: [...extensions] }),
    scene: 0,
    scenes: [roots.length === 0 ? {} : { nodes: roots }],
    ...(nodes.length === 0 ? {} : { nodes }),
  };
}

/** The numbers of nodes: those of the original file, if they are valid; otherwise in the order of the scene. */
function numbersOf(entries: readonly EntityEntry[]): readonly number[] {
  const own = entries.map((entry) => keptFor(entry, "gltf").node);
  const isComplete =
    new Set(own).size === own.length &&
    own.every(
      (number) => Number.isInteger(number) && (number as number) >= 0 && (number as number) < own.length,
    );
  return isComplete ? (own as readonly number[]) : entries.map((_, k) => k);
}

/** Keys that the importer kept under other names, or that need data which a scene does not have. */
const notNodeKeys = new Set([
  "node",
  "mesh",
  "meshIndex",
  "camera",
  "cameraIndex",
  "skin",
  "skinIndex",
  "matrix",
  "weights",
]);

function nodeOf(entry: EntityEntry, extensions: Set<string>): Node {
  const kept = keptFor(entry, "gltf");
  const node: Node = {};
  if (typeof entry.name === "string") node.name = entry.name;
  if (Array.isArray(kept.matrix)) node.matrix = kept.matrix;
  else Object.assign(node, transformOf(entry));
  for (const [key, value] of Object.entries(kept)) {
    if (notNodeKeys.has(key)) continue;
    if (key === "extensions") Object.assign(node, extensionsOf(value, extensions));
    else node[key.startsWith("node ") ? key.slice(5) : key] = value;
  }
  return node;
}

/** Extensions of nodes that name lights, accessors and the like by number: those are in the file, which a scene does not have. */
const namesParts =
  /^(KHR_lights_punctual|KHR_audio_emitter|KHR_physics_rigid_bodies|EXT_mesh_gpu_instancing|EXT_lights_\w+|MSFT_lod|MSFT_audio_emitter|OMI_\w+|FB_\w+)$/;

function extensionsOf(value: Json, used: Set<string>): Node {
  const kept = Object.entries(Object(value) as { readonly [name: string]: Json }).filter(
    ([name]) => !namesParts.test(name),
  );
  for (const [name] of kept) used.add(name);
  return kept.length === 0 ? {} : { extensions: Object.fromEntries(kept) };
}

function transformOf(entry: EntityEntry): Node {
  const solid = fieldsOf(entry, "Transform3D") ?? inSpace(fieldsOf(entry, "Transform2D"));
  const part = (name: string, fields: readonly string[], initial: readonly number[]): Node => {
    const values = fields.map((field, k) => numberOf(solid, field, initial[k]));
    return values.every((value, k) => value === initial[k]) ? {} : { [name]: values };
  };
  return {
    ...part("translation", ["x", "y", "z"], [0, 0, 0]),
    ...part("rotation", ["qx", "qy", "qz", "qw"], [0, 0, 0, 1]),
    ...part("scale", ["scaleX", "scaleY", "scaleZ"], [1, 1, 1]),
  };
}

/** A 2D transform as a 3D one: at z = 0, rotated around z. */
function inSpace(flat: Fields | undefined): Fields | undefined {
  if (flat === undefined) return undefined;
  const half = numberOf(flat, "rotation") / 2;
  return { ...flat, qz: Math.sin(half), qw: Math.cos(half) };
}

/** A binary file with one chunk: a header of 12 bytes, then length, kind and text, padded with spaces. */
function binary(json: string): Uint8Array {
  const text = Buffer.from(json, "utf8");
  const length = Math.ceil(text.length / 4) * 4;
  const bytes = Buffer.alloc(20 + length, " ");
  bytes.write("glTF", 0, "latin1");
  bytes.writeUInt32LE(2, 4);
  bytes.writeUInt32LE(bytes.length, 8);
  bytes.writeUInt32LE(length, 12);
  bytes.write("JSON", 16, "latin1");
  text.copy(bytes, 20);
  return bytes;
}
