/** A Godot project in a folder of its own, imported and loaded as users do. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createWorld, type Entity } from "espalier";
import { createGameFormat } from "espalier/game";
import { createHierarchy } from "espalier/hierarchy";
import { createSceneFormat } from "espalier/scene";
import { expect } from "vitest";
import { ownComponents } from "../src/config.ts";
import { prefabsOnDisk } from "../src/files.ts";
import { filesIn, runIn, tempFolder } from "./folder.ts";

/** The first lines of a scene that uses these scenes. */
export const head = (...files: string[]) =>
  `[gd_scene format=3]\n${files.map((file, k) => `[ext_resource type="PackedScene" path="res://${file}" id="${k + 1}"]\n`).join("")}`;

/** Every scene below a folder is what a tool and a game write when they save it for the first time. */
export async function expectAsSaved(dir: string): Promise<void> {
  const formats = [createSceneFormat({ components: await ownComponents() }), createGameFormat()];
  for (const [name, text] of Object.entries(filesIn(dir))) {
    if (!name.endsWith(".scene.json")) continue;
    const options = { file: join(dir, name), prefabs: prefabsOnDisk(undefined) };
    for (const format of formats) {
      expect(format.load(createHierarchy(createWorld()), text, options).save(), name).toBe(text);
    }
  }
}

/** Imports `main.tscn` with everything, and loads it: the tree, also as text, and what was listed. */
export async function imported(files: { readonly [name: string]: string | Uint8Array }) {
  const { dir, write } = tempFolder();
  write("project.godot", "");
  for (const [name, content] of Object.entries(files)) write(name, content);
  const { status, stderr } = await runIn(dir, "import", "main.tscn", "-r");
  expect(status, stderr).toBe(0);
  expect((await runIn(dir, "check", dir)).stdout).toContain("no problems");
  await expectAsSaved(dir);
  const format = createSceneFormat({ components: await ownComponents() });
  const tree = createHierarchy(createWorld());
  const file = join(dir, "main.scene.json");
  const options = { file, prefabs: prefabsOnDisk(undefined) };
  format.load(tree, readFileSync(file, "utf8"), options);
  expect(tree.childrenOf(null).length).toBe(1);
  const draw = (entity: Entity): string => {
    const children = tree.childrenOf(entity).map(draw);
    return `${tree.nameOf(entity)}${children.length === 0 ? "" : `(${children.join(" ")})`}`;
  };
  return { tree, drawn: draw(tree.childrenOf(null)[0] as Entity), stderr, dir };
}
