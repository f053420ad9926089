/** "Every single thing is listed": whatever is taken out of a glTF file, the scene or the list changes. */
import { describe, expect, it } from "vitest";
import { importScene } from "../src/index.ts";
import { tempFolder } from "./folder.ts";

const { write } = tempFolder();

const extra = { extras: { a: 1 }, extensions: { EXT_a: { b: 2 } } };
const texture = { index: 0, texCoord: 1, ...extra };

/** Everything that glTF 2.0 knows. */
const whole = {
  asset: { version: "2.0", minVersion: "2.0", generator: "G", copyright: "C", unknown: 1, ...extra },
  extensionsUsed: ["EXT_a"],
  extensionsRequired: ["EXT_a"],
  scene: 1,
  scenes: [
    { name: "Other", nodes: [3], ...extra },
    { name: "Main", nodes: [0, 1], unknown: 1, ...extra },
  ],
  nodes: [
    {
      name: "A",
      translation: [1, 2, 3],
      rotation: [0, 0.6, 0, 0.8],
      scale: [2, 1, 1],
      children: [2],
      ...extra,
    },
    { name: "B", matrix: [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 7, 0, 0, 1], camera: 0, unknown: 1 },
    { name: "C", mesh: 0, skin: 0, weights: [0.1], ...extra },
    { name: "D" },
  ],
  meshes: [
    {
      name: "M",
      weights: [0.5],
      primitives: [
        {
          attributes: { POSITION: 0 },
          indices: 0,
          material: 0,
          mode: 4,
          targets: [{ POSITION: 0 }],
          ...extra,
        },
      ],
      ...extra,
    },
  ],
  cameras: [{ name: "Eye", type: "perspective", perspective: { yfov: 1, znear: 0.1, ...extra }, ...extra }],
  skins: [{ name: "S", inverseBindMatrices: 0, skeleton: 0, joints: [0], ...extra }],
  animations: [
    {
      name: "Walk",
      channels: [{ sampler: 0, target: { node: 0, path: "scale", ...extra }, ...extra }],
      samplers: [{ input: 0, output: 0, interpolation: "STEP", ...extra }],
      ...extra,
    },
  ],
  materials: [
    {
      name: "Red",
      pbrMetallicRoughness: { baseColorTexture: texture, metallicRoughnessTexture: texture, ...extra },
      normalTexture: { ...texture, scale: 2 },
      occlusionTexture: { ...texture, strength: 0.5 },
      emissiveTexture: texture,
      ...extra,
    },
  ],
  textures: [{ name: "T", sampler: 0, source: 0, ...extra }],
  images: [{ name: "I", uri: "i.png", ...extra }],
  samplers: [{ name: "F", magFilter: 9729, ...extra }],
  accessors: [
    {
      componentType: 5126,
      count: 2,
      type: "VEC3",
      sparse: {
        count: 1,
        indices: { bufferView: 0, ...extra },
        values: { bufferView: 0, ...extra },
        ...extra,
      },
      ...extra,
    },
  ],
  bufferViews: [{ buffer: 0, byteLength: 8, ...extra }],
  buffers: [{ byteLength: 8, uri: "b.bin", ...extra }],
  unknown: { a: 1 },
  ...extra,
};

async function resultOf(gltf: object): Promise<string> {
  return JSON.stringify(await importScene(write("a.gltf", JSON.stringify(gltf))));
}

/** The paths of everything of which nothing else speaks: what a listed material or mesh consists of is listed with it. */
function* pathsIn(
  value: unknown,
  path: readonly (string | number)[] = [],
): IterableIterator<(string | number)[]> {
  if (typeof value !== "object" || value === null) return;
  const [list] = path;
  // What only another scene has is listed as a whole, and so is what no reader knows.
  if ((list === "nodes" && path[1] === 3) || list === "unknown") return;
  for (const [name, inner] of Object.entries(value)) {
    const key = Array.isArray(value) ? Number(name) : name;
    const isExtra = name === "extras" || name === "extensions";
    const isPart =
      path.length < 2 || list === "asset" || list === "scenes" || list === "nodes" || name === "name";
    if (!Array.isArray(value) && (isExtra || isPart || name === "weights")) yield [...path, key];
    if (!isExtra) yield* pathsIn(inner, [...path, key]);
  }
}

describe("a glTF file with every feature of glTF", () => {
  it("loses nothing silently", async () => {
    const before = await resultOf(whole);
    const paths = [...pathsIn(whole)];
    expect(paths.length).toBeGreaterThan(100);
    const silent: string[] = [];
    for (const path of paths) {
      const copy = structuredClone(whole) as unknown as { [key: string]: unknown };
      let at = copy;
      for (const key of path.slice(0, -1)) at = at[key] as { [key: string]: unknown };
      delete at[path.at(-1) as string];
      // What makes it another kind of file, or none, is noticed too.
      const after = await resultOf(copy).catch((error: Error) => error.message);
      if (after === before) silent.push(path.join("."));
    }
    // Those nodes are listed one by one, as nodes outside the scene.
    expect(silent).toEqual(["scenes.0.nodes"]);
  });
});
