/** A small project: a scene, the prefabs that it uses, and another scene. */
import { tempFolder } from "./folder.ts";

export const level = `{
  "entities": [
    { "id": "level", "name": "level", "components": { "Transform2D": { "x": 10 } } },
    { "id": "tank", "name": "tank", "parent": "level", "components": { "Transform2D": { "x": 5 } } },
    { "id": "crate", "name": "crate", "parent": "level", "components": { "Transform2D": {} } },
    { "id": "gun", "name": "gun", "parent": "tank", "prefab": "gun.prefab.json", "components": { "Transform2D": { "y": 2 } }, "overrides": { "sight": { "components": { "Transform2D": { "x": 4 } } } } }
  ]
}
`;
export const gun = `{
  "entities": [
    { "id": "gun", "name": "gun", "components": { "Transform2D": {} } },
    { "id": "sight", "parent": "gun", "components": { "Transform2D": { "x": 1 } } }
  ]
}
`;
export const cannon = gun.replaceAll("gun", "cannon");

export function project() {
  const folder = tempFolder();
  folder.write("level.scene.json", level);
  folder.write("gun.prefab.json", gun);
  folder.write("cannon.prefab.json", cannon);
  folder.write("more.scene.json", `{ "entities": [{ "id": "more", "name": "more" }] }`);
  return folder;
}
