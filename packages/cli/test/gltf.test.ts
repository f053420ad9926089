import { describe, expect, it } from "vitest";
import { importScene, Stop } from "../src/index.ts";
import { runIn, tempFolder } from "./folder.ts";

const { write } = tempFolder();

const gltf = {
  asset: { version: "2.0", generator: "by hand", extras: { a: 1 } },
  scenes: [{ name: "Main", nodes: [1] }],
  nodes: [{ name: "J" }, { name: "A", mesh: 0, skin: 0, children: [0], odd: 5 }],
  meshes: [{ name: "M", primitives: [], weights: [0.5] }],
  skins: [{ joints: [0] }],
  samplers: [{ magFilter: 9729 }],
  accessors: [{}, {}],
  novelty: {},
};

describe("a glTF file", () => {
  it("keeps the numbers by which joints and animations refer to things", async () => {
    const { scene } = await importScene(write("a.gltf", JSON.stringify(gltf)));
    const [a] = scene.entities;
    expect(a?.components?.Props).toEqual({
      values: { gltf: { node: 1, mesh: "M", meshIndex: 0, skin: "#0", skinIndex: 0, "node odd": 5 } },
    });
    expect(a?.children?.[0]?.components?.Props).toEqual({ values: { gltf: { node: 0 } } });
  });

  it("lists everything that is not imported", async () => {
    const { unmapped } = await importScene(write("a.gltf", JSON.stringify(gltf)));
    expect(unmapped.map(({ node, what }) => `${node}: ${what}`)).toEqual([
      "A: mesh M",
      "A: skin #0",
      "A: odd",
      ": name of the scene, Main",
      ": sampler #0",
      ": weights of mesh M",
      ": 2 accessors",
      ": novelty",
      ": extras of the asset",
      ': generator of the asset, "by hand"',
    ]);
  });

  it.each([
    ["a matrix of zeros", { matrix: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 5, 6, 1] }, { x: 4, y: 5, z: 6 }],
    ["a rotation of zeros", { rotation: [0, 0, 0, 0], translation: [4, 5, 6] }, { x: 4, y: 5, z: 6 }],
    [
      "a translation beyond any float",
      { translation: [1e300, 0, 0], scale: [2, 2, 2] },
      { scaleX: 2, scaleY: 2, scaleZ: 2 },
    ],
    ["a matrix beyond any float", { matrix: [1e300, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 0, 0, 1] }, { x: 7 }],
  ])("is imported without NaN where a node has %s", async (_, transform, expected) => {
    const { dir, write } = tempFolder();
    const nodes = [{ name: "A", ...transform }];
    write("a.gltf", JSON.stringify({ asset: { version: "2.0" }, scenes: [{ nodes: [0] }], nodes }));
    const { status, stdout, stderr } = await runIn(dir, "import", "a.gltf", "-o", "-");
    expect(status, stderr).toBe(0);
    expect(stdout).not.toMatch(/NaN|Infinity/);
    expect(JSON.parse(stdout).entities[0].components.Transform3D).toMatchObject(expected);
    expect(stderr).toMatch(/A: (rotation|translation|scale), wh/);
  });

  it("is imported without names that no entity can have", async () => {
    const { dir, write } = tempFolder();
    const nodes = ["", ".", "..", "a/b"].map((name) => ({ name }));
    write("a.gltf", JSON.stringify({ asset: { version: "2.0" }, scenes: [{ nodes: [0, 1, 2, 3] }], nodes }));
    const { status, stdout, stderr } = await runIn(dir, "import", "a.gltf", "-o", "-");
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout).entities.map(({ name = null }) => name)).toEqual([null, null, null, "a/b"]);
    expect(stderr).toContain('name ".", which no entity can have');
  });

  it("is refused with a readable error when any part of it has the wrong type", async () => {
    const odd = [null, true, -1, 1.5, 99, "x", [], {}, [[]], [null], [99], { a: 1 }];
    const paths: string[][] = [
      ["nodes"],
      ["scenes"],
      ["scene"],
      ["meshes"],
      ["skins"],
      ["cameras"],
      ["samplers"],
      ["animations"],
      ["asset"],
      ["extensions"],
      ...[
        "children",
        "mesh",
        "skin",
        "camera",
        "name",
        "matrix",
        "rotation",
        "weights",
        "extras",
        "extensions",
      ].map((key) => ["nodes", "0", key]),
      ["scenes", "0", "nodes"],
      ["scenes", "0", "name"],
      ["skins", "0", "joints"],
      ["meshes", "0", "name"],
      ["nodes", "0"],
    ];
    for (const path of paths) {
      for (const value of odd) {
        const changed = JSON.parse(JSON.stringify(gltf));
        let at = changed;
        for (const key of path.slice(0, -1)) at = at[key];
        at[path.at(-1) as string] = value;
        try {
          await importScene(write("b.gltf", JSON.stringify(changed)));
        } catch (error) {
          expect(error, `${path.join(".")} = ${JSON.stringify(value)}`).toBeInstanceOf(Stop);
          expect((error as Error).message, `${path.join(".")} = ${JSON.stringify(value)}`).not.toMatch(
            /is not a function|Cannot read|not iterable|undefined/,
          );
        }
      }
    }
  });
});
