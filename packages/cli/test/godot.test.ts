import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createWorld, type Entity } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createInherited, visibility, zIndex } from "espalier/inherit";
import { createSceneFormat } from "espalier/scene";
import { createTransforms2D, createTransforms3D, Transform3D } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { ownComponents } from "../src/config.ts";
import { prefabsOnDisk } from "../src/files.ts";
import { importScene } from "../src/index.ts";
import { filesIn, runIn, tempFolder } from "./folder.ts";

async function load(file: string) {
  const format = createSceneFormat({ components: await ownComponents() });
  const tree = createHierarchy(createWorld());
  const space = createTransforms2D(tree);
  const scene = format.load(tree, readFileSync(file, "utf8"), { file, prefabs: prefabsOnDisk(undefined) });
  return { scene, tree, space, at: (path: string) => tree.find(`/${path}`) as Entity };
}

const instanceOf = (name: string, path: string, rest = "") =>
  `[gd_scene format=3]\n[ext_resource type="PackedScene" path="res://${path}" id="1"]\n[node name="${name}" type="Node2D"]\nposition = Vector2(100, 0)\nvisible = false\nz_index = 5\n[node name="I" parent="." instance=ExtResource("1")]\n${rest}`;

/** The same nodes in one file, and with those below `I` in a file of their own. */
const inner = (parent: string) => `[node name="Free" type="Node2D" parent="${parent}"]
position = Vector2(5, 0)
[node name="Layer" type="CanvasLayer" parent="${parent}"]
offset = Vector2(3, 3)
[node name="On" type="Sprite2D" parent="${parent === "." ? "" : `${parent}/`}Layer"]
z_index = 1
[node name="Logic" type="Node" parent="${parent}"]
[node name="Deep" type="Node2D" parent="${parent === "." ? "" : `${parent}/`}Logic"]
position = Vector2(7, 0)
`;

describe("an instance of a Godot scene", () => {
  it.each(["Node", "Node2D", "CanvasLayer"])(
    "is imported like the same tree in one file, its root a %s",
    async (type) => {
      const { dir, write } = tempFolder();
      write("project.godot", "");
      const position =
        type === "Node"
          ? ""
          : type === "CanvasLayer"
            ? "offset = Vector2(9, 9)\n"
            : "position = Vector2(9, 9)\n";
      write(
        "split.tscn",
        instanceOf(
          "Root",
          "part.tscn",
          `${position}[node name="Extra" type="Node2D" parent="I"]\nposition = Vector2(1, 1)\n`,
        ),
      );
      write("part.tscn", `[gd_scene format=3]\n[node name="I" type="${type}"]\n${inner(".")}`);
      write(
        "whole.tscn",
        `[gd_scene format=3]\n[node name="Root" type="Node2D"]\nposition = Vector2(100, 0)\nvisible = false\nz_index = 5\n[node name="I" type="${type}" parent="."]\n${position}${inner("I")}[node name="Extra" type="Node2D" parent="I"]\nposition = Vector2(1, 1)\n`,
      );
      for (const name of ["split", "whole"])
        expect((await runIn(dir, "import", `${name}.tscn`, "-r")).status).toBe(0);
      const results = await Promise.all(
        ["split", "whole"].map(async (name) => {
          const { tree, scene, space } = await load(join(dir, `${name}.scene.json`));
          const shown = createInherited(tree, visibility);
          const z = createInherited(tree, zIndex);
          const found: { [path: string]: unknown } = {};
          for (const entity of tree.descendants(scene.roots()[0] as Entity, { includeSelf: true })) {
            const { x, y } = space.worldOf(entity);
            found[tree.pathOf(entity)] = [x, y, shown.of(entity), z.of(entity)];
          }
          return found;
        }),
      );
      expect(results[0]).toEqual(results[1]);
    },
  );

  it("whose content differs from the file is written so that it loads", async () => {
    const { dir, write } = tempFolder();
    write("project.godot", "");
    write(
      "part.tscn",
      `[gd_scene format=3]\n[node name="P" type="Node2D"]\n[node name="Q" type="Node2D" parent="."]\n`,
    );
    write("model.glb", "");
    write(
      "main.tscn",
      `[gd_scene format=3]
[ext_resource type="PackedScene" path="res://part.tscn" id="1"]
[ext_resource type="PackedScene" path="res://gone.glb" id="2"]
[ext_resource type="PackedScene" path="res://model.obj" id="3"]
[node name="Root" type="Node2D"]
[node name="Part" parent="." instance=ExtResource("1")]
[node name="Q" parent="Part"]
position = Vector2(1, 0)
[node name="Gone" parent="Part"]
position = Vector2(2, 0)
[node name="Added" type="Node2D" parent="Part/Gone/Deeper"]
[node name="Glb" parent="." instance=ExtResource("2")]
[node name="Bone" parent="Glb/Skeleton"]
visible = false
[node name="Hat" type="Node3D" parent="Glb/Skeleton/Head"]
[node name="Obj" parent="." instance=ExtResource("3")]
[node name="Inside" parent="Obj"]
visible = false
[node name="Stray" parent="."]
visible = false
`,
    );
    const { status, stderr } = await runIn(dir, "import", "main.tscn", "-r");
    expect(status, stderr).toBe(0);
    for (const lost of ["Part/Gone:", "Glb/Skeleton/Bone:", "Obj/Inside:", "Stray:"])
      expect(stderr).toContain(`  ${lost}`);
    expect((await runIn(dir, "check", dir)).stdout).toContain("2 files, no problems");
    const text = filesIn(dir)["main.scene.json"] ?? "";
    expect(text).toContain("Hat");
    expect(text).toContain("Added");
  });

  it("of a model has what the file says about its nodes", async () => {
    const { dir, write } = tempFolder();
    write("project.godot", "");
    const nodes = [
      { name: "Body", children: [1, 2, 3] },
      { name: "Wheel" },
      { name: "Twin" },
      { name: "Door", children: [4] },
      { name: "Twin" },
    ];
    write(
      "car.gltf",
      JSON.stringify({ asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0] }], nodes }),
    );
    write(
      "main.tscn",
      `[gd_scene format=3]
[ext_resource type="PackedScene" path="res://car.gltf" id="1"]
[node name="Root" type="Node3D"]
[node name="Car" parent="." instance=ExtResource("1")]
[node name="Wheel" parent="Car/Body" index="0"]
visible = false
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 4, 5, 6)
[node name="Twin2" parent="Car/Body/Door"]
visible = false
[node name="Twin" parent="Car/Body/Door"]
visible = false
[node name="Hat" type="Node3D" parent="Car/Body" index="1"]
`,
    );
    const { status, stderr } = await runIn(dir, "import", "main.tscn", "-r");
    expect(status, stderr).toBe(0);
    // Godot numbers names over the whole file: the one below the door is Twin2, and Twin is none of its children.
    expect(stderr).toContain("  Car/Body/Door/Twin: what is said about a node that no scene here has");
    for (const path of ["Wheel", "Hat", "Door/Twin2"]) expect(stderr).not.toContain(`  Car/Body/${path}:`);
    expect((await runIn(dir, "check", dir)).stdout).toContain("2 files, no problems");
    const [, car] = JSON.parse(filesIn(dir)["main.scene.json"] ?? "").entities;
    expect(car.overrides.Wheel.components).toMatchObject({
      Visibility: { mode: "hidden" },
      Transform3D: { x: 4, y: 5, z: 6 },
    });
    expect(car.overrides["Twin-2"].components).toEqual({ Visibility: { mode: "hidden" } });
    const { tree, at } = await load(join(dir, "main.scene.json"));
    const names = tree.childrenOf(at("Root/Car/Body")).map((child) => tree.nameOf(child));
    expect(names).toEqual(["Wheel", "Hat", "Twin", "Door"]);
  });

  it("replaces resources as a whole", async () => {
    const { dir, write } = tempFolder();
    write("project.godot", "");
    write(
      "part.tscn",
      `[gd_scene format=3]\n[ext_resource type="Texture2D" path="res://a.png" id="1"]\n[node name="P" type="Sprite2D"]\ntexture = ExtResource("1")\n`,
    );
    write(
      "main.tscn",
      `[gd_scene format=3]\n[ext_resource type="PackedScene" path="res://part.tscn" id="1"]\n[sub_resource type="Gradient" id="g"]\nx = 1\n[node name="R" type="Node2D"]\n[node name="P" parent="." instance=ExtResource("1")]\ntexture = SubResource("g")\n`,
    );
    expect((await runIn(dir, "import", "main.tscn", "-r")).status).toBe(0);
    const { tree, at } = await load(join(dir, "main.scene.json"));
    const { Props } = await import("espalier");
    const { values } = tree.world.get(at("R/P"), Props) as { values: { godot: { texture: unknown } } };
    expect(values.godot.texture).toEqual({ SubResource: { type: "Gradient", x: 1 } });
  });
});

describe("a 3D scene of Godot", () => {
  it("has positions, rotations and scales, of matrices and of angles, in both versions of Godot", async () => {
    const { dir, write } = tempFolder();
    const half = Math.SQRT1_2;
    write(
      "space.tscn",
      `[gd_scene format=3]
[node name="Root" type="Node3D"]
transform = Transform3D(0, 0, 2, 0, 2, 0, -2, 0, 0, 1, 2, 3)
[node name="Child" type="MeshInstance3D" parent="."]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 4)
visible = false
[node name="Angles" type="Node3D" parent="."]
position = Vector3(1, 0, 0)
rotation = Vector3(0, 1.5707963267948966, 0)
scale = Vector3(1, 2, 3)
[node name="Old" type="Spatial" parent="."]
transform = Transform( -1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 0, 0 )
[node name="Logic" type="Node" parent="."]
[node name="Free" type="Node3D" parent="Logic"]
`,
    );
    const { status, stderr } = await runIn(dir, "import", "space.tscn");
    expect(status, stderr).toBe(0);
    const { entities } = JSON.parse(filesIn(dir)["space.scene.json"] as string);
    const of = (name: string) => entities.find((entity: { name: string }) => entity.name === name).components;
    expect(of("Root").Transform3D).toEqual({
      x: 1,
      y: 2,
      z: 3,
      qy: short(half),
      qw: short(half),
      scaleX: 2,
      scaleY: 2,
      scaleZ: 2,
    });
    expect(of("Child")).toMatchObject({ Transform3D: { z: 4 }, Visibility: { mode: "hidden" } });
    expect(of("Angles").Transform3D).toEqual({
      x: 1,
      qy: short(half),
      qw: short(half),
      scaleY: 2,
      scaleZ: 3,
    });
    expect(of("Old").Transform3D).toEqual({ x: 5, scaleX: -1 });
    expect(of("Free")).toEqual({
      Transform3D: {},
      InheritTransform: { topLevel: true },
      Visibility: { mode: "visible" },
    });
    // Where it is in the world: the child's z is the parent's x.
    const { space, at } = await load3D(join(dir, "space.scene.json"));
    const position = space.worldPosition(at("Root/Child"));
    expect([position.x, position.y, position.z].map((each) => Math.round(each * 1e4) / 1e4)).toEqual([
      9, 2, 3,
    ]);
  });

  it("has the nodes of its models as prefabs", async () => {
    const { dir, write } = tempFolder();
    write("project.godot", "");
    write(
      "tank.gltf",
      JSON.stringify({
        asset: { version: "2.0" },
        scenes: [{ nodes: [0, 1] }],
        nodes: [{ name: "Hull" }, { name: "Gun" }],
      }),
    );
    write(
      "tank.tscn",
      `[gd_scene format=3]\n[ext_resource type="PackedScene" path="res://tank.gltf" id="1"]\n[node name="Tank" type="Node3D"]\n[node name="Model" parent="." instance=ExtResource("1")]\ntransform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 7, 0, 0)\n`,
    );
    const { status, stderr } = await runIn(dir, "import", "tank.tscn", "-r");
    expect(status, stderr).toBe(0);
    expect((await runIn(dir, "check", dir)).status).toBe(0);
    const { tree, at } = await load3D(join(dir, "tank.scene.json"));
    expect(tree.world.get(at("Tank/Model"), Transform3D)).toMatchObject({ x: 7 });
    expect([at("Tank/Model/Hull"), at("Tank/Model/Gun")].every((entity) => entity !== null)).toBe(true);
  });
});

describe("values of Godot", () => {
  it("that no field can hold are kept and not written as numbers", async () => {
    const { write } = tempFolder();
    const { scene } = await importScene(
      write(
        "a.tscn",
        `[gd_scene format=3]\n[node name="A" type="Node2D"]\nposition = Vector2(1e400, 0)\nrotation = 1e39\nz_index = 1.5\nbig = -1e999\n`,
      ),
    );
    const [entity] = scene.entities;
    expect(entity?.components).toEqual({
      Transform2D: {},
      Props: {
        values: {
          godot: { position: { Vector2: ["Infinity", 0] }, rotation: 1e39, z_index: 1.5, big: "-Infinity" },
        },
      },
    });
  });

  it("of widgets become rectangles, and a transform where they have one", async () => {
    const { write } = tempFolder();
    const { scene } = await importScene(
      write(
        "ui.tscn",
        `[gd_scene format=3]
[node name="Ui" type="Control"]
anchor_right = 1.0
anchor_bottom = 1.0
offset_left = 10.0
offset_right = -10.0
[node name="Button" type="Button" parent="."]
offset_left = 20.0
offset_top = 30.0
offset_right = 120.0
offset_bottom = 60.0
rotation = 3.14159265
pivot_offset = Vector2(50, 15)
[node name="Ask" type="ConfirmationDialog" parent="."]
`,
      ),
    );
    const [ui] = scene.entities;
    expect(ui?.components?.RectTransform).toEqual({ anchorMaxX: 1, anchorMaxY: 1, x: 10, width: -20 });
    expect(ui?.components?.Transform2D).toBeUndefined();
    const [button, ask] = ui?.children ?? [];
    expect(button?.components?.RectTransform).toEqual({ x: 20, y: 30, width: 100, height: 30 });
    expect(button?.components?.Transform2D).toMatchObject({ x: 120, y: 60 });
    expect(ask?.components?.Visibility).toEqual({ mode: "hidden" });
  });
});

function short(value: number): number {
  return Number(value.toPrecision(7));
}

async function load3D(file: string) {
  const format = createSceneFormat({ components: await ownComponents() });
  const tree = createHierarchy(createWorld());
  const space = createTransforms3D(tree);
  format.load(tree, readFileSync(file, "utf8"), { file: resolve(file), prefabs: prefabsOnDisk(undefined) });
  return { tree, space, at: (path: string) => tree.find(`/${path}`) as Entity };
}
