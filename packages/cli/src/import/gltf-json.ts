/**
 * The JSON of a glTF file, reduced to what the node tree needs. Buffers and images are not even read: they may be large,
 * missing, or packed in a way that needs further packages.
 */

/** The content of a glTF file; only the parts that are used here. */
export interface GltfJson {
  readonly asset?: { readonly version?: string; readonly copyright?: string };
  readonly nodes?: readonly Item[];
  readonly scenes?: readonly Item[];
  readonly meshes?: readonly Item[];
  readonly cameras?: readonly Item[];
  readonly skins?: readonly Item[];
  readonly animations?: readonly Item[];
  readonly materials?: readonly Item[];
  readonly textures?: readonly Item[];
  readonly images?: readonly Item[];
  readonly samplers?: readonly Item[];
  readonly extensions?: { readonly [name: string]: unknown };
  readonly extras?: unknown;
}

export interface Item {
  readonly name?: string;
  readonly extensions?: { readonly [name: string]: unknown };
  readonly [key: string]: unknown;
}

/** @throws Error that says why the bytes are not a glTF file. */
export function readGltfJson(bytes: Buffer): GltfJson {
  const isBinary = bytes.toString("latin1", 0, 4) === "glTF";
  const text = isBinary ? jsonChunk(bytes) : bytes.toString("utf8").replace(/^\uFEFF/, "");
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Error(`it is not a glTF file: ${(error as Error).message}`);
  }
  const { version } = Object((Object(json) as GltfJson).asset) as { version?: unknown };
  if (typeof version === "string" && version.startsWith("2.")) return json as GltfJson;
  throw new Error(
    version === undefined
      ? "it is not a glTF file: it has no asset with a version."
      : `it has version ${String(version)} of glTF, and only 2 is known.`,
  );
}

/** The first part of a binary file: a header of 12 bytes, then length, kind and text. */
function jsonChunk(bytes: Buffer): string {
  const start = 20;
  if (bytes.length < start || bytes.toString("latin1", 16, 20) !== "JSON") {
    throw new Error("it is not a binary glTF file of version 2: it does not begin with JSON.");
  }
  return bytes.toString("utf8", start, start + bytes.readUInt32LE(12));
}

/** The file without parts that the node tree does not need: data in buffers, extensions, settings of cameras. */
export function withoutBuffers(json: GltfJson): object {
  const { asset, scenes = [], nodes = [], meshes = [], cameras = [], skins = [] } = json;
  const { scene } = json as { scene?: unknown };
  const named = ({ name }: Item) => (typeof name === "string" ? { name } : {});
  const only = (item: Item, keys: readonly string[]) =>
    Object.fromEntries(keys.filter((key) => item[key] !== undefined).map((key) => [key, item[key]]));
  return {
    asset: { version: asset?.version },
    ...(Number.isInteger(scene) && scenes[scene as number] !== undefined ? { scene } : {}),
    scenes: scenes.map((each) => ({ ...named(each), ...only(each, ["nodes"]) })),
    nodes: nodes.map((node) => ({ ...named(node), ...only(node, usedKeys) })),
    cameras: cameras.map((camera) => ({
      ...named(camera),
      type: "perspective",
      perspective: { yfov: 1, znear: 0.1 },
    })),
    meshes: meshes.map((mesh) => ({ ...named(mesh), primitives: [] })),
    skins: skins.map((skin) => ({ ...named(skin), joints: skin.joints })),
  };
}

const usedKeys = ["children", "translation", "rotation", "scale", "matrix", "mesh", "camera", "skin"];
