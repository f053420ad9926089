/** Shapes that scenes of public Godot projects have. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createWorld, type Entity, Props } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createInherited, visibility } from "espalier/inherit";
import { createSceneFormat } from "espalier/scene";
import { createRectTransforms } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ownComponents } from "../src/config.ts";
import { prefabsOnDisk } from "../src/files.ts";
import { filesIn, runIn, tempFolder } from "./folder.ts";
import { expectAsSaved, head, imported } from "./godot-project.ts";

/** A folder with a project of Godot. */
function project(files: { readonly [name: string]: string }) {
  const folder = tempFolder();
  folder.write("project.godot", "");
  for (const [name, content] of Object.entries(files)) folder.write(name, content);
  return folder;
}

/** Loads an imported scene. Finds entities by their path of names. */
async function loaded(dir: string, name = "main.scene.json") {
  const file = join(dir, name);
  const format = createSceneFormat({ components: await ownComponents() });
  const tree = createHierarchy(createWorld());
  return {
    tree,
    load: () => format.load(tree, readFileSync(file, "utf8"), { file, prefabs: prefabsOnDisk(undefined) }),
  };
}

describe("the rectangle of a widget of Godot", () => {
  const sides = ["left", "top", "right", "bottom"] as const;
  const numbers = fc.record(
    {
      anchor_left: fc.constantFrom(0, 0.5, 1),
      anchor_top: fc.constantFrom(0, 0.5, 1),
      anchor_right: fc.constantFrom(0, 0.5, 1),
      anchor_bottom: fc.constantFrom(0, 0.5, 1),
      offset_left: fc.integer({ min: -99, max: 99 }),
      offset_top: fc.integer({ min: -99, max: 99 }),
      offset_right: fc.integer({ min: -99, max: 99 }),
      offset_bottom: fc.integer({ min: -99, max: 99 }),
    },
    { requiredKeys: [] },
  );
  type Numbers = { readonly [name: string]: number };
  const lines = (said: Numbers) =>
    Object.entries(said)
      .map(([name, value]) => `${name} = ${value}\n`)
      .join("");

  /** As Godot places it in a screen: what no file says is 0. */
  const placed = (said: Numbers) => {
    const [left, top, right, bottom] = sides.map(
      (side, k) => (said[`anchor_${side}`] ?? 0) * [800, 600][k % 2]! + (said[`offset_${side}`] ?? 0),
    ) as [number, number, number, number];
    return [left, top, right - left, bottom - top];
  };

  async function rectOf(files: { readonly [name: string]: string }, name: string) {
    const { dir } = project(files);
    const { status, stderr } = await runIn(dir, "import", "main.tscn", "-r");
    expect(status, stderr).toBe(0);
    const { tree, load } = await loaded(dir);
    const layout = createRectTransforms(tree, { width: 800, height: 600 });
    load();
    return [...layout.worldOf(tree.find(`/Root/${name}`) as Entity)];
  }

  it("is where Godot places it, whichever sides the file gives", async () => {
    await fc.assert(
      fc.asyncProperty(numbers, async (said) => {
        const main = `${head()}[node name="Root" type="Node"]\n[node name="C" type="Label" parent="."]\n${lines(said)}`;
        // A widget of which the file says nothing has no rectangle here.
        const rect = Object.keys(said).length === 0 ? placed({}) : await rectOf({ "main.tscn": main }, "C");
        expect(rect).toEqual(placed(said));
      }),
      { numRuns: 60 },
    );
  });

  it("is where Godot places it in an instance that changes some of its sides", async () => {
    await fc.assert(
      fc.asyncProperty(numbers, numbers, numbers, async (scene, root, inner) => {
        const part = `${head()}[node name="P" type="Control"]\nanchor_right = 1.0\n${lines(scene)}[node name="In" type="Panel" parent="."]\nanchor_right = 1.0\n${lines(scene)}`;
        const main = `${head("part.tscn")}[node name="Root" type="Node"]\n[node name="I" parent="." instance=ExtResource("1")]\n${lines(root)}[node name="In" parent="I"]\n${lines(inner)}`;
        const base = { anchor_right: 1, ...scene };
        expect(await rectOf({ "part.tscn": part, "main.tscn": main }, "I")).toEqual(
          placed({ ...base, ...root }),
        );
      }),
      { numRuns: 40 },
    );
  });
});

describe("a resource of a node of Godot", () => {
  const script = `script = ExtResource("9")\n`;
  const scripted = (...files: string[]) =>
    `${head(...files)}[ext_resource type="Script" path="res://a.gd" id="9"]\n`;

  /** What is kept of a node. */
  async function keptOf(files: { readonly [name: string]: string }, path: string) {
    const { dir } = project(files);
    const { status, stderr } = await runIn(dir, "import", "main.tscn", "-r");
    expect(status, stderr).toBe(0);
    const { tree, load } = await loaded(dir);
    load();
    const { values } = tree.world.get(tree.find(path) as Entity, Props) as { values: { godot: object } };
    return values.godot;
  }

  const resource = { ExtResource: "res://a.gd" };
  const part = `${head()}[node name="P" type="Node2D"]\n[node name="In" type="Node2D" parent="."]\n`;

  it.each([
    ["an instance whose scene keeps nothing", part, "", "/R/I"],
    [
      "a node inside an instance, of which its scene keeps nothing",
      part,
      `[node name="In" parent="I"]\n`,
      "/R/I/In",
    ],
    [
      "an instance whose scene keeps another one",
      `${part}`.replace('"Node2D"]\n', `"Node2D"]\nscript = { "x": 1 }\n`),
      "",
      "/R/I",
    ],
  ])("is the value itself in %s", async (_, inner, more, path) => {
    const main = `${scripted("part.tscn")}[node name="R" type="Node2D"]\n[node name="I" parent="." instance=ExtResource("1")]\n${more}${script}`;
    expect(await keptOf({ "part.tscn": inner, "main.tscn": main }, path)).toEqual({ script: resource });
  });

  it.each([
    ["an instance of a model that is not there", `instance=ExtResource("1")`, "gone.glb"],
    ["an instance of what cannot be imported", `instance=ExtResource("1")`, "model.obj"],
    ["a placeholder of an instance", `instance_placeholder="res://other.tscn"`, "gone.glb"],
  ])("is the value itself in %s", async (_, attribute, file) => {
    const main = `${scripted(file)}[node name="R" type="Node2D"]\n[node name="I" parent="." ${attribute}]\n${script}`;
    expect(await keptOf({ "main.tscn": main }, "/R/I")).toMatchObject({ script: resource });
  });
});

describe("a window of Godot", () => {
  const scene = (properties: string) => `${head()}[node name="R" type="Control"]
visible = false
[node name="W" type="Window" parent="."]
${properties}[node name="Box" type="VBoxContainer" parent="W"]
[node name="Label" type="Label" parent="W/Box"]
[node name="Off" type="Label" parent="W/Box"]
visible = false
`;

  it.each([
    ["hides what is in it", "visible = false\n", [false, false, false, false]],
    ["shows what is in it, also below a node that is hidden", "", [true, true, true, false]],
  ])("%s", async (_, properties, expected) => {
    const { tree } = await imported({ "main.tscn": scene(properties) });
    const shown = createInherited(tree, visibility);
    const paths = ["/R/W", "/R/W/Box", "/R/W/Box/Label", "/R/W/Box/Off"];
    expect(paths.map((path) => shown.of(tree.find(path) as Entity))).toEqual(expected);
  });
});

describe("a name that no entity can have", () => {
  it("becomes the type of the node, and is listed", async () => {
    const { drawn, stderr } = await imported({
      "main.tscn": `${head()}[node name="" type="Node2D"]
[node name="" type="Sprite2D" parent="."]
[node name="." type="Marker2D" parent="."]
[node name=".." type="Timer" parent="."]
[node name="X" type="Node" parent=".."]
[node type="Node" parent="./."]
[node name="Y" type="Node" parent="."]
`,
    });
    expect(drawn).toBe("Node2D(Sprite2D Marker2D(Node) Timer(X) Y)");
    expect(stderr).toContain('name ".", which no entity can have; it is called Marker2D');
  });

  it("leads into an instance by the name that it has there", async () => {
    const { tree } = await imported({
      "part.tscn": `${head()}[node name="P" type="Node2D"]\n[node name=".." type="Marker2D" parent="."]\n`,
      "main.tscn": `${head("part.tscn")}[node name="R" type="Node2D"]
[node name="I" parent="." instance=ExtResource("1")]
[node name=".." parent="I"]
position = Vector2(5, 6)
`,
    });
    expect(tree.find("/R/I/Marker2D")).not.toBeNull();
  });
});

describe("a scene that changes nodes of a scene inside its instance", () => {
  const files = {
    "sprite.tscn": `${head()}[node name="Sprite" type="Node2D"]
[node name="Pivot" type="Marker2D" parent="."]
[node name="Body" type="Sprite2D" parent="Pivot"]
`,
    "combatant.tscn": `${head("sprite.tscn")}[node name="Combatant" type="Node2D"]
[node name="Sprite" parent="." instance=ExtResource("1")]
`,
    "opponent.tscn": `${head("combatant.tscn")}[node name="Opponent" instance=ExtResource("1")]
[node name="Body" parent="Sprite/Pivot" index="0"]
position = Vector2(3, 4)
[node name="Timer" type="Timer" parent="." index="1"]
[editable path="Sprite"]
`,
  };
  const orders = [
    ["sprite", "combatant", "opponent"],
    ["combatant", "opponent", "sprite"],
    ["opponent", "combatant", "sprite"],
    ["combatant", "sprite", "opponent"],
  ];

  it.each(orders)(
    "is imported before or after what it needs, with the same text (%s, %s, %s)",
    async (...order) => {
      const { dir } = project(files);
      for (const name of order) {
        const { status, stderr } = await runIn(dir, "import", `${name}.tscn`);
        expect(status, stderr).toBe(0);
      }
      const together = project(files).dir;
      expect((await runIn(together, "import", "opponent.tscn", "-r")).status).toBe(0);
      expect(filesIn(dir)).toEqual(filesIn(together));
      await expectAsSaved(dir);
    },
  );

  it("is imported without what it needs, if that does not exist", async () => {
    const { dir } = project({
      "combatant.tscn": files["combatant.tscn"],
      "opponent.tscn": files["opponent.tscn"],
    });
    expect((await runIn(dir, "import", "combatant.tscn")).status).toBe(0);
    const { status, stderr } = await runIn(dir, "import", "opponent.tscn");
    expect(status, stderr).toBe(0);
    expect(stderr).toContain("Sprite/Pivot/Body: what is said about a node that no scene here has");
  });

  it("is refused with advice where a prefab that exists does not fit", async () => {
    const { dir, write } = project(files);
    write("combatant.scene.json", `{ "entities": [{ "id": "mine" }] }`);
    const { status, stderr } = await runIn(dir, "import", "opponent.tscn");
    expect(status).toBe(1);
    expect(stderr).toContain(
      "combatant.scene.json may be older than what it was imported from: --recursive --force",
    );
    expect(stderr).not.toContain("please report it");
    expect(Object.keys(filesIn(dir))).not.toContain("opponent.scene.json");
    expect((await runIn(dir, "import", "opponent.tscn", "-r", "--force")).status).toBe(0);
  });
});
