/** The order of children as `SceneState::instantiate` of Godot makes it: at the end, then to the index among all that are there. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createWorld, type Entity } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createSceneFormat } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { ownComponents } from "../src/config.ts";
import { prefabsOnDisk } from "../src/files.ts";
import { filesIn } from "./folder.ts";
import { head, imported } from "./godot-project.ts";

const part = `${head()}[node name="P" type="Node2D"]
[node name="A" type="Node2D" parent="."]
[node name="K" type="Node2D" parent="A"]
[node name="B" type="Node2D" parent="."]
[node name="C" type="Node2D" parent="."]
`;

describe("the index of a node in a Godot scene", () => {
  it("puts it among the nodes that an instance brings, at its root and below", async () => {
    const { drawn, stderr } = await imported({
      "part.tscn": part,
      "main.tscn": `${head("part.tscn")}[node name="R" type="Node2D"]
[node name="I" parent="." instance=ExtResource("1")]
[node name="X" type="Node2D" parent="I" index="1"]
[node name="Y" type="Node2D" parent="I/A" index="0"]
[node name="Z" type="Node2D" parent="I" index="0"]
[node name="Last" type="Node2D" parent="I" index="99"]
[node name="J" parent="." instance=ExtResource("1")]
`,
    });
    expect(drawn).toBe("R(I(Z A(Y K) X B C Last) J(A(K) B C))");
    expect(stderr).not.toContain("index");
  });

  it("counts nodes that an inherited scene has added before, and own nodes below own ones", async () => {
    const { drawn } = await imported({
      "part.tscn": part,
      "heir.tscn": `${head("part.tscn")}[node name="H" instance=ExtResource("1")]
[node name="B" parent="." index="1"]
visible = false
[node name="D" type="Node2D" parent="." index="0"]
[node name="E" type="Node2D" parent="D" index="0"]
[node name="F" type="Node2D" parent="D" index="0"]
`,
      "main.tscn": `${head("heir.tscn")}[node name="R" type="Node2D"]
[node name="I" parent="." instance=ExtResource("1")]
[node name="X" type="Node2D" parent="I" index="2"]
[node name="Y" type="Node2D" parent="I/D" index="1"]
`,
    });
    expect(drawn).toBe("R(I(D(F Y E) A(K) X B C))");
  });

  it("is listed where the nodes of the instance are not known", async () => {
    const { drawn, stderr } = await imported({
      "main.tscn": `${head("gone.glb", "part.tscn")}[node name="R" type="Node2D"]
[node name="I" parent="." instance=ExtResource("1")]
[node name="X" type="Node3D" parent="I" index="0"]
`,
    });
    expect(drawn).toBe("R(I(X))");
    expect(stderr).toContain("  I/X: index 0 among the nodes of an instance");
  });

  it("is listed where a name could be taken for the id of another", async () => {
    const { drawn, stderr } = await imported({
      "part.tscn": part.replace('"C"', '"X-2"'),
      "main.tscn": `${head("part.tscn")}[node name="R" type="Node2D"]
[node name="X" type="Node2D" parent="."]
[node name="I" parent="." instance=ExtResource("1")]
[node name="X" type="Node2D" parent="I" index="0"]
`,
    });
    expect(drawn).toBe("R(X I(A(K) B X-2 X))");
    expect(stderr).toContain("  I/X: index 0 among the nodes of an instance");
  });
});

describe("names that Godot gives to the nodes of a model", () => {
  const nodes = [
    { name: "Cube", children: [1, 2] },
    { name: "Wheel.001" },
    { name: "Cube" },
    { name: "Cube" },
    { mesh: 0 },
    { camera: 0 },
    { name: "Skeleton3D" },
    { name: "car" },
    { name: "Wall-col" },
  ];
  const gltf = (more: object = {}) =>
    JSON.stringify({
      asset: { version: "2.0" },
      scene: 0,
      scenes: [{ nodes: [0, 3, 4, 5, 6, 7, 8] }],
      meshes: [{ primitives: [] }],
      cameras: [{ type: "perspective", perspective: { yfov: 1, znear: 1 } }],
      nodes,
      ...more,
    });
  const settings = (version: number) => `[params]\n\ngltf/naming_version=${version}\n`;
  /** What a scene says about one node of the model: its number there, or nothing where it is listed. */
  async function indexOf(path: string, files: { readonly [name: string]: string | Uint8Array }) {
    const at = path.lastIndexOf("/");
    const { dir, stderr } = await imported({
      ...files,
      "main.tscn": `${head("car.gltf")}[node name="R" type="Node3D"]
[node name="I" parent="." instance=ExtResource("1")]
[node name="${path.slice(at + 1)}" parent="I${at < 0 ? "" : `/${path.slice(0, at)}`}"]
visible = false
`,
    });
    if (stderr.includes("what is said about a node that no scene here has")) return undefined;
    const file = join(dir, "main.scene.json");
    const format = createSceneFormat({ components: await ownComponents() });
    const tree = createHierarchy(createWorld());
    format.load(tree, readFileSync(file, "utf8"), { file, prefabs: prefabsOnDisk(undefined) });
    const { Visibility } = await import("espalier/inherit");
    const { Props } = await import("espalier");
    const [hidden] = [...tree.world.query(Visibility)];
    const { values } = tree.world.get(hidden as Entity, Props) as { values: { gltf: { node: number } } };
    return values.gltf.node;
  }

  it.each([
    // Numbered over the whole file, by the numbers of the nodes.
    ["Cube", 1, 0],
    ["Cube/Cube2", 1, 2],
    ["Cube3", 1, 3],
    // Letters that a name may not have.
    ["Cube/Wheel_001", 1, 1],
    ["Cube/Wheel001", 1, undefined],
    // Those without a name.
    ["Mesh", 1, 4],
    ["Camera", 1, 5],
    // In the oldest rules the first is numbered twice, and the name of the scene is taken.
    ["Mesh2", 0, 4],
    ["Camera3D2", 0, 5],
    ["car2", 0, 7],
    ["car", 1, 7],
    // The name of the skeleton is never free.
    ["Skeleton3D2", 1, 6],
    ["Skeleton3D", 1, undefined],
    // A hint means something only where there is a mesh.
    ["Wall-col", 1, 8],
    ["Wall", 1, undefined],
  ])("lead to the node: %s, naming version %i", async (path, version, node) => {
    expect(await indexOf(path, { "car.gltf": gltf(), "car.gltf.import": settings(version) })).toBe(node);
  });

  it.each([
    ["Cube/Cube2", 2],
    ["Cube/Wheel_001", 1],
    // Godot 4.0 and 3 take the letters away.
    ["Cube/Wheel001", 1],
    ["Mesh", 4],
    ["car2", 7],
  ])("lead to the node in every version where it is not known: %s", async (path, node) => {
    expect(await indexOf(path, { "car.gltf": gltf() })).toBe(node);
  });

  it("lead nowhere where one version means one node and another version another", async () => {
    const twins = gltf({ nodes: [{ mesh: 0 }, { mesh: 0 }], scenes: [{ nodes: [0, 1] }] });
    // With naming version 0 they are Mesh2 and Mesh3, later Mesh and Mesh2.
    expect(await indexOf("Mesh2", { "car.gltf": twins })).toBeUndefined();
    expect(await indexOf("Mesh2", { "car.gltf": twins, "car.gltf.import": settings(0) })).toBe(0);
    expect(await indexOf("Mesh2", { "car.gltf": twins, "car.gltf.import": settings(1) })).toBe(1);
  });

  it("find a mesh with a skin below the skeleton, and no bones", async () => {
    const rig = gltf({
      nodes: [
        { name: "Armature", children: [1, 2] },
        { name: "Body", mesh: 0, skin: 0 },
        { name: "Hip", children: [3, 5] },
        { name: "Knee", children: [4] },
        { name: "Shoe" },
        { name: "Hat" },
        { name: "Hat" },
      ],
      scenes: [{ nodes: [0, 6] }],
      skins: [{ joints: [2, 3] }],
    });
    for (const version of [1, 2]) {
      const files = { "car.gltf": rig, "car.gltf.import": settings(version) };
      expect(await indexOf("Armature/Skeleton3D/Body", files)).toBe(1);
      expect(await indexOf("Armature/Body", files)).toBeUndefined();
      expect(await indexOf("Armature/Hip", files)).toBeUndefined();
      // Whether the hat on the head is a bone depends on the version, and with it the number of the other.
      expect(await indexOf("Hat", files)).toBeUndefined();
      expect(await indexOf("Hat2", files)).toBeUndefined();
    }
    const { stderr } = await imported({
      "car.gltf": rig,
      "main.tscn": `${head("car.gltf")}[node name="R" type="Node3D"]
[node name="I" parent="." instance=ExtResource("1")]
[node name="Body" parent="I/Armature/Skeleton3D"]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 4, 5, 6)
`,
    });
    expect(stderr).toContain("transform of a mesh with a skin");
  });

  it("are understood inside a scene that instances the model, where names lead there", async () => {
    const { dir, stderr } = await imported({
      "car.gltf": gltf(),
      "garage.tscn": `${head("car.gltf")}[node name="G" type="Node3D"]
[node name="Car" parent="." instance=ExtResource("1")]
`,
      "main.tscn": `${head("garage.tscn")}[node name="R" type="Node3D"]
[node name="I" parent="." instance=ExtResource("1")]
[node name="Wheel_001" parent="I/Car/Cube"]
visible = false
[node name="Cube3" parent="I/Car"]
visible = false
`,
    });
    const [, garage] = JSON.parse(filesIn(dir)["main.scene.json"] ?? "").entities;
    expect(Object.keys(garage.overrides)).toEqual(["Car/Wheel.001"]);
    // Names in the file lead to the first of that name, and an id of the model's file is none here.
    expect(stderr).toContain("  I/Car/Cube3: what is said about a node that no scene here has");
  });

  it("determine where a node is added among those of the model", async () => {
    const { drawn } = await imported({
      "car.gltf": gltf({
        animations: [{ channels: [], samplers: [] }],
        nodes: nodes.slice(0, 3),
        scenes: [{ nodes: [0] }],
      }),
      "main.tscn": `${head("car.gltf")}[node name="R" type="Node3D"]
[node name="I" parent="." instance=ExtResource("1")]
[node name="X" type="Node3D" parent="I/Cube" index="1"]
[node name="Y" type="Node3D" parent="I" index="0"]
[node name="Z" type="Node3D" parent="I" index="2"]
`,
    });
    expect(drawn).toBe("R(I(Y Cube(Wheel.001 X Cube) Z))");
  });
});

describe("a Godot project of scenes in scenes", () => {
  interface Made {
    readonly name: string;
    readonly children: Made[];
  }
  const find = (root: Made, path: string): Made | undefined =>
    path === "."
      ? root
      : path
          .split("/")
          .reduce<Made | undefined>((at, name) => at?.children.find((child) => child.name === name), root);
  const copy = (made: Made, name = made.name): Made => ({
    name,
    children: made.children.map((child) => copy(child)),
  });
  const draw = ({ name, children }: Made): string =>
    children.length === 0 ? name : `${name}(${children.map(draw).join(" ")})`;

  /** Files that instance each other, with nodes that are added anywhere, and what Godot makes of the last. */
  function randomProject(roll: (below: number) => number) {
    const files: { [name: string]: string } = {};
    const scenes: Made[] = [];
    for (let file = 0; file < 4; file++) {
      const isLast = file === 3;
      const isHeir = file > 0 && roll(3) === 0;
      const base = roll(Math.max(file, 1));
      const name = `F${file}`;
      const root: Made = isHeir ? copy(scenes[base] as Made, name) : { name, children: [] };
      let text = head(...scenes.map((_, k) => `f${k}.tscn`));
      text += isHeir
        ? `[node name="${name}" instance=ExtResource("${base + 1}")]\n`
        : `[node name="${name}" type="Node2D"]\n`;
      for (let k = 0; k < 3 + roll(6); k++) {
        const paths: string[] = ["."];
        const collect = (made: Made, path: string) => {
          for (const child of made.children) {
            const below = path === "." ? child.name : `${path}/${child.name}`;
            paths.push(below);
            collect(child, below);
          }
        };
        collect(root, ".");
        const parent = paths[roll(paths.length)] as string;
        const into = find(root, parent) as Made;
        const own = `n${file}x${k}`;
        const of = file > 0 && roll(3) === 0 ? roll(file) : undefined;
        const index = roll(2) === 0 ? roll(into.children.length + 2) : undefined;
        const made = of === undefined ? { name: own, children: [] } : copy(scenes[of] as Made, own);
        into.children.push(made);
        if (index !== undefined && index < into.children.length - 1)
          into.children.splice(index, 0, into.children.pop() as Made);
        const kind = of === undefined ? 'type="Node2D" ' : "";
        const instance = of === undefined ? "" : ` instance=ExtResource("${of + 1}")`;
        text += `[node name="${own}" ${kind}parent="${parent}"${index === undefined ? "" : ` index="${index}"`}${instance}]\n`;
      }
      files[isLast ? "main.tscn" : `f${file}.tscn`] = text;
      scenes.push(root);
    }
    return { files, wanted: draw(scenes[3] as Made) };
  }

  it.each(Array.from({ length: 25 }, (_, seed) => seed))(
    "is imported as the tree that Godot builds from it (seed %i)",
    async (seed) => {
      let state = seed * 7919 + 1;
      const roll = (below: number) => {
        state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
        return (state >>> 7) % below;
      };
      const { files, wanted } = randomProject(roll);
      const { drawn, stderr } = await imported(files);
      expect(drawn, JSON.stringify(files, null, 1)).toBe(wanted);
      expect(stderr).not.toContain("index");
    },
  );
});
