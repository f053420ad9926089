/** A small scene for tests of verbs: a level with tanks, one of them an instance. */
import { checkWorld, component, entityRef, f32, object, u8 } from "espalier";
import { checkTree } from "espalier/hierarchy";
import { createSceneFormat, parseScene, type SceneFile } from "espalier/scene";
import { Transform2D, Transform3D } from "espalier/transform";
import { type DocumentOptions, openSceneDocument, type SceneDocument, type VerbError } from "espalier/verbs";
import { expect } from "vitest";

export const Health = component("Health", { hp: f32(100), lives: u8(3) });
export const Aim = component("Aim", { at: entityRef() });
export const Bag = component("Bag", { items: object((): string[] => []) });

export const format = createSceneFormat({ components: [Transform2D, Transform3D, Health, Aim, Bag] });

export const prefabs: { [name: string]: SceneFile } = {
  "gun.prefab.json": {
    entities: [
      { id: "gun", name: "gun", components: { Health: { hp: 5 }, Transform2D: {} } },
      { id: "sight", name: "sight", parent: "gun", components: { Transform2D: { x: 1 } } },
    ],
  },
  "cannon.prefab.json": {
    entities: [{ id: "cannon", name: "cannon", components: { Health: { hp: 50 }, Transform2D: {} } }],
  },
};

export const garage: SceneFile = {
  entities: [
    { id: "level", name: "level", components: { Transform2D: { x: 10 } } },
    {
      id: "tank",
      name: "tank",
      parent: "level",
      components: { Transform2D: { x: 5, y: 2 }, Health: { hp: 80 } },
    },
    {
      id: "turret",
      name: "turret",
      parent: "tank",
      components: { Transform2D: { y: 1 }, Aim: { at: "crate" } },
    },
    { id: "gun", name: "gun", parent: "turret", prefab: "gun.prefab.json" },
    { id: "crate", name: "crate", parent: "level", components: { Transform2D: { x: -3 } } },
    { id: "garage", name: "garage", components: { Transform2D: { x: 100, scaleX: 2, scaleY: 2 } } },
  ],
};

export function openGarage(options: DocumentOptions = {}, file: SceneFile = garage): SceneDocument {
  return openSceneDocument(format, file, { prefabs, ...options });
}

/** What holds after every call: the world and the tree are sound, and the scene loads as it is saved. */
export function expectSound({ scene, prefabFiles }: SceneDocument): void {
  expect(checkTree(scene.tree)).toEqual([]);
  expect(checkWorld(scene.tree.world)).toEqual([]);
  const current = { ...prefabs };
  for (const [file, text] of prefabFiles) if (text !== null) current[file] = parseScene(text);
  expect(format.check(scene.toFile(), { prefabs: current })).toEqual([]);
}

/** What a call throws. */
export function thrown(work: () => unknown): VerbError {
  try {
    work();
  } catch (error) {
    return error as VerbError;
  }
  throw new Error("Nothing was thrown.");
}
