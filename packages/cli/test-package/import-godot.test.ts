import { afterAll, describe, expect, it } from "vitest";
import { createFolder } from "./binary.ts";

const folder = createFolder();
afterAll(() => folder.remove());

folder.write("godot/project.godot", "; Engine configuration file.\n");
folder.write(
  "godot/scenes/level.tscn",
  `[gd_scene load_steps=4 format=3 uid="uid://cecaux1sm7mo0"]

[ext_resource type="PackedScene" uid="uid://b" path="res://actors/tank.tscn" id="1_tank"]
[ext_resource type="Texture2D" path="res://icon.svg" id="2_icon"]

[sub_resource type="RectangleShape2D" id="Shape_1"]
size = Vector2(20, 10)

[node name="Level" type="Node2D"]

[node name="Rock" type="Sprite2D" parent="." groups=["solid", "stone"]]
modulate = Color(1, 0.5, 0, 1)
visible = false
z_index = 3
z_as_relative = false
position = Vector2(100, -50.5)
rotation = 1.5708
scale = Vector2(-2, 0.5)
texture = ExtResource("2_icon")
metadata/note = "a \\"quoted\\"
text; with [brackets]"
flags = { "a": [1, -2.5e3, null], "b": Vector2(1, inf) }

[node name="Area" type="CollisionShape2D" parent="Rock"]
skew = 0.5
shape = SubResource("Shape_1")

[node name="Logic" type="Node" parent="."]

[node name="Tank" parent="." instance=ExtResource("1_tank")]
position = Vector2(0, 0)

[node name="Barrel" parent="Tank/Turret" index="0"]
position = Vector2(3, 0)

[node name="Flag" type="Node2D" parent="Tank/Turret" index="1"]

[node name="Driver" type="Node2D" parent="Tank"]

[connection signal="hit" from="Rock" to="." method="_on_rock_hit"]

[editable path="Tank"]
`,
);
folder.write(
  "godot/actors/tank.tscn",
  `[gd_scene format=3]

[node name="Tank" type="Node2D"]
position = Vector2(7, 7)

[node name="Turret" type="Node2D" parent="."]
position = Vector2(0, 4)

[node name="Barrel" type="Node2D" parent="Turret"]
position = Vector2(1, 0)
`,
);

describe("espalier import of a Godot scene", () => {
  const run = folder.espalier("import", "godot/scenes/level.tscn", "--recursive");

  it("writes a scene with nodes, names, order and transforms", () => {
    expect(run.status).toBe(0);
    const { entities } = JSON.parse(folder.read("godot/scenes/level.scene.json"));
    expect(entities.map(({ id, parent }: { id: string; parent?: string }) => [id, parent])).toEqual([
      ["Level", undefined],
      ["Rock", "Level"],
      ["Area", "Rock"],
      ["Logic", "Level"],
      ["Tank", "Level"],
      ["Flag", "Tank/Turret"],
      ["Driver", "Tank"],
    ]);
    expect(entities[1].components).toEqual({
      Transform2D: { x: 100, y: -50.5, rotation: 1.5708, scaleX: -2, scaleY: 0.5 },
      Visibility: { mode: "hidden" },
      ZIndex: { z: 3, zRelative: false },
      Props: {
        values: {
          godot: {
            type: "Sprite2D",
            groups: ["solid", "stone"],
            modulate: { Color: [1, 0.5, 0, 1] },
            texture: { ExtResource: "res://icon.svg" },
            "metadata/note": 'a "quoted"\ntext; with [brackets]',
            flags: { a: [1, -2500, null], b: { Vector2: [1, "Infinity"] } },
          },
        },
      },
    });
    expect(entities[3]).toEqual({ id: "Logic", name: "Logic", parent: "Level" });
    expect(entities[2].components.Props.values.godot).toEqual({
      type: "CollisionShape2D",
      shape: { SubResource: { type: "RectangleShape2D", size: { Vector2: [20, 10] } } },
    });
  });

  it("turns Godot's angle of skew into a factor", () => {
    const { entities } = JSON.parse(folder.read("godot/scenes/level.scene.json"));
    expect(entities[2].components.Transform2D).toEqual({ scaleY: 0.8775826, skew: -0.5463025 });
  });

  it("makes instanced scenes instances of prefabs, with what the scene changes in them", () => {
    const { entities } = JSON.parse(folder.read("godot/scenes/level.scene.json"));
    expect(entities[4]).toEqual({
      id: "Tank",
      parent: "Level",
      prefab: "../actors/tank.scene.json",
      components: { Transform2D: { x: 0, y: 0 } },
      overrides: { Barrel: { components: { Transform2D: { x: 3 } } } },
    });
  });

  it("lists what a scene cannot hold", () => {
    expect(run.stderr).toBe(`✓ godot/scenes/level.tscn → godot/scenes/level.scene.json, 7 entities
  Rock: type Sprite2D (kept in Props)
  Rock: groups (kept in Props)
  Rock: modulate (kept in Props)
  Rock: texture (kept in Props)
  Rock: metadata/note (kept in Props)
  Rock: flags (kept in Props)
  Rock/Area: type CollisionShape2D (kept in Props)
  Rock/Area: shape (kept in Props)
  Rock: signal hit connected to _on_rock_hit of . (not imported)
  Tank: that its inside is editable (not imported)
✓ godot/actors/tank.tscn → godot/actors/tank.scene.json, 3 entities
`);
  });

  it("writes scenes that load, with every node where Godot has it", () => {
    expect(folder.espalier("check", "godot").stdout).toContain("2 files, no problems");
    expect(
      folder.espalier("tree", "godot/scenes/level.scene.json", "--no-components").stdout,
    ).toBe(`Level "Level" (0, 0)
├─ Rock "Rock" (100, -50.5)
│  └─ Area "Area" (0, 0) world (100, -50.5)
├─ Logic "Logic"
└─ Tank "Tank" (0, 0) prefab ../actors/tank.scene.json
   ├─ Tank/Turret "Turret" (0, 4)
   │  ├─ Tank/Barrel "Barrel" (3, 0) world (3, 4)
   │  └─ Flag "Flag" (0, 0) world (0, 4)
   └─ Driver "Driver" (0, 0)
`);
  });

  it("flips the y axis on request", () => {
    const { stdout } = folder.espalier("import", "godot/scenes/level.tscn", "--y-up", "-o", "-");
    expect(JSON.parse(stdout).entities[1].components.Transform2D).toEqual({
      x: 100,
      y: 50.5,
      rotation: -1.5708,
      scaleX: -2,
      scaleY: 0.5,
    });
  });

  it("says which scenes are missing, and writes JSON", () => {
    folder.write(
      "lone/level.tscn",
      `[gd_scene format=3]\n[ext_resource type="PackedScene" path="res://x.tscn" id="1"]\n[node name="X" instance=ExtResource("1")]\n`,
    );
    const { stderr } = folder.espalier("import", "lone/level.tscn");
    expect(stderr).toContain("The scene uses lone/x.tscn: import it too, or use --recursive.");
    expect(JSON.parse(folder.read("lone/level.scene.json")).entities).toEqual([
      { id: "X", name: "X", prefab: "x.scene.json" },
    ]);
    const report = JSON.parse(folder.espalier("import", "lone/level.tscn", "--json", "--force").stdout);
    expect(report).toEqual({
      files: [{ file: "lone/level.tscn", out: "lone/level.scene.json", entities: 1, unmapped: [] }],
      needs: ["lone/x.tscn"],
      reused: [],
    });
  });

  it.each([
    ["position = Vector2(1, 2)", "1: A scene of Godot begins with [gd_scene …]."],
    ['[gd_scene format=3]\n[node name="A"', "2: This section is never closed. Add ]."],
    ['[gd_scene format=3]\n[node name="A]\n', '3: This string is never closed. Add ".'],
    ["[gd_scene format=3]\nposition", "2: Expected name=value."],
    ["[gd_scene format=3]\n\nx = ?", '3: Expected a value, found "?".'],
  ])("refuses what is not a scene: %j", (text, message) => {
    folder.write("bad.tscn", text);
    expect(folder.espalier("import", "bad.tscn")).toEqual({
      status: 1,
      stdout: "",
      stderr: `Cannot import bad.tscn:${message}\n`,
    });
  });

  it("reads values of any depth and scenes of older versions", () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    folder.write(
      "old.tscn",
      `[gd_scene load_steps=2 format=2]\n[ext_resource path="res://t.png" type="Texture" id=1]\n[node name="A" type="Sprite"]\ntexture = ExtResource( 1 )\nposition = Vector2( 1, 2 )\ndeep = ${deep}\n`,
    );
    expect(folder.espalier("import", "old.tscn").status).toBe(0);
    expect(folder.read("old.scene.json")).toContain('"texture": { "ExtResource": "res://t.png" },');
  });

  it("drops nothing silently: attributes, resources inside resources, text in any script", () => {
    folder.write(
      "all.tscn",
      `[gd_scene format=3]
[ext_resource type="Texture2D" path="res://a.png" id="1"]
[sub_resource type="AtlasTexture" id="atlas"]
atlas = ExtResource("1")
[sub_resource type="SpriteFrames" id="frames"]
animations = [{ "frames": [{ "texture": SubResource("atlas") }] }]
self = SubResource("frames")
[node name="A" type="Node2D" unique_id=77 node_paths=PackedStringArray("to")]
frames = SubResource("frames")
to = NodePath("B")
text = "\\u00e4 \\U01f600 \\t."
[node name="B" parent="." instance_placeholder="res://b.tscn"]
`,
    );
    const { files } = JSON.parse(folder.espalier("import", "all.tscn", "--out", "-", "--json").stdout);
    expect(files[0].unmapped).toEqual([
      { node: ".", what: "node_paths", kept: true },
      { node: ".", what: "frames", kept: true },
      { node: ".", what: "to", kept: true },
      { node: ".", what: "text", kept: true },
      { node: "B", what: "instance_placeholder", kept: true },
    ]);
    const [a, b] = JSON.parse(files[0].text).entities;
    const atlas = { SubResource: { type: "AtlasTexture", atlas: { ExtResource: "res://a.png" } } };
    expect(a.components.Props.values.godot).toEqual({
      node_paths: { PackedStringArray: ["to"] },
      frames: {
        SubResource: {
          type: "SpriteFrames",
          animations: [{ frames: [{ texture: atlas }] }],
          self: { SubResource: ["frames"] },
        },
      },
      to: { NodePath: ["B"] },
      text: "ä 😀 \t.",
    });
    expect(b.components.Props.values.godot).toEqual({ instance_placeholder: "res://b.tscn" });
  });

  it("puts nodes where Godot has them, even where its transforms end", () => {
    folder.write(
      "ends.tscn",
      `[gd_scene format=3]
[node name="A" type="Node2D"]
position = Vector2(100, 0)
[node name="Logic" type="Node" parent="."]
[node name="Free" type="Node2D" parent="Logic"]
position = Vector2(5, 0)
[node name="Tiles" type="TileMapLayer" parent="."]
[node name="On" type="Node2D" parent="Tiles"]
position = Vector2(7, 0)
[node name="Top" type="Sprite2D" parent="."]
top_level = true
position = Vector2(9, 0)
[node name="Hud" type="CanvasLayer" parent="."]
offset = Vector2(3, 3)
[node name="Icon" type="Sprite2D" parent="Hud"]
position = Vector2(1, 1)
[node name="Odd" type="Node2D" parent="."]
position = Vector3(1, 2, 3)
`,
    );
    const { stderr } = folder.espalier("import", "ends.tscn");
    expect(stderr).toContain("Odd: position (kept in Props)");
    expect(folder.espalier("tree", "ends.scene.json", "--no-components").stdout).toBe(`A "A" (100, 0)
├─ Logic "Logic"
│  └─ Free "Free" (5, 0)
├─ Tiles "Tiles" (0, 0) world (100, 0)
│  └─ On "On" (7, 0) world (107, 0)
├─ Top "Top" (9, 0)
├─ Hud "Hud" (3, 3)
│  └─ Icon "Icon" (1, 1) world (4, 4)
└─ Odd "Odd" (0, 0) world (100, 0)
`);
  });

  it("names prefabs from where the scene is written", () => {
    folder.write("from/project.godot", "");
    folder.write(
      "from/a.tscn",
      `[gd_scene format=3]\n[ext_resource type="PackedScene" path="res://parts/b.tscn" id="1"]\n[node name="A" type="Node2D"]\n[node name="B" parent="." instance=ExtResource("1")]\n`,
    );
    folder.write("from/parts/b.tscn", `[gd_scene format=3]\n[node name="B" type="Node2D"]\n`);
    folder.write("to/here.txt", "");
    expect(folder.espalier("import", "from/a.tscn", "-r", "-o", "to/a.scene.json").status).toBe(0);
    expect(folder.read("to/a.scene.json")).toContain('"prefab": "../from/parts/b.scene.json"');
    expect(folder.espalier("check", "to").status).toBe(0);
  });

  it("replaces no scene without an option that says so", () => {
    folder.write("mine.tscn", `[gd_scene format=3]\n[node name="A" type="Node2D"]\n`);
    folder.write("mine.scene.json", "my own work");
    expect(folder.espalier("import", "mine.tscn")).toEqual({
      status: 2,
      stdout: "",
      stderr:
        "Cannot write mine.scene.json: it already exists. Use --force to replace it, or --out for another.\n",
    });
    expect(folder.read("mine.scene.json")).toBe("my own work");
    expect(folder.espalier("import", "mine.tscn", "--force").status).toBe(0);
    expect(folder.read("mine.scene.json")).toContain('"id": "A"');
  });

  it("takes time in proportion to the size of the file", () => {
    // So many that comparing each with all others would run out of time.
    const nodes = Array.from({ length: 100_000 }, (_, k) => `[node name="N${k}" type="Node2D" parent="."]\n`);
    folder.write("large.tscn", `[gd_scene format=3]\n[node name="Root" type="Node2D"]\n${nodes.join("")}`);
    expect(folder.espalier("import", "large.tscn").stderr).toContain("100001 entities");
  });

  it("keeps the visibility and z of nodes that Godot cuts off from their parents", () => {
    const text = `[gd_scene format=3]
[node name="Root" type="Node2D"]
visible = false
z_index = 5
[node name="Group" type="Node" parent="."]
[node name="Free" type="Node2D" parent="Group"]
[node name="Hidden" type="Node2D" parent="Group"]
visible = false
z_index = 2
[node name="Layer" type="CanvasLayer" parent="."]
[node name="Below" type="Node2D" parent="."]
`;
    folder.write("cut.tscn", text);
    folder.espalier("import", "cut.tscn");
    const { entities } = JSON.parse(folder.read("cut.scene.json"));
    const found = Object.fromEntries(
      (entities as { name: string; components?: { [name: string]: unknown } }[]).map(
        ({ name, components }) => [name, [components?.Visibility, components?.ZIndex]],
      ),
    );
    const free = [{ mode: "visible" }, { zRelative: false }];
    expect(found).toEqual({
      Root: [{ mode: "hidden" }, { z: 5 }],
      Group: [undefined, undefined],
      Free: free,
      Hidden: [{ mode: "hidden" }, { z: 2, zRelative: false }],
      Layer: free,
      Below: [undefined, undefined],
    });
  });

  it("lists a skew whose scale the file omits, and editable instances", () => {
    folder.write(
      "part.tscn",
      `[gd_scene format=3]\n[node name="Part" type="Node2D"]\nscale = Vector2(2, 2)\n`,
    );
    const text = `[gd_scene format=3]
[ext_resource type="PackedScene" path="res://part.tscn" id="1"]
[node name="Root" type="Node2D"]
[node name="Part" parent="." instance=ExtResource("1")]
skew = 0.5
[editable path="Part"]
`;
    folder.write("leaning.tscn", text);
    const { stderr } = folder.espalier("import", "leaning.tscn");
    expect(stderr).toContain(
      "scale of the instance, which the skew 0.5 needs and this file does not say; taken as 1",
    );
    expect(stderr).toContain("that its inside is editable");
  });

  it("refuses other kinds of files", () => {
    folder.write("x.obj", "");
    expect(folder.espalier("import", "x.obj")).toMatchObject({
      status: 2,
      stderr:
        "Cannot import x.obj: only .tscn (Godot), .gltf and .glb, .tmj (Tiled) and .ldtk (LDtk) are known.\n",
    });
    expect(folder.espalier("import", "gone.tscn").stderr).toBe(
      "Cannot read gone.tscn: there is no such file.\n",
    );
  });
});
