/** The scene that a path names, for verbs that take one: a scene file, or one of another tool. */
import { extname } from "node:path";
import type { SceneFile } from "espalier/scene";
import { type VerbStep, verbNamed } from "espalier/verbs";
import { readText } from "../files.ts";
import { importScene } from "../import/index.ts";

const foreign = [".tscn", ".gltf", ".glb"];

/** The step with the scene that it names by a path; other steps as they are. */
export async function withSource(step: VerbStep, pathOf: (name: string) => string): Promise<VerbStep> {
  const { verb, parameters = {} } = step;
  if (verbNamed(verb)?.parameters.scene === undefined || typeof parameters.scene !== "string") return step;
  const scene = await sourceAt(pathOf(parameters.scene));
  return { verb, parameters: { ...parameters, scene: scene as never } };
}

async function sourceAt(path: string): Promise<SceneFile | string> {
  if (!foreign.includes(extname(path).toLowerCase())) return readText(path);
  return (await importScene(path)).scene;
}
