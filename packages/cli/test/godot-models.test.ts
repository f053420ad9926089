/** Bones of a model and hints in the names of its nodes, as the importer of Godot treats them. */
import type { Entity } from "espalier";
import { Transform3D } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { head, imported } from "./godot-project.ts";

/** The imported project, with transforms by path and the entities that are hidden. */
async function importedModel(files: { readonly [name: string]: string }) {
  const { tree, drawn, stderr } = await imported(files);
  return {
    drawn,
    stderr,
    transform: (path: string) => {
      const { x, y, z, qx, qy, qz, qw, scaleX } = tree.world.get(tree.find(path) as Entity, Transform3D) as {
        [field: string]: number;
      };
      return { at: [x, y, z], turn: [qx, qy, qz, qw], scaleX };
    },
    hidden: async () => {
      const { Visibility } = await import("espalier/inherit");
      return [...tree.world.query(Visibility)].map((entity) => tree.pathOf(entity).slice(1));
    },
  };
}

/** Bones in Godot: 0 Hip, 1 Knee, 2 Shoe, 3 Spine, 4 Hand, 5 Sword. Joints are numbered by their nodes, deepest first. */
const rig = (more: object = {}) =>
  JSON.stringify({
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    meshes: [{ primitives: [] }],
    nodes: [
      { name: "Armature", children: [1, 2] },
      { name: "Body", mesh: 0, skin: 0 },
      { name: "Hip", translation: [0, 1, 0], children: [6, 3] },
      { name: "Knee", translation: [0, -0.5, 0], children: [4] },
      { name: "Shoe" },
      { name: "Sword", mesh: 0, translation: [0, 0, 1] },
      { name: "Spine", children: [7] },
      { name: "Hand.R", translation: [1, 0, 0], children: [5] },
    ],
    skins: [{ joints: [2, 3, 4, 6, 7] }],
    ...more,
  });
const settings = (version: number, more = "") => `[params]\n\ngltf/naming_version=${version}\n${more}`;
const skeleton = "I/Armature/Skeleton3D";

describe("the skeleton of a model", () => {
  const posed = `${head("rig.gltf")}[node name="R" type="Node3D"]
[node name="I" parent="." instance=ExtResource("1")]
[node name="Skeleton3D" parent="I/Armature" index="0"]
bones/1/position = Vector3(0, -2, 0)
bones/1/rotation = Quaternion(0, 0.6, 0, 0.8)
bones/4/scale = Vector3(3, 3, 3)
bones/9/rotation = Quaternion(0, 0, 0, 1)
bones/0/enabled = false
bones/0/position = 7
motion_scale = 2.0
`;

  it("has poses that become transforms of its joints", async () => {
    const { transform, stderr } = await importedModel({ "rig.gltf": rig(), "main.tscn": posed });
    expect(transform("R/I/Armature/Hip/Knee")).toEqual({
      at: [0, -2, 0],
      turn: [0, 0.6, 0, 0.8],
      scaleX: 1,
    });
    // What the pose does not say stays as the model has it.
    expect(transform("R/I/Armature/Hip/Spine/Hand.R")).toEqual({
      at: [1, 0, 0],
      turn: [0, 0, 0, 1],
      scaleX: 3,
    });
    expect(transform("R/I/Armature/Hip").at).toEqual([0, 1, 0]);
    for (const lost of [
      "pose of bone 9",
      "bones/0/enabled of a skeleton",
      "motion_scale of a skeleton",
      "position of bone 0, which is not of the form expected",
    ])
      expect(stderr).toContain(`  ${skeleton}: ${lost}`);
  });

  it("has poses inside a scene that instances the model", async () => {
    const { transform } = await importedModel({
      "rig.gltf": rig(),
      "hero.tscn": `${head("rig.gltf")}[node name="H" type="Node3D"]
[node name="I" parent="." instance=ExtResource("1")]
[node name="Flag" type="BoneAttachment3D" parent="I/Armature/Skeleton3D"]
bone_name = "Hand.R"
[node name="Pole" type="Node3D" parent="I/Armature/Skeleton3D/Flag"]
`,
      "main.tscn": `${head("hero.tscn")}[node name="R" type="Node3D"]
[node name="Hero" parent="." instance=ExtResource("1")]
[node name="Skeleton3D" parent="Hero/I/Armature"]
bones/0/position = Vector3(0, 5, 0)
[node name="Pole" parent="Hero/I/Armature/Skeleton3D/Flag"]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 4, 0)
[node name="Ball" type="Node3D" parent="Hero/I/Armature/Skeleton3D/Flag/Pole"]
`,
    });
    expect(transform("R/Hero/I/Armature/Hip").at).toEqual([0, 5, 0]);
    expect(transform("R/Hero/I/Armature/Hip/Spine/Hand.R/Flag/Pole").at).toEqual([0, 4, 0]);
    expect(transform("R/Hero/I/Armature/Hip/Spine/Hand.R/Flag/Pole/Ball").at).toEqual([0, 0, 0]);
  });

  it("has nodes hanging on its bones, found by name or by number", async () => {
    const { drawn, transform, stderr } = await importedModel({
      "rig.gltf": rig(),
      "main.tscn": `${head("rig.gltf")}[node name="R" type="Node3D"]
[node name="I" parent="." instance=ExtResource("1")]
[node name="Held" type="BoneAttachment3D" parent="${skeleton}" index="1"]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 9, 9, 9)
bone_name = "Hand.R"
bone_idx = 4
[node name="Torch" type="Node3D" parent="${skeleton}/Held"]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0)
[node name="Toe" type="BoneAttachment3D" parent="${skeleton}"]
bone_idx = 2
override_pose = true
[node name="Lost" type="BoneAttachment3D" parent="${skeleton}"]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 3, 0, 0)
bone_name = "Tail"
`,
    });
    expect(drawn).toBe("R(I(Armature(Body Hip(Spine(Hand.R(Sword Held(Torch))) Knee(Shoe(Toe))) Lost)))");
    // The bone says where it is, whatever the file holds.
    expect(transform("R/I/Armature/Hip/Spine/Hand.R/Held").at).toEqual([0, 0, 0]);
    expect(transform("R/I/Armature/Hip/Spine/Hand.R/Held/Torch").at).toEqual([0, 2, 0]);
    expect(transform("R/I/Armature/Lost").at).toEqual([3, 0, 0]);
    expect(stderr).toContain(`  ${skeleton}/Toe: that it moves its bone`);
    expect(stderr).toContain(`  ${skeleton}/Lost: parent Armature/Skeleton3D, which`);
  });

  it("has nodes that the same file mentions twice", async () => {
    const { transform } = await importedModel({
      "rig.gltf": rig(),
      "main.tscn": `${head("rig.gltf")}[node name="R" type="Node3D"]
[node name="I" parent="." instance=ExtResource("1")]
[node name="Held" type="BoneAttachment3D" parent="${skeleton}"]
bone_name = "Knee"
[node name="Torch" type="Node3D" parent="${skeleton}/Held"]
[node name="Torch" parent="${skeleton}/Held"]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0)
`,
    });
    expect(transform("R/I/Armature/Hip/Knee/Held/Torch").at).toEqual([0, 2, 0]);
  });

  it("has meshes on its bones, which follow them", async () => {
    const { hidden, transform, stderr } = await importedModel({
      "rig.gltf": rig(),
      "main.tscn": `${head("rig.gltf")}[node name="R" type="Node3D"]
[node name="I" parent="." instance=ExtResource("1")]
[node name="Sword" parent="${skeleton}/Sword" index="0"]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 9, 9, 9)
visible = false
`,
    });
    expect(await hidden()).toEqual(["R/I/Armature/Hip/Spine/Hand.R/Sword"]);
    expect(transform("R/I/Armature/Hip/Spine/Hand.R/Sword").at).toEqual([0, 0, 1]);
    expect(stderr).toContain("transform of a mesh that follows a bone");
  });

  it("is left unchanged when the files do not tell which node is which bone", async () => {
    const said = { "main.tscn": posed };
    // Where what is below a joint is no joint, older versions of Godot number otherwise.
    const loose = rig({ skins: [{ joints: [2, 6, 7] }] });
    const printed = async (gltf: string, ...more: string[]) =>
      (
        await importedModel({
          ...said,
          "rig.gltf": gltf,
          ...(more.length > 0 && { "rig.gltf.import": more[0] as string }),
        })
      ).stderr;
    expect(await printed(loose)).toContain("pose of bone 4");
    expect(await printed(loose, settings(2))).not.toContain("pose of bone 4");
    expect(await printed(rig(), settings(2))).not.toContain("pose of bone 1");
    expect(
      await printed(rig(), settings(2, `_subresources={"x": {"retarget/bone_map": SubResource("1")}}\n`)),
    ).toContain(`${skeleton}: what is said about a node that no scene here has`);
    expect(await printed(rig(), settings(2, "nodes/root_scale=0.01\n"))).toContain(
      "position of bone 1, because",
    );
    const two = rig({ skins: [{ joints: [4] }, { joints: [7] }] });
    expect(await printed(two)).toContain(`${skeleton}: what is said about a node that no scene here has`);
  });
});

describe("a hint in the name of a node of a model", () => {
  const nodes = [
    { name: "Wall-col", mesh: 0, children: [9] },
    { name: "Box-convcolonly", mesh: 0 },
    { name: "Ball-rigid", mesh: 0 },
    { name: "Floor-navmesh.001", mesh: 0 },
    { name: "Guide-noimp", children: [10] },
    { name: "Shade-occ", mesh: 0 },
    { name: "Hull_occonly", mesh: 0 },
    { name: "Empty-col" },
    { name: "Wagon-vehicle" },
    { name: "Lamp" },
    { name: "Note" },
  ];
  const house = (more: object = {}) =>
    JSON.stringify({
      asset: { version: "2.0" },
      scene: 0,
      scenes: [{ nodes: [0, 1, 2, 3, 4, 5, 6, 7, 8] }],
      meshes: [{ primitives: [] }],
      nodes,
      ...more,
    });
  const hiding = (path: string) => {
    const at = path.lastIndexOf("/");
    return `${head("house.gltf")}[node name="R" type="Node3D"]
[node name="I" parent="." instance=ExtResource("1")]
[node name="${path.slice(at + 1)}" parent="I${at < 0 ? "" : `/${path.slice(0, at)}`}"]
visible = false
`;
  };

  it("leaves nodes out, or is listed", async () => {
    const { drawn, stderr } = await importedModel({ "house.gltf": house(), "main.tscn": hiding("Wall") });
    expect(drawn).toBe(
      "R(I(Wall-col(Lamp) Box-convcolonly Ball-rigid Floor-navmesh.001 Shade-occ Empty-col Wagon-vehicle))",
    );
    for (const name of ["Guide-noimp", "Hull_occonly", "Note"])
      expect(stderr).toContain(`  ${name}: node that Godot does not import`);
    expect(stderr).toContain("  Wall-col: hint col in its name");
    expect(stderr).not.toContain("Empty-col: hint");
  });

  it.each([
    ["Wall", "Wall-col"],
    ["Wall/Lamp", "Wall-col/Lamp"],
    ["Box", "Box-convcolonly"],
    ["Ball", "Ball-rigid"],
    ["Ball-rigid", "Ball-rigid"],
    ["Floor_001", "Floor-navmesh.001"],
    ["Shade", "Shade-occ"],
    ["Wagon", "Wagon-vehicle"],
    // Without a mesh there is nothing to collide with.
    ["Empty-col", "Empty-col"],
  ])("is not in the path: %s", async (path, node) => {
    const files = { "house.gltf": house(), "house.gltf.import": settings(1), "main.tscn": hiding(path) };
    const { hidden } = await importedModel(files);
    expect(await hidden()).toEqual([`R/I/${node}`]);
  });

  it.each(["Wall-col", "Guide", "Guide-noimp/Note", "Hull", "Empty"])("leads nowhere: %s", async (path) => {
    const files = { "house.gltf": house(), "house.gltf.import": settings(1), "main.tscn": hiding(path) };
    const { hidden, stderr } = await importedModel(files);
    expect(await hidden()).toEqual([]);
    expect(stderr).toContain("what is said about a node that no scene here has");
  });

  it("is a name like any other where the project says so", async () => {
    const off = settings(1, "nodes/use_name_suffixes=false\nnodes/use_node_type_suffixes=false\n");
    const files = {
      "house.gltf": house(),
      "house.gltf.import": off,
      "main.tscn": hiding("Guide-noimp/Note"),
    };
    const { hidden, drawn } = await importedModel(files);
    expect(await hidden()).toEqual(["R/I/Guide-noimp/Note"]);
    expect(drawn).toContain("Hull_occonly");
  });

  it("leads nowhere when a sibling has the name without it", async () => {
    const twins = house({
      nodes: [{ name: "Wall" }, { name: "Wall-col", mesh: 0 }],
      scenes: [{ nodes: [0, 1] }],
    });
    const { hidden } = await importedModel({ "house.gltf": twins, "main.tscn": hiding("Wall") });
    expect(await hidden()).toEqual(["R/I/Wall"]);
  });
});
