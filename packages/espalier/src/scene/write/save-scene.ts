/**
 * Saving a scene, and remembering the saved text.
 */
import { requireOptions } from "../arguments.ts";
import type { SceneFile } from "../file.ts";
import type { Template } from "../read/node.ts";
import type { SceneParts } from "../scene-parts.ts";
import { type InstanceRecord, tablesOf } from "../tables.ts";
import {
  printWorld,
  printWorldInSlices,
  type SaveOptions,
  saveOptions,
  type WriteInput,
  writeScene,
} from "./write.ts";

export function saveScene(scene: SceneParts, options: SaveOptions): string {
  return noteSaved(scene, printWorld(inputOf(scene, options, "save the scene")));
}

/** `saveScene` in slices, without remembering the text. */
export function saveSceneInSlices(scene: SceneParts, options: SaveOptions): Generator<number, string> {
  return printWorldInSlices(inputOf(scene, options, "save the scene"));
}

export function sceneToFile(scene: SceneParts, options: SaveOptions): SceneFile {
  return writeScene(inputOf(scene, options, "write the scene"));
}

/** Remembers a text as the last one that the scene was saved as. */
export function noteSaved(scene: SceneParts, text: string): string {
  const prefabs = scene.origin?.prefabs ?? scene.options.prefabs ?? {};
  scene.origin = { input: text, prefabs, followed: followedPrefabs(scene) };
  return text;
}

function followedPrefabs({ tree, ids }: SceneParts): Map<string, Template> {
  const followed = new Map<string, Template>();
  const { instances } = tablesOf(tree);
  for (const entity of instances.entities()) {
    const { reference, template } = instances.get(entity) as InstanceRecord;
    if (ids.of(entity) !== undefined && !followed.has(reference)) followed.set(reference, template);
  }
  return followed;
}

function inputOf(scene: SceneParts, options: SaveOptions, doing: string): WriteInput {
  const { tree, registry, ids, keys } = scene;
  const checked = requireOptions(options, doing, saveOptions, tree.world.checks);
  return {
    tree,
    registry,
    ids,
    tops: scene.roots(),
    keys,
    doing: `save ${scene.options.file ?? "the scene"}`,
    options: checked,
  };
}
