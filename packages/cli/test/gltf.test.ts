import { describe, expect, it } from "vitest";
import { importScene, Stop } from "../src/index.ts";
import { tempFolder } from "./folder.ts";

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

  it("is refused with words when any part of it is something else", async () => {
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
