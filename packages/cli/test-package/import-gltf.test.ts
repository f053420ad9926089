import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createFolder } from "./binary.ts";

const folder = createFolder();
afterAll(() => folder.remove());

/** A ship with a mast that leans and a lamp, and a second scene. */
const gltf = {
  asset: { version: "2.0" },
  scene: 0,
  scenes: [
    { name: "main", nodes: [0, 3] },
    { name: "spare", nodes: [4] },
  ],
  nodes: [
    { name: "ship", children: [1, 2], translation: [1, 2, 3], mesh: 0, extras: { price: 7 } },
    { name: "mast", rotation: [0, 0, 0.6, 0.8], scale: [1, 2, 1] },
    { matrix: [0.28, 0.96, 0, 0, -0.96, 0.28, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1] },
    { name: "camera", camera: 0 },
    { name: "spare part" },
  ],
  meshes: [{ name: "hull", primitives: [{ attributes: {} }] }],
  cameras: [{ type: "perspective", perspective: { yfov: 1, znear: 0.1 } }],
  animations: [{ name: "sway", channels: [], samplers: [] }],
};

describe("espalier import of a glTF file", () => {
  folder.write("ship.gltf", JSON.stringify(gltf));
  const run = folder.espalier("import", "ship.gltf");

  it("writes the node tree with names, order and transforms", () => {
    expect(run.status).toBe(0);
    expect(JSON.parse(folder.read("ship.scene.json")).entities).toEqual([
      {
        id: "ship",
        name: "ship",
        components: {
          Transform3D: { x: 1, y: 2, z: 3 },
          Props: { values: { gltf: { node: 0, mesh: "hull", meshIndex: 0, extras: { price: 7 } } } },
        },
      },
      {
        id: "mast",
        name: "mast",
        parent: "ship",
        components: {
          Transform3D: { qz: 0.6, qw: 0.8, scaleY: 2 },
          Props: { values: { gltf: { node: 1 } } },
        },
      },
      {
        id: "entity-1",
        parent: "ship",
        components: {
          Transform3D: { x: 4, y: 5, z: 6, qz: 0.6, qw: 0.8 },
          Props: { values: { gltf: { node: 2 } } },
        },
      },
      {
        id: "camera",
        name: "camera",
        components: {
          Transform3D: {},
          Props: { values: { gltf: { node: 3, camera: "#0", cameraIndex: 0 } } },
        },
      },
    ]);
  });

  it("lists what a scene cannot hold", () => {
    expect(run.stderr).toBe(`✓ ship.gltf → ship.scene.json, 4 entities
  ship: mesh hull (kept in Props)
  ship: extras (kept in Props)
  camera: camera #0 (kept in Props)
  name of the scene, main (not imported)
  scene spare (not imported)
  spare part: node outside the scene (not imported)
  animation sway (not imported)
`);
  });

  it("gives a scene that loads", () => {
    expect(folder.espalier("tree", "ship.scene.json", "--no-components").stdout).toBe(`ship "ship" (1, 2, 3)
├─ mast "mast" (0, 0, 0) world (1, 2, 3)
└─ entity-1 (4, 5, 6) world (5, 7, 9)
camera "camera" (0, 0, 0)
`);
  });

  it("needs no buffers and no extensions for the node tree, and lists what it skips", () => {
    const packed = {
      asset: { version: "2.0", copyright: "Somebody" },
      extensionsUsed: ["KHR_lights_punctual", "KHR_draco_mesh_compression"],
      extensionsRequired: ["KHR_draco_mesh_compression"],
      extensions: { KHR_lights_punctual: { lights: [{ type: "point" }] } },
      extras: { made: "by hand" },
      scenes: [{ nodes: [0], extras: { mood: 1 } }],
      nodes: [{ name: "lamp", mesh: 0, extensions: { KHR_lights_punctual: { light: 0 } } }],
      meshes: [
        { primitives: [{ attributes: { POSITION: 0 }, material: 0 }] },
        { name: "spare", primitives: [] },
      ],
      materials: [{ name: "brass" }],
      accessors: [{ bufferView: 0, componentType: 5126, count: 1, type: "VEC3" }],
      bufferViews: [{ buffer: 0, byteLength: 12 }],
      buffers: [{ uri: "gone.bin", byteLength: 12 }],
      images: [{ uri: "gone.png" }],
    };
    const json = Buffer.from(JSON.stringify(packed));
    const header = Buffer.alloc(20);
    header.write("glTF", 0, "latin1");
    header.writeUInt32LE(2, 4);
    header.writeUInt32LE(header.length + json.length, 8);
    header.writeUInt32LE(json.length, 12);
    header.write("JSON", 16, "latin1");
    writeFileSync(join(folder.dir, "packed.glb"), Buffer.concat([header, json]));
    const { status, stderr } = folder.espalier("import", "packed.glb");
    expect(stderr).toBe(`✓ packed.glb → packed.scene.json, 1 entity
  lamp: mesh #0 (kept in Props)
  lamp: extensions KHR_lights_punctual (kept in Props)
  extras of the scene (not imported)
  mesh spare, which no node of the scene has (not imported)
  material brass (not imported)
  image #0 (not imported)
  2 extensionsUsed (not imported)
  1 extensionsRequired (not imported)
  1 accessors (not imported)
  1 bufferViews (not imported)
  1 buffers (not imported)
  extras of the file (not imported)
  extension KHR_lights_punctual of the file (not imported)
  copyright Somebody (not imported)
`);
    expect(status).toBe(0);
    expect(JSON.parse(folder.read("packed.scene.json")).entities[0].components.Props.values.gltf).toEqual({
      node: 0,
      mesh: "#0",
      meshIndex: 0,
      extensions: { KHR_lights_punctual: { light: 0 } },
    });
  });

  it("reports a matrix with shear, which a transform cannot hold", () => {
    const matrix = [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 7, 0, 0, 1];
    folder.write(
      "lean.gltf",
      JSON.stringify({ asset: { version: "2.0" }, scenes: [{ nodes: [0] }], nodes: [{ name: "a", matrix }] }),
    );
    const { stderr } = folder.espalier("import", "lean.gltf");
    expect(stderr).toContain("a: matrix that leans, of which only position, rotation and scale came along");
    const [a] = JSON.parse(folder.read("lean.scene.json")).entities;
    expect(a.components.Props.values.gltf).toEqual({ node: 0, matrix });
    expect(a.components.Transform3D.x).toBe(7);
  });

  it.each([
    ["bad.gltf", "{ nope", "it is not a glTF file: "],
    ["bad.gltf", "{}", "it is not a glTF file: it has no asset with a version."],
    ["bad.gltf", `{ "asset": { "version": "1.0" } }`, "it has version 1.0 of glTF, and only 2 is known."],
    ...[
      [`"nodes": 7`, "its nodes are not an array of objects."],
      [`"nodes": [{ "children": [7] }]`, "node 0 names node 7, and there are 1 nodes."],
      [`"nodes": [{}], "scenes": [{ "nodes": [-1] }]`, "scene 0 names node -1, and there are 1 nodes."],
      [
        `"nodes": [{ "children": [2] }, { "children": [2] }, {}]`,
        "node 2 is a child of node 0 and of node 1.",
      ],
      [
        `"nodes": [{ "children": [1] }, { "children": [0] }], "scenes": [{ "nodes": [0] }]`,
        "node 0 stands in scene 0 and is also a child of node 1.",
      ],
      [`"nodes": [{ "rotation": [1] }]`, "the rotation of node 0 is not an array of 4 numbers."],
    ].map(([parts, message]) => [
      "bad.gltf",
      `{ "asset": { "version": "2.0" }, ${parts} }`,
      message as string,
    ]),
    ["bad.glb", "glTF", "it is not a binary glTF file of version 2: it does not begin with JSON."],
  ])("refuses what is not a glTF file: %s %j", (file, text, message) => {
    folder.write(file, text);
    const { status, stdout, stderr } = folder.espalier("import", file);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`Cannot import ${file}: ${message}`);
  });
});
