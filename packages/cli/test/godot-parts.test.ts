/** A tree in one file of Godot and the same tree in many files come to the same transforms, visibilities and z values. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createInherited, visibility, zIndex } from "espalier/inherit";
import { createSceneFormat } from "espalier/scene";
import { createTransforms2D, createTransforms3D, Transform2D, Transform3D } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { ownComponents } from "../src/config.ts";
import { prefabsOnDisk } from "../src/files.ts";
import { runIn, tempFolder } from "./folder.ts";
import { expectAsSaved } from "./godot-project.ts";

type Random = (below: number) => number;
type Properties = Map<string, string>;

interface Made {
  readonly name: string;
  readonly type: string;
  readonly properties: Properties;
  readonly children: readonly Made[];
}

function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const flat = ["Node2D", "Node2D", "Node2D", "Sprite2D", "Node", "Timer", "CanvasLayer", "Window"];
const deep = ["Node3D", "Node3D", "Node3D", "MeshInstance3D", "Node"];

function propertiesOf(random: Random, type: string): Properties {
  const made: Properties = new Map();
  const maybe = (percent: number, name: string, value: string) => {
    if (random(100) < percent) made.set(name, value);
  };
  const truth = () => (random(2) === 0 ? "false" : "true");
  maybe(20, "metadata/kept", `{ "a": ${random(3)}, "b": Vector2(${random(3)}, 0) }`);
  if (type === "Node" || type === "Timer") return made;
  maybe(25, "visible", truth());
  if (type === "Window") return made;
  if (type === "CanvasLayer") {
    maybe(50, "offset", `Vector2(${random(9)}, ${random(9)})`);
    return made;
  }
  maybe(15, "top_level", "true");
  if (type.endsWith("3D")) {
    maybe(
      60,
      "transform",
      `Transform3D(0, 0, 1, 0, 1, 0, -1, 0, 0, ${random(9)}, ${random(9)}, ${random(9)})`,
    );
    return made;
  }
  maybe(70, "position", `Vector2(${random(20)}, ${random(20)})`);
  maybe(30, "rotation", String(random(3)));
  maybe(30, "scale", `Vector2(${1 + random(3)}, 2)`);
  maybe(30, "z_index", String(random(5)));
  maybe(20, "z_as_relative", truth());
  return made;
}

function randomTree(random: Random, types: readonly string[], name = "R", depth = 0): Made {
  const type = types[random(types.length)] as string;
  const count = depth > 3 ? 0 : random(3) + (depth < 2 ? 1 : 0);
  const properties = propertiesOf(random, type);
  const children = Array.from({ length: count }, (_, k) =>
    randomTree(random, types, `${name}${k}`, depth + 1),
  );
  return { name, type, properties, children };
}

function text(properties: Properties): string {
  return [...properties].map(([name, value]) => `${name} = ${value}\n`).join("");
}

/** Another value of the same kind. */
function another(name: string, value: string): string {
  if (value === "true" || value === "false") return value === "true" ? "false" : "true";
  return name === "z_index" ? "7" : value.replace(/\d+\)?$/, (end) => (end.endsWith(")") ? "55)" : "5"));
}

/**
 * The files of a tree. Some nodes are scenes of their own: of what they say, a part stands there, a part in the file that has them
 * as an instance, instead of something else. And some of what nodes inside say is said again further out.
 */
function split(random: Random, root: Made, percent: number): { [file: string]: string } {
  const files: { [file: string]: string } = {};
  let last = 0;
  const write = (top: Made, file: string): (readonly [string, Made])[] => {
    const inside: (readonly [string, Made])[] = [];
    let resources = "";
    let own = `[node name="${top.name}" type="${top.type}"]\n${text(top.properties)}`;
    let overrides = "";
    let number = 0;
    const part = (node: Made, parent: string, path: string) => {
      const inner: Properties = new Map();
      const outer: Properties = new Map();
      for (const [name, value] of node.properties) {
        const where = random(4);
        if (where < 2) inner.set(name, value);
        else outer.set(name, value);
        if (where === 2) inner.set(name, another(name, value));
      }
      const name = `part${last++}.tscn`;
      const list = write({ ...node, properties: inner }, name);
      resources += `[ext_resource type="PackedScene" path="res://${name}" id="${++number}"]\n`;
      own += `[node name="${node.name}" parent="${parent}" instance=ExtResource("${number}")]\n${text(outer)}`;
      for (const [below, each] of list) {
        inside.push([`${path}/${below}`, each]);
        if (random(5) > 0 || each.properties.size === 0) continue;
        const above = `${path}/${below}`.slice(0, -each.name.length - 1);
        overrides += `[node name="${each.name}" parent="${above}"]\n${text(each.properties)}`;
      }
    };
    const visit = (node: Made, above: string) => {
      for (const child of node.children) {
        const parent = above === "" ? "." : above;
        const path = above === "" ? child.name : `${above}/${child.name}`;
        inside.push([path, child]);
        if (random(100) < percent) {
          part(child, parent, path);
          continue;
        }
        own += `[node name="${child.name}" type="${child.type}" parent="${parent}"]\n${text(child.properties)}`;
        visit(child, path);
      }
    };
    visit(top, "");
    files[file] = `[gd_scene format=3]\n${resources}${own}${overrides}`;
    return inside;
  };
  write(root, "main.tscn");
  return files;
}

/** Where everything is, and whether it is seen, one line per entity. */
async function seen(files: { readonly [file: string]: string }): Promise<string[]> {
  const { dir, write } = tempFolder();
  write("project.godot", "");
  for (const [name, content] of Object.entries(files)) write(name, content);
  const { status, stderr } = await runIn(dir, "import", "main.tscn", "-r");
  expect(status, stderr).toBe(0);
  await expectAsSaved(dir);
  const world = createWorld();
  const tree = createHierarchy(world);
  const plane = createTransforms2D(tree);
  const space = createTransforms3D(tree, { name: "space" });
  const shown = createInherited(tree, visibility);
  const z = createInherited(tree, zIndex);
  const file = join(dir, "main.scene.json");
  const format = createSceneFormat({ components: await ownComponents() });
  format.load(tree, readFileSync(file, "utf8"), { file, prefabs: prefabsOnDisk(undefined) });
  const lines: string[] = [];
  for (const root of tree.roots()) {
    for (const entity of tree.descendants(root, { includeSelf: true })) {
      const at: number[] = [];
      if (world.has(entity, Transform2D)) at.push(...Object.values(plane.worldPosition(entity)));
      if (world.has(entity, Transform3D)) at.push(...Object.values(space.worldPosition(entity)));
      const position = at.map((value) => value.toFixed(3).replace(/^-(0\.0+)$/, "$1"));
      lines.push(`${tree.pathOf(entity)} at ${position} seen ${shown.of(entity)} z ${z.of(entity)}`);
    }
  }
  return lines;
}

describe("a tree that is spread over several scenes of Godot", () => {
  it.each(Array.from({ length: 40 }, (_, k) => k + 1))(
    "is imported as if it were in one file (%i)",
    async (seed) => {
      const random = randomFrom(seed * 7919);
      const root = randomTree(random, seed % 3 === 0 ? deep : flat);
      const whole = split(random, root, 0);
      expect(Object.keys(whole)).toEqual(["main.tscn"]);
      expect(await seen(split(random, root, 40))).toEqual(await seen(whole));
    },
  );
});
