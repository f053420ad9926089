/** A skinned arm of two bones as a glTF file, with two clips: made here, so that the test needs no file. */

const FLOAT = 5126;
const UINT16 = 5123;
const RINGS = 9;

/** The text of the file. A strip of squares along y, whose upper half hangs on the second bone. */
export function skinnedArm(): string {
  const positions: number[] = [];
  const normals: number[] = [];
  const joints: number[] = [];
  const weights: number[] = [];
  const indices: number[] = [];
  for (let ring = 0; ring < RINGS; ring++) {
    const upper = Math.min(Math.max((ring - 3) / 2, 0), 1);
    for (const x of [-0.6, 0.6]) {
      positions.push(x, ring * 0.5, 0);
      normals.push(0, 0, 1);
      joints.push(0, 1, 0, 0);
      weights.push(1 - upper, upper, 0, 0);
    }
    if (ring === 0) continue;
    const at = ring * 2;
    indices.push(at - 2, at - 1, at, at - 1, at + 1, at);
  }
  const half = (angle: number) => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
  const parts: { data: Float32Array | Uint16Array; type: string; componentType: number }[] = [];
  const add = (type: string, data: Float32Array | Uint16Array) =>
    parts.push({ type, data, componentType: data instanceof Float32Array ? FLOAT : UINT16 }) - 1;
  const floats = (type: string, values: readonly number[]) => add(type, new Float32Array(values));
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const lowered = [...identity.slice(0, 12), 0, -2, 0, 1];

  const POSITION = floats("VEC3", positions);
  const NORMAL = floats("VEC3", normals);
  const JOINTS_0 = add("VEC4", new Uint16Array(joints));
  const WEIGHTS_0 = floats("VEC4", weights);
  const index = add("SCALAR", new Uint16Array(indices));
  const inverse = floats("MAT4", [...identity, ...lowered]);
  const times = floats("SCALAR", [0, 0.5, 1]);
  const bend = floats("VEC4", [...half(0), ...half(1.2), ...half(0)]);
  const swing = floats("VEC4", [...half(-0.3), ...half(0.3), ...half(-0.3)]);
  const stretch = floats("VEC3", [1, 1, 1, 1.5, 1.4, 1, 1, 1, 1]);
  const lift = floats("VEC3", [0, 0, 0, 0, 1, 0, 0, 0, 0]);

  let length = 0;
  const views = parts.map(({ data }) => {
    const view = { buffer: 0, byteOffset: length, byteLength: data.byteLength };
    length += Math.ceil(data.byteLength / 4) * 4;
    return view;
  });
  const bytes = new Uint8Array(length);
  for (const [k, { data }] of parts.entries())
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), views[k]!.byteOffset);
  const sizes: Record<string, number> = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 };

  return JSON.stringify({
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0, 1] }],
    nodes: [
      { name: "skin", mesh: 0, skin: 0 },
      { name: "lower", translation: [0, -2, 0], children: [2] },
      { name: "upper", translation: [0, 2, 0] },
    ],
    meshes: [
      {
        primitives: [{ attributes: { POSITION, NORMAL, JOINTS_0, WEIGHTS_0 }, indices: index, material: 0 }],
      },
    ],
    materials: [
      { doubleSided: true, pbrMetallicRoughness: { baseColorFactor: [0.9, 0.5, 0.2, 1], metallicFactor: 0 } },
    ],
    skins: [{ joints: [1, 2], inverseBindMatrices: inverse }],
    animations: [
      clip("bend", [
        [2, "rotation", bend],
        [1, "rotation", swing],
      ]),
      clip("stretch", [
        [2, "scale", stretch],
        [2, "rotation", swing],
        [1, "translation", lift],
      ]),
    ],
    buffers: [
      {
        byteLength: length,
        uri: `data:application/octet-stream;base64,${btoa(String.fromCharCode(...bytes))}`,
      },
    ],
    bufferViews: views,
    accessors: parts.map(({ data, type, componentType }, bufferView) => ({
      bufferView,
      componentType,
      type,
      count: data.length / sizes[type]!,
      ...extremes(data, type, sizes[type]!),
    })),
  });

  function clip(name: string, moves: readonly (readonly [node: number, path: string, output: number])[]) {
    return {
      name,
      samplers: moves.map(([, , output]) => ({ input: times, output })),
      channels: moves.map(([node, path], sampler) => ({ sampler, target: { node, path } })),
    };
  }
}

/** Files say how far positions reach. */
function extremes(data: Float32Array | Uint16Array, type: string, size: number) {
  if (type !== "VEC3") return {};
  const columns = Array.from({ length: size }, (_, at) => [...data].filter((_, k) => k % size === at));
  return {
    min: columns.map((values) => Math.min(...values)),
    max: columns.map((values) => Math.max(...values)),
  };
}
