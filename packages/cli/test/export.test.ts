import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { printScene, type SceneFile } from "espalier/scene";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asSaved } from "../src/import/as-saved.ts";
import { exportScene, importScene } from "../src/index.ts";
import { filesIn, runIn, tempFolder } from "./folder.ts";
import { connect } from "./mcp-client.ts";

const runs = process.env.ESPALIER_LONG === "1" ? 3000 : 40;

/** A scene as an import writes it. */
async function imported(file: string): Promise<string> {
  const { scene } = await importScene(file);
  const [saved] = await asSaved([{ file: `${file}.scene.json`, text: printScene(scene) }]);
  return saved?.text as string;
}

/** Numbers of at most seven digits, as fields hold them. */
const number = fc.integer({ min: -999_999, max: 999_999 }).map((value) => value / 1000);
const size = fc.integer({ min: 1, max: 999_999 }).map((value) => value / 1000);
const letters = fc
  .string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(..."abXY09 _-ä") })
  .filter((text) => text.trim() === text);
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const fields = (all: { [field: string]: fc.Arbitrary<unknown> }) =>
  fc.record(all, { requiredKeys: [] }).map((found) => found as { [field: string]: never });

const transform2D = fields({
  x: number,
  y: number,
  rotation: fc.integer({ min: -3000, max: 3000 }).map((value) => value / 1000),
  scaleX: size,
  scaleY: size,
  skew: fc.integer({ min: -1500, max: 1500 }).map((value) => value / 1000),
});
const turn = fc.constantFrom(
  {},
  { qx: 1, qw: 0 },
  { qx: 0.6, qw: 0.8 },
  { qy: -0.6, qz: 0.8, qw: 0 },
  { qx: 0.5, qy: 0.5, qz: -0.5, qw: 0.5 },
);
const transform3D = fc
  .tuple(fields({ x: number, y: number, z: number, scaleX: size, scaleY: size, scaleZ: size }), turn)
  .map(([a, b]) => ({ ...a, ...b }));

const godotValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.boolean(),
  fc.integer(),
  number,
  letters,
  fc.constant('with "quotes" \\ and\nlines'),
  fc.tuple(number, number).map((pair) => ({ Vector2: pair })),
  fc.constant({ Color: [1, 0.5, 0, 1] }),
  fc.constant({ NodePath: ["../Other"] }),
  fc.constant({ ExtResource: "res://art/tank.png" }),
  fc.constant({ SubResource: { type: "RectangleShape2D", size: { Vector2: [3, 4] } } }),
  fc.constant({ SubResource: { type: "Outer", inner: { SubResource: { type: "Inner", deep: true } } } }),
  fc.array(fc.integer(), { maxLength: 3 }),
  fc.dictionary(letters, fc.integer(), { maxKeys: 3 }),
);
const propertyNames = fc.constantFrom(
  "texture",
  "script",
  "metadata/note",
  "theme_override_colors/font color",
  "text",
  "shape",
);
const kept = fc.dictionary(propertyNames, godotValue, { maxKeys: 3 });

interface Random {
  readonly name: string;
  readonly components: { [name: string]: unknown };
  readonly above: number;
}

/** One tree: each entity is below one that comes before it, with a name that no sibling has. */
function treeOf(entity: fc.Arbitrary<Omit<Random, "above">>, hasOneRoot: boolean): fc.Arbitrary<SceneFile> {
  return fc.array(fc.tuple(entity, fc.nat()), { minLength: 1, maxLength: 12 }).map((all) => ({
    version: 1,
    entities: all.map(([{ name, components }, above], k) => ({
      id: `${name.replace(/[\s/]+/g, "-")}-x${k}`,
      name: `${name}x${k}`,
      ...(k === 0 || (!hasOneRoot && above % 5 === 0)
        ? {}
        : { parent: `${all[above % k]?.[0].name.replace(/[\s/]+/g, "-")}-x${above % k}` }),
      components: components as never,
    })),
  }));
}

const shown = {
  Visibility: optional(fc.constant({ mode: "hidden" })),
  ZIndex: optional(fc.integer({ min: 1, max: 99 }).map((z) => ({ z }))),
};
const types2D = fc.constantFrom("Node2D", "Sprite2D", "CollisionShape2D", "Label2D");
const godot2D = fc
  .record({
    name: letters,
    type: types2D,
    transform: transform2D,
    kept,
    ...shown,
    top: optional(fc.constant({ topLevel: true })),
  })
  .map(({ name, type, transform, kept: values, Visibility, ZIndex, top }) => {
    const godot = { ...(type === "Node2D" ? {} : { type }), ...values };
    return {
      name,
      components: {
        Transform2D: transform,
        ...(Visibility === undefined ? {} : { Visibility }),
        ...(ZIndex === undefined ? {} : { ZIndex }),
        ...(top === undefined ? {} : { InheritTransform: top }),
        ...(Object.keys(godot).length === 0 ? {} : { Props: { values: { godot } } }),
      },
    };
  });
const godot3D = fc
  .record({ name: letters, transform: transform3D, kept })
  .map(({ name, transform, kept: values }) => ({
    name,
    components: {
      Transform3D: transform,
      ...(Object.keys(values).length === 0 ? {} : { Props: { values: { godot: values } } }),
    },
  }));
const gltfNode = fc
  .record({
    name: letters,
    transform: transform3D,
    extras: optional(fc.dictionary(letters, fc.integer(), { maxKeys: 2 })),
  })
  .map(({ name, transform, extras }) => ({
    name,
    components: {
      Transform3D: transform,
      Props: { values: { gltf: extras === undefined ? {} : { extras } } },
    },
  }));

/** Exports a scene, imports that, and exports and imports it again. */
async function roundTrip(dir: string, scene: SceneFile, name: string) {
  const file = join(dir, "scene.scene.json");
  writeFileSync(file, printScene(scene));
  const out = join(dir, name);
  const { content, lost } = await exportScene(file, out);
  writeFileSync(out, content);
  const once = await imported(out);
  writeFileSync(`${out}.scene.json`, once);
  const again = await exportScene(`${out}.scene.json`, join(dir, `2${name}`));
  writeFileSync(join(dir, `2${name}`), again.content);
  return { lost, once, lostAgain: again.lost, twice: await imported(join(dir, `2${name}`)) };
}

describe("export and import again", () => {
  it.each([
    ["2D scenes of Godot", treeOf(godot2D, true), "x.tscn"],
    ["3D scenes of Godot", treeOf(godot3D, true), "x.tscn"],
  ] as const)("random %s lose nothing", async (_, scenes, name) => {
    const { dir } = tempFolder();
    await fc.assert(
      fc.asyncProperty(scenes, async (scene) => {
        const { lost, lostAgain, once, twice } = await roundTrip(dir, scene, name);
        expect(lost).toEqual([]);
        expect(lostAgain).toEqual([]);
        expect(twice).toBe(once);
      }),
      { numRuns: runs },
    );
  });

  it.each(["x.gltf", "x.glb"])("random scenes as %s lose nothing but the numbers of nodes", async (name) => {
    const { dir } = tempFolder();
    await fc.assert(
      fc.asyncProperty(treeOf(gltfNode, false), async (scene) => {
        const { lost, lostAgain, once, twice } = await roundTrip(dir, scene, name);
        expect(lost.filter(({ what }) => what !== "value of Props.values.gltf.node")).toEqual([]);
        expect(lostAgain).toEqual([]);
        expect(twice).toBe(once);
      }),
      { numRuns: Math.ceil(runs / 5) },
    );
  });
});

const level = `[gd_scene load_steps=4 format=3]

[ext_resource type="PackedScene" path="res://gun.tscn" id="1"]
[ext_resource type="Texture2D" path="res://tank.png" id="2"]

[sub_resource type="RectangleShape2D" id="shape"]
size = Vector2(20, 10)

[node name="Level" type="Node2D"]

[node name="Tank" type="CharacterBody2D" parent="." groups=["enemies"]]
position = Vector2(3, 4)
rotation = 0.5
scale = Vector2(2, 3)
skew = 0.25

[node name="Picture" type="Sprite2D" parent="Tank"]
visible = false
z_index = 4
texture = ExtResource("2")

[node name="Shape" type="CollisionShape2D" parent="Tank"]
shape = SubResource("shape")

[node name="Gun" parent="Tank" instance=ExtResource("1")]
position = Vector2(7, 0)

[node name="Sight" parent="Tank/Gun"]
position = Vector2(1, 9)

[node name="Flag" type="Node2D" parent="Tank/Gun/Sight"]
position = Vector2(0, 2)

[node name="Clock" type="Timer" parent="."]
wait_time = 2.5

[node name="Below" type="Node2D" parent="Clock"]
position = Vector2(1, 1)

[node name="Hud" type="CanvasLayer" parent="."]

[node name="Button" type="Button" parent="Hud"]
offset_left = 10.0
offset_top = 20.0
offset_right = 110.0
offset_bottom = 50.0
text = "Fire!"

[node name="Wide" type="Panel" parent="Hud"]
anchor_right = 1.0
anchor_bottom = 1.0
offset_left = 4.0
offset_right = -4.0
`;
const gun = `[gd_scene format=3]

[node name="Gun" type="Node2D"]

[node name="Sight" type="Node2D" parent="."]
position = Vector2(1, 0)
`;

const values = `[gd_scene load_steps=3 format=3]

[ext_resource type="Script" path="res://item.gd" id="9_ab"]

[sub_resource type="Resource" id="Resource_x"]
script = ExtResource("9_ab")

[node name="Values" type="Node2D"]
items = Array[ExtResource("9_ab")]([SubResource("Resource_x")])
counts = Dictionary[StringName, int]({
&"a": 1
})
one = {
"Points": [1, 2]
}
keys = {
Vector2i(0, 1): 3,
"Vector2i(0, 1)": 4,
true: 5,
"true": 6,
"\\"quoted\\"": 7,
ExtResource("9_ab"): "script",
^"../A": "path",
null: 8
}
numbers = {
2: "number",
"2": "string"
}
`;

const panel = `[gd_scene format=3]

[node name="Panel" type="Control"]
anchor_left = 0.5
anchor_right = 0.5
offset_left = -10.0
offset_right = 40.0
offset_bottom = 9.0

[node name="Button" type="Button" parent="."]
offset_right = 100.0
offset_bottom = 30.0
`;

const screen = `[gd_scene format=3]

[ext_resource type="PackedScene" path="res://panel.tscn" id="1"]

[node name="Screen" type="Node2D"]

[node name="Wide" parent="." instance=ExtResource("1")]
offset_right = 200.0

[node name="Fixed" parent="." instance=ExtResource("1")]
anchor_left = 0.0
anchor_right = 0.0
offset_left = 3.0
`;

describe("espalier export", () => {
  it("returns the same Godot scene with instances, overrides, widgets, resources and layers", async () => {
    const folder = tempFolder();
    folder.write("project.godot", "");
    folder.write("level.tscn", level);
    folder.write("gun.tscn", gun);
    expect((await runIn(folder.dir, "import", "level.tscn", "--recursive")).status).toBe(0);
    const out = join(folder.dir, "again.tscn");
    const { status, stdout } = await runIn(folder.dir, "export", "level.scene.json", "--to", out, "--json");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ lost: [], needs: ["gun.scene.json"] });
    expect((await runIn(folder.dir, "import", "again.tscn")).status).toBe(0);
    const read = (name: string) => readFileSync(join(folder.dir, name), "utf8");
    expect(read("again.scene.json")).toBe(read("level.scene.json"));
    expect(read("again.tscn")).toContain('[node name="Gun" parent="Tank" instance=ExtResource("');
  });

  it("returns typed arrays, keys of every kind, and dictionaries that look like types unchanged", async () => {
    const { dir, write } = tempFolder();
    write("project.godot", "");
    write("values.tscn", values);
    const first = await imported(join(dir, "values.tscn"));
    writeFileSync(join(dir, "values.scene.json"), first);
    const { content, lost } = await exportScene(join(dir, "values.scene.json"), join(dir, "again.tscn"));
    expect(lost).toEqual([]);
    expect(content).toContain('items = Array[ExtResource("1")]([SubResource("Resource_1")])');
    expect(content).toContain('one = {"Points": [1, 2]}');
    expect(content).toContain('Vector2i(0, 1): 3, "Vector2i(0, 1)": 4');
    expect(content).toContain('2: "number", "2": "string"');
    expect(content).toContain('ExtResource("1"): "script", NodePath("../A"): "path"');
    writeFileSync(join(dir, "again.tscn"), content);
    expect(await imported(join(dir, "again.tscn"))).toBe(first);
  });

  it("returns widgets of instances that set only some sides of their rectangle unchanged", async () => {
    const { dir, write } = tempFolder();
    write("project.godot", "");
    write("panel.tscn", panel);
    write("screen.tscn", screen);
    expect(await runIn(dir, "import", "screen.tscn", "--recursive")).toMatchObject({ status: 0 });
    const first = readFileSync(join(dir, "screen.scene.json"), "utf8");
    const { content, lost } = await exportScene(join(dir, "screen.scene.json"), join(dir, "again.tscn"));
    expect(lost).toEqual([]);
    expect(content).toContain('instance=ExtResource("1")]\noffset_right = 200\n');
    writeFileSync(join(dir, "again.tscn"), content);
    expect(await runIn(dir, "import", "again.tscn")).toMatchObject({ status: 0 });
    expect(readFileSync(join(dir, "again.scene.json"), "utf8")).toBe(first);
  });

  it("lists what the other format cannot hold", async () => {
    const folder = tempFolder();
    const scene = {
      entities: [
        { id: "a", name: "a", components: { Transform2D: { x: 1 }, Health: { hp: 3 } } },
        { id: "b", components: { Transform2D: {}, Props: { values: { mine: 1 } } } },
        { id: "c", name: "b.c", parent: "b", components: {} },
      ],
    };
    const file = folder.write("s.scene.json", JSON.stringify(scene));
    expect((await exportScene(file, join(folder.dir, "s.tscn"))).lost).toEqual([
      { entity: "", what: "that the scene has several roots; they are below a new one" },
      { entity: "/a", what: "component Health" },
      { entity: "/b", what: "that it has no name; it is called b" },
      { entity: "/b", what: "component Props" },
      { entity: "/b/b.c", what: 'name, which became "b_c"' },
    ]);
    expect((await exportScene(file, join(folder.dir, "s.gltf"))).lost).toEqual(
      expect.arrayContaining([
        { entity: "/a", what: "component Health" },
        { entity: "/a", what: "component Transform2D" },
        { entity: "/a", what: "that it has no component Transform3D" },
      ]),
    );
  });

  it("makes plain nodes of instances for glTF, and says so", async () => {
    const folder = tempFolder();
    folder.write(
      "part.prefab.json",
      `{ "entities": [{ "id": "p", "name": "p", "components": { "Transform3D": {} } }, { "id": "q", "name": "q", "parent": "p", "components": { "Transform3D": { "x": 2 } } }] }`,
    );
    const file = folder.write(
      "s.scene.json",
      `{ "entities": [{ "id": "a", "name": "a", "prefab": "part.prefab.json" }] }`,
    );
    const { content, lost } = await exportScene(file, join(folder.dir, "s.gltf"));
    expect(JSON.parse(content as string).nodes).toEqual([
      { name: "a", children: [1] },
      { name: "q", translation: [2, 0, 0] },
    ]);
    expect(lost[0]).toEqual({
      entity: "/a",
      what: "instance of part.prefab.json: its entities are nodes of their own",
    });
  });

  it("leaves out extensions of glTF nodes that name parts of the file, and lists them", async () => {
    const extensions = { KHR_lights_punctual: { light: 0 }, KHR_node_visibility: { visible: false } };
    const lamp = {
      id: "lamp",
      name: "lamp",
      components: { Transform3D: {}, Props: { values: { gltf: { extensions } } } },
    };
    const { dir, write } = tempFolder();
    write("a.scene.json", printScene({ version: 1, entities: [lamp] }));
    const { content, lost } = await exportScene(join(dir, "a.scene.json"), join(dir, "a.gltf"));
    const { nodes, extensionsUsed } = JSON.parse(content as string);
    expect(nodes).toEqual([{ name: "lamp", extensions: { KHR_node_visibility: { visible: false } } }]);
    expect(extensionsUsed).toEqual(["KHR_node_visibility"]);
    expect(lost).toContainEqual({
      entity: "/lamp",
      what: expect.stringContaining("value of Props.values.gltf.extensions"),
    });
  });

  it("flips the y axis on request, as the import does", async () => {
    const folder = tempFolder();
    const file = folder.write(
      "s.scene.json",
      `{ "entities": [{ "id": "a", "name": "a", "components": { "Transform2D": { "x": 1, "y": 2, "rotation": 0.5, "skew": 0.5 } } }] }`,
    );
    const { content, lost } = await exportScene(file, join(folder.dir, "s.tscn"), { yUp: true });
    expect(content).toContain("position = Vector2(1, -2)");
    expect(lost).toEqual([]);
  });

  it("takes a chain of 20,000 levels to glTF, and refuses it for Godot", async () => {
    const folder = tempFolder();
    const entities = Array.from({ length: 20_000 }, (_, k) => ({
      id: `n${k}`,
      name: "n",
      ...(k === 0 ? {} : { parent: `n${k - 1}` }),
      components: { Transform3D: {} },
    }));
    const file = folder.write("s.scene.json", JSON.stringify({ entities }));
    const { lost } = await exportScene(file, join(folder.dir, "s.gltf"));
    expect(lost).toHaveLength(20_000);
    await expect(exportScene(file, join(folder.dir, "s.tscn"))).rejects.toThrow(/1000 levels deep/);
  });

  it("refuses unknown endings, missing prefabs, broken scenes and files that exist; nothing is written", async () => {
    const folder = tempFolder();
    folder.write("s.scene.json", `{ "entities": [{ "id": "a", "prefab": "gone.prefab.json" }] }`);
    folder.write("broken.scene.json", "{");
    folder.write("good.scene.json", `{ "entities": [{ "id": "a" }] }`);
    folder.write("there.tscn", "mine");
    const before = filesIn(folder.dir);
    const to = (name: string) => join(folder.dir, name);
    expect((await runIn(folder.dir, "export", "good.scene.json", "--to", to("x.blend"))).status).toBe(2);
    expect((await runIn(folder.dir, "export", "s.scene.json", "--to", to("x.tscn"))).status).toBe(1);
    expect((await runIn(folder.dir, "export", "broken.scene.json", "--to", to("x.glb"))).status).toBe(1);
    expect((await runIn(folder.dir, "export", "good.scene.json", "--to", to("there.tscn"))).status).toBe(2);
    expect((await runIn(folder.dir, "export", "good.scene.json")).status).toBe(2);
    expect(filesIn(folder.dir)).toEqual(before);
  });

  it("is a tool of agents, which writes new files inside the folder only", async () => {
    const folder = tempFolder();
    folder.write(
      "game/s.scene.json",
      `{ "entities": [{ "id": "a", "name": "a", "components": { "Transform2D": {} } }] }`,
    );
    const { call } = await connect(join(folder.dir, "game"));
    expect(await call("export", { file: "s.scene.json", to: "s.tscn" })).toMatchObject({
      lost: [],
      needs: [],
    });
    expect(readFileSync(join(folder.dir, "game/s.tscn"), "utf8")).toContain('[node name="a" type="Node2D"]');
    for (const to of ["../s.tscn", "s.tscn", "s.scene.json", "espalier.config.mjs"])
      expect(await call("export", { file: "s.scene.json", to }), to).toHaveProperty("error");
    expect(existsSync(join(folder.dir, "s.tscn"))).toBe(false);
  });
});
