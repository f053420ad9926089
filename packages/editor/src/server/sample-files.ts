/** The sample project as files, for `npm start`. */
import { tanks } from "../samples/tanks.ts";

/** Texts by file name; the scene comes first. */
export function sampleFiles(): { readonly [name: string]: string } {
  const prefabs = Object.entries(tanks.prefabs).map(([name, text]) => [`${name}.prefab.json`, text]);
  return { "yard.scene.json": tanks.scene, ...Object.fromEntries(prefabs) };
}
