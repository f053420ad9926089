/** The scene that a path names, for verbs that take one: a scene file, or one of another tool. */
import { dirname, extname, relative, resolve, sep } from "node:path";
import { type EntityEntry, parseScene, type SceneFile, toFlat } from "espalier/scene";
import { type VerbStep, verbNamed } from "espalier/verbs";
import { prefabsOnDisk, readText } from "../files.ts";
import { importScene } from "../import/index.ts";

const foreign = [".tscn", ".gltf", ".glb"];

export interface SourceOptions {
  /** The scene file that the step is for. */
  readonly file: string;
  /** Resolves a name to a file. */
  readonly pathOf?: (name: string) => string;
  /** The folder outside of which an import reads nothing. */
  readonly within?: string;
  /** Refuses files that may not be read. */
  readonly mayRead?: (file: string) => void;
}

/** The step with the scene that it names by a path; other steps unchanged. */
export async function withSource(
  step: VerbStep,
  { file, pathOf = (name) => name, within, mayRead }: SourceOptions,
): Promise<VerbStep> {
  const { verb, parameters = {} } = step;
  if (verbNamed(verb)?.parameters.scene === undefined || typeof parameters.scene !== "string") return step;
  const path = pathOf(parameters.scene);
  const source = await sourceAt(path, within);
  // Entities from another folder name prefabs relative to that folder. Another version of the same scene names its own.
  const scene = verb === "insert" ? withPrefabsOf(path, file, source, mayRead) : source;
  return { verb, parameters: { ...parameters, scene: scene as never } };
}

async function sourceAt(path: string, within: string | undefined): Promise<SceneFile | string> {
  if (!foreign.includes(extname(path).toLowerCase())) return readText(path);
  return (await importScene(path, within === undefined ? {} : { within })).scene;
}

function withPrefabsOf(
  path: string,
  file: string,
  source: SceneFile | string,
  mayRead: ((file: string) => void) | undefined,
): SceneFile | string {
  const home = dirname(resolve(file));
  if (dirname(resolve(path)) === home) return source;
  const scene = toFlat(typeof source === "string" ? parseScene(source) : source);
  const find = prefabsOnDisk(undefined, mayRead);
  const renamed = new Map<string, string>();
  const rename = (name: string) => {
    const known = renamed.get(name);
    if (known !== undefined) return known;
    let next = name;
    try {
      next = relative(home, resolve(find(name, path).file))
        .split(sep)
        .join("/");
    } catch {
      // Not beside it: a name from the folder of prefabs, or one that loading refuses.
    }
    renamed.set(name, next);
    return next;
  };
  const entities = scene.entities.map(
    (entry): EntityEntry => (entry.prefab === undefined ? entry : { ...entry, prefab: rename(entry.prefab) }),
  );
  return { ...scene, entities };
}
