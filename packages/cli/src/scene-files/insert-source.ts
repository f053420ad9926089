/** The scene that a path names, for verbs that take one: a scene file, or one of another tool. */
import { extname } from "node:path";
import type { SceneFile } from "espalier/scene";
import { type VerbStep, verbNamed } from "espalier/verbs";
import { readText } from "../files.ts";
import { importScene } from "../import/index.ts";

const foreign = [".tscn", ".gltf", ".glb"];

/**
 * The step with the scene that it names by a path; other steps as they are.
 *
 * @param within - The folder outside of which an import reads nothing.
 */
export async function withSource(
  step: VerbStep,
  pathOf: (name: string) => string,
  within?: string,
): Promise<VerbStep> {
  const { verb, parameters = {} } = step;
  if (verbNamed(verb)?.parameters.scene === undefined || typeof parameters.scene !== "string") return step;
  const scene = await sourceAt(pathOf(parameters.scene), within);
  return { verb, parameters: { ...parameters, scene: scene as never } };
}

async function sourceAt(path: string, within: string | undefined): Promise<SceneFile | string> {
  if (!foreign.includes(extname(path).toLowerCase())) return readText(path);
  return (await importScene(path, within === undefined ? {} : { within })).scene;
}
