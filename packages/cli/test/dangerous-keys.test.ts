import { printScene } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { importScene } from "../src/index.ts";
import { tempFolder } from "./folder.ts";

const folder = tempFolder();

const keys = ["prototype", ...Object.getOwnPropertyNames(Object.prototype), "length", "then"];

/** What is left in the objects that all others inherit from. */
async function pollutionOf(fn: () => Promise<unknown>): Promise<string[]> {
  const names = () => [...Reflect.ownKeys(Object.prototype), ...Reflect.ownKeys(Array.prototype)].map(String);
  const before = names();
  await fn();
  return names().filter((name, k) => name !== before[k]);
}

const own = (value: unknown, key: string) => Object.getOwnPropertyDescriptor(Object(value), key)?.value;

describe.each(keys)("the name %s", (key) => {
  it("is a node, a property, a key and a resource of Godot like any other", async () => {
    const file = folder.write(
      `${key}.tscn`,
      `[gd_scene format=3 ${key}=1]
[ext_resource type="PackedScene" path="res://inner.tscn" id="${key}"]
[sub_resource type="${key}" id="sub_${key}"]
${key} = { "${key}": 1 }
[${key} ${key}="x"]
[node name="Root" type="Node2D" ${key}="attribute"]
${key} = { "${key}": [1, SubResource("sub_${key}")] }
[node name="${key}" type="Node2D" parent="."]
[node name="Below" type="Node2D" parent="${key}"]
[node name="I" parent="." instance=ExtResource("${key}")]
[node name="${key}" parent="I" index="0"]
position = Vector2(1, 2)
[node name="Added" type="Node2D" parent="I/${key}"]
[node name="Deeper" type="Node2D" parent="I/${key}/${key}"]
`,
    );
    const left = await pollutionOf(async () => {
      const { scene } = await importScene(file);
      const [root] = JSON.parse(printScene(scene)).entities;
      const props = root.components.Props.values.godot;
      expect(own(own(props, key), key)[0]).toBe(1);
      expect(own(own(own(own(props, key), key)[1].SubResource, key), key)).toBe(1);
      expect(root.children[0].name).toBe(key);
      expect(root.children[0].children[0].name).toBe("Below");
      const override = own(root.children[1].overrides, key);
      expect(override.components.Transform2D).toEqual({ x: 1, y: 2 });
      expect(override.children[0].name).toBe("Added");
      expect(own(root.children[1].overrides, `${key}/${key}`).children[0].name).toBe("Deeper");
    });
    expect(left).toEqual([]);
  });

  it("is a node, an extra and an extension of glTF like any other", async () => {
    const bag = `{ ${JSON.stringify(key)}: { "x": 1 } }`;
    const gltf = (children: string) => `{
      "asset": { "version": "2.0" }, "scenes": [{ "nodes": [0], "extras": ${bag} }],
      "nodes": [{ "name": "${key}", "extras": ${bag}, "extensions": ${bag}, "children": [${children}] }, { "name": "b" }]
    }`;
    const left = await pollutionOf(async () => {
      const { scene } = await importScene(folder.write(`${key}.gltf`, gltf("1")));
      const [root] = JSON.parse(printScene(scene)).entities;
      expect(root.name).toBe(key);
      expect(own(root.components.Props.values.gltf.extras, key)).toEqual({ x: 1 });
      expect(own(root.components.Props.values.gltf.extensions, key)).toEqual({ x: 1 });
      const broken = importScene(folder.write(`${key}-broken.gltf`, gltf(JSON.stringify(key))));
      await expect(broken).rejects.toThrow(`names node ${JSON.stringify(key)}`);
    });
    expect(left).toEqual([]);
  });
});
