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
          Props: { values: { gltf: { mesh: "hull", extras: { price: 7 } } } },
        },
      },
      {
        id: "mast",
        name: "mast",
        parent: "ship",
        components: { Transform3D: { qz: 0.6, qw: 0.8, scaleY: 2 } },
      },
      {
        id: "entity-1",
        parent: "ship",
        components: { Transform3D: { x: 4, y: 5, z: 6, qz: 0.6, qw: 0.8 } },
      },
      {
        id: "camera",
        name: "camera",
        components: { Transform3D: {}, Props: { values: { gltf: { camera: "" } } } },
      },
    ]);
  });

  it("lists what has no place in a scene", () => {
    expect(run.stderr).toBe(`✓ ship.gltf → ship.scene.json, 4 entities
  scene spare (not imported)
  ship: mesh hull (kept in Props)
  ship: extras (kept in Props)
  camera: camera (kept in Props)
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
});
